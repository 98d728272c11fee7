"""What recurs inside documents: runs of frequent lines in the body (`--interior`).

A run has nothing but frequent lines (and rows of symbols between them), and no blank ones: there is no gap. One frequent line alone is a
heading or a quotation as likely as a notice, and so is a list of short ones; a run has RUN_LINES lines, each of RUN_LETTERS bytes in the mean.
It stands inside: the body has other lines before it and after it.

Another edition of a book shares nearly all lines with it, and an anthology some: where the runs of a body have too many different lines
they are text, and none is cut. A notice that stands in a body ten times has few.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO

from gutsort.records import Cut, Unit
from gutsort.strip.guard import Verdict, before_blank, past_blank

RUN_LINES = 2
RUN_LETTERS = 30  # bytes a line, in the mean
SHARED = 0.02  # of the lines of a body: different ones in runs, at most; editions of one book in PG have 2.5 % and more, notices 0.5 % and less
SHARED_LEAST = 20  # lines that are never too many
SHARED_TEXT = "shares much of its body"


class Run:
    """Frequent lines in a row: their bytes, their number, their keys, and how many documents have each."""

    def __init__(self, start: int) -> None:
        self.start = self.end = start
        self.lines = self.letters = self.most = 0
        self.least: float = math.inf
        self.keys: set[bytes] = set()

    def add(self, line: Unit, count: int) -> None:
        """One more line, which `count` documents have."""
        self.end = line.end
        self.lines += 1
        self.letters += len(line.key)
        self.keys.add(line.key)
        self.least, self.most = min(self.least, count), max(self.most, count)

    def is_long(self) -> bool:
        """Whether it is more than a heading, or a list of short lines."""
        return self.lines >= RUN_LINES and self.letters >= RUN_LETTERS * self.lines

    def reason(self) -> str:
        """Its evidence in words."""
        return f"interior: {self.lines} lines in a row, each in {self.least} to {self.most} documents"


def interior_cuts(file: BinaryIO, lines: Iterable[Unit], frequent: Mapping[bytes, int], extent: tuple[int, int]) -> Verdict:
    """The runs inside the bytes of `extent`; `lines` are its lines that are not blank, with an empty key where they have none.

    Memory: the keys of the list that stand in runs, and the cuts. Time: linear.
    """
    body = _Body()
    runs = [run for run in _runs(lines, frequent, body) if run.is_long() and run.start > body.first]
    shared: set[bytes] = set().union(*(run.keys for run in runs))
    if len(shared) > max(SHARED_LEAST, SHARED * body.lines):
        return Verdict([], [SHARED_TEXT])
    return Verdict([Cut(*with_blank(file, run.start, run.end, extent), run.reason()) for run in runs if run.end <= body.last], [])


@dataclasses.dataclass(slots=True)
class _Body:
    """How many lines with a key there are, and where the first and the last of those start that are not frequent."""

    lines: int = 0
    first: float = math.inf
    last: int = 0


def _runs(lines: Iterable[Unit], frequent: Mapping[bytes, int], body: _Body) -> Iterator[Run]:
    """Yield all runs, long or not, and fill in `body` meanwhile."""
    run, reach = None, -1  # the run that is open; where the last line ends
    for line in lines:
        count = frequent[line.key] if line.key else 0
        if run and (line.start != reach or (line.key and not count)):
            yield run
            run = None
        reach = line.end
        body.lines += bool(line.key)
        if count:
            run = run or Run(line.start)
            run.add(line, count)
        elif line.key:
            body.first, body.last = min(body.first, line.start), line.start
    if run:
        yield run


def with_blank(file: BinaryIO, start: int, end: int, extent: tuple[int, int]) -> tuple[int, int]:
    """A span of whole lines with the blank lines after it, where there are blank lines before it too, which stay."""
    blank_before = before_blank(file, extent[0], start) < start
    return start, past_blank(file, end, extent[1]) if blank_before else end
