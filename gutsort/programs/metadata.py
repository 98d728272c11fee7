"""`gutsort metadata`: abstract, keywords and MSC codes of preprints."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import Any, BinaryIO, NoReturn

from gutsort.errors import ReadError, UsageError
from gutsort.extract.documents import no_file
from gutsort.formats import write_report_row
from gutsort.jobs.preprints import FORMATS, TSV_HEADER, Rules, metadata_row, read_frequent_lines, skipped_row, tsv_fields
from gutsort.programs._program import DONE, PARTLY, new_parser, open_input, open_output, run_program, say

NAME = "gutsort metadata"


def build_parser() -> argparse.ArgumentParser:
    """The parser of the command."""
    parser = new_parser(NAME, "Print abstract, keywords, MSC codes and language of preprints, a JSON object a paper, with their places.")
    parser.add_argument("files", metavar="FILE", nargs="*", help="HTML of prescript or pdftotext -bbox-layout, text, PDF or PostScript")
    parser.add_argument("--files0-from", metavar="F", help="read the names from F instead, each ended by NUL (- is standard input)")
    parser.add_argument("--format", choices=FORMATS, default="auto", help="what the files are (default: guessed from the content of each)")
    parser.add_argument("--output-format", choices=["jsonl", "tsv"], help="JSON Lines (default), or TSV with a header line")
    parser.add_argument("--tsv", action="store_true", help="the same as --output-format tsv")
    parser.add_argument("--literal", action="store_true", help="the rules of Kokkelink 2001 to the letter, not the improved ones")
    parser.add_argument("--strict", action="store_true", help="with --literal, take only what looks like a code, as the default rules do")
    parser.add_argument("--frequent", metavar="LIST", help="drop the lines of this frequent list (COUNT TAB KEY) before the rules run")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to FILE, which appears when it is whole")
    return parser


def run(args: argparse.Namespace, stdin: BinaryIO, stdout: BinaryIO) -> int:
    """Write a row for every paper; PARTLY where one could not be read."""
    if args.tsv and args.output_format == "jsonl":
        raise UsageError("--tsv and --output-format jsonl do not go together")
    if args.literal and args.frequent:
        raise UsageError("--literal and --frequent do not go together: the source drops no lines")
    names = _names(args, stdin)
    frequent: frozenset[bytes] = frozenset()
    if args.frequent:
        with open_input(args.frequent, stdin) as file:
            frequent = read_frequent_lines(file, args.frequent)
    rules = Rules(args.format, args.literal, args.strict, frequent)
    tsv = args.tsv or args.output_format == "tsv"
    skipped = 0
    with open_output(args.output, stdout) as output:
        if tsv:
            output.write("\t".join(TSV_HEADER).encode() + b"\n")
        for name in names:
            row = _row_of(name, stdin, rules)
            if "why" in row:
                skipped += 1
                say(NAME, f"{row['path']}: {row['why']}; skipped")
            _write(output, row, tsv=tsv)
    return PARTLY if skipped else DONE


def _names(args: argparse.Namespace, stdin: BinaryIO) -> list[str]:
    if args.files and args.files0_from:
        raise UsageError("FILE and --files0-from do not go together")
    names = args.files
    if args.files0_from:
        with open_input(args.files0_from, stdin) as file:
            names = [os.fsdecode(name) for name in file.read().split(b"\0") if name]
    if not names:
        raise UsageError("no FILE; - is standard input")
    if [args.files0_from, args.frequent, *names].count("-") > 1:
        raise UsageError("standard input can be read once only")
    return names


def _row_of(name: str, stdin: BinaryIO, rules: Rules) -> dict[str, Any]:
    path = os.fsencode(name)
    try:
        if name != "-" and (what := no_file(path, os.stat(path).st_mode)) is not None:
            return skipped_row(path, f"is {what}")
        with open_input(name, stdin) as file:
            return metadata_row(path, file, rules)
    except ReadError as error:
        return skipped_row(path, str(error).partition(": ")[2])
    except OSError as error:
        return skipped_row(path, error.strerror or str(error))


def _write(output: BinaryIO, row: dict[str, Any], *, tsv: bool) -> None:
    if tsv:
        output.write("\t".join(tsv_fields(row)).encode() + b"\n")
    else:
        write_report_row(output, row)


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Entry point of `gutsort metadata`."""
    run_program(build_parser, run, argv)
