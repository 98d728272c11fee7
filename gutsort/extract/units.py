"""A document's ends as units, and the keys that are counted of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from gutsort.extract.keys import EVERY_OCCURRENCE, KEYS
from gutsort.extract.paper import paper_units
from gutsort.extract.windows import HEAD_LINES, TAIL_LINES, extent, head_window, tail_window
from gutsort.records import Ends, Unit, Window


class Settings(NamedTuple):
    """Which keys are made of which lines: the name of a key function, and the windows in lines (key `paper` has its own)."""

    key: str = "line"
    head: int = HEAD_LINES
    tail: int = TAIL_LINES


def document_keys(file: BinaryIO, settings: Settings) -> list[bytes]:
    """The keys that a document adds to the line stream.

    Each key once, but every occurrence for `raw` and `paper`; a line in both windows of a short document counts once, but twice
    for `paper`. Memory: two windows. Time: that of reading them.
    """
    start, end = extent(file)
    if settings.key == "paper":
        head, tail = paper_units(file, 0, end)
        return [unit.key for unit in head + tail]
    before = head_window(file, start, end, settings.head)
    after = tail_window(file, start + len(before.data), end, settings.tail)
    lines = _lines(before) + _lines(after)
    if settings.key == "raw":
        return lines
    key = KEYS[settings.key]
    keys = [k for line in lines if (k := key(line)) is not None]
    return keys if settings.key in EVERY_OCCURRENCE else list(dict.fromkeys(keys))


def document_ends(file: BinaryIO, start: int, end: int, settings: Settings) -> Ends:
    """The units at both ends of the bytes from `start` to `end`: all lines that have a key, with their spans.

    Windows may overlap in a short document. `head_inner` and `tail_inner` are the inner ends of the windows, or `end` and
    `start` where a window holds the whole.
    """
    if settings.key == "paper":
        head, tail = paper_units(file, start, end)
        return Ends(start, end, head, tail, end, start)
    before = head_window(file, start, end, settings.head)
    after = tail_window(file, start, end, settings.tail)
    key = settings.key
    return Ends(start, end, list(_units(before, key)), list(_units(after, key)), start + len(before.data), after.start)


def _lines(window: Window) -> list[bytes]:
    return window.data.removesuffix(b"\n").split(b"\n") if window.data else []


def _units(window: Window, key_name: str) -> Iterator[Unit]:
    key, begin = KEYS[key_name], window.start
    stop = window.start + len(window.data)
    for line in _lines(window):
        if (k := key(line)) is not None:
            yield Unit(k, begin, min(begin + len(line) + 1, stop))
        begin += len(line) + 1
