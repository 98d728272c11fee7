"""gutsort-spark: gutsort clean on a Spark cluster. It needs `pip install gutsort[spark]`, and Java 17 or later."""

from __future__ import annotations

import argparse
import os
import sys
from typing import BinaryIO

from gutsort.errors import UsageError
from gutsort.programs import clean as clean_program
from gutsort.programs._options import choice, operand_names, rule_options, tell_row, window_settings
from gutsort.programs._program import DONE, PARTLY, run_program, say


def build_parser() -> argparse.ArgumentParser:
    """The options of gutsort clean, and --master and --conf."""
    parser = clean_program.build_parser()
    parser.prog = "gutsort-spark clean"
    parser.add_argument("--master", metavar="URL", help="the cluster (default: what spark-submit says, else local[*])")
    parser.add_argument("--conf", metavar="NAME=VALUE", action="append", default=[], help="a setting of Spark; may be given several times")
    return parser


def run(args: argparse.Namespace, stdin: BinaryIO, stdout: BinaryIO) -> int:
    """Clean on the cluster; returns the exit status."""
    from gutsort.count.exact import Support
    from gutsort.jobs.clean import Options, Sorting, clean
    from gutsort.jobs.report import Summary

    names = operand_names(args, stdin)
    if not names or b"-" in names:
        raise UsageError("PATH is missing, or is standard input, which a cluster cannot read")
    for option in ("pages", "model", "counter", "buffer_size", "temporary_directory", "parallel"):
        if getattr(args, option):
            raise UsageError(f"--{option.replace('_', '-')} does not go with gutsort-spark")
    rule = rule_options(args)
    settings = window_settings(args, "odds" if args.gap is None else "line")
    options = Options(settings, args.support or Support(), rule, args.counter, {"include": args.include, "exclude": args.exclude})
    report = None if args.report is None else os.fsencode(args.report)
    cuts = None if args.keep_cuts is None else os.fsencode(args.keep_cuts)
    summary = Summary()
    with context_of(args) as context:
        from gutsort.jobs.spark import engine

        rows = clean(
            names, os.fsencode(args.output), options, Sorting(0), report=report, keep_cuts=cuts, choice=choice(args), engine=engine(context),
            progress=lambda stage: setattr(summary, "copies", stage.copies),
        )  # fmt: skip
        for row in rows:
            summary.add(row)
            tell_row("gutsort-spark", row, quiet=args.quiet)
    if not args.quiet:
        say("gutsort-spark", summary.text())
    return PARTLY if summary.unread else DONE


def context_of(args: argparse.Namespace):
    """The SparkContext that --master and --conf ask for. Raises UsageError where PySpark is not installed."""
    if wrong := [setting for setting in args.conf if "=" not in setting]:
        raise UsageError(f"--conf {wrong[0]}: expected NAME=VALUE")
    settings = dict(setting.split("=", 1) for setting in args.conf)
    try:
        from gutsort.jobs.spark import open_context
    except ModuleNotFoundError:
        raise UsageError("PySpark is not installed: pip install 'gutsort[spark]'") from None
    return open_context(args.master, settings, sys.executable)


def main(argv: list[str] | None = None) -> None:
    """Entry point of the command."""
    argv = sys.argv[1:] if argv is None else argv
    if argv[:1] != ["clean"]:
        parser = argparse.ArgumentParser("gutsort-spark", description=__doc__)
        parser.add_argument("command", choices=["clean"], help="gutsort-spark clean --help says the options")
        parser.parse_args(argv[:1])
    run_program(build_parser, run, argv[1:])


if __name__ == "__main__":
    main()
