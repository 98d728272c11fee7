"""Input that is in order already is copied: regular files are read once to see whether they are, and once to copy them.

A sample says whether to look at all, so other input loses nothing. The order is looked at by all processes, each in a share of its
own, which ends at the first line that is out of order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from gutsort.sort.memory import KIB
from gutsort.sort.plan import Plan
from gutsort.sort.source import Source
from gutsort.sort.workers import Crew

LOOK = 256 * KIB  # bytes looked at at once, at most: their lines fit the cache
LOOK_SHARE = 64  # part of a process's memory that they may be: lines take up to some thirty times their bytes


class Span(NamedTuple):
    """Bytes of an input: whole lines but for a separator that the input lacks at its end."""

    number: int
    start: int
    end: int


Ends = tuple[bytes, bytes]


def find_presorted(source: Source, samples: Sequence[bytes], plan: Plan) -> list[Span] | None:
    """All inputs as spans, where their lines in this order are in byte order; else None.

    `samples` are lines from places all over the source, as `Source.sample` gives them; the source's inputs are regular files.
    Memory: the plan's share a process. Time: linear, nothing where the samples are out of order.
    """
    look, parallel, separator = min(LOOK, plan.share // LOOK_SHARE), plan.parallel, plan.separator
    if not in_order([line for text in samples for line in text.split(separator)]):
        return None
    spans = _cut(source, [Span(number, 0, size) for number, size in enumerate(source.sizes()) if size], parallel, look, separator)
    if spans is None:
        return None
    shares = [spans[number * len(spans) // parallel : (number + 1) * len(spans) // parallel] for number in range(parallel)]
    with Crew() as crew:
        for number, part in enumerate(shares):
            crew.start(lambda number=number, part=part: (number, _ends(source, part, look, separator)))
        found = dict(crew.results())
    ends = [found[number] for number in range(parallel) if shares[number]]
    if None in ends or not in_order([line for pair in ends for line in pair]):
        return None
    return spans


def in_order(lines: list) -> bool:
    """Whether each line is at least the one before it."""
    return sorted(lines) == lines  # of sorted lines: one comparison a line, and one of addresses


def copy_spans(source: Source, spans: Sequence[Span], separator: bytes) -> Iterator[bytes]:
    """Yield the bytes of `spans`, and the separator that an input lacks at its end."""
    for span, after in zip(spans, [*spans[1:], None], strict=True):
        place, last = span.start, b""
        while place < span.end and (last := source.read_at(span.number, place, min(source.take, span.end - place))):
            place += len(last)
            yield last
        if (after is None or after.number != span.number) and not last.endswith(separator):
            yield separator


def _cut(source: Source, inputs: Sequence[Span], count: int, look: int, separator: bytes) -> list[Span] | None:
    """Cut inputs at ends of lines into spans of about the same size, `count` of them or a few more; None where lines are long."""
    step = max(1, sum(span.end for span in inputs) // count + 1)
    spans = []
    for number, _, size in inputs:
        places = [0]
        for place in range(step, size, step):
            found = source.read_at(number, place, look).find(separator)
            if found < 0:
                return None
            if place + found + 1 < size:
                places.append(place + found + 1)
        spans += [Span(number, *pair) for pair in pairwise([*places, size])]
    return spans


def _ends(source: Source, spans: Sequence[Span], look: int, separator: bytes) -> Ends | None:
    """The first and the last line of spans that are in order; None where they are not, or have a line too long to look at."""
    first, last = None, b""
    for number, start, end in spans:
        place, begun = start, b""
        while place < end:
            text = begun + source.read_at(number, place, min(look, end - place))
            if len(text) == len(begun):  # the file has become shorter
                return None
            place += len(text) - len(begun)
            whole = text.rfind(separator) if place < end or text.endswith(separator) else len(text)
            if whole < 0:
                return None
            lines = str(memoryview(text)[:whole], "latin-1").split(separator.decode("latin-1"))
            begun = text[whole + 1 :]
            first = lines[0].encode("latin-1") if first is None else first
            if last.decode("latin-1") > lines[0] or not in_order(lines):
                return None
            last = lines[-1].encode("latin-1")
    return first or b"", last
