"""The paper's rule: a preamble or epilogue is a run of frequent lines with gaps of at most GAP_MAX infrequent ones.

Kaser & Lemire 2007, section 3.2; details that the paper leaves open are those of the authors' released program. On its own the rule is not
idempotent: what comes to stand at the new end may be frequent as well, and on the same list a second run cuts again in about 6 % of books.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gutsort.records import Unit

GAP_MAX = 10  # infrequent lines in a row that a run survives; Kaser & Lemire 2007, sec. 3.2

# The authors' regular expressions for Project Gutenberg, on keys, whole match, case as spelled (their program).
HEADER_END = re.compile(rb"[ *]*\* ?(?:START OF TH(?:E|IS) PROJECT GUTENBERG|END[ *]THE SMALL PRINT!).*", re.DOTALL)
FOOTER_START = re.compile(
    rb"ETEXT.*|(?:[ *]|T(?:his|HIS)|this|I[sS]|is|T(?:he|HE)|the|O[fF]|of)*(?:End|END|end)"
    rb"(?:\s|Of|of|OF|The|the|THE|This|this|THIS)*(?:Project Gutenberg|PROJECT GUTENBERG).*",
    re.DOTALL,
)


def preamble_end(
    head: Sequence[Unit], frequent: Mapping[bytes, int], gap_max: int = GAP_MAX, *, lead: int | None = None, heuristics: bool = False
) -> int | None:
    """The byte after the preamble, or None where there is none.

    The preamble ends with the last frequent line before more than `gap_max` infrequent ones in a row. `lead` limits the infrequent
    lines before the first frequent one (None, as in the paper: any number). With `heuristics` it reaches at least to the last line
    like HEADER_END, wherever the gap rule stopped.
    """
    found, gap = None, 0
    for unit in head:
        if frequent[unit.key]:
            found, gap = unit.end, 0
            continue
        gap += 1
        if gap > gap_max if found is not None else lead is not None and gap > lead:
            break
    if heuristics:
        marked = next((unit.end for unit in reversed(head) if HEADER_END.fullmatch(unit.key)), None)
        found = max((end for end in (found, marked) if end is not None), default=None)
    return found


def epilogue_start(
    tail: Sequence[Unit], frequent: Mapping[bytes, int], gap_max: int = GAP_MAX, *, heuristics: bool = False
) -> int | None:
    """The first byte of the epilogue, or None where there is none.

    A stretch starts at a frequent line and survives up to `gap_max` infrequent ones in a row; the one alive at the end is the
    epilogue. With `heuristics` a line like FOOTER_START keeps the stretch alive to the end, or starts it.
    """
    found, gap = None, 0
    for unit in tail:
        if heuristics and FOOTER_START.fullmatch(unit.key):
            return unit.start if found is None else found
        if frequent[unit.key]:
            found, gap = unit.start if found is None else found, 0
        elif found is not None:
            gap += 1
            found = None if gap > gap_max else found
    return found
