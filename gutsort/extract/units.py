"""A document's ends as units, and the keys that are counted of them."""

from __future__ import annotations

import contextlib
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import BinaryIO, NamedTuple

from gutsort.errors import FormatError
from gutsort.extract.encodings import MARK_BYTES, encoding_of, utf8_view
from gutsort.extract.fold import fold
from gutsort.extract.inside import anywhere_key, anywhere_records
from gutsort.extract.keys import EVERY_OCCURRENCE, KEYS, KeyFunction
from gutsort.extract.odds import Lines, is_short, records, short_records
from gutsort.extract.paged import page_records, pages
from gutsort.extract.paper import paper_units
from gutsort.extract.windows import HEAD_LINES, TAIL_LINES, extent, head_window, middle_window, read_span, tail_window
from gutsort.formats import escape_name, settings_record
from gutsort.records import Ends, LineEnds, Unit, Window

MARKED = ("odds", "page")  # keys that say where in a document they stand


class Settings(NamedTuple):
    """Which keys are made of which lines: the name of a key function, and the windows in lines (key `paper` has its own).

    `fold`: lines are folded first (`extract.fold`; not for `paper`). `jsonl_field`: the field of JSON Lines that is the document, in
    more files than those of that name (see `containers.texts`). `interior`: all lines are counted, too (see `extract.inside`). With the key
    `page` the documents are pages, and the windows are lines that are not blank (see `extract.paged`).
    """

    key: str = "odds"
    head: int = HEAD_LINES
    tail: int = TAIL_LINES
    fold: bool = False
    jsonl_field: str | None = None
    interior: bool = False

    def key_function(self) -> KeyFunction:
        """What makes a key of a line."""
        key = KEYS[self.key]
        return (lambda line: key(fold(line))) if self.fold else key

    def anywhere_function(self) -> KeyFunction:
        """What makes a key of a line that stands anywhere."""
        if self.key != "odds":
            return self.key_function()
        return (lambda line: anywhere_key(fold(line))) if self.fold else anywhere_key

    @classmethod
    def of_record(cls, settings: Mapping[str, str]) -> Settings:
        """The settings in a settings record. Raises FormatError where it has others."""
        try:
            if settings["key"] not in MARKED or not set(settings) <= {"key", "head", "tail", "fold", "interior"}:
                raise ValueError
            fold_lines, interior = (bool(int(settings.get(name, "0"))) for name in ("fold", "interior"))
            return cls(settings["key"], int(settings["head"]), int(settings["tail"]), fold_lines, interior=interior)
        except (KeyError, ValueError):
            raise FormatError(f"expected a settings record such as {escape_name(cls().record())}") from None

    def record(self) -> bytes:
        """The settings record of a stream of marked keys."""
        given = {name: 1 for name in ("fold", "interior") if getattr(self, name)}
        return settings_record({"key": self.key, "head": self.head, "tail": self.tail, **given})


@contextlib.contextmanager
def as_utf8(file: BinaryIO, head: bytes | None = None) -> Iterator[tuple[BinaryIO, str | None]]:
    """A document as what looks at its lines has to see it: itself, or its UTF-8 form where it is in UTF-16 or UTF-32, and that encoding.

    `head`: its first bytes, where they have been read.
    """
    encoding = encoding_of(read_span(file, 0, MARK_BYTES) if head is None else head)
    if encoding is None:
        yield file, None
        return
    with utf8_view(file, encoding) as view:
        yield view, encoding


def document_keys(file: BinaryIO, settings: Settings, head: bytes | None = None) -> list[bytes]:
    """The keys that a document adds to the line stream; `head` are its first bytes, where they have been read.

    Each key once, but every occurrence for `raw` and `paper`; a line in both windows of a short document counts once, but twice
    for `paper`. Memory: two windows. Time: that of reading them; of reading all where the document is in UTF-16 or UTF-32.
    """
    if head is not None and encoding_of(head) is None:
        return _keys(file, settings, head)
    with as_utf8(file, head) as (view, _):
        return _keys(view, settings, None)


def anywhere_keys(file: BinaryIO, settings: Settings, head: bytes | None = None) -> list[bytes]:
    """The keys of all lines of a document, for what recurs inside: see `extract.inside`."""
    with as_utf8(file, head) as (view, encoding):
        return anywhere_records(view, *extent(view, None if encoding else head), settings.anywhere_function())


def page_keys(file: BinaryIO, settings: Settings, head: bytes | None = None) -> Iterator[list[bytes]]:
    """The keys of each page of a document, as `document_keys`. Memory: a page."""
    with as_utf8(file, head) as (view, encoding):
        start, end = extent(view, None if encoding else head)
        for page in pages(view, start, end, settings.head, settings.tail, fold_lines=settings.fold):
            yield [settings.record(), *page_records(page, inner=settings.interior)]


def _keys(file: BinaryIO, settings: Settings, head: bytes | None) -> list[bytes]:
    start, end = extent(file, head)
    if settings.key == "paper":
        head, tail = paper_units(file, 0, end)
        return [unit.key for unit in head + tail]
    before = head_window(file, start, end, settings.head)
    if settings.key == "odds":
        after = tail_window(file, start, end, settings.tail)
        if is_short(before, after, end):
            text = read_span(file, start, end)
            return [settings.record(), *short_records(_folded(text) if settings.fold else text, settings.head, settings.tail)]
        middle = middle_window(file, before, after, end)
        windows = (before.data, after.data, middle.data)
        return [settings.record(), *records(*(map(_folded, windows) if settings.fold else windows))]
    after = tail_window(file, start + len(before.data), end, settings.tail)
    lines = _lines(before) + _lines(after)
    if settings.key == "raw" and not settings.fold:
        return lines
    key = settings.key_function()
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
        return _line_ends(before, after, start, end, fold_lines=settings.fold)
    key = settings.key_function()
    return Ends(start, end, list(_units(before, key)), list(_units(after, key)), start + len(before.data), after.start)


def _folded(text: bytes) -> bytes:
    return b"\n".join(map(fold, text.split(b"\n")))


def _line_ends(before: Window, after: Window, start: int, end: int, *, fold_lines: bool) -> LineEnds:
    """Lines between the windows are guessed from the mean line of the windows: reading them would be reading the document."""
    head, tail = _lines(before), _lines(after)
    head_starts, tail_starts = _starts(before, head), _starts(after, tail)
    gap = after.start - head_starts[-1]
    if gap >= 0:
        between = gap * (len(head) + len(tail)) // max(1, len(before.data) + len(after.data))
    else:
        between = bisect_left(head_starts, after.start) - len(head)
    lines = tuple(Lines(list(map(fold, some)) if fold_lines else some) for some in (head, tail))
    filled = (list(some.filled()) for some in lines)
    return LineEnds(start, end, *lines, *filled, head_starts[-1], after.start, head_starts, tail_starts, between)


def _starts(window: Window, lines: list[bytes]) -> list[int]:
    """Where each line of a window starts, and where the last one ends."""
    starts = list(accumulate((len(line) + 1 for line in lines), initial=window.start))
    starts[-1] = window.start + len(window.data)
    return starts


def _lines(window: Window) -> list[bytes]:
    return window.data.removesuffix(b"\n").split(b"\n") if window.data else []


def _units(window: Window, key: KeyFunction) -> Iterator[Unit]:
    begin = window.start
    stop = window.start + len(window.data)
    for line in _lines(window):
        if (k := key(line)) is not None:
            yield Unit(k, begin, min(begin + len(line) + 1, stop))
        begin += len(line) + 1
