"""What recurs inside documents: runs of frequent lines in the body (`--interior`).

Nothing but frequent lines, and blank lines and rows of symbols between them, is ever in a run: there is no gap. One frequent line alone is a heading
or a quotation as likely as a notice, and so is a list of short ones; a run has RUN_LINES lines, each of RUN_LETTERS bytes in the mean.
A run stands inside: the body has other lines before it and after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import BinaryIO

from gutsort.records import Cut, Unit
from gutsort.strip.guard import before_blank, past_blank

RUN_LINES = 2
RUN_LETTERS = 30  # bytes a line, in the mean


def interior_cuts(file: BinaryIO, lines: Iterable[Unit], frequent: Mapping[bytes, int], extent: tuple[int, int]) -> Iterator[Cut]:
    """Yield the runs inside the bytes of `extent`; `lines` are its lines that are not blank, with an empty key where they have none.

    Memory: constant. Time: linear.
    """
    run: list[int] = []  # start, end, least and most documents with a line, lines, bytes of their keys
    inside = False
    for line in lines:
        count = frequent[line.key] if line.key else 0
        if count:
            run = _longer(run, line, count) if run else [line.start, line.end, count, count, 1, len(line.key)]
        elif line.key:
            if run and inside and run[4] >= RUN_LINES and run[5] >= RUN_LETTERS * run[4]:
                start, end = with_blank(file, run[0], run[1], extent)
                yield Cut(start, end, f"interior: {run[4]} lines in a row, each in {run[2]} to {run[3]} documents")
            inside, run = True, []


def _longer(run: list[int], line: Unit, count: int) -> list[int]:
    start, _, least, most, lines, size = run
    return [start, line.end, min(least, count), max(most, count), lines + 1, size + len(line.key)]


def with_blank(file: BinaryIO, start: int, end: int, extent: tuple[int, int]) -> tuple[int, int]:
    """A span of whole lines with the blank lines after it, where there are blank lines before it too, which stay."""
    blank_before = before_blank(file, extent[0], start) < start
    return start, past_blank(file, end, extent[1]) if blank_before else end
