"""A document's ends as units, and the keys that are counted of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import BinaryIO, NamedTuple

from gutsort.errors import FormatError
from gutsort.extract.keys import EVERY_OCCURRENCE, KEYS
from gutsort.extract.odds import Lines, records
from gutsort.extract.paper import paper_units
from gutsort.extract.windows import HEAD_LINES, TAIL_LINES, extent, head_window, middle_window, tail_window
from gutsort.formats import escape_name, settings_record
from gutsort.records import Ends, LineEnds, Unit, Window


class Settings(NamedTuple):
    """Which keys are made of which lines: the name of a key function, and the windows in lines (key `paper` has its own)."""

    key: str = "odds"
    head: int = HEAD_LINES
    tail: int = TAIL_LINES

    @classmethod
    def of_record(cls, settings: Mapping[str, str]) -> Settings:
        """The settings in a settings record. Raises FormatError where it has others."""
        try:
            if settings["key"] != "odds" or set(settings) != set(cls._fields):
                raise ValueError
            return cls(settings["key"], int(settings["head"]), int(settings["tail"]))
        except (KeyError, ValueError):
            raise FormatError(f"expected a settings record such as {escape_name(cls().record())}") from None

    def record(self) -> bytes:
        """The settings record of a stream of marked keys."""
        return settings_record(self._asdict())


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
    if settings.key == "odds":
        after = tail_window(file, start, end, settings.tail)
        middle = middle_window(file, before, after, end)
        return [settings.record(), *records(before.data, after.data, middle.data)]
    after = tail_window(file, start + len(before.data), end, settings.tail)
    lines = _lines(before) + _lines(after)
    if settings.key == "raw":
        return lines
    key = KEYS[settings.key]
    keys = [k for line in lines if (k := key(line)) is not None]
    return keys if settings.key in EVERY_OCCURRENCE else list(dict.fromkeys(keys))


def document_ends(file: BinaryIO, start: int, end: int, settings: Settings) -> Ends | LineEnds:
    """The units at both ends of the bytes from `start` to `end`: all lines that have a key, with their spans; for `odds` all lines.

    Windows may overlap in a short document. `head_inner` and `tail_inner` are the inner ends of the windows, or `end` and
    `start` where a window holds the whole.
    """
    if settings.key == "paper":
        head, tail = paper_units(file, start, end)
        return Ends(start, end, head, tail, end, start)
    before = head_window(file, start, end, settings.head)
    after = tail_window(file, start, end, settings.tail)
    if settings.key == "odds":
        return _line_ends(before, after, start, end)
    key = settings.key
    return Ends(start, end, list(_units(before, key)), list(_units(after, key)), start + len(before.data), after.start)


def _line_ends(before: Window, after: Window, start: int, end: int) -> LineEnds:
    """Lines between the windows are guessed from the mean line of the windows: reading them would be reading the document."""
    head, tail = _lines(before), _lines(after)
    head_starts, tail_starts = _starts(before, head), _starts(after, tail)
    gap = after.start - head_starts[-1]
    if gap >= 0:
        between = gap * (len(head) + len(tail)) // max(1, len(before.data) + len(after.data))
    else:
        between = bisect_left(head_starts, after.start) - len(head)
    lines = Lines(head), Lines(tail)
    filled = (list(some.filled()) for some in lines)
    return LineEnds(start, end, *lines, *filled, head_starts[-1], after.start, head_starts, tail_starts, between)


def _starts(window: Window, lines: list[bytes]) -> list[int]:
    """Where each line of a window starts, and where the last one ends."""
    starts = list(accumulate((len(line) + 1 for line in lines), initial=window.start))
    starts[-1] = window.start + len(window.data)
    return starts


def _lines(window: Window) -> list[bytes]:
    return window.data.removesuffix(b"\n").split(b"\n") if window.data else []


def _units(window: Window, key_name: str) -> Iterator[Unit]:
    key, begin = KEYS[key_name], window.start
    stop = window.start + len(window.data)
    for line in _lines(window):
        if (k := key(line)) is not None:
            yield Unit(k, begin, min(begin + len(line) + 1, stop))
        begin += len(line) + 1
