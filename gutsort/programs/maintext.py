"""gutsort maintext: the main text of web pages."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, BinaryIO

from gutsort.programs._options import Unread, add_operands, add_parallel, operand_names, processes
from gutsort.programs._program import DONE, PARTLY, new_parser, run_program, say

if TYPE_CHECKING:
    from gutsort.jobs.pages import Found

DESCRIPTION = """\
Write the main text of web pages, paragraphs parted by blank lines. One page and no -o: to standard output; more pages without -o: as
JSON Lines with path, title, method, share kept and text; with -o DIR one file PAGE.txt a page, in the tree they stand in.
A page in which no article is found is kept, all but menus and the like, and named on standard error."""

METHODS = ["auto", "danag", "addanag", "dana", "r2l"]


def build_parser() -> argparse.ArgumentParser:
    parser = new_parser("gutsort maintext", DESCRIPTION)
    parser.add_argument("--method", choices=METHODS, default="auto", help="how the article is found (default: auto, by blocks)")
    parser.add_argument("--html", action="store_true", help="write the page, cut down to its main text, in place of the text")
    parser.add_argument("-o", "--output", metavar="DIR", help="write one file a page below DIR, new or empty")
    add_parallel(parser)
    add_operands(parser)
    return parser


def run(args: argparse.Namespace, stdin: BinaryIO, stdout: BinaryIO) -> int:
    from gutsort.extract.documents import walk
    from gutsort.jobs.operands import layout_of
    from gutsort.jobs.pages import main_texts
    from gutsort.jobs.target import new_target

    names = operand_names(args, stdin)
    documents = walk(names or [b"-"], stdin=stdin, prefixes=layout_of(names) if names else None)
    single = args.output is None and len(names) < 2 and not any(map(os.path.isdir, names))
    target = None if args.output is None else os.fsencode(args.output)
    workers = 1 if single or b"-" in names else processes(args)
    unread = Unread("gutsort maintext")
    found = unread.sift(main_texts(documents, args.method, html=args.html, titled=target is None and not single, processes=workers))
    with new_target(target, names):
        for page in _told(found, quiet=args.quiet):
            if target is not None:
                _write_file(target, page)
            elif single:
                stdout.write(_content(page))
            else:
                _write_row(stdout, page.row())
    return PARTLY if unread.count else DONE


def _told(pages: Iterable[Found], *, quiet: bool) -> Iterable[Found]:
    from gutsort.formats import escape_name

    for page in pages:
        if not page.main.found and not quiet:
            say("gutsort maintext", f"{escape_name(page.path)}: no article found; kept the page")
        yield page


def _content(page: Found) -> bytes:
    if page.html is not None:
        return page.html
    return page.main.text.encode("utf-8", "replace") + b"\n" if page.main.text else b""


def _write_file(target: bytes, page: Found) -> None:
    from gutsort.jobs.target import make_folder, whole_file

    path = os.path.join(target, page.target + (b".txt" if page.html is None else b""))
    make_folder(os.path.dirname(path))
    with whole_file(path, sync=False) as file:
        file.write(_content(page))


def _write_row(stdout: BinaryIO, row: dict[str, Any]) -> None:
    from gutsort.formats import write_report_row

    write_report_row(stdout, row)


def main(argv: list[str] | None = None) -> None:
    """Entry point of the command."""
    run_program(build_parser, run, argv)


if __name__ == "__main__":
    main()
