"""gutsort freq: sort and count in one command: the frequent lines of any input, without a sorted stream in between."""

from __future__ import annotations

import argparse
from typing import BinaryIO, NoReturn

from gutsort.programs._program import DONE, new_parser, open_output, positive, run_program, say
from gutsort.programs.countfreq import add_count_options


def build_parser() -> argparse.ArgumentParser:
    """The options of gutsort freq."""
    parser = new_parser(
        "gutsort freq",
        "Print the lines that occur at least K times: extsort and countfreq in one.",
        usage="gutsort freq [options] [FILE...]",
    )
    parser.epilog = (
        "SIZE bounds the memory of all processes together, the interpreters aside (12 MB a process). Temporary space is at most\n"
        "1.1 times the input, twice the input where the runs need a second pass."
    )
    add_count_options(parser)
    parser.add_argument("-S", "--buffer-size", metavar="SIZE", help="memory to use, such as 64M or 10%%")
    parser.add_argument(
        "-T", "--temporary-directory", action="append", metavar="DIR", help="where temporary files go; may be given several times"
    )
    parser.add_argument("-z", "--zero-terminated", action="store_true", help="lines end with NUL, not LF")
    parser.add_argument("--parallel", type=positive, metavar="N", help="processes to use (default: the processors there are)")
    parser.add_argument("--files0-from", metavar="F", help="read the names of the files, each ended by NUL, from F (- is standard input)")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to FILE, whole or not at all")
    parser.add_argument("files", nargs="*", metavar="FILE", help="files to count; none or - is standard input")
    return parser


def run(args: argparse.Namespace, stdin: BinaryIO, stdout: BinaryIO) -> int:
    """Sort, count and print; returns the exit status."""
    import contextlib

    from gutsort.count.exact import Support
    from gutsort.formats import FREQUENT_STYLES, write_lines
    from gutsort.jobs import sorting
    from gutsort.jobs.freq import count_source

    options = vars(args)
    plan = sorting.plan_of(options)
    if args.verbose:
        say("gutsort freq", sorting.describe(plan))
    inputs = sorting.open_inputs(sorting.operands(options, stdin), stdin)
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(open_output(args.output, stdout))
        source = stack.enter_context(contextlib.closing(sorting.source_of(inputs, plan)))
        rows = stack.enter_context(contextlib.closing(count_source(source, plan, args.support or Support())))
        for keys, counts in rows:
            write_lines(file, FREQUENT_STYLES[args.format](counts, keys), plan.separator)
    return DONE


def main(argv: list[str] | None = None) -> NoReturn:
    """Entry point of the command."""
    run_program(build_parser, run, argv)


if __name__ == "__main__":
    main()
