"""extract: the lines at the ends of documents, as a stream for extsort."""

from __future__ import annotations

import argparse
import os
from typing import BinaryIO

from gutsort.errors import UsageError
from gutsort.programs import _pages
from gutsort.programs._options import (
    Unread,
    add_inputs,
    add_operands,
    add_parallel,
    add_windows,
    choice,
    operand_names,
    processes,
    window_settings,
)
from gutsort.programs._program import DONE, PARTLY, new_parser, positive, run_program, say

DESCRIPTION = """\
Write the keys of the lines that open and close each document, as a line stream for extsort or LC_ALL=C sort.
A PATH is a file, a directory (all files below it) or - for standard input, which is also read where no PATH is given.
Compressed files are read, and tar and zip archives, JSON Lines and mailboxes, by their names, as the documents in them.
Only the ends of a document are read: its first --head and last --tail lines, at most 64 KiB each."""


def build_parser() -> argparse.ArgumentParser:
    parser = new_parser("extract", DESCRIPTION)
    add_windows(parser)
    parser.add_argument("--paper", action="store_true", help="key, windows and counting of Kaser & Lemire 2007")
    parser.add_argument("--shards", metavar="N", type=positive, help="write N files, a key to the one its hash names; print their names")
    parser.add_argument("--shard-dir", metavar="DIR", help="where the shards go")
    add_inputs(parser)
    _pages.add_options(parser, weights=True)
    add_parallel(parser)
    add_operands(parser)
    return parser


def run(args: argparse.Namespace, stdin: BinaryIO, stdout: BinaryIO) -> int:
    _pages.refuse_without_pages(args)
    if args.pages:
        return _pages.run_extract(args, stdin, stdout)
    if (args.shards is None) != (args.shard_dir is None):
        raise UsageError("--shards and --shard-dir go together")
    from gutsort.extract.documents import walk
    from gutsort.extract.units import MARKED
    from gutsort.formats import write_lines
    from gutsort.jobs.extract import counts_copies_once, key_blocks, write_shards

    settings = window_settings(args)
    if settings.interior and settings.key not in MARKED:
        raise UsageError(f"--interior and --key {settings.key} do not go together: a list without places knows lines wherever they stand")
    names = operand_names(args, stdin) or [b"-"]
    unread = Unread("extract")
    documents = walk(names, stdin=stdin, choice=choice(args))
    seen = counts_copies_once(settings)
    blocks = unread.sift(key_blocks(documents, settings, 1 if b"-" in names else processes(args), seen))
    if args.shards:
        write_lines(stdout, write_shards(blocks, os.fsencode(args.shard_dir), args.shards))
    else:
        for lines in blocks:
            write_lines(stdout, lines)
    if args.verbose and seen is not None:
        say("extract", f"{seen.copies} documents with the ends of another counted once")
    return PARTLY if unread.count else DONE


def main(argv: list[str] | None = None) -> None:
    """Entry point of the command."""
    run_program(build_parser, run, argv)


if __name__ == "__main__":
    main()
