"""gutsort explain: why a document is cut where it is, line by line."""

from __future__ import annotations

import argparse
import os
from typing import BinaryIO

from gutsort.errors import UsageError
from gutsort.programs._lists import add_list, list_operand, load_list
from gutsort.programs._options import Unread
from gutsort.programs._program import DONE, PARTLY, natural, new_parser, run_program

USAGE = """gutsort explain [options] LIST FILE
       gutsort explain [options] --model NAME FILE"""
DESCRIPTION = """\
Print the ends of a document with the evidence for each line, and why the cut stands where it does. Cut lines begin with "-".
The evidence of a line is that of its best key: bits = log2(ends / (B + 20 bodies)), from -3 to 6, where `ends` is how many other
documents have the key at this end, `bodies` how many have it inside, and B what chance gives, in proportion to the square root of the
number of documents. `sum` adds the bits up from the outer end: the cut is made where it is greatest, and then mended as said below the table.
Each key is a line of LIST, with the place (^ head, $ tail) and without it a tab before: delete or add lines there to move the cut."""


def build_parser() -> argparse.ArgumentParser:
    """The options of gutsort explain."""
    parser = new_parser("gutsort explain", DESCRIPTION, usage=USAGE)
    add_list(parser)
    parser.add_argument("paths", metavar="FILE", nargs="*", help="the document (- is standard input)")
    parser.add_argument("--keys", action="store_true", help="all keys of a line that were seen elsewhere, not only the one that decides")
    parser.add_argument("--beyond", metavar="N", type=natural, default=8, help="show so many lines beyond the cut (default: 8)")
    parser.add_argument("--jsonl-field", metavar="NAME", help="the field of JSON Lines that is the document (default: text)")
    return parser


def run(args: argparse.Namespace, stdin: BinaryIO, stdout: BinaryIO) -> int:
    """Explain; returns the exit status."""
    from gutsort.extract.containers import texts
    from gutsort.extract.documents import walk
    from gutsort.formats import escape_name
    from gutsort.jobs.explain import View, explain

    list_operand(args)
    if not args.paths:
        raise UsageError("FILE is missing")
    if args.list == "-" and "-" in args.paths:
        raise UsageError("standard input cannot be both LIST and a document")
    frequent, name = load_list(args, stdin), args.model or args.list
    unread = Unread("gutsort explain")
    for document in unread.sift(walk([os.fsencode(path) for path in args.paths], stdin=stdin)):
        with document.open() as file:
            for text in unread.sift(texts(document, file, jsonl_field=args.jsonl_field)):
                shown = text.document.path if text.document.member is None else b"%b:%b" % (text.document.path, text.document.member)
                stdout.write(f"{escape_name(shown)} by {escape_name(os.fsencode(name))}, {frequent.documents or 0:,} documents\n\n".encode())
                for line in explain(text.file, frequent, name, View(args.beyond, args.keys)):
                    stdout.write(line.rstrip().encode() + b"\n")
    return PARTLY if unread.count else DONE


def main(argv: list[str] | None = None) -> None:
    """Entry point of the command."""
    run_program(build_parser, run, argv)


if __name__ == "__main__":
    main()
