"""Running heads and feet of pages: lines that stand at one end of page after page of a document (`--records FF`).

A line runs where the list has its key at that end, and RUNNING pages of the document (more of a long one) have it there, each at most STEP
pages after the one before: left and right pages may differ, and so may chapters. A line that stands inside half as many pages does not run: a
table may well be continued on the next page. The head of a page is the prefix of lines that run, the foot the suffix: there is
no gap, so a line that does not run is never lost. A page that has nothing else is left as it is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import BinaryIO, NamedTuple

from gutsort.records import Cut, Page, Unit
from gutsort.strip.guard import NOTHING_LEFT, Verdict, before_blank, past_blank
from gutsort.strip.interior import with_blank

RUNNING = 3  # pages of one document; two may share a line by chance
RUNNING_ROOT = 0.5  # and so many roots of its pages: what may happen by chance happens in a long document
STEP = 2
STRAY = 0.5  # pages with a line inside, for each that has it at its end, at most
HEAD, TAIL, BACKGROUND = b"\t^", b"\t$", b"\t="

ReadPages = Callable[[], Iterable[Page]]


class Stretch(NamedTuple):
    """Pages from `first` to `last` (from 1), `pages` of which have a key at one end, none more than STEP after the one before."""

    first: int
    last: int
    pages: int


class Stretches:
    """The stretches of RUNNING or more pages, by key, for one end. Memory: the keys, and the stretches."""

    def __init__(self) -> None:
        self._open: dict[bytes, Stretch] = {}
        self._found: dict[bytes, list[Stretch]] = {}

    def add(self, key: bytes, page: int) -> None:
        """A page that has a key; pages come in order."""
        last = self._open.get(key)
        near = last is not None and page - last.last <= STEP
        self._open[key] = grown = Stretch(last.first, page, last.pages + 1) if last and near else Stretch(page, page, 1)
        if grown.pages >= RUNNING:
            found = self._found.setdefault(key, [])
            found[len(found) - (grown.pages > RUNNING) :] = [grown]

    def at(self, key: bytes, page: int, margin: int = 0) -> Stretch | None:
        """The stretch that a page is in, or within `margin` of it."""
        return next((some for some in self._found.get(key, ()) if some.first - margin <= page <= some.last + margin), None)

    def keep(self, least: float, inner: Counter[bytes]) -> None:
        """Forget the stretches of less than `least` pages, and the keys that stand inside pages too often."""
        kept = {key: [some for some in found if some.pages >= least] for key, found in self._found.items()}
        self._found = {key: found for key, found in kept.items() if inner[key] <= STRAY * sum(some.pages for some in found)}


class Running(NamedTuple):
    """Where the lines of a document run at the heads of its pages, and at their feet."""

    head: Stretches
    tail: Stretches


def page_verdict(file: BinaryIO, read_pages: ReadPages, frequent: Mapping[bytes, int], *, interior: bool) -> Verdict:
    """What of a document's pages is cut; with `interior`, lines that run also where they stand inside a page.

    `read_pages` is called twice. Memory: the keys of the list that the document has, and its cuts. Time: linear.
    """
    running = find_running(read_pages(), frequent)
    cuts: list[Cut] = []
    suspect: dict[str, None] = {}
    for number, page in enumerate(read_pages(), 1):
        head = list(_while_running(page.head, running.head, number))
        tail = list(_while_running(reversed(page.tail), running.tail, number))
        rest = [*page.head[len(head) :], *page.inner, *page.tail[: len(page.tail) - len(tail)]]
        inside = list(_inside(rest, running, number, frequent)) if interior else []
        if len(inside) < len(rest):
            cuts += _page_cuts(file, page, (head, inside, tail), number)
        elif head or tail or inside:
            suspect[NOTHING_LEFT] = None
    return Verdict(cuts, list(suspect))


def find_running(pages: Iterable[Page], frequent: Mapping[bytes, int]) -> Running:
    """The lines that run through the pages of a document, of those that the list has at an end."""
    running, inner, number = Running(Stretches(), Stretches()), Counter[bytes](), 0
    for number, page in enumerate(pages, 1):
        for stretches, units, place in zip(running, (page.head, page.tail), (HEAD, TAIL), strict=True):
            for key in {unit.key for unit in units if frequent[unit.key + place]}:
                stretches.add(key, number)
        inner.update({unit.key for unit in page.inner if frequent[unit.key + HEAD] or frequent[unit.key + TAIL]})
    for stretches in running:
        stretches.keep(RUNNING_ROOT * math.sqrt(number), inner)
    return running


Found = tuple[Unit, Stretch]


def _while_running(units: Iterable[Unit], stretches: Stretches, page: int) -> Iterator[Found]:
    for unit in units:
        stretch = stretches.at(unit.key, page)
        if stretch is None:
            return
        yield unit, stretch


def _inside(units: Iterable[Unit], running: Running, page: int, frequent: Mapping[bytes, int]) -> Iterator[Found]:
    """The lines inside a page that run through those next to it, and stand at ends in the collection more often than inside."""
    for unit in units:
        stretch = running.head.at(unit.key, page, 1) or running.tail.at(unit.key, page, 1)
        if stretch and max(frequent[unit.key + HEAD], frequent[unit.key + TAIL]) > frequent[unit.key + BACKGROUND]:
            yield unit, stretch


def _page_cuts(file: BinaryIO, page: Page, parts: tuple[list[Found], list[Found], list[Found]], number: int) -> Iterator[Cut]:
    """The cuts of one page, in order: blank lines next to its head and foot go with them, but the line of a form feed keeps its end."""
    head, inside, tail = parts
    start, end = page.start, page.end
    if head:
        start = past_blank(file, head[-1][0].end, page.end)
        begin = page.start if past_blank(file, page.start, page.end) == page.start else _line_end(file, page.start)
        yield Cut(begin, start, f"interior: head of page {number}, {_evidence(head)}")
    end = before_blank(file, page.start, tail[-1][0].start) if tail else page.end
    for unit, stretch in inside:
        yield Cut(*with_blank(file, unit.start, unit.end, (start, end)), f"interior: inside page {number}, {_evidence([(unit, stretch)])}")
    if tail:
        yield Cut(end, page.end, f"interior: foot of page {number}, {_evidence(tail)}")


def _line_end(file: BinaryIO, start: int) -> int:
    file.seek(start)
    return start + len(file.readline())


def _evidence(found: list[Found]) -> str:
    least = min((stretch for _, stretch in found), key=lambda stretch: stretch.pages)
    return f"at the ends of {least.pages} of the pages {least.first} to {least.last}"
