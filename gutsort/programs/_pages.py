"""--pages of extract, stripfreq and clean: options, and what each program does where they are given."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from gutsort.errors import UsageError
from gutsort.programs._options import Unread, choice, operand_names, processes, refuse, tell_row
from gutsort.programs._program import DONE, PARTLY, open_input, say

if TYPE_CHECKING:
    from gutsort.jobs.site import Stripped

METHODS = ["blocks", "weights", "style-tree", "style-tree-all"]
SITE_FROM = ["directory", "url-host"]


def add_options(parser: argparse.ArgumentParser, *, weights: bool = False, text: bool = False) -> None:
    """--pages with --method and --site-from; --weights for extract, --text for the programs that strip."""
    parser.add_argument(
        "--pages", action="store_true", help="the documents are web pages: what recurs over the blocks of a site is counted and cut"
    )
    parser.add_argument("--method", choices=METHODS, help="with --pages: how what recurs is found (default: blocks)")
    parser.add_argument("--site-from", choices=SITE_FROM, help="with --pages: what a site is (default: directory)")
    if weights:
        parser.add_argument("--weights", metavar="LIST", help="with --pages: print the feature weights of each page instead")
    if text:
        parser.add_argument("--text", action="store_true", help="with --pages: write the main text of what is left, one PAGE.txt a page")


def refuse_without_pages(args: argparse.Namespace) -> None:
    """Raise UsageError where an option of --pages was given without it."""
    for option in ("method", "site_from", "weights", "text"):
        if not args.pages and getattr(args, option, None) not in (None, False):
            raise UsageError(f"--{option.replace('_', '-')} needs --pages")
    if args.pages:
        refuse(args, "--pages", "jsonl_field", "interior", "records")


def run_extract(args: argparse.Namespace, stdin: BinaryIO, stdout: BinaryIO) -> int:
    """extract --pages: the lines of each page, or with --weights its feature weights."""
    from gutsort.extract.documents import walk
    from gutsort.formats import read_frequent, write_lines
    from gutsort.jobs.site import SITE_FROM, page_features, weight_table

    names = operand_names(args, stdin)
    unread, site_of = Unread("extract"), SITE_FROM[args.site_from or "directory"]
    documents = walk(names or [b"-"], stdin=stdin, choice=choice(args))
    if getattr(args, "weights", None) is None:
        workers = processes(args) if names and b"-" not in names else 1
        results = page_features(documents, args.method or "blocks", site_of, workers)
        for lines in unread.sift(results):
            write_lines(stdout, lines)
    else:
        if args.weights == "-" and (not names or b"-" in names):
            raise UsageError("standard input cannot be both LIST and a page")
        with open_input(args.weights, stdin) as file:
            for lines in unread.sift(weight_table(documents, read_frequent(file, args.weights), args.weights, site_of)):
                write_lines(stdout, lines)
    return PARTLY if unread.count else DONE


def run_strip(args: argparse.Namespace, stdin: BinaryIO, stdout: BinaryIO) -> int:
    """stripfreq --pages LIST PATH... [-o DIR]: the pages without what recurs, or with --text their main text."""
    from gutsort.jobs.operands import layout_of
    from gutsort.jobs.target import new_target

    names = operand_names(args, stdin)
    if args.list == "-" and (not names or b"-" in names):
        raise UsageError("standard input cannot be both LIST and a document")
    single = len(names) < 2 and not any(map(os.path.isdir, names))
    if args.output is None and not single:
        raise UsageError("more than one document needs -o DIR")
    target = None if args.output is None else os.fsencode(args.output)
    prefixes = layout_of(names) if names else None
    with open_input(args.list, stdin) as file, new_target(target, names):
        return _strip(
            args, "stripfreq", file, args.list, (names or [b"-"], prefixes, stdin), target=target, stdout=stdout, report=args.report
        )


def run_clean(args: argparse.Namespace, stdin: BinaryIO, stdout: BinaryIO) -> int:
    """clean --pages PATH... -o DST: count, then cut; DST.gutsort/ beside it holds the list and the report."""
    from gutsort.extract.documents import walk
    from gutsort.formats import escape_name
    from gutsort.jobs.clean import Sorting
    from gutsort.jobs.operands import layout_of
    from gutsort.jobs.site import SITE_FROM, count_pages
    from gutsort.jobs.target import check_new, lock, make_folder, new_target, side_folder
    from gutsort.programs._options import sort_options

    names = operand_names(args, stdin)
    if not names or b"-" in names:
        raise UsageError("clean --pages reads twice: it needs PATHs, and cannot take standard input")
    refuse(args, "--pages", "support", "key", "head", "tail", "gap")
    target = os.fsencode(args.output)
    check_new(target, names)
    prefixes, side = layout_of(names), side_folder(target)
    make_folder(side)
    with lock(os.path.join(side, b"lock")):
        path = os.path.join(side, b"site.txt")
        site_of = SITE_FROM[args.site_from or "directory"]
        count_pages(walk(names, prefixes=prefixes, choice=choice(args)), args.method or "blocks", site_of, path, Sorting(**sort_options(args)))
        report = args.report or os.fsdecode(os.path.join(side, b"report.jsonl"))
        with open(path, "rb") as file, new_target(target, names):
            return _strip(
                args, "gutsort clean", file, escape_name(path), (names, prefixes, None), target=target, stdout=stdout, report=report
            )


def _strip(
    args: argparse.Namespace, program: str, counted: BinaryIO, name: str, operands: tuple, *, target: bytes | None, stdout: BinaryIO, report
) -> int:
    """Strip with an open list, write what is left, report and say what deserves a look."""
    from gutsort.extract.documents import walk
    from gutsort.formats import read_frequent
    from gutsort.jobs.report import Summary, open_report, skipped_row
    from gutsort.jobs.site import SITE_FROM, strip_sites
    from gutsort.records import Skipped

    names, prefixes, stdin = operands
    documents = walk(names, stdin=stdin, prefixes=prefixes, choice=choice(args))
    method, site_of = args.method or "blocks", SITE_FROM[args.site_from or "directory"]
    workers = processes(args) if target is not None and b"-" not in names else 1
    pages = strip_sites(documents, read_frequent(counted, name), name, method, site_of, text=args.text, processes=workers)
    summary, options = Summary(), {"pages": True, "method": method, "text": args.text}
    with open_report(None if report is None else os.fsencode(report), options, _sha256(counted)) as write_row:
        for page in pages:
            row = skipped_row(page) if isinstance(page, Skipped) else page.row
            if not isinstance(page, Skipped):
                with _output_of(page, target, stdout, args.text) as file:
                    file.write(_content(page, args.text))
            summary.add(row)
            write_row(row)
            tell_row(program, row, quiet=args.quiet)
    if args.verbose:
        say(program, summary.text())
    return PARTLY if summary.unread else DONE


def _content(page: Stripped, text: bool) -> bytes:
    if not text:
        return page.data
    return page.main.text.encode("utf-8", "replace") + b"\n" if page.main.text else b""


@contextlib.contextmanager
def _output_of(page: Stripped, target: bytes | None, stdout: BinaryIO, text: bool) -> Iterator[BinaryIO]:
    from gutsort.jobs.target import make_folder, whole_file

    if target is None:
        yield stdout
        return
    path = os.path.join(target, page.document.target + (b".txt" if text else b""))
    make_folder(os.path.dirname(path))
    with whole_file(path, sync=False) as file:
        yield file


def _sha256(file: BinaryIO) -> str:
    """The digest of a list that can be read again; a pipe has none."""
    import hashlib

    if not file.seekable():
        return ""
    digest = hashlib.file_digest(file, "sha256").hexdigest()
    file.seek(0)
    return digest
