"""Why a document is cut where it is: its ends line by line, with the evidence that the rule `odds` sees.

The rule is run as it is when documents are stripped, and tells what it does on the way, so that what is said is what is done.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import BinaryIO, NamedTuple

from gutsort.count.frequent import FrequentLines
from gutsort.count.model import Model
from gutsort.errors import FormatError
from gutsort.extract.units import Settings, as_utf8, document_ends
from gutsort.extract.windows import extent, read_span
from gutsort.formats import escape_name
from gutsort.jobs.strip import weights_of
from gutsort.records import Line, LineEnds, Proposal
from gutsort.strip.guard import Verdict, settle
from gutsort.strip.odds import Weights, evidence, odds_rule

BEYOND = 8  # lines that are shown beyond a cut
BLOCK = 1 << 20
KEY_WIDTH = 28
COLUMNS = f"{'line':>8} {'bits':>6} {'sum':>7} {'ends':>6} {'bodies':>7}  {'key':{KEY_WIDTH}}  text"


class View(NamedTuple):
    """How much is shown: lines beyond a cut, and all `keys` of a line that were seen elsewhere in place of the one that decides."""

    beyond: int = BEYOND
    keys: bool = False


class _Round(NamedTuple):
    """One application of the rule: what it saw, its steps (what, lines of the head, lines of the tail), and what it kept in the end."""

    ends: LineEnds
    steps: list[tuple[str, int, int]]
    kept: tuple[int, int]


def explain(file: BinaryIO, frequent: FrequentLines | Model, name: str, view: View = View()) -> Iterator[str]:
    """Yield in lines of text why a document is cut where it is by a list of marked keys, which messages call `name`.

    Raises FormatError for a list of another kind. Memory: that of stripping it. Time: linear.
    """
    if frequent.settings is None or (settings := Settings.of_record(frequent.settings)).key != "odds":
        raise FormatError(f"{name}: expected a list of marked keys, from extract --key odds")
    weights = weights_of(frequent)
    with as_utf8(file) as (source, _):
        rounds, verdict = _rounds(source, settings._replace(interior=False), weights)
        for place in (b"^", b"$"):
            yield from _explain_end([_End(source, one, weights, place) for one in rounds], verdict, view)
    if verdict.suspect:
        yield f"look at it: {', '.join(verdict.suspect)}"


def _rounds(source: BinaryIO, settings: Settings, weights: Weights) -> tuple[list[_Round], Verdict]:
    seen: list[tuple[LineEnds, list[tuple[str, int, int]]]] = []

    def rule(ends: LineEnds) -> Proposal:
        steps: list[tuple[str, int, int]] = []
        seen.append((ends, steps))
        return odds_rule(ends, weights, lambda *step: steps.append(step))

    verdict = settle(source, extent(source), lambda start, end: document_ends(source, start, end, settings), rule)
    kept = [(ends.start, ends.end) for ends, _ in seen[1:]] + [(seen[-1][0].start, seen[-1][0].end)]
    return [_Round(*one, left) for one, left in zip(seen, kept, strict=True)], verdict


def _explain_end(ends: list[_End], verdict: Verdict, view: View) -> Iterator[str]:
    """The table of an end, and why: for each application of the rule that cut there, or for the one that did not."""
    name = "tail" if ends[0].tail else "head"
    cutting = [end for end in ends if end.cut]
    for number, end in enumerate(cutting or ends[:1]):
        yield f"{name}{', again' if number else ''}:"
        yield COLUMNS
        yield from end.table(view._replace(beyond=view.beyond if number + 1 >= len(cutting) else 0))
        yield from end.reasons()
    yield next((cut.reason for cut in verdict.cuts if cut.reason.startswith(name)), f"{name}: nothing is cut")
    yield ""


class _End:
    """One end of a document in one application of the rule; lines are counted from the outermost."""

    def __init__(self, source: BinaryIO, one: _Round, weights: Weights, place: bytes) -> None:
        self.weights, self.place, self.tail = weights, place, place == b"$"
        ends = one.ends
        starts = ends.tail_starts if self.tail else ends.head_starts
        self.lines: Sequence[Line | None] = ends.tail[::-1] if self.tail else ends.head
        spans = list(zip(starts, starts[1:], strict=False))
        self.spans = spans[::-1] if self.tail else spans
        self.bits = evidence(self.lines, weights, place)
        self.sums = list(accumulate(self.bits))
        self.cut = sum(start >= one.kept[1] if self.tail else end <= one.kept[0] for start, end in self.spans)
        self.steps = [(step, tail if self.tail else head) for step, head, tail in one.steps]
        self.source, self._first = source, 1 + _count_lines(source, starts[0])

    def number(self, index: int) -> int:
        """The number of a line in the document."""
        return self._first + (len(self.spans) - 1 - index if self.tail else index)

    def table(self, view: View) -> Iterator[str]:
        """The lines that are cut and some beyond, in the order of the document; cut ones are marked as in a diff."""
        shown = range(min(len(self.spans), self.cut + view.beyond))
        for index in reversed(shown) if self.tail else shown:
            yield from self._rows(index, view.keys)

    def _rows(self, index: int, keys: bool) -> Iterator[str]:
        line = self.lines[index]
        before = f"{'-' if index < self.cut else ' '}{self.number(index):7}"
        if line is None:
            yield before
            return
        text = escape_name(read_span(self.source, *self.spans[index]).rstrip(b"\r\n"))
        if not line.keys:
            yield f"{before} {'':{31 + KEY_WIDTH}} {text}"
            return
        value = self.weights.of_line(line, self.place)
        known = index < len(self.bits)  # beyond them no cut can end any more, and nothing is added up
        numbers = f"{self.bits[index]:+6.1f} {self.sums[index]:+7.1f}" if known else f"{value:+6.1f} {'':7}"
        best, *others = sorted(line.keys, key=lambda key: -self.weights.of_key(key, self.place)[0])
        item = "item: " if known and value > 0 and self.bits[index] == 0 else ""
        yield f"{before} {numbers} {self._counts(best)}  {_shortened(item + escape_name(best)):{KEY_WIDTH}}  {text}"
        for key in others if keys else ():
            if self.weights.of_key(key, self.place)[1]:
                yield f"{'':23} {self._counts(key)}  {escape_name(key)}"

    def _counts(self, key: bytes) -> str:
        _, count, background = self.weights.of_key(key, self.place)
        return f"{count:6} {background:7.1f}"

    def reasons(self) -> Iterator[str]:
        """The steps that moved the cut, each with the line where it came to stand."""
        stood = 0
        for step, cut in self.steps:
            if cut != stood:
                bits = f" ({self.sums[cut - 1]:.1f} bits)" if 0 < cut <= len(self.sums) else ""
                yield f"  {step}: {self._where(cut)}{bits}"
            stood = cut
        if self.cut != stood:
            yield f"  {'with the blank lines next to it' if self.cut > stood else 'not allowed'}: {self._where(self.cut)}"

    def _where(self, cut: int) -> str:
        if not cut:
            return "nothing"
        return f"from line {self.number(cut - 1)}" if self.tail else f"to line {self.number(cut - 1)}"


def _shortened(text: str) -> str:
    return text if len(text) <= KEY_WIDTH else text[: KEY_WIDTH - 3] + "..."


def _count_lines(source: BinaryIO, end: int) -> int:
    """How many lines end before a byte."""
    return sum(read_span(source, start, min(end, start + BLOCK)).count(b"\n") for start in range(0, end, BLOCK))
