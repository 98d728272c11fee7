"""The operands of a program, however many: a list of names that is read again, not held."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import BinaryIO

from gutsort.errors import UsageError
from gutsort.extract.spool import Spool
from gutsort.formats import read_lines


class Names(Collection[bytes]):
    """The names of a --files0-from list, each ended by NUL: as a list of them, but put aside in a spool. Raises UsageError at an empty name.

    Any number of iterators may be under way. Memory: the spool's.

    >>> import io
    >>> names = Names(io.BytesIO(b"a\\0-b\\0"))
    >>> len(names), list(names), b"a" in names
    (2, [b'a', b'-b'], True)
    """

    def __init__(self, file: BinaryIO) -> None:
        self._spool, self._count = Spool(), 0
        for name in read_lines(file, b"\0"):
            self._count += 1
            if not name:
                raise UsageError(f"--files0-from: name {self._count} is empty")
            self._spool.write(name + b"\0")

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[bytes]:
        return read_lines(_FromStart(self._spool), b"\0")  # type: ignore[arg-type]

    def __contains__(self, name: object) -> bool:
        return any(name == other for other in self)


class _FromStart:
    """A reader of a spool that has a place of its own."""

    def __init__(self, spool: Spool) -> None:
        self._spool, self._place = spool, 0

    def read(self, size: int) -> bytes:
        self._spool.seek(self._place)
        data = self._spool.read(size)
        self._place += len(data)
        return data
