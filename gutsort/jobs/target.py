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
import time
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from gutsort.errors import SpaceError, UsageError
from gutsort.formats import escape_name

TEMPORARY = ".gutsort-"  # first bytes of an unfinished file's name
PATIENCE = 3.0  # seconds in which the workers of a killed run end and let go of its target


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
    """Hold the file `path` locked. Raises UsageError where another run holds it, once PATIENCE is over."""
    with open(path, "ab") as file:
        _lock(file.fileno(), path)
        yield


def _lock(handle: int, path: bytes) -> None:
    """Lock an open file; with the process that called this, those forked from it hold the lock."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= end:
                raise UsageError(f"another run is at work there: {escape_name(path)} is locked") from None
        time.sleep(PATIENCE / 50)


@contextlib.contextmanager
def new_target(target: bytes | None, operands: Iterable[bytes]) -> Iterator[None]:
    """Hold the output directory `target` for this run alone: it is made where it is not there, and removed if nothing comes to be in it.

    The directory itself is what is locked, so no file has to stand in it. Raises UsageError as `check_target` does, where something is in
    it, and where another run holds it. None: there is no target.
    """
    if target is None:
        yield
        return
    check_new(target, operands)
    made = not os.path.isdir(target)
    handle = _locked_folder(target)
    try:
        check_new(target, operands)  # once more: another run may have come to its end just now
        yield
    finally:
        if made:
            with contextlib.suppress(OSError):
                os.rmdir(target)
        os.close(handle)


@contextlib.contextmanager
def held_folder(path: bytes) -> Iterator[None]:
    """Hold a directory locked, which is made where it is not there. Raises UsageError where another run holds it."""
    handle = _locked_folder(path)
    try:
        yield
    finally:
        os.close(handle)


def _locked_folder(path: bytes) -> int:
    """The descriptor of a locked directory. One that was removed before the lock was had is made again."""
    while True:
        make_folder(path)
        try:
            handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        try:
            _lock(handle, path)
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(handle), os.stat(path)):
                    return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


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


def check_new(target: bytes, operands: Iterable[bytes]) -> None:
    """Raise UsageError as `check_target` does, and where the output tree has something in it."""
    if check_target(target, operands):
        raise UsageError(f"{escape_name(target)} is not empty")


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
