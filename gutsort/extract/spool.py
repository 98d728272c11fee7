"""Bytes put aside: in memory while they are few, then in a nameless file of the temporary folder."""

from __future__ import annotations

import tempfile
from typing import Protocol

from gutsort.errors import SpaceError
from gutsort.formats import escape_name
from gutsort.records import Writer

SPOOL = 1 << 20  # bytes held in memory before they go to a file
BLOCK = 1 << 18  # bytes copied at once


class Reader(Protocol):
    """What can be read once, front to back: `read` gives fewer bytes than asked for only before the end or a break."""

    def read(self, size: int, /) -> bytes: ...


class Spool(tempfile.SpooledTemporaryFile):
    """A file to write and read again that has no name. Raises SpaceError, naming the temporary folder, where that is full.

    Memory: SPOOL bytes.
    """

    def __init__(self) -> None:
        super().__init__(max_size=SPOOL, buffering=0, prefix="gutsort-")

    def write(self, data: bytes) -> int:
        """Write all of `data`: there is no buffer behind, which could fail later."""
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[super().write(rest) :]
        except OSError as error:
            raise SpaceError(f"{escape_name(tempfile.gettempdirb())}: {error.strerror}") from None
        return len(data)


def spooled(reader: Reader) -> Spool:
    """All that is left of `reader`, from its start. Raises what reading raises."""
    spool = Spool()
    try:
        copy(reader, spool)
    except BaseException:
        spool.close()
        raise
    spool.seek(0)
    return spool


def copy(reader: Reader, target: Writer) -> None:
    """Copy all that is left of `reader`."""
    while data := reader.read(BLOCK):
        target.write(data)
