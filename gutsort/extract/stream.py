"""Containers read front to back, as blocks and as lines, and what is said of one that breaks off.

A break is raised only when all before it has been handed over, so that the documents before it can be done.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from gutsort.extract.spool import BLOCK, Reader


class Broken(Exception):
    """A container, or a document, that cannot be read on from here; the text says why, as the end of `NAME: ...`."""


class Stream:
    """A file to be read once from an iterator of blocks.

    >>> Stream([b"ab", b"c"]).read(4)
    b'abc'
    """

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._blocks = iter(blocks)
        self._rest = b""
        self._broken: Broken | None = None

    def read(self, size: int) -> bytes:
        """The next `size` bytes, fewer only before the end or a break. Raises Broken at a break."""
        parts, wanted = [self._rest[:size]], size - len(self._rest)
        self._rest = self._rest[size:]
        while wanted > 0 and self._broken is None:
            try:
                block = next(self._blocks, b"")
            except Broken as broken:
                self._broken = broken
                break
            if not block:
                break
            parts.append(block[:wanted])
            self._rest = block[wanted:]
            wanted -= len(block)
        data = b"".join(parts)
        if not data and size and self._broken is not None:
            raise self._broken
        return data


def file_blocks(file: BinaryIO) -> Iterator[bytes]:
    """The blocks of a file from its start. Raises Broken where the system cannot read on."""
    try:
        file.seek(0)
        while data := file.read(BLOCK):
            yield data
    except OSError as error:
        raise Broken(error.strerror or str(error)) from None


def read_exactly(reader: Reader, size: int, why: str) -> bytes:
    """The next `size` bytes. Raises Broken, with `why`, where there are fewer."""
    data = reader.read(size)
    if len(data) < size:
        raise Broken(why)
    return data


def lines(reader: Reader, limit: int) -> Iterator[tuple[bytes, bool]]:
    r"""Lines with their LF, each with whether it begins one: what is longer than `limit` comes in several pieces.

    Raises Broken when the lines before a break, the torn one among them, have been handed over.
    Memory: `limit`, and a block.

    >>> list(lines(Stream([b"a\nbcd"]), 2))
    [(b'a\n', True), (b'bc', True), (b'd', False)]
    """
    rest, begins = [], True
    held = 0
    broken = None
    while broken is None:
        try:
            data = reader.read(BLOCK)
        except Broken as error:
            broken, data = error, b""
        if not data:
            break
        first, *others = data.split(b"\n")
        rest.append(first)
        held += len(first)
        for other in others:
            for piece in _cut(b"".join(rest) + b"\n", limit):
                yield piece, begins
                begins = False
            rest, held, begins = [other], len(other), True
        if held >= limit:
            whole = b"".join(rest)
            for piece in _cut(whole[: held - held % limit], limit):
                yield piece, begins
                begins = False
            rest, held = [whole[held - held % limit :]], held % limit
    for piece in _cut(b"".join(rest), limit):
        yield piece, begins
        begins = False
    if broken is not None:
        raise broken


def _cut(line: bytes, limit: int) -> Iterator[bytes]:
    if len(line) <= limit:
        if line:
            yield line
        return
    for start in range(0, len(line), limit):
        yield line[start : start + limit]
