"""The default rule: cut where lines are far more common at the ends of documents than inside them.

A line's evidence is the logarithm of odds: in how many documents its best key stands at this end, against how many it would take
by chance and how often it stands in backgrounds. The preamble is the prefix, the epilogue the suffix, whose evidence adds up to the
most, chosen together; then a cut gives back paragraphs that are too weak to end it, and takes in the end of the one it stops in.
Nothing in it knows a language, a format or a marker. Ours; methods of the field it builds on: Kaser & Lemire 2007 (frequent lines),
log-odds scoring of maximal segments (Karlin & Altschul 1990).
Time: linear in the lines of the windows. Memory: the frequent list, and the evidence of the lines seen (a bounded memo).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate

from gutsort.records import Line, LineEnds, Proposal

BASE = 0.75  # documents a key needs before it speaks for boilerplate, in roots of the number of documents
BASE_FEW = 0.5  # the same below FEW documents, where one copy more is already much
FEW = 100
PART = 4  # and so many documents more for a key of a part of a line: parts coincide easily; below FEW for all but the line as it stands
BACK = 20.0  # one document with the key in its background weighs against so many with the key at an end
BACK_FEW = 0.3  # the same in a small collection, in shares of its documents
STRAY = 0.25  # share of a key's documents that may have it between the ends of short ones before it counts as background: chance gives half
SAFE = 2.0  # standard deviations of that number on the safe side
FLOOR, CAP = -3.0, 6.0  # evidence of one line in bits: a line never seen; no line decides alone
STOP = 100.0  # a sum so far below its best will not come back
KEEP = 0.15  # share of the lines that are not blank that stays
PARAGRAPH = 2  # lines of a paragraph that a cut may take in to end with it
INNER_HEAD, INNER_TAIL = 1.5, 0.45  # what the innermost paragraph of a cut must weigh: bits (at most INNER_CAP a line) times the
INNER_CAP = 2.0  # share of a full line; "Abstract", "THE END" or "#endif" weigh less and belong to the text they stand next to
RUNNING = 3  # times that a line stands in a window, digits aside, to be the head or foot of its pages
FULL_LINE = 30  # letters
MEMO_LINES = 1 << 15  # lines whose evidence is remembered, about 5 MB
CLOSE = 1e-9  # sums that differ by less are equal

_DIGIT = re.compile(b"[0-9]")

Lines = Sequence[Line | None]
Note = Callable[[str, int, int], None]


class Weights:
    """The evidence of single lines by one frequent list.

    `frequent` gives counts of records (KEY TAB PLACE), 0 for one that is absent; `documents` is how many were counted; `own`: votes that a
    document has in the list itself, 1, or 0 where it was not among them.
    """

    def __init__(self, frequent: Mapping[bytes, int], documents: int, own: int = 1) -> None:
        self._count, self._own = frequent.__getitem__, own
        number = max(documents, 1)
        self._base = (BASE if number >= FEW else BASE_FEW) * math.sqrt(number)
        self._back = min(BACK, BACK_FEW * number)
        self._exact = (b".", b"0") if number >= FEW else (b".",)
        self.scale = min(1.0, max(0.0, (math.log2(number / self._base) - 1.25) / 4))  # how much a paragraph can weigh at all: little in few documents
        self._memo: dict[tuple[bytes, bytes], float] = {}

    def of_line(self, line: Line, place: bytes) -> float:
        """Bits of evidence, over the best of the line's keys, that it is boilerplate at `place` (`^` or `$`)."""
        value = self._memo.get((line.keys[0], place))
        if value is None:
            if len(self._memo) >= MEMO_LINES:
                self._memo.clear()
            best = max(self.of_key(key, place)[0] for key in line.keys)
            value = self._memo[line.keys[0], place] = FLOOR if best <= 0 else min(CAP, max(FLOOR, math.log2(best)))
        return value

    def of_key(self, key: bytes, place: bytes) -> tuple[float, int, float]:
        """Odds of a key, and what they are made of: other documents with it at `place`, documents with it in the background,
        with those above STRAY that have it between the ends of a short one."""
        count = self._count(key + b"\t" + place) - self._own
        if count <= 0:
            return 0.0, 0, 0
        between = self._count(key + b"\t~")
        background = self._count(key + b"\t=") + max(0.0, between + SAFE * math.sqrt(between) - STRAY * count)
        return count / (self._base + (0 if key[:1] in self._exact else PART) + self._back * background), count, background


class Joint:
    """The evidence of several lists together: a line has the most that one of them gives."""

    def __init__(self, *weights: Weights) -> None:
        self.scale = max(one.scale for one in weights)
        self._weights = weights

    def of_line(self, line: Line, place: bytes) -> float:
        """As `Weights.of_line`."""
        return max(one.of_line(line, place) for one in self._weights)


def odds_rule(ends: LineEnds, weights: Weights | Joint, note: Note = lambda step, head, tail: None) -> Proposal:
    """What the rule would cut, with its evidence in words; `note` is told after each step how many lines of head and tail it would be."""
    back = ends.tail[::-1]
    head_bits, back_bits = evidence(ends.head, weights, b"^"), evidence(back, weights, b"$")
    space = _Space(ends)
    head, tail = best_cuts(head_bits, back_bits, space)
    note("the greatest sum of evidence", head, tail)
    head = drop_weak(ends.head, head_bits, head, INNER_HEAD * weights.scale)
    tail = drop_weak(back, back_bits, tail, INNER_TAIL * weights.scale)
    note("without weak paragraphs at its inner end", head, tail)
    for widen, step in ((to_paragraph, "to the end of the paragraph"), (past_running, "past heads and feet of pages")):
        wider = widen(ends.head, head), widen(back, tail)
        if space.leaves_enough(*wider):
            head, tail = wider
            note(step, head, tail)
    return Proposal(
        ends.head_starts[head] if head else None,
        ends.tail_starts[len(back) - tail] if tail else None,
        _in_words(ends.head[:head], head_bits),
        _in_words(back[:tail], back_bits),
    )


def evidence(lines: Lines, weights: Weights | Joint, place: bytes) -> list[float]:
    """Bits of each line, the outermost first, up to where no cut can end any more; 0 for blank lines, and in a head for items of lists."""
    bits: list[float] = []
    total = best = 0.0
    for number, line in enumerate(lines):
        value = 0.0
        if line and line.keys:
            value = weights.of_line(line, place)
            if value > 0 and place == b"^" and _is_item(lines, number):
                value = 0.0
            total += value
            best = max(best, total)
            if total < best - STOP:
                break
        bits.append(value)
    return bits


def _is_item(lines: Lines, number: int) -> bool:
    """Whether a line of a head is an item of a list (imports, contents), not a sentence of a notice.

    It begins as the line next to it does, or as two lines across blank ones do, or but for its first word it is the line next to it
    (`#ifndef NAME_H`, `#define NAME_H`). Not asked in a tail, where endings follow each other that are much alike.
    """
    alike, first, rest = 0, lines[number].first, lines[number].keys[1].partition(b" ")[2]
    for step in (-1, 1):
        place, near = number + step, True
        while 0 <= place < len(lines) and alike < 2:
            line = lines[place]
            if not (line and line.keys):
                near = False
            elif line.first == first:
                alike += 2 if near else 1
                near = False
            else:
                alike += 2 if near and place == number + step and rest and rest == line.keys[1].partition(b" ")[2] else 0
                break
            place += step
    return alike >= 2


class _Space:
    """Numbers of lines that are not blank, by line from the head and from the tail; lines between the windows count as text."""

    def __init__(self, ends: LineEnds) -> None:
        self._head, self._tail = _running(ends.head_filled), _running(ends.tail_filled[::-1])
        self.between, self.lines = ends.between, len(ends.head) + len(ends.tail) + ends.between
        overlap = _running(ends.tail_filled)[-ends.between] if ends.between < 0 else 0
        self.text = self._head[-1] + self._tail[-1] - overlap + max(ends.between, 0)

    def left(self, head: int, tail: int) -> int:
        """Lines that are not blank between `head` lines of the head and `tail` lines of the tail; they may not overlap."""
        return self.text - self._head[head] - self._tail[tail]

    def leaves_enough(self, head: int, tail: int) -> bool:
        """Whether the two cuts are apart and leave KEEP of the text."""
        return head + tail <= self.lines and self.left(head, tail) >= KEEP * self.text


def _running(filled: Iterable[bool]) -> list[int]:
    return list(accumulate(filled, initial=0))


def best_cuts(head: Sequence[float], back: Sequence[float], space: _Space) -> tuple[int, int]:
    """How many lines of the head and of the tail to cut, so that the sum of their evidence is greatest and enough is left.

    `head` and `back` are bits, outermost first.
    """
    tops = [(0.0, 0)]  # for each number of lines, the best sum within them and the lines it takes
    total = 0.0
    for number, bits in enumerate(head, 1):
        total += bits
        tops.append((total, number) if total > tops[-1][0] + CLOSE else tops[-1])
    best, cuts, limit, total = -1.0, (0, 0), len(head), 0.0
    for tail in range(len(back) + 1):
        total += back[tail - 1] if tail else 0.0
        while limit and not space.leaves_enough(limit, tail):
            limit -= 1
        if not space.leaves_enough(limit, tail):
            break
        value, number = tops[limit]
        if value + total > best + CLOSE:
            best, cuts = value + total, (number, tail)
    return cuts


def drop_weak(lines: Lines, bits: Sequence[float], cut: int, least: float) -> int:
    """Take paragraphs off the inner end of a cut until one weighs `least`; lines outermost first."""
    while cut:
        end = cut
        while end and not (lines[end - 1] and lines[end - 1].keys):
            end -= 1
        start, weight = end, 0.0
        while start and lines[start - 1] and lines[start - 1].keys:
            start -= 1
            weight += min(max(bits[start], 0.0), INNER_CAP) * min(1.0, lines[start].letters / FULL_LINE)
        if weight >= least:
            return cut
        cut = start
    return 0


def to_paragraph(lines: Lines, cut: int) -> int:
    """A cut inside a paragraph that ends within PARAGRAPH lines takes it in, and the row of symbols that closes it."""
    size = len(lines)
    if 0 < cut < size and lines[cut - 1] and lines[cut]:
        end = cut
        while end < size and lines[end] and end - cut <= PARAGRAPH:
            end += 1
        if end - cut <= PARAGRAPH and (end == size or not lines[end]):
            cut = end
    while 0 < cut < size and lines[cut - 1] and lines[cut] and not lines[cut].keys:
        cut += 1
    return cut


def past_running(lines: Lines, cut: int) -> int:
    """Past the heads and feet of pages next to a cut, whatever blank lines part them.

    Such a line stands alone, has digits, and stands RUNNING times in the window, digits aside.
    """
    end = cut
    times: Counter[bytes] = Counter()
    while 0 < end < len(lines):
        line = lines[end]
        if line and line.keys:
            if not _DIGIT.search(line.keys[1]) or (end + 1 < len(lines) and lines[end + 1]):
                break
            times = times or Counter(other.keys[1] for other in lines if other and other.keys)
            if times[line.keys[1]] < RUNNING:
                break
            cut = end + 1
        end += 1
    return cut


def _in_words(lines: Lines, bits: Sequence[float]) -> str:
    seen = sum(value > 0 for value in bits[: len(lines)])
    return f"{sum(bits[: len(lines)]):.1f} bits, {seen} of {sum(line is not None for line in lines)} lines seen elsewhere"
