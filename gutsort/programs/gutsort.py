"""gutsort: run any of the programs by name."""

from __future__ import annotations

import importlib
import sys

from gutsort import COMMANDS
from gutsort.programs._program import FAILED, new_parser, run_program


def usage() -> str:
    """What `gutsort --help` says: the commands, a line each."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {purpose}" for name, purpose in COMMANDS.items()]
    return "\n".join(["Find and cut the boilerplate of a collection of documents.", "", "commands:", *lines])


def build_parser():
    """The parser of `gutsort` itself, which takes a command or --help or --version."""
    parser = new_parser("gutsort", usage(), usage="gutsort [-h] [--version] COMMAND ...")
    parser.add_argument("command", metavar="COMMAND", choices=list(COMMANDS), help="one of the commands above; each has its own --help")
    return parser


def main(argv: list[str] | None = None) -> None:
    """Entry point: hand over to the command, or explain."""
    argv = sys.argv[1:] if argv is None else argv
    if argv and argv[0] in COMMANDS:
        importlib.import_module(f"gutsort.programs.{argv[0]}").main(argv[1:])
    run_program(build_parser, lambda args, stdin, stdout: FAILED, argv or ["--help"])


if __name__ == "__main__":
    main()
