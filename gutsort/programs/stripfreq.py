"""stripfreq: documents without the lines at their ends that a frequent list knows."""

from __future__ import annotations

import argparse
import functools
import os
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, BinaryIO

from gutsort.errors import UsageError
from gutsort.programs import _pages
from gutsort.programs._lists import add_list, list_operand, load_list
from gutsort.programs._options import (
    add_inputs,
    add_keep_cuts,
    add_operands,
    add_parallel,
    add_rule,
    add_windows,
    choice,
    operand_names,
    processes,
    refuse,
    rule_options,
    tell_row,
    window_settings,
)
from gutsort.programs._program import DONE, PARTLY, new_parser, run_program, say

if TYPE_CHECKING:
    from gutsort.count.frequent import FrequentLines
    from gutsort.count.model import Model
    from gutsort.extract.units import Settings
    from gutsort.jobs.strip import After, Sink, Stripper

DESCRIPTION = """\
Cut from each document what a frequent list (from countfreq, or uniq -c) shows to be boilerplate; all other bytes stay as they are.
With no PATH, or one file and no -o, the result goes to standard output; else -o names a directory for it, new or empty.
Documents that deserve a look are named on standard error."""
USAGE = """stripfreq [options] LIST [PATH...]
       stripfreq [options] --model NAME [PATH...]"""


def build_parser() -> argparse.ArgumentParser:
    parser = new_parser("stripfreq", DESCRIPTION, usage=USAGE)
    add_list(parser)
    parser.add_argument("-o", "--output", metavar="DIR", help="write the documents below DIR, in the tree they stand in")
    add_windows(parser)
    add_rule(parser)
    parser.add_argument("--report", metavar="FILE", help="write what was cut and why, as JSON Lines")
    add_keep_cuts(parser)
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--check", action="store_true", help="write no document; status 1 if something would be cut")
    modes.add_argument("--diff", action="store_true", help="write no document, but what would be cut as a unified diff")
    add_inputs(parser)
    _pages.add_options(parser, text=True)
    add_parallel(parser)
    add_operands(parser)
    return parser


def run(args: argparse.Namespace, stdin: BinaryIO, stdout: BinaryIO) -> int:
    _pages.refuse_without_pages(args)
    list_operand(args)
    if args.pages:
        refuse(args, "--pages", "model", "check", "diff", "keep_cuts", "gap", "paper", "paper_heuristics", "key", "head", "tail", "fold")
        return _pages.run_strip(args, stdin, stdout)
    from gutsort.extract.documents import walk
    from gutsort.jobs.operands import layout_of
    from gutsort.jobs.refused import refused_lines
    from gutsort.jobs.report import Summary, open_report
    from gutsort.jobs.strip import strip_all
    from gutsort.jobs.target import new_target

    names = operand_names(args, stdin)
    if args.list == "-" and (not names or b"-" in names):
        raise UsageError("standard input cannot be both LIST and a document")
    options, settings = rule_options(args), window_settings(args, "line")
    sink = _sink(args, names, stdout)
    prefixes = layout_of(names) if names else None
    frequent = load_list(args, stdin)
    stripper = list_stripper(frequent, args, settings, options)
    summary = Summary()
    documents = walk(names or [b"-"], stdin=stdin, prefixes=prefixes, choice=choice(args))
    workers = processes(args) if names and b"-" not in names and (args.output or args.check) else 1  # --diff writes in order
    report = None if args.report is None else os.fsencode(args.report)
    target = None if args.output is None else os.fsencode(args.output)
    with (
        new_target(target, names),
        open_report(report, options | stripper.settings._asdict(), frequent.sha256) as write_row,
        refused_lines(target) as refuse_line,
    ):
        for row in strip_all(documents, stripper, sink, workers, refuse=refuse_line, after=_after(args, stdout)):
            summary.add(row)
            write_row(row)
            tell_row("stripfreq", row, quiet=args.quiet)
    if args.verbose:
        say("stripfreq", summary.text())
    return PARTLY if summary.unread or (args.check and summary.changed) else DONE


def _after(args: argparse.Namespace, stdout: BinaryIO) -> After | None:
    """What is done with each document besides stripping it."""
    from gutsort.jobs.strip import keeping_cuts

    if args.diff:
        from gutsort.programs._diff import write_diff

        return functools.partial(write_diff, stdout)
    return keeping_cuts(os.fsencode(args.keep_cuts)) if args.keep_cuts is not None else None


def list_stripper(frequent: FrequentLines | Model, args: argparse.Namespace, settings: Settings, options: dict[str, Any]) -> Stripper:
    """The rule for a list: odds for one of marked keys, which says its own settings; else the gap rule."""
    from gutsort.extract.units import MARKED
    from gutsort.jobs.strip import gap_stripper, odds_stripper

    if frequent.settings is None:
        if settings.key in MARKED:
            raise UsageError(f"{'--records FF' if settings.key == 'page' else '--key odds'} needs a list with a settings record")
        return gap_stripper(frequent, settings, **options)
    if settings.key == "page" and frequent.settings.get("key") != "page":
        raise UsageError("--records FF needs a list that was made with it")
    refuse(args, "a list of marked keys" if args.model is None else "--model", "key", "head", "tail", "fold", "gap", "paper")
    return odds_stripper(frequent, jsonl_field=args.jsonl_field, interior=args.interior)


def _sink(args: argparse.Namespace, names: Collection[bytes], stdout: BinaryIO) -> Sink:
    from gutsort.jobs.strip import into_file, into_tree

    if args.check or args.diff:
        refuse(args, "--check" if args.check else "--diff", "output", "keep_cuts")
        return into_file(None)
    if args.output is not None:
        return into_tree(os.fsencode(args.output))
    if len(names) > 1 or any(map(os.path.isdir, names)):
        raise UsageError("more than one document needs -o DIR")
    return into_file(stdout)


def main(argv: list[str] | None = None) -> None:
    """Entry point of the command."""
    run_program(build_parser, run, argv)


if __name__ == "__main__":
    main()
