"""What a cut does to a document, as a unified diff that `patch` can apply."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from gutsort.records import Cut

CONTEXT = 3  # lines around a change, as diff -u has
BLOCK = 1 << 16
NO_END = b"\n\\ No newline at end of file\n"


def unified_diff(source: BinaryIO, cuts: Sequence[Cut], name: bytes) -> Iterator[bytes]:
    """Yield the lines of the diff between `source` and what is left of it; nothing where there are no cuts.

    Memory: the lines of one cut. Time: linear, up to the last cut.
    """
    if not cuts:
        return
    yield b"--- %b\n" % name
    yield b"+++ %b\n" % name
    position = line = removed = 0
    for start, end, both in _hunks(source, cuts):
        line += _newlines(source, position, start)
        position = start
        old = _split(_read(source, start, end))
        new = _split(b"".join(_kept(source, start, end, both)))
        yield b"@@ -%b +%b @@\n" % (_range(line, len(old)), _range(line - removed, len(new)))
        yield from _changes(old, new)
        removed += len(old) - len(new)


def _split(data: bytes) -> list[bytes]:
    """The lines of `data` with their LF, which alone ends one."""
    parts = data.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _hunks(source: BinaryIO, cuts: Sequence[Cut]) -> Iterator[tuple[int, int, list[Cut]]]:
    """Spans of whole lines around the cuts, with the cuts in each; cuts that are close share one."""
    spans: list[tuple[int, int, list[Cut]]] = []
    for cut in cuts:
        start, end = _lines_before(source, cut.start), _lines_after(source, cut.end)
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], end, [*spans[-1][2], cut])
        else:
            spans.append((start, end, [cut]))
    return iter(spans)


def _changes(old: list[bytes], new: list[bytes]) -> Iterator[bytes]:
    """Lines with their sign: what both have at the ends is context."""
    first = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    last = next((n for n, (a, b) in enumerate(zip(old[first:][::-1], new[first:][::-1], strict=False)) if a != b), len(new) - first)
    last = min(last, len(old) - first, len(new) - first)
    for sign, lines in (
        (b" ", old[:first]),
        (b"-", old[first : len(old) - last]),
        (b"+", new[first : len(new) - last]),
        (b" ", old[len(old) - last :]),
    ):
        for text in lines:
            yield sign + (text if text.endswith(b"\n") else text + NO_END)


def _range(before: int, count: int) -> bytes:
    """A range of lines as diff writes it: an empty one stands after the line before it."""
    return b"%d,%d" % (before + (count > 0), count)


def _read(source: BinaryIO, start: int, end: int) -> bytes:
    source.seek(start)
    return source.read(end - start)


def _kept(source: BinaryIO, start: int, end: int, cuts: Sequence[Cut]) -> Iterator[bytes]:
    for cut in cuts:
        yield _read(source, start, cut.start)
        start = cut.end
    yield _read(source, start, end)


def _lines_before(source: BinaryIO, position: int) -> int:
    """The start of the line that is CONTEXT lines before the one at `position`."""
    wanted, end = CONTEXT + 1, position
    while end:
        start = max(0, end - BLOCK)
        data = _read(source, start, end)
        place = len(data)
        while wanted and (place := data.rfind(b"\n", 0, place)) >= 0:
            wanted -= 1
        if not wanted:
            return start + place + 1
        end = start
    return 0


def _lines_after(source: BinaryIO, position: int) -> int:
    """The end of the line that is CONTEXT lines after the one that ends before `position`; one more where a cut ends inside a line."""
    wanted = CONTEXT
    while data := _read(source, position, position + BLOCK):
        place = -1
        while wanted and (place := data.find(b"\n", place + 1)) >= 0:
            wanted -= 1
        if not wanted:
            return position + place + 1
        position += len(data)
    return position


def _newlines(source: BinaryIO, start: int, end: int) -> int:
    return sum(_read(source, place, min(end, place + BLOCK)).count(b"\n") for place in range(start, end, BLOCK))
