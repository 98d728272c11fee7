"""gutsort restore: documents as they were before they were stripped."""

from __future__ import annotations

import argparse
import os
from typing import BinaryIO

from gutsort.programs._program import DONE, PARTLY, new_parser, open_input, run_program, say

DESCRIPTION = """\
Put documents together again, byte for byte: REPORT is the report of the run that stripped them, CUTS the directory of its --keep-cuts,
CLEAN the directory of the stripped documents. A document appears only where its digest is the one in the report."""


def build_parser() -> argparse.ArgumentParser:
    """The options of gutsort restore."""
    parser = new_parser("gutsort restore", DESCRIPTION)
    parser.add_argument("report", metavar="REPORT", help="the report (- is standard input)")
    parser.add_argument("cuts", metavar="CUTS", help="the directory of what was cut")
    parser.add_argument("clean", metavar="CLEAN", help="the directory of what was kept")
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="where the documents go: a new or empty directory")
    return parser


def run(args: argparse.Namespace, stdin: BinaryIO, stdout: BinaryIO) -> int:
    """Restore; returns the exit status."""
    from gutsort.jobs.restore import restore_tree
    from gutsort.jobs.target import new_target

    cuts, clean, target = map(os.fsencode, (args.cuts, args.clean, args.output))
    done = failed = 0
    with open_input(args.report, stdin) as report, new_target(target, [cuts, clean]):
        for path, why in restore_tree(report, args.report, cuts, clean, target):
            done += why is None
            if why is not None:
                failed += 1
                say("gutsort restore", f"{path}: {why}; not restored")
    if not args.quiet:
        say("gutsort restore", f"{done} documents restored, {failed} not")
    return PARTLY if failed else DONE


def main(argv: list[str] | None = None) -> None:
    """Entry point of the command."""
    run_program(build_parser, run, argv)


if __name__ == "__main__":
    main()
