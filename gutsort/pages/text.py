"""The text of blocks: inline tags out, entities decoded, white space squeezed, links measured."""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple

from gutsort.pages.blocks import Page, lower
from gutsort.pages.scan import INLINE_MARKUP, LINK, UNSHOWN

_BREAK = re.compile(r"<br(?=[\t\n\f\r />])[^>]*>", re.IGNORECASE)


class Passage(NamedTuple):
    """The text of a block: `node`, `start` and `end` as in Block; `text`, its lines parted by LF; `linked`, the share of it that is links."""

    node: int
    start: int
    end: int
    text: str
    linked: float


def passages(page: Page, charset: str) -> list[Passage]:
    """The texts of all blocks of a page, in order; `charset` is that of its bytes.

    Memory and time: linear in the page.

    >>> from gutsort.pages.blocks import parse
    >>> passages(parse("<p>Fish &amp; <a href=x>chips</a><br>now"), "utf-8")[0].text
    'Fish & chips\\nnow'
    """
    found, linked = [], False
    bare = iter([*page.bare, (len(page.source), 0)])
    next_bare = next(bare)
    for node, start, end in page.blocks:
        while next_bare[0] < start:
            linked = _ends_in_link(page.source[slice(*next_bare)], linked)
            next_bare = next(bare)
        run = page.source[start:end]
        if "<" in run:
            run = UNSHOWN.sub("", run)
            share, linked = _linked_share(run, linked)
            run = INLINE_MARKUP.sub("", _BREAK.sub("\v", run))
        else:
            share = float(linked)
        text = squeeze(unescape(run.encode("latin-1").decode(charset, "replace")))
        if text:
            found.append(Passage(node, start, end, text, share))
    return found


def squeeze(text: str) -> str:
    """Runs of white space as one blank; a line break (VT) stays as LF; no blank lines.

    >>> squeeze(" a  b\\v\\v c")
    'a b\\nc'
    """
    if "\v" not in text:
        return " ".join(text.split())
    return "\n".join(line for line in (" ".join(part.split()) for part in text.split("\v")) if line)


def _ends_in_link(run: str, linked: bool) -> bool:
    for tag in LINK.finditer(lower(UNSHOWN.sub("", run))):
        linked = tag[0][1] != "/"
    return linked


def _linked_share(run: str, linked: bool) -> tuple[float, bool]:
    """The share of a run's characters that stand in links, and whether a link is open at its end."""
    inside = total = at = 0
    lowered = lower(run)
    for tag in LINK.finditer(lowered):
        length = _length(run[at : tag.start()])
        total += length
        inside += length if linked else 0
        linked, at = tag[0][1] != "/", tag.end()
    length = _length(run[at:])
    total += length
    inside += length if linked else 0
    return (inside / total if total else 0.0), linked


def _length(run: str) -> int:
    if "<" in run:
        run = INLINE_MARKUP.sub("", run)
    return len(" ".join(run.split()))
