"""Where output goes: files that are there whole or not at all, and the layout of an output tree.

A file is written under a temporary name in its own directory and renamed, so a reader, a crash or a full disk never shows a
part of one.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from typing import BinaryIO

from gutsort.errors import SpaceError
from gutsort.formats import escape_name

TEMPORARY = ".gutsort-"  # first bytes of an unfinished file's name


@contextlib.contextmanager
def whole_file(path: bytes, *, sync: bool = True) -> Iterator[BinaryIO]:
    """A binary file to write that appears under `path` when the block ends without an exception, and not otherwise.

    A device, a pipe or another special file is written directly. An existing file keeps its permission bits. Raises SpaceError, naming `path`, where
    the system refuses to write.
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
            os.rename(temporary, path)
    except OSError as error:
        if isinstance(error, BrokenPipeError) or error.filename not in (None, path):
            raise
        raise SpaceError(f"{escape_name(path)}: {error.strerror}") from None


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
