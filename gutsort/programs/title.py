"""gutsort title: the titles of web pages."""

from __future__ import annotations

import argparse
from typing import BinaryIO

from gutsort.programs._options import Unread, add_operands, operand_names
from gutsort.programs._program import DONE, PARTLY, new_parser, run_program

DESCRIPTION = """\
Write the title of each page as its reader sees it, one a line: the part of the text that is most like what the page's <title> says.
More than one page: PATH, TAB, title. Given several pages of a directory, what recurs in their <title>s is learned and left out."""

SCORES = ["combined", "tf", "tfidf", "overlap", "aggregate"]


def build_parser() -> argparse.ArgumentParser:
    parser = new_parser("gutsort title", DESCRIPTION)
    parser.add_argument(
        "--score",
        choices=SCORES,
        default="combined",
        help="how likeness is measured (default: combined, <h1> where it agrees with <title>)",
    )
    add_operands(parser)
    return parser


def run(args: argparse.Namespace, stdin: BinaryIO, stdout: BinaryIO) -> int:
    import os

    from gutsort.extract.documents import walk
    from gutsort.formats import escape_name
    from gutsort.jobs.titles import titles

    names = operand_names(args, stdin)
    single = len(names) < 2 and not any(map(os.path.isdir, names))
    unread = Unread("gutsort title")
    for path, title in unread.sift(titles(walk(names or [b"-"], stdin=stdin), args.score)):
        line = title.encode("utf-8", "replace")
        stdout.write((line if single else escape_name(path).encode() + b"\t" + line) + b"\n")
    return PARTLY if unread.count else DONE


def main(argv: list[str] | None = None) -> None:
    """Entry point of the command."""
    run_program(build_parser, run, argv)


if __name__ == "__main__":
    main()
