"""Cuts inside a document, together with those at its ends: the rule is applied again to what is left, until it cuts nothing more.

What is left of a document is then what the rule, seeing nothing else, cuts nothing of: strip(strip(x)) == strip(x), as without.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import BinaryIO

from gutsort.extract.inside import all_lines
from gutsort.extract.paged import pages
from gutsort.extract.units import Settings
from gutsort.records import Cut
from gutsort.strip.guard import LARGE_SHARE, Verdict, is_large
from gutsort.strip.interior import interior_cuts
from gutsort.strip.running import page_verdict
from gutsort.strip.splice import Spliced, joined

BLOCK = 1 << 18

Extent = tuple[int, int]
Propose = Callable[[BinaryIO, Extent], Verdict]


def settle_inside(source: BinaryIO, extent: Extent, propose: Propose) -> Verdict:
    """Apply `propose` to the text within `extent`, and again to what is left, until it cuts nothing more.

    Interior cuts are told with the lines they take. Memory: the cuts. Time: linear, a pass for each time.
    """
    cuts: list[Cut] = []
    suspect: dict[str, None] = {}
    while True:
        view = Spliced(source, cuts)
        found = propose(view, (extent[0], extent[1] - sum(cut.end - cut.start for cut in cuts)))
        suspect |= dict.fromkeys(found.suspect)
        if not found.cuts:
            break
        cuts = joined(cuts + list(map(view.origin, found.cuts)))
    suspect.pop(LARGE_SHARE, None)
    if is_large(cuts, extent):
        suspect[LARGE_SHARE] = None
    return Verdict(_numbered(source, cuts), list(suspect))


def propose_pages(settings: Settings, frequent: Mapping[bytes, int]) -> Propose:
    """The rule for pages; inside them too where the settings say so."""

    def propose(file: BinaryIO, extent: Extent) -> Verdict:
        def read_pages():
            return pages(file, *extent, settings.head, settings.tail, fold_lines=settings.fold)

        return page_verdict(file, read_pages, frequent, interior=settings.interior)

    return propose


def propose_runs(settings: Settings, frequent: Mapping[bytes, int], ends: Propose) -> Propose:
    """The rule `ends`, and runs of frequent lines between what it cuts."""
    key = settings.anywhere_function()

    def propose(file: BinaryIO, extent: Extent) -> Verdict:
        verdict = ends(file, extent)
        start, end = extent
        for cut in verdict.cuts:
            start, end = (cut.end, end) if cut.start == start else (start, cut.start)
        found = interior_cuts(file, all_lines(file, start, end, key), frequent, (start, end))
        return Verdict(sorted([*verdict.cuts, *found.cuts]), [*verdict.suspect, *found.suspect])

    return propose


def _numbered(source: BinaryIO, cuts: list[Cut]) -> list[Cut]:
    """Cuts with the numbers of their lines, counted from 1 over the whole document, in the reason of those inside."""
    numbered: list[Cut] = []
    line, place = 1, 0
    for cut in cuts:
        first = line = line + _newlines(source, place, cut.start)
        line, place = line + _newlines(source, cut.start, cut.end), cut.end
        source.seek(cut.end - 1)
        last = line - (source.read(1) == b"\n")
        name, _, why = cut.reason.partition(": ")
        numbered.append(cut._replace(reason=f"{name}: {_lines(first, last)}, {why}") if name == "interior" else cut)
    return numbered


def _lines(first: int, last: int) -> str:
    return f"line {first}" if first == last else f"lines {first}-{last}"


def _newlines(source: BinaryIO, start: int, end: int) -> int:
    source.seek(start)
    number = 0
    while start < end and (data := source.read(min(BLOCK, end - start))):
        number += data.count(b"\n")
        start += len(data)
    return number
