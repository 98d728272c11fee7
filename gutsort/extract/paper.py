"""The paper's own windows: the first 301 kept lines, and the last 24,000 bytes less their first line.

Constants read off the authors' released program. A line end counts as one byte, CR or not, so a file has the same windows under DOS and
Unix line ends. Lines of more than WINDOW_BYTES are ignored, which bounds the memory; the program knows no such lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from gutsort.extract.keys import paper_key
from gutsort.extract.windows import WINDOW_BYTES, read_span
from gutsort.records import Unit

PAPER_HEAD = 301  # kept lines
PAPER_TAIL = 24_000  # bytes


def paper_units(file: BinaryIO, start: int, end: int) -> tuple[list[Unit], list[Unit]]:
    """Head and tail units of the bytes from `start` to `end` by the paper's windows; a short document's lines are in both."""
    return _head(file, start, end), _tail(file, start, end)


def _head(file: BinaryIO, start: int, end: int) -> list[Unit]:
    units: list[Unit] = []
    for line, begin, stop in _lines(file, start, end):
        if (key := paper_key(line)) is not None:
            units.append(Unit(key, begin, stop))
            if len(units) == PAPER_HEAD:
                break
    return units


def _lines(file: BinaryIO, start: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """Lines of up to WINDOW_BYTES bytes with the span of each; what is longer is passed over."""
    position, rest, too_long = start, b"", False
    while position < end:
        data = read_span(file, position, min(end, position + WINDOW_BYTES))
        if not data:
            return
        begin, position = position - len(rest), position + len(data)
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            if not too_long:
                yield line, begin, begin + len(line) + 1
            begin, too_long = begin + len(line) + 1, False
        if len(rest) > WINDOW_BYTES:
            rest, too_long = b"", True
    if rest and not too_long:
        yield rest, end - len(rest), end


def _tail(file: BinaryIO, start: int, end: int) -> list[Unit]:
    begin = max(start, end - 2 * PAPER_TAIL)  # a CR at every line end at most doubles the bytes
    lines = read_span(file, begin, end).split(b"\n")
    unended = lines.pop()
    spans = [(line, 1) for line in lines] + ([(unended, 0)] if unended else [])
    units: list[Unit] = []
    room, stop = PAPER_TAIL, end
    for line, ending in reversed(spans):
        text = line.removesuffix(b"\r")
        room -= len(text) + ending
        if room <= 0:
            break  # the line in which the window begins, whole or not, is dropped
        if (key := paper_key(text)) is not None:
            units.append(Unit(key, stop - len(line) - ending, stop))
        stop -= len(line) + ending
    else:
        if units and begin == start and units[-1].start == start:
            units.pop()
    return units[::-1]
