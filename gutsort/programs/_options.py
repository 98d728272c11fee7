"""Options that several programs share, and what they mean together."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from gutsort.errors import UsageError
from gutsort.formats import escape_name
from gutsort.programs._program import natural, open_input, positive, say

if TYPE_CHECKING:
    from gutsort.extract.documents import Choice
    from gutsort.extract.units import Settings

KEY_NAMES = ["line", "odds", "paper", "raw"]


MOST_UNASKED = 16 << 20  # bytes for the sort within `clean` where -S does not say: 712 books take as long with 16, 24 and 48 MiB


def add_operands(parser: argparse.ArgumentParser, *, nargs: str = "*") -> None:
    """PATH operands, and --files0-from for more of them than a command line can hold."""
    parser.add_argument("paths", metavar="PATH", nargs=nargs, help="a file, a directory, or - for standard input")
    parser.add_argument("--files0-from", metavar="F", help="read the paths from F instead, each ended by NUL (- is standard input)")


def operand_names(args: argparse.Namespace, stdin: BinaryIO) -> Collection[bytes]:
    """The operands as bytes, from the command line or from --files0-from; empty where there is neither. Raises UsageError for an empty list."""
    names = [os.fsencode(path) for path in args.paths]
    if args.files0_from is None:
        return names
    if names:
        raise UsageError("PATH and --files0-from do not go together")
    from gutsort.extract.operands import Names

    with open_input(args.files0_from, stdin) as file:
        found = Names(file)
    if not found:
        raise UsageError(f"--files0-from: no names in {escape_name(os.fsencode(args.files0_from))}")
    return found


def add_windows(parser: argparse.ArgumentParser) -> None:
    """--key, --head, --tail, --fold, --interior and --records."""
    parser.add_argument("--key", choices=KEY_NAMES, help="what of a line is counted (default: odds)")
    parser.add_argument("--head", metavar="N", type=positive, help="lines at the head of a document (default: 500)")
    parser.add_argument("--tail", metavar="N", type=positive, help="lines at its tail (default: 600)")
    parser.add_argument("--fold", action="store_true", help="one key for a line in Latin-1, cp1252 and UTF-8, and any dashes and quotes")
    parser.add_argument("--interior", action="store_true", help="runs of frequent lines inside documents, too")
    said = "form feeds part a document into pages, whose heads and feet are found (--head and --tail: lines of a page, default: 3)"
    parser.add_argument("--records", choices=["FF"], help=said)


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """--include, --exclude and --jsonl-field: which files are read, and as what."""
    parser.add_argument("--include", metavar="GLOB", action="append", default=[], help="read only files whose path or name fits")
    parser.add_argument("--exclude", metavar="GLOB", action="append", default=[], help="read no files or directories that fit")
    parser.add_argument("--jsonl-field", metavar="NAME", help="the field of JSON Lines that is the document (default: text), in any file that begins with {")


def choice(args: argparse.Namespace) -> Choice | None:
    """What --include and --exclude ask for, for `walk`."""
    if not args.include + args.exclude:
        return None
    from gutsort.extract.documents import Choice

    return Choice([os.fsencode(glob) for glob in args.include], [os.fsencode(glob) for glob in args.exclude])


def add_rule(parser: argparse.ArgumentParser) -> None:
    """The options of the gap rule, for each program that strips."""
    parser.add_argument("--gap", metavar="N", type=natural, help="infrequent lines in a row that boilerplate survives (default: 10)")
    parser.add_argument("--paper", action="store_true", help="key, windows and rule of Kaser & Lemire 2007, exactly")
    parser.add_argument("--paper-heuristics", action="store_true", help="the same, with their markers for Project Gutenberg")


def add_model(parser: argparse.ArgumentParser, said: str) -> None:
    """--model."""
    parser.add_argument("--model", metavar="NAME", help=f"{said}: one that gutsort ships (gutenberg), or a file of gutsort model")


def rule_options(args: argparse.Namespace) -> dict[str, Any]:
    """What the options of the gap rule ask for, as arguments of jobs.strip.gap_stripper."""
    args.paper = args.paper or args.paper_heuristics
    if args.paper:
        refuse(args, "--paper", "gap")
    given = {"paper": args.paper, "heuristics": args.paper_heuristics}
    return given if args.gap is None else given | {"gap_max": args.gap}


def window_settings(args: argparse.Namespace, key: str = "odds") -> Settings:
    """The settings that --key (default `key`), --head, --tail and --paper ask for. Raises UsageError where they contradict."""
    from gutsort.extract.units import Settings

    given = {name: value for name in ("key", "head", "tail", "jsonl_field") if (value := getattr(args, name)) is not None}
    if args.paper or given.get("key") == "paper":
        refuse(args, "--paper", "head", "tail", "fold", "interior", "records", *(["key"] if given.get("key") != "paper" else []))
        return Settings("paper", 0, 0, jsonl_field=args.jsonl_field)
    if args.records:
        from gutsort.extract.paged import PAGE_LINES

        refuse(args, "--records", "key", *(["gap"] if "gap" in args else []))
        given = {"key": "page", "head": PAGE_LINES, "tail": PAGE_LINES, **given}
    return Settings(**{"key": key, **given}, fold=args.fold, interior=args.interior)


def refuse(args: argparse.Namespace, option: str, *others: str) -> None:
    """Raise UsageError where one of `others` was given along with `option`."""
    for other in others:
        if getattr(args, other) not in (None, False):
            raise UsageError(f"{option} and --{other.replace('_', '-')} do not go together")


def add_parallel(parser: argparse.ArgumentParser) -> None:
    """--parallel."""
    parser.add_argument("--parallel", metavar="N", type=positive, help="processes at work (default: the usable processors)")


def processes(args: argparse.Namespace) -> int:
    """How many processes --parallel asks for."""
    from gutsort.sort.memory import usable_cpus

    return args.parallel or usable_cpus()


def add_keep_cuts(parser: argparse.ArgumentParser) -> None:
    """--keep-cuts."""
    parser.add_argument("--keep-cuts", metavar="DIR", help="write what is cut of each document below DIR, for gutsort restore")


def add_support(parser: argparse.ArgumentParser) -> None:
    """-k."""
    said = "how often a line must occur, or a share of the documents such as 2%%"
    parser.add_argument("-k", "--support", type=support_option, metavar="K", help=said)


def support_option(text: str):
    """The value of -k: a whole number from 1, or a percentage."""
    from gutsort.count.exact import Support

    number = text.removesuffix("%")
    if text.isascii() and text.isdigit() and int(text):
        return Support(int(text))
    if text.endswith("%") and number.isascii() and number.replace(".", "", 1).isdigit() and 0 < float(number) <= 100:
        return Support(None, float(number))
    raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1, nor a share such as 2%")


def add_sorting(parser: argparse.ArgumentParser) -> None:
    """-S, -T and --parallel."""
    parser.add_argument("-S", "--buffer-size", metavar="SIZE", help="memory for sorting, as for GNU sort (default: 16M)")
    parser.add_argument("-T", "--temporary-directory", metavar="DIR", action="append", help="where to spill, instead of $TMPDIR or /tmp")
    add_parallel(parser)


def sort_options(args: argparse.Namespace) -> dict[str, Any]:
    """What -S, -T and --parallel ask for, as arguments of a sorting job."""
    from gutsort.sort.memory import default_budget, parse_size

    budget = parse_size(args.buffer_size) if args.buffer_size else min(default_budget(), MOST_UNASKED)
    return {"budget": budget, "dirs": args.temporary_directory or (), "processes": processes(args)}


class Unread:
    """Says each document that was passed over, once, and counts them."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.count = 0

    def sift(self, results: Iterable[Any]) -> Iterator[Any]:
        """Yield what is not `Skipped`."""
        from gutsort.formats import escape_name
        from gutsort.records import Skipped

        for result in results:
            if isinstance(result, Skipped):
                self.count += 1
                name = escape_name(result.path if result.member is None else b"%b:%b" % (result.path, result.member))
                say(self.program, f"{name}: {result.why}; {result.status}")
            else:
                yield result


def tell_row(program: str, row: dict[str, Any], *, quiet: bool, before: Callable[[], None] = lambda: None) -> None:
    """Say what a user should know of one document: that it was not done, or that it deserves a look."""
    from gutsort.jobs.report import row_name

    if row["status"] != "done":
        message = f"{row_name(row)}: {row['why']}; {row['status']}"
    elif row["suspect"] and not quiet:
        message = f"{row_name(row)}: {', '.join(row['suspect'])}"
    else:
        return
    before()
    say(program, message)
