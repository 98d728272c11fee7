"""What no rule may do, and applying a rule until it has nothing more to cut.

A cut that would leave no line that is not blank is not made. A cut that runs to the inner end of its window while the document
goes on has found no boundary and is not made at that end. A cut of more than half the bytes is made. All three make the document a suspect.

The rule is applied again from the new ends until nothing changes, so that the same list cuts nothing from the output:
strip(strip(x)) == strip(x) by construction, as windows are a function of the bytes that are left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import BinaryIO, NamedTuple

from gutsort.records import Cut, Ends, Proposal

NO_BOUNDARY = "no boundary at the {}"
NOTHING_LEFT = "nothing would be left"
LARGE_SHARE = "more than half cut"
BLANK = bytes(range(0x21))
BLOCK = 1 << 16

ReadEnds = Callable[[int, int], Ends]
Rule = Callable[[Ends], Proposal]


class Verdict(NamedTuple):
    """The cuts of a document, none of them empty, and why it should be looked at."""

    cuts: list[Cut]
    suspect: list[str]


def settle(file: BinaryIO, extent: tuple[int, int], read_ends: ReadEnds, rule: Rule) -> Verdict:
    """Apply `rule` from both ends until it cuts nothing more; blank lines next to a cut go with it.

    `extent` is the first and last byte of the text; `read_ends` gives the ends of any part of it.
    """
    start, end = extent
    reasons: tuple[list[str], list[str]] = ([], [])
    suspect: dict[str, None] = {}
    while True:
        ends = read_ends(start, end)
        kept = _allowed(file, ends, rule(ends), suspect, reasons)
        if kept == (start, end):
            return _verdict(extent, kept, reasons, suspect)
        start, end = kept


def apply_once(file: BinaryIO, extent: tuple[int, int], read_ends: ReadEnds, rule: Rule) -> Verdict:
    """Apply `rule` once, as the paper does: blank lines stay, a window's end is as good a boundary as any; but no document is emptied."""
    start, end = extent
    proposal = rule(read_ends(start, end))
    head, tail = proposal.head_end, proposal.tail_start
    suspect: dict[str, None] = {}
    kept = _not_empty(file, extent, start if head is None else head, end if tail is None else tail, suspect)
    return _verdict(extent, kept, ([proposal.head_reason], [proposal.tail_reason]), suspect)


def _allowed(file: BinaryIO, ends: Ends, proposal: Proposal, suspect: dict[str, None], reasons: tuple[list[str], list[str]]) -> tuple[int, int]:
    """First and last byte that are kept when the guard has judged the proposal."""
    start, end = ends.start, ends.end
    head = start if proposal.head_end is None else past_blank(file, proposal.head_end, end)
    tail = end if proposal.tail_start is None else before_blank(file, start, proposal.tail_start)
    if head >= ends.head_inner and ends.head_inner < end:
        suspect[NO_BOUNDARY.format("head")] = None
        head = start
    if tail <= ends.tail_inner and ends.tail_inner > start:
        suspect[NO_BOUNDARY.format("tail")] = None
        tail = end
    kept = _not_empty(file, (start, end), head, tail, suspect)
    for side, changed, reason in zip(reasons, (kept[0] > start, kept[1] < end), (proposal.head_reason, proposal.tail_reason), strict=True):
        if changed:
            side.append(reason)
    return kept


def _not_empty(file: BinaryIO, extent: tuple[int, int], head: int, tail: int, suspect: dict[str, None]) -> tuple[int, int]:
    """The wanted cut, or the largest part of it that leaves a line: the smaller of the two cuts, then the larger one, then none."""
    start, end = extent
    if (head, tail) == extent or past_blank(file, head, tail) < tail:
        return head, tail
    suspect[NOTHING_LEFT] = None
    alone = sorted([(head, end), (start, tail)], key=lambda kept: kept[0] - kept[1])
    return next((kept for kept in alone if past_blank(file, *kept) < kept[1]), extent)


def _verdict(extent: tuple[int, int], kept: tuple[int, int], reasons: tuple[list[str], list[str]], suspect: dict[str, None]) -> Verdict:
    places = (("head", extent[0], kept[0]), ("tail", kept[1], extent[1]))
    cuts = [Cut(a, b, f"{name}: {'; '.join(why)}") for (name, a, b), why in zip(places, reasons, strict=True) if a < b]
    if is_large(cuts, extent):
        suspect[LARGE_SHARE] = None
    return Verdict(cuts, list(suspect))


def is_large(cuts: Sequence[Cut], extent: tuple[int, int]) -> bool:
    """Whether more than half of the bytes of `extent` go."""
    return 2 * sum(cut.end - cut.start for cut in cuts) > extent[1] - extent[0]


def past_blank(file: BinaryIO, position: int, end: int) -> int:
    """The start of the first line from `position` on that is not blank, or `end`; `position` is a line's start."""
    line = position
    while position < end:
        file.seek(position)
        data = file.read(min(BLOCK, end - position))
        if not data:
            break
        blank = len(data) - len(data.lstrip(BLANK))
        if (found := data.rfind(b"\n", 0, blank)) >= 0:
            line = position + found + 1
        if blank < len(data):
            return line
        position += len(data)
    return end


def before_blank(file: BinaryIO, start: int, position: int) -> int:
    """The end, its LF included, of the last line before `position` that is not blank, or `start`; `position` is a line's start."""
    line = position
    while start < position:
        begin = max(start, position - BLOCK)
        file.seek(begin)
        data = file.read(position - begin)
        text = len(data.rstrip(BLANK))
        line = begin + found + 1 if (found := data.find(b"\n", text)) >= 0 else line
        if text:
            return line
        position = begin
    return start
