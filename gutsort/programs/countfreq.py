"""countfreq: the frequent lines of a sorted stream, with their counts: `uniq -c` and a threshold in one pass."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import BinaryIO, NoReturn

from gutsort.programs._options import add_support
from gutsort.programs._program import DONE, new_parser, open_input, open_output, run_program

READ = 128 << 10  # bytes of lines counted at once: they stay in the processor's cache


def build_parser() -> argparse.ArgumentParser:
    """The options of countfreq."""
    parser = new_parser(
        "countfreq",
        "Print the lines that occur at least K times in sorted input, with their counts.",
        usage="countfreq [options] [FILE...]",
    )
    parser.epilog = (
        "On a stream of marked keys (its first record starts with '#gutsort 1 ') all places of a key are kept\n"
        "whose head or tail count reaches K.\n"
        "The default K is 11 on a plain stream; on a stream of marked keys it is chosen from the number of documents."
    )
    add_count_options(parser)
    parser.add_argument(
        "--merge", action="store_true", help="the inputs are frequent lists: add the counts of equal keys, then apply K (default 1)"
    )
    parser.add_argument("-z", "--zero-terminated", action="store_true", help="lines end with NUL, not LF")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to FILE, whole or not at all")
    parser.add_argument("files", nargs="*", metavar="FILE", help="sorted files, read as one; none or - is standard input")
    return parser


def add_count_options(parser: argparse.ArgumentParser) -> None:
    """-k and --format."""
    add_support(parser)
    parser.add_argument("--format", choices=("tsv", "uniq"), default="tsv", help="COUNT TAB KEY (default), or as uniq -c prints")


def run(args: argparse.Namespace, stdin: BinaryIO, stdout: BinaryIO) -> int:
    """Count and print; returns the exit status."""
    from gutsort.count.exact import Support, count_blocks, in_order, kept_rows
    from gutsort.count.frequent import merge_lists
    from gutsort.formats import FREQUENT_STYLES, read_frequent, write_lines

    separator = b"\0" if args.zero_terminated else b"\n"
    if args.merge:
        lists = (read_frequent(file, name, separator) for name, file in _opened(args.files, stdin))
        rows = kept_rows(*merge_lists(lists), args.support or Support(1))
    else:
        rows = count_blocks(_blocks(args.files, stdin, separator, in_order), args.support or Support())
    with open_output(args.output, stdout) as file:
        for keys, counts in rows:
            write_lines(file, FREQUENT_STYLES[args.format](counts, keys), separator)
    return DONE


def _blocks(files: list[str], stdin: BinaryIO, separator: bytes, in_order) -> Iterator:
    """The lines of the files as one sorted stream."""
    from gutsort.formats import read_line_blocks

    last: list[bytes] = []
    for name, file in _opened(files, stdin):
        for block in in_order(read_line_blocks(file, separator, READ), name, last):
            yield block
            last = block[0][-1:] or last


def _opened(files: list[str], stdin: BinaryIO) -> Iterator[tuple[str, BinaryIO]]:
    import os

    from gutsort.formats import escape_name

    for operand in files or ["-"]:
        with open_input(operand, stdin) as file:
            yield escape_name(os.fsencode(operand)) if operand != "-" else "standard input", file


def main(argv: list[str] | None = None) -> NoReturn:
    """Entry point of the command."""
    run_program(build_parser, run, argv)


if __name__ == "__main__":
    main()
