"""What all programs share: the standard streams, messages, signals, and the one place that decides the exit status.

0 is done; 1 is done, but documents were skipped or a check found something; 2 is not done. A signal, and a closed output pipe,
first unwind the program, so that every `with` removes what it made; then the program sends itself the signal with its default
action, so that the shell sees 128+n. Python's own SIGINT and a SIG_DFL for SIGPIPE would leave temporary files behind.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import BinaryIO, NoReturn

from gutsort.errors import GutsortError, ReadError, SpaceError
from gutsort.formats import escape_name
from gutsort.version import __version__

DONE, PARTLY, FAILED = 0, 1, 2

Run = Callable[[argparse.Namespace, BinaryIO, BinaryIO], int]


class Signalled(SystemExit):
    """A signal on its way up the stack; `code` is its number."""


class _Parser(argparse.ArgumentParser):
    """A parser whose --help and --version notice a full disk, which argparse's own swallow."""

    def _print_message(self, message: str, file=None) -> None:
        if message and file is not None:
            file.write(message)


def new_parser(name: str, description: str, *, usage: str | None = None) -> argparse.ArgumentParser:
    """A parser with what every program has: --help, --version, -q, -v."""
    parser = _Parser(
        prog=name, usage=usage, description=description, allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"{name} (gutsort) {__version__}")
    parser.add_argument("-q", "--quiet", action="store_true", help="say nothing on standard error but errors")
    parser.add_argument("-v", "--verbose", action="store_true", help="say more on standard error")
    return parser


def positive(text: str) -> int:
    """An option's value that has to be a whole number from 1."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def natural(text: str) -> int:
    """An option's value that has to be a whole number from 0."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def parse(parser: argparse.ArgumentParser, argv: Sequence[str]) -> argparse.Namespace:
    """The arguments, options and operands in any order; after `--` all are operands, which argparse forgets when it mixes them."""
    given = list(argv)
    if "--" in given:
        end = given.index("--")
        given[end:] = ["\0" + operand for operand in given[end + 1 :]]  # no argument has a NUL of its own
    args = parser.parse_intermixed_args(given)
    for name, value in vars(args).items():
        if isinstance(value, list):
            setattr(args, name, [item.removeprefix("\0") if isinstance(item, str) else item for item in value])
        elif isinstance(value, str):
            setattr(args, name, value.removeprefix("\0"))
    return args


def say(program: str, message: str) -> None:
    """One line on standard error, where that is open."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(f"{program}: {message}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def open_input(operand: str, stdin: BinaryIO) -> Iterator[BinaryIO]:
    """The file an operand names, `-` being standard input. Raises ReadError where it cannot be opened."""
    if operand == "-":
        yield stdin
        return
    try:
        file = open(operand, "rb")
    except OSError as error:
        raise ReadError(f"{escape_name(os.fsencode(operand))}: {error.strerror}") from None
    with file:
        yield file


@contextlib.contextmanager
def open_output(operand: str | None, stdout: BinaryIO) -> Iterator[BinaryIO]:
    """The file of -o, whole under its name or not there at all; standard output where there is no -o."""
    if operand in (None, "-"):
        yield stdout
        return
    from gutsort.jobs.target import whole_file

    with whole_file(os.fsencode(operand)) as file:
        yield file


def run_program(build_parser: Callable[[], argparse.ArgumentParser], run: Run, argv: Sequence[str] | None = None) -> NoReturn:
    """Parse the arguments, run, flush and end the process as the shell expects. Never returns."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # nohup means it
            signal.signal(number, _raise_signalled)
    name = "gutsort"
    try:
        parser = build_parser()
        name = parser.prog
        status = _run_and_flush(parser, run, argv)
    except Signalled as signalled:
        _end_by(int(signalled.code))
    except BrokenPipeError:
        _end_by(signal.SIGPIPE)
    except GutsortError as error:
        say(name, str(error))
        status = error.exit_status
    except OSError as error:
        say(name, _describe(error))
        status = FAILED
    _drop_stdout()
    sys.exit(status)


def _run_and_flush(parser: argparse.ArgumentParser, run: Run, argv: Sequence[str] | None) -> int:
    if sys.stdout is None:
        raise SpaceError("standard output is closed")
    try:
        args = parse(parser, sys.argv[1:] if argv is None else argv)
        stdin = sys.stdin.buffer if sys.stdin is not None else open(os.devnull, "rb")
        status = run(args, stdin, sys.stdout.buffer)
    except SystemExit as leaving:
        if isinstance(leaving, Signalled):
            raise
        status = int(leaving.code or 0)
    with _naming("standard output"):
        sys.stdout.flush()
    return status


@contextlib.contextmanager
def _naming(what: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SpaceError(f"{what}: {error.strerror}") from None


def _describe(error: OSError) -> str:
    """A system error in one line; one without a name is about a stream, and only standard output is written unnamed."""
    name = escape_name(os.fsencode(error.filename)) if error.filename is not None else "standard output"
    return f"{name}: {error.strerror or errno.errorcode.get(error.errno or 0, error)}"


def _raise_signalled(number: int, _frame: FrameType | None) -> NoReturn:
    for other in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(other, signal.SIG_IGN)  # a second Ctrl-C must not stop the clean-up
    raise Signalled(number)


def _end_by(number: int) -> NoReturn:
    _drop_stdout()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    signal.pause()
    raise AssertionError("a signal with its default action ends the process")


def _drop_stdout() -> None:
    """What is still buffered can no longer be written: let the interpreter's own flush at exit go nowhere."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
