"""gutsort clean: the whole pipe in one command."""

from __future__ import annotations

import argparse
import os
from typing import BinaryIO

from gutsort.errors import UsageError
from gutsort.programs._options import (
    add_operands,
    add_rule,
    add_sorting,
    add_support,
    add_windows,
    operand_names,
    rule_options,
    sort_options,
    tell_row,
    window_settings,
)
from gutsort.programs._program import DONE, PARTLY, new_parser, run_program, say

DESCRIPTION = """\
Clean the documents of all PATHs into DST, a new or empty directory: count the lines that open and close them, and cut from each
what opens or closes many. Beside it, DST.gutsort/ gets the frequent list, the report of every cut and the list of documents to look at."""


def build_parser() -> argparse.ArgumentParser:
    parser = new_parser("gutsort clean", DESCRIPTION)
    parser.add_argument("-o", "--output", metavar="DST", required=True, help="where the cleaned documents go")
    add_support(parser)
    add_windows(parser)
    add_rule(parser)
    parser.add_argument("--report", metavar="FILE", help="write the report there instead of DST.gutsort/report.jsonl")
    add_sorting(parser)
    add_operands(parser)
    return parser


def run(args: argparse.Namespace, stdin: BinaryIO, stdout: BinaryIO) -> int:
    from gutsort.count.exact import Support
    from gutsort.jobs.clean import Options, Sorting, clean
    from gutsort.jobs.report import Summary
    from gutsort.programs._progress import ProgressLine

    names = operand_names(args, stdin)
    if not names:
        raise UsageError("nothing to clean: PATH is missing")
    if b"-" in names:
        raise UsageError("clean reads twice and cannot take standard input: use extract and stripfreq")
    rule = rule_options(args)
    options = Options(window_settings(args, "odds" if args.gap is None else "line"), args.support or Support(), rule)
    report = None if args.report is None else os.fsencode(args.report)
    summary, progress = Summary(), ProgressLine(quiet=args.quiet)
    for row in clean(names, os.fsencode(args.output), options, Sorting(**sort_options(args)), report=report, progress=progress):
        summary.add(row)
        tell_row("gutsort clean", row, quiet=args.quiet, before=progress.clear)
    progress.close()
    if not args.quiet:
        say("gutsort clean", summary.text())
    return PARTLY if summary.unread else DONE


def main(argv: list[str] | None = None) -> None:
    """Entry point of the command."""
    run_program(build_parser, run, argv)


if __name__ == "__main__":
    main()
