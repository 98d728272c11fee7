"""R2L, DANA, DANAg and AdDANAg: the article as a region of lines in which text outweighs code.

Mohammadzadeh 2013; the formulas are our reading (methods/web-pages.md, section 4). The page, less comments, scripts and styles, is cut in
lines of 80 bytes,
never inside a word or tag. Of each line T1 counts the content and T2 the code; diff is the sum of T1 - T2 over a line and its two
neighbours. Regions are
runs of lines with diff > 0. From the region with the most content (the sources take the highest line: .03 to .17 F1 worse) neighbours are
joined over gaps of up to
20 lines, and what is found is widened to whole blocks. A character of UTF-8 counts once, by its first byte.

- R2L, for right-to-left scripts: T1 is what is not ASCII, T2 what is; only right-to-left characters are kept.
- DANA, for all scripts but Latin: the same, and everything in the region is kept.
- DANAg, for all: T1 is what stands outside tags, T2 what stands inside.
- AdDANAg: DANAg after every `<a ...>` is written `<a>`, so that addresses do not outweigh the words they are put on.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gutsort.pages.scan import ANY_TAG, UNSHOWN, UNSHOWN_OR_ADDRESS
from gutsort.pages.text import Passage

LINE = 80  # bytes; Mohammadzadeh 2013
GAP = 20  # lines; the same
LINKED = 0.4  # methods/web-pages.md: blocks with more of their text in links are dropped

RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"  # Hebrew, Arabic, Syriac, Thaana, N'Ko, Samaritan, Mandaic and presentation forms
_NOT_RIGHT_TO_LEFT = re.compile(rf"[^{RIGHT_TO_LEFT}\s]+")

_TEXT, _OTHER, _BLANK, _MORE, _CODE = b"a", b"n", b" ", b"c", b"\x01"
_CODE_END = re.compile(rb"[^\x01]|\Z")
_WORD_END = re.compile(rb"[ \x01]|\Z")


class _Line(NamedTuple):
    """A line of the page less what is not shown: bytes `start` to `end`, content and code in it."""

    start: int
    end: int
    content: int
    code: int


def dana_region(source: str, charset: str, *, by_tags: bool, adapted: bool = False) -> tuple[int, int]:
    """Find the region of a page, as bytes `start` to `end` of its source; (0, 0) where there is none.

    `by_tags` tells DANAg from DANA and R2L, `adapted` AdDANAg from DANAg. Time: linear.
    """
    shown, kept = _without(source, UNSHOWN_OR_ADDRESS if adapted else UNSHOWN)
    lines = list(_lines(_classes(shown, charset), by_tags))
    first, last = best_region([line.content for line in lines], [line.content - line.code for line in lines])
    if first == last:
        return 0, 0
    return _original(kept, lines[first].start), _original(kept, lines[last - 1].end)


def best_region(content: Sequence[int], balance: Sequence[int]) -> tuple[int, int]:
    """The lines `first` to `last` of the region with the most content and its neighbours; `balance` is T1 - T2 of each line.

    >>> best_region([0, 80, 80, 0, 0, 9, 0], [-80, 80, 80, -80, -80, 9, -80])
    (1, 3)
    """
    padded = [0, *balance, 0]
    positive = [padded[i] + padded[i + 1] + padded[i + 2] > 0 for i in range(len(balance))]
    regions, start = [], None
    for i, plus in enumerate([*positive, False]):
        if plus and start is None:
            start = i
        elif not plus and start is not None:
            regions.append((start, i))
            start = None
    if not regions:
        return 0, 0
    best = low = high = max(range(len(regions)), key=lambda r: (sum(content[slice(*regions[r])]), -r))
    while low > 0 and regions[low][0] - regions[low - 1][1] <= GAP:
        low -= 1
    while high + 1 < len(regions) and regions[high + 1][0] - regions[high][1] <= GAP:
        high += 1
    return regions[low][0], max(regions[high][1], regions[best][1])


def in_region(texts: Sequence[Passage], region: tuple[int, int]) -> list[bool]:
    """For each passage whether its block has a part in the region and is no block of links."""
    start, end = region
    return [p.end > start and p.start < end and p.linked <= LINKED for p in texts]


def only_right_to_left(text: str) -> str:
    """The right-to-left characters of a text and its white space.

    >>> only_right_to_left("abc \u05e9\u05dc\u05d5\u05dd 12")
    '\u05e9\u05dc\u05d5\u05dd'
    """
    lines = (" ".join(_NOT_RIGHT_TO_LEFT.sub(" ", line).split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _without(source: str, pattern: re.Pattern[str]) -> tuple[str, list[tuple[int, int]]]:
    """`source` less what `pattern` finds (or its group, where that is what it finds), and where its pieces stood: (offset in the result,
    offset in the original) each."""
    pieces, kept, at, length = [], [], 0, 0
    for found in pattern.finditer(source):
        start, end = found.span(found.lastindex or 0)
        if start > at:
            pieces.append(source[at:start])
            kept.append((length, at))
            length += start - at
        at = end
    pieces.append(source[at:])
    kept.append((length, at))
    return "".join(pieces), kept


def _original(kept: list[tuple[int, int]], offset: int) -> int:
    """Where `offset` of the result of `_without` stood."""
    i = max(bisect_right(kept, offset, key=lambda piece: piece[0]) - 1, 0)
    return kept[i][1] + offset - kept[i][0]


def _classes(shown: str, charset: str) -> bytes:
    """The page with one letter a byte for what it is: code, text, text above ASCII, white space, or a further byte of a character."""
    above = (_MORE if charset == "utf-8" else _OTHER) * 64 + _OTHER * 64
    table = _CODE + _BLANK * 32 + _TEXT * 95 + above  # NUL stands for code: a page's own is as good as code
    return ANY_TAG.sub(lambda found: "\0" * len(found[0]), shown).encode("latin-1").translate(table)


def _lines(classes: bytes, by_tags: bool) -> Iterator[_Line]:
    """Cut in lines: where 80 bytes end inside a word or tag, the line goes on to its end."""
    start, length = 0, len(classes)
    while start < length:
        end = min(start + LINE, length)
        if end < length and classes[end - 1] != _BLANK[0] and classes[end] != _BLANK[0]:
            code = classes[end - 1] == _CODE[0]
            if code == (classes[end] == _CODE[0]):
                end = (_CODE_END if code else _WORD_END).search(classes, end).start()  # type: ignore[union-attr]
        text = classes.count(_TEXT, start, end)
        other = classes.count(_OTHER, start, end)
        code = classes.count(_CODE, start, end)
        yield _Line(start, end, text + other if by_tags else other, code if by_tags else text + code)
        start = end
