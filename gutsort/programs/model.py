"""gutsort model: a frequent list without its text, to strip documents that are seen alone."""

from __future__ import annotations

import argparse
import os
from typing import BinaryIO

from gutsort.programs._program import DONE, new_parser, open_input, open_output, run_program, say

DESCRIPTION = """\
Make a model of a frequent list of marked keys: 64-bit checksums and counts, no text. stripfreq --model and clean --model cut by it
what is boilerplate in the collection it was counted of, also in a document that stands alone."""


def build_parser() -> argparse.ArgumentParser:
    """The options of gutsort model."""
    parser = new_parser("gutsort model", DESCRIPTION)
    parser.add_argument("list", metavar="LIST", nargs="?", default="-", help="the frequent list; none or - is standard input")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="write the model to FILE, whole or not at all (- is standard output)")
    parser.add_argument("--source", metavar="TEXT", default="", help="what was counted, for the model's header")
    said = "leave out what gives less evidence: a smaller model (default: -3, which changes no cut)"
    parser.add_argument("--least-bits", metavar="B", type=float, help=said)
    return parser


def run(args: argparse.Namespace, stdin: BinaryIO, stdout: BinaryIO) -> int:
    """Make the model; returns the exit status."""
    from gutsort.count.frequent import load_frequent
    from gutsort.formats import escape_name
    from gutsort.jobs.model import make_model

    name = "standard input" if args.list == "-" else escape_name(os.fsencode(args.list))
    with open_input(args.list, stdin) as file:
        frequent = load_frequent(file, name)
    options = {} if args.least_bits is None else {"least": args.least_bits}
    model = make_model(frequent, name, source=args.source, **options)
    with open_output(args.output, stdout) as file:
        model.save(file)
    if args.verbose:
        say("gutsort model", f"{len(model):,} entries, {len(frequent):,} in the list")
    return DONE


def main(argv: list[str] | None = None) -> None:
    """Entry point of the command."""
    run_program(build_parser, run, argv)


if __name__ == "__main__":
    main()
