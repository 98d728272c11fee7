"""Where output goes: files that are there whole or not at all, and the layout of an output tree.

A file is written under a temporary name in its own directory and renamed, so a reader, a crash or a full disk never shows a
part of one.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from gutsort.errors import SpaceError, UsageError
from gutsort.formats import escape_name

TEMPORARY = ".gutsort-"  # first bytes of an unfinished file's name


@contextlib.contextmanager
def whole_file(path: bytes, *, sync: bool = True) -> Iterator[BinaryIO]:
    """A binary file to write that appears under `path` when the block ends without an exception, and not otherwise.

    A device, a pipe or another special file is written directly. An existing file keeps its permission bits. Raises SpaceError,
    naming `path`, where the system refuses to write.
    """
    try:
        if _is_special(path):
            with open(path, "wb") as file:
                yield file
            return
        with _temporary_beside(path) as (file, temporary):
            yield file
            file.flush()
            if sync:
                os.fsync(file.fileno())
            os.rename(temporary, os.path.realpath(path))  # through a link, to where it leads
    except OSError as error:
        if isinstance(error, BrokenPipeError) or error.filename not in (None, path):
            raise
        raise SpaceError(f"{escape_name(path)}: {error.strerror}") from None


def make_folder(path: bytes) -> None:
    """Make a directory and those above it, where they are not there. Raises SpaceError where that is not possible."""
    try:
        os.makedirs(path or b".", exist_ok=True)
    except OSError as error:
        raise SpaceError(f"{escape_name(path)}: {error.strerror}") from None


def sync_folder(path: bytes) -> None:
    """Have the system write the names in a directory to the disk."""
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextlib.contextmanager
def lock(path: bytes) -> Iterator[None]:
    """Hold the file `path` locked. Raises UsageError where another process holds it."""
    with open(path, "ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"another run is at work there: {escape_name(path)} is locked") from None
        yield


def side_folder(target: bytes) -> bytes:
    """The folder beside an output tree that holds all that is no document: `DST.gutsort`."""
    return os.path.abspath(target) + b".gutsort"


def check_target(target: bytes, operands: Iterable[bytes]) -> bool:
    """Whether an output tree has something in it. Raises UsageError where it is no directory, or it and what is read contain each other."""
    whole = os.path.join(os.path.realpath(target), b"")
    for operand in operands:
        source = os.path.join(os.path.realpath(operand), b"")
        if whole.startswith(source) or source.startswith(whole):
            raise UsageError(f"{escape_name(target)} and {escape_name(operand)} may not contain each other")
    if os.path.lexists(target) and not os.path.isdir(target):
        raise UsageError(f"{escape_name(target)} is there and is no directory")
    return os.path.isdir(target) and bool(os.listdir(target))


@contextlib.contextmanager
def _temporary_beside(path: bytes) -> Iterator[tuple[BinaryIO, bytes]]:
    path = os.path.realpath(path)
    try:
        handle, temporary = tempfile.mkstemp(prefix=TEMPORARY.encode(), dir=os.path.dirname(path))
    except OSError as error:
        raise SpaceError(f"{escape_name(path)}: {error.strerror}") from None
    try:
        with open(handle, "wb") as file:
            os.fchmod(handle, _mode(path))
            yield file, temporary
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


def _mode(path: bytes) -> int:
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _is_special(path: bytes) -> bool:
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
