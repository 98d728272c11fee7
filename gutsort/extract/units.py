"""A document's ends as units, and the keys that are counted of them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from gutsort.extract.encodings import MARK_BYTES, encoding_of, utf8_view
from gutsort.extract.fold import fold
from gutsort.extract.keys import EVERY_OCCURRENCE, KEYS, KeyFunction
from gutsort.extract.paper import paper_units
from gutsort.extract.windows import HEAD_LINES, TAIL_LINES, extent, head_window, read_span, tail_window
from gutsort.records import Ends, Unit, Window


class Settings(NamedTuple):
    """Which keys are made of which lines: the name of a key function, and the windows in lines (key `paper` has its own).

    `fold`: lines are folded first (`extract.fold`; not for `paper`). `jsonl_field`: the field of JSON Lines that is the document, in
    more files than those of that name (see `containers.texts`).
    """

    key: str = "line"
    head: int = HEAD_LINES
    tail: int = TAIL_LINES
    fold: bool = False
    jsonl_field: str | None = None

    def key_function(self) -> KeyFunction:
        """What makes a key of a line."""
        key = KEYS[self.key]
        return (lambda line: key(fold(line))) if self.fold else key


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


def _keys(file: BinaryIO, settings: Settings, head: bytes | None) -> list[bytes]:
    start, end = extent(file, head)
    if settings.key == "paper":
        head, tail = paper_units(file, 0, end)
        return [unit.key for unit in head + tail]
    before = head_window(file, start, end, settings.head)
    after = tail_window(file, start + len(before.data), end, settings.tail)
    lines = _lines(before) + _lines(after)
    if settings.key == "raw" and not settings.fold:
        return lines
    key = settings.key_function()
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
    key = settings.key_function()
    return Ends(start, end, list(_units(before, key)), list(_units(after, key)), start + len(before.data), after.start)


def _lines(window: Window) -> list[bytes]:
    return window.data.removesuffix(b"\n").split(b"\n") if window.data else []


def _units(window: Window, key: KeyFunction) -> Iterator[Unit]:
    begin = window.start
    stop = window.start + len(window.data)
    for line in _lines(window):
        if (k := key(line)) is not None:
            yield Unit(k, begin, min(begin + len(line) + 1, stop))
        begin += len(line) + 1
