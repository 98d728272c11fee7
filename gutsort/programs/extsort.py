"""extsort: sort lines in byte order, in bounded memory: what `LC_ALL=C sort` prints, byte for byte."""

from __future__ import annotations

import argparse
from typing import BinaryIO, NoReturn

from gutsort.programs._program import DONE, PARTLY, new_parser, open_output, positive, run_program, say


def build_parser() -> argparse.ArgumentParser:
    """The options of extsort."""
    parser = new_parser(
        "extsort", "Sort lines in byte order, in bounded memory, as LC_ALL=C sort does.", usage="extsort [options] [FILE...]"
    )
    parser.epilog = (
        "SIZE is read as sort's -S; below 1 MiB it is 1 MiB. It bounds the memory of all processes together, the interpreters\n"
        "aside (12 MB a process). Temporary space is at most 1.1 times the input, twice the input with -r and where the runs\n"
        "need a second pass. A line must fit twice into SIZE."
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="files to sort; none or - is standard input")
    parser.add_argument("-S", "--buffer-size", metavar="SIZE", help="memory to use, such as 64M or 10%%")
    parser.add_argument(
        "-T", "--temporary-directory", action="append", metavar="DIR", help="where temporary files go; may be given several times"
    )
    parser.add_argument("-u", "--unique", action="store_true", help="keep one of equal lines")
    parser.add_argument("-c", "--check", action="store_true", help="do not sort: say where the input is not in order")
    parser.add_argument("-C", "--check-quiet", action="store_true", help="as -c, but say nothing")
    parser.add_argument("-m", "--merge", action="store_true", help="merge files that are sorted already")
    parser.add_argument("-r", "--reverse", action="store_true", help="the other way round")
    parser.add_argument("-z", "--zero-terminated", action="store_true", help="lines end with NUL, not LF")
    parser.add_argument("--parallel", type=positive, metavar="N", help="processes to use (default: the processors there are)")
    parser.add_argument("--files0-from", metavar="F", help="read the names of the files, each ended by NUL, from F (- is standard input)")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to FILE, which may be an input")
    return parser


def run(args: argparse.Namespace, stdin: BinaryIO, stdout: BinaryIO) -> int:
    """Sort, merge or check; returns the exit status."""
    from gutsort.jobs import sorting

    job = sorting.SortJob.from_options(vars(args), stdin)
    if args.verbose:
        say("extsort", job.describe())
    if args.check or args.check_quiet:
        found = job.disorder()
        if found and not args.check_quiet:
            say("extsort", found)
        return PARTLY if found else DONE
    with open_output(args.output, stdout) as file:
        job.write(file)
    return DONE


def main(argv: list[str] | None = None) -> NoReturn:
    """Entry point of the command."""
    run_program(build_parser, run, argv)


if __name__ == "__main__":
    main()
