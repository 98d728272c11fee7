"""Pages: what form feeds part a document into, and the keys at their ends (`--records FF`).

A running head or a folio recurs over the pages of one document, so pages are what is counted. The key of a line is that of the folded
line (see extract.odds): runs of digits are one digit, and `Page 12` and `Page 13` are one key.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import BinaryIO

from gutsort.extract.fold import fold
from gutsort.extract.odds import BACKGROUND, HEAD, TAIL, make_line
from gutsort.extract.windows import read_span
from gutsort.records import Page, Unit

FORM_FEED = b"\f"
PAGE_LINES = 3  # lines at either end of a page, those without a key aside, that may be its head or foot; the most seen in RFCs is 2
PAGE_BYTES = 256 << 10  # what is longer is no page: it has no keys, and nothing of it is cut
BLOCK = 1 << 18


def pages(file: BinaryIO, start: int, end: int, head: int, tail: int, *, fold_lines: bool = False) -> Iterator[Page]:
    """Yield the pages of the bytes from `start` to `end`; `head` and `tail` are the lines that its ends have at most.

    Memory: a block and a page. Time: linear.
    """
    for begin, size, text in _texts(file, start, end):
        yield Page(begin, begin + size, *_parted(list(_units(begin, text, fold_lines)), head, tail))


def page_records(page: Page, *, inner: bool) -> list[bytes]:
    """The records of a page, each once: the keys of its first and last lines, and with `inner` of those between."""
    parts = ((page.head, HEAD), (page.tail, TAIL), (page.inner if inner else [], BACKGROUND))
    return list(dict.fromkeys(unit.key + place for units, place in parts for unit in units))


def _parted(units: list[Unit], head: int, tail: int) -> tuple[list[Unit], list[Unit], list[Unit]]:
    """First, inner and last lines; a page of few lines has no more than half of them at its head."""
    first = min(head, len(units) // 2)
    last = max(first, len(units) - tail)
    return units[:first], units[first:last], units[last:]


def _units(start: int, text: bytes, fold_lines: bool) -> Iterator[Unit]:
    lines = text.split(b"\n")
    ends = accumulate((len(line) + 1 for line in lines), initial=start)
    for line, begin in zip(lines, ends, strict=False):
        made = make_line(fold(line) if fold_lines else line)
        if made and made.keys:
            yield Unit(made.keys[1], begin, min(begin + len(line) + 1, start + len(text)))


def _texts(file: BinaryIO, start: int, end: int) -> Iterator[tuple[int, int, bytes]]:
    """Where each page starts, its size, and its text, which is empty for what is longer than PAGE_BYTES."""
    begin, size, text = start, 0, b""
    for place in range(start, end, BLOCK):
        first, *others = read_span(file, place, min(end, place + BLOCK)).split(FORM_FEED)
        size += len(first)
        text = text + first if size <= PAGE_BYTES else b""
        for part in others:
            yield begin, size, text
            begin += size + 1
            size, text = len(part), part if len(part) <= PAGE_BYTES else b""
    yield begin, size, text
