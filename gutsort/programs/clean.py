"""gutsort clean: the whole pipe in one command."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, BinaryIO

from gutsort.errors import UsageError
from gutsort.programs import _pages
from gutsort.programs._options import (
    add_inputs,
    add_keep_cuts,
    add_model,
    add_operands,
    add_rule,
    add_sorting,
    add_support,
    add_windows,
    choice,
    operand_names,
    refuse,
    rule_options,
    sort_options,
    tell_row,
    window_settings,
)
from gutsort.programs._program import DONE, PARTLY, new_parser, run_program, say

if TYPE_CHECKING:
    from gutsort.count.model import Model

DESCRIPTION = """\
Clean the documents of all PATHs into DST, a new or empty directory: count the lines that open and close them, and cut from each
what opens or closes many. Beside it, DST.gutsort/ gets the frequent list, the report of every cut and the list of documents to look at."""


COUNTERS = ["exact", "checksum", "hashed", "majority", "spacesaving", "sample"]


def build_parser() -> argparse.ArgumentParser:
    parser = new_parser("gutsort clean", DESCRIPTION)
    parser.add_argument("-o", "--output", metavar="DST", required=True, help="where the cleaned documents go")
    add_support(parser)
    parser.add_argument("--counter", metavar="METHOD", choices=COUNTERS, help="count by a structure of approxfreq instead of sorting")
    add_windows(parser)
    add_rule(parser)
    add_model(parser, "cut what a model knows as well as what recurs here")
    parser.add_argument("--report", metavar="FILE", help="write the report there instead of DST.gutsort/report.jsonl")
    add_sorting(parser)
    add_keep_cuts(parser)
    add_inputs(parser)
    _pages.add_options(parser, text=True)
    add_operands(parser)
    return parser


def run(args: argparse.Namespace, stdin: BinaryIO, stdout: BinaryIO) -> int:
    _pages.refuse_without_pages(args)
    if args.pages:
        refuse(args, "--pages", "model", "keep_cuts", "fold", "paper", "paper_heuristics")
        return _pages.run_clean(args, stdin, stdout)
    from gutsort.count.exact import Support
    from gutsort.extract.units import Settings
    from gutsort.jobs.clean import Options, Sorting, Stage, clean
    from gutsort.jobs.report import Summary
    from gutsort.programs._progress import ProgressLine

    names = operand_names(args, stdin)
    if not names:
        raise UsageError("nothing to clean: PATH is missing")
    if b"-" in names:
        raise UsageError("clean reads twice and cannot take standard input: use extract and stripfreq")
    rule = rule_options(args)
    model, settings = _model(args), window_settings(args, "odds" if args.gap is None else "line")
    if model is not None:
        settings = Settings.of_record(model.settings)._replace(jsonl_field=args.jsonl_field, interior=args.interior)
    options = Options(settings, args.support or Support(), rule, args.counter, {"include": args.include, "exclude": args.exclude}, model)
    report = None if args.report is None else os.fsencode(args.report)
    summary, line = Summary(), ProgressLine(quiet=args.quiet)

    def progress(stage: Stage) -> None:
        summary.copies = stage.copies
        line(stage)

    sorting = Sorting(**sort_options(args))
    cuts = None if args.keep_cuts is None else os.fsencode(args.keep_cuts)
    target = os.fsencode(args.output)
    for row in clean(names, target, options, sorting, report=report, keep_cuts=cuts, choice=choice(args), progress=progress):
        summary.add(row)
        tell_row("gutsort clean", row, quiet=args.quiet, before=line.clear)
    line.close()
    if not args.quiet:
        say("gutsort clean", summary.text())
    return PARTLY if summary.unread else DONE


def _model(args: argparse.Namespace) -> Model | None:
    """What --model names; it says itself what is counted of which lines."""
    if args.model is None:
        return None
    from gutsort.jobs.model import find_model

    refuse(args, "--model", "key", "head", "tail", "fold", "records", "gap", "paper", "paper_heuristics")
    return find_model(args.model)


def main(argv: list[str] | None = None) -> None:
    """Entry point of the command."""
    run_program(build_parser, run, argv)


if __name__ == "__main__":
    main()
