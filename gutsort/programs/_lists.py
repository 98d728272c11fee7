"""LIST or --model: what programs cut by."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, BinaryIO

from gutsort.errors import UsageError
from gutsort.programs._options import add_model
from gutsort.programs._program import open_input

if TYPE_CHECKING:
    from gutsort.count.frequent import FrequentLines
    from gutsort.count.model import Model


def add_list(parser: argparse.ArgumentParser) -> None:
    """LIST, and --model in place of it."""
    parser.add_argument("list", metavar="LIST", nargs="?", help="the frequent list (- is standard input); none with --model")
    add_model(parser, "a model in place of LIST")


def list_operand(args: argparse.Namespace) -> None:
    """Take the first operand for LIST, or with --model for a PATH like the others. Raises UsageError where there is none of the two."""
    if args.model is not None and args.list is not None:
        args.paths.insert(0, args.list)
        args.list = None
    if args.model is None and args.list is None:
        raise UsageError("LIST is missing, and there is no --model")


def load_list(args: argparse.Namespace, stdin: BinaryIO) -> FrequentLines | Model:
    """The frequent list that LIST names, or what --model names."""
    if args.model is not None:
        from gutsort.jobs.model import find_model

        return find_model(args.model)
    from gutsort.count.frequent import load_frequent

    with open_input(args.list, stdin) as file:
        return load_frequent(file, args.list)
