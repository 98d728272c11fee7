"""The private folder that a sort's temporary files live in, and its removal on every way out.

Each is `gutsort-PID-XXXX`, mode 0700, and holds a file on which its owner and the owner's workers hold a lock for life: the
lock goes with the last of them, however they end. A later sort removes the folders of the same user whose lock can be had; a
process number in a name is no evidence, for numbers are used again and containers count their own.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import stat
from collections.abc import Iterator, Sequence

from gutsort.errors import SpaceError
from gutsort.formats import escape_name

LOCK = "lock"
_OURS = re.compile(r"gutsort-[0-9]+-[0-9a-f]{8}", re.ASCII)


class Folder:
    """The private folders of one sort, one below each temporary directory; `paths` are their names."""

    def __init__(self, paths: list[str]) -> None:
        self.paths = paths

    def path(self, name: str, turn: int = 0) -> str:
        """Where a file called `name` is to be made; `turn` spreads files over the directories."""
        return os.path.join(self.paths[turn % len(self.paths)], name)


@contextlib.contextmanager
def private_folder(dirs: Sequence[str] = ()) -> Iterator[Folder]:
    """A `Folder` below each of `dirs` (TMPDIR, else /tmp), removed with all it holds when the block ends.

    Sweeps what killed sorts of the same user have left there. Raises SpaceError where a folder cannot be made.
    """
    with contextlib.ExitStack() as stack:
        yield Folder([stack.enter_context(_one_folder(base)) for base in dict.fromkeys(dirs or (default_directory(),))])


def default_directory() -> str:
    """TMPDIR, or /tmp."""
    return os.environ.get("TMPDIR") or "/tmp"


@contextlib.contextmanager
def naming(path: str) -> Iterator[None]:
    """Turn the system's refusal to write below a temporary directory into a SpaceError that names the directory."""
    try:
        yield
    except OSError as error:
        raise SpaceError(f"{escape_name(os.fsencode(path))}: {error.strerror}") from None


@contextlib.contextmanager
def _one_folder(base: str) -> Iterator[str]:
    sweep(base)
    path, lock = _make(base)
    try:
        yield path
    finally:
        _remove(path)
        os.close(lock)


def _make(base: str) -> tuple[str, int]:
    """A new folder and the descriptor of its lock. A sweep may take the folder before it is locked: then another is made."""
    while True:
        path = os.path.join(base, f"gutsort-{os.getpid()}-{os.urandom(4).hex()}")
        with naming(base):
            os.mkdir(path, 0o700)
            try:
                lock = os.open(os.path.join(path, LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            except FileNotFoundError:
                continue
            except OSError:
                os.rmdir(path)
                raise
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(lock), os.stat(os.path.join(path, LOCK))):
                return path, lock
        os.close(lock)


def sweep(base: str) -> None:
    """Remove the folders below `base` that killed sorts of this user have left: those whose lock nobody holds."""
    with contextlib.suppress(OSError), os.scandir(base) as entries:
        for entry in entries:
            if _OURS.fullmatch(entry.name):
                with contextlib.suppress(OSError):
                    _sweep_one(entry.path)


def _sweep_one(path: str) -> None:
    status = os.lstat(path)
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
        return
    try:
        lock = os.open(os.path.join(path, LOCK), os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        os.rmdir(path)  # killed before it was locked, or not locked yet: its owner will make another
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _remove(path)
    finally:
        os.close(lock)


def _remove(path: str) -> None:
    """Remove a folder and its files, the lock last, so that an interrupted removal can be taken up again."""
    with contextlib.suppress(FileNotFoundError):
        for name in sorted(os.listdir(path), key=LOCK.__eq__):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(path, name))
        os.rmdir(path)
