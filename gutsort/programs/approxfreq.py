"""approxfreq: the frequent lines of a stream in any order, in little memory: the structures of Kaser & Lemire 2007, and later ones."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, BinaryIO, NoReturn

from gutsort.errors import UsageError
from gutsort.programs._options import add_support, refuse
from gutsort.programs._program import DONE, natural, new_parser, open_input, open_output, positive, run_program, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gutsort.count.approximate import Outcome

READ = 128 << 10  # bytes of lines counted at once: more would show beside the smaller structures
ROWS = 4096  # rows of the list that are written at once: it may be as long as there are counters
METHODS = ("exact", "checksum", "hashed", "majority", "spacesaving", "sample")
EPILOG = """\
exact        a table of all lines; memory grows with the distinct lines, as it does for
checksum     a table of 64-bit checksums: 20 bytes a line in place of 150; wrong only where two collide
hashed       --counters (8,388,608) bytes shared by all lines: misses no frequent line, lists some that are not; counts are upper bounds
majority     --counters (100,000) lines: misses no line that occurs more than n / (counters + 1) times in n; counts are upper bounds
spacesaving  the same in other steps, with tighter bounds
sample       a random sample of documents (unsorted marked keys) or of occurrences (else), of --counters (100,000) distinct lines, scaled"""


def build_parser() -> argparse.ArgumentParser:
    """The options of approxfreq."""
    description = "Print the lines that occur at least K times in input in any order, with their counts, in little memory."
    parser = new_parser("approxfreq", description, usage="approxfreq --method METHOD [options] [FILE...]")
    parser.epilog = EPILOG
    parser.add_argument("--method", choices=METHODS, required=True, help="how to count; see below")
    add_support(parser)
    parser.add_argument("--counters", metavar="N", type=positive, help="counters or lines to hold (hashed: rounded down to a power of two)")
    parser.add_argument("--bounds", action="store_true", help="print LOW-HIGH TAB KEY, the certain interval of each count")
    parser.add_argument("--seed", metavar="N", type=natural, default=0, help="which sample is drawn (default: 0)")
    parser.add_argument("--paper", action="store_true", help="K, counters and checksum of Kaser & Lemire 2007")
    parser.add_argument("--format", choices=("tsv", "uniq"), help="COUNT TAB KEY (default), or as uniq -c prints")
    parser.add_argument("-z", "--zero-terminated", action="store_true", help="lines end with NUL, not LF")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to FILE, whole or not at all")
    parser.add_argument("files", nargs="*", metavar="FILE", help="files in any order, read as one; none or - is standard input")
    return parser


def run(args: argparse.Namespace, stdin: BinaryIO, stdout: BinaryIO) -> int:
    """Count and print; returns the exit status."""
    from gutsort.count.approximate import count_stream
    from gutsort.formats import FREQUENT_STYLES, format_bounds, write_lines

    if args.paper:
        refuse(args, "--paper", "support", "counters")
        if args.method in ("spacesaving", "sample"):
            raise UsageError(f"--method {args.method} is not in the paper")
    if args.bounds:
        refuse(args, "--bounds", "format")
    style = FREQUENT_STYLES[args.format or "tsv"]
    separator = b"\0" if args.zero_terminated else b"\n"
    with open_output(args.output, stdout) as file:
        blocks = _blocks(args.files, stdin, separator)
        outcome = count_stream(blocks, args.method, args.support, counters=args.counters, seed=args.seed, paper=args.paper)
        keys, counts = outcome.rows()
        for start in range(0, len(keys), ROWS):
            some = keys[start : start + ROWS]
            rows = format_bounds(map(outcome.bounds, some), some) if args.bounds else style(counts[start : start + ROWS], some)
            write_lines(file, rows, separator)
    _tell(args, outcome)
    return DONE


def _blocks(files: list[str], stdin: BinaryIO, separator: bytes) -> Iterator[list[bytes]]:
    from gutsort.formats import read_line_blocks

    for operand in files or ["-"]:
        with open_input(operand, stdin) as file:
            yield from read_line_blocks(file, separator, READ)


def _tell(args: argparse.Namespace, outcome: Outcome) -> None:
    """Say what the list cannot: that it may lack frequent lines, and with -v what it took."""
    counter, level = outcome.counter, getattr(outcome.counter, "level", 0)
    if level and not args.quiet:
        say("approxfreq", f"one in {1 << level} was sampled: {outcome.support} are {max(1, -(-outcome.support >> level))} in the sample")
    elif not level and counter.missed >= outcome.support and not args.quiet:
        say("approxfreq", f"lines that occur up to {counter.missed} times may be missing, and K is {outcome.support}: more --counters help")
    if args.verbose:
        sure = "" if level else f"; every line that occurs more than {max(counter.missed, outcome.support - 1)} times is there"
        say("approxfreq", f"{counter.memory() / 1e6:.1f} MB held{sure}")


def main(argv: list[str] | None = None) -> NoReturn:
    """Entry point of the command."""
    run_program(build_parser, run, argv)


if __name__ == "__main__":
    main()
