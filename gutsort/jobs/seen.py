"""Documents that are equal at both ends count once: copies of a book say nothing of what books share.

The digests of what documents add to the stream are kept in a table that all processes of a run share. It is of fixed size: past FULL of its
SLOTS (917,504 different documents) it takes no more, and copies of documents beyond are counted each.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import mmap
import tempfile
from collections.abc import Iterator, Sequence

SLOTS = 1 << 20
FULL = 7 * SLOTS // 8
WORD = 8  # bytes of a digest, and of each of the two counters before the table
NEW, COPIES = 0, WORD  # where the counters stand
TABLE = 2 * WORD


def digest(lines: Sequence[bytes]) -> bytes:
    """What tells these lines, in this order, from others: WORD bytes."""
    return hashlib.blake2b(b"\n".join(lines), digest_size=WORD).digest()


class Seen:
    """What has been seen by this process and those forked from it. Memory: 8 MB, shared. Make it before forking."""

    def __init__(self) -> None:
        self._map = mmap.mmap(-1, TABLE + SLOTS * WORD)
        self._lock = tempfile.TemporaryFile(buffering=0)

    def first(self, lines: Sequence[bytes]) -> bool:
        """Whether these lines, in this order, are met for the first time. Two different lists pass for one with probability 2^-64."""
        with self._locked():
            return self._add(digest(lines))

    @property
    def copies(self) -> int:
        """How often `first` was false."""
        return self._number(COPIES)

    def _add(self, mark: bytes) -> bool:
        slot = int.from_bytes(mark, "little") % SLOTS
        while (found := self._map[TABLE + slot * WORD : TABLE + (slot + 1) * WORD]) != bytes(WORD):
            if found == mark:
                self._raise(COPIES)
                return False
            slot = (slot + 1) % SLOTS
        if self._number(NEW) < FULL:
            self._map[TABLE + slot * WORD : TABLE + (slot + 1) * WORD] = mark
            self._raise(NEW)
        return True

    def _number(self, place: int) -> int:
        return int.from_bytes(self._map[place : place + WORD], "little")

    def _raise(self, place: int) -> None:
        self._map[place : place + WORD] = (self._number(place) + 1).to_bytes(WORD, "little")

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        fcntl.lockf(self._lock, fcntl.LOCK_EX)  # of the process, not of the open file: forked processes share that
        try:
            yield
        finally:
            fcntl.lockf(self._lock, fcntl.LOCK_UN)
