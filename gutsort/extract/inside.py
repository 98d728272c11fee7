"""All lines of a document, for what recurs inside documents (`--interior`).

The record of a line is `|`, the line as it stands (white space collapsed), TAB, `*`: in how many documents it stands, wherever. It is a key
of its own, so the ends of documents are judged as they are without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO

from gutsort.extract.keys import BLANK, line_key
from gutsort.extract.windows import WINDOW_BYTES, read_span
from gutsort.records import Unit

COUNTED_BYTES = 8 << 20  # of a document, from its start: more than the longest book; what lies beyond is not counted, and bounds memory
COUNTED_LINES = 200_000
BLOCK = 1 << 18

Key = Callable[[bytes], bytes | None]


def anywhere_key(line: bytes) -> bytes | None:
    r"""The record of a line that stands anywhere in a document; None without letter or digit.

    >>> anywhere_key(b"  All  rights reserved.\r"), anywhere_key(b"* * *")
    (b'|All rights reserved.\t*', None)
    """
    key = line_key(line)
    return None if key is None else b"|%b\t*" % key


def anywhere_records(file: BinaryIO, start: int, end: int, key: Key = anywhere_key) -> list[bytes]:
    """The records of the lines of the bytes from `start` to `end`, each once. Memory: COUNTED_BYTES, in lines."""
    units = all_lines(file, start, min(end, start + COUNTED_BYTES), key)
    return list(dict.fromkeys(unit.key for unit, _ in zip(units, range(COUNTED_LINES), strict=False) if unit.key))


def all_lines(file: BinaryIO, start: int, end: int, key: Key = anywhere_key) -> Iterator[Unit]:
    """Yield the lines of the bytes from `start` to `end` that are not blank; one without a key, or longer than a window, has an empty one.

    Memory: a block, and at most a window. Time: linear.
    """
    begin, held, size = start, b"", 0  # where a line starts, what is held of it, how long it is
    for place in range(start, end, BLOCK):
        first, *others = read_span(file, place, min(end, place + BLOCK)).split(b"\n")
        size += len(first)
        held = held + first if size <= WINDOW_BYTES else b""
        for part in others:
            yield from _unit(begin, begin + size + 1, held, size, key)
            begin += size + 1
            size, held = len(part), part if len(part) <= WINDOW_BYTES else b""
    yield from _unit(begin, begin + size, held, size, key)


def _unit(start: int, end: int, line: bytes, size: int, key: Key) -> Iterator[Unit]:
    if size > WINDOW_BYTES:
        yield Unit(b"", start, end)
    elif line.strip(BLANK):
        yield Unit(key(line) or b"", start, end)
