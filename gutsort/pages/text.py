"""The text of blocks: inline tags out, entities decoded, white space squeezed, links measured."""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple

from gutsort.pages.blocks import Page
from gutsort.pages.scan import INLINE_MARKUP, LINK, UNSHOWN

_BREAK = re.compile(r"<br(?=[\t\n\f\r />])[^>]*>", re.IGNORECASE)


class Passage(NamedTuple):
    """The text of a block: `node`, `start` and `end` as in Block; `text`, its lines parted by LF; `linked`, the share of it that is
    links."""

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
            linked = _shown_text(page.source[slice(*next_bare)], linked)[2]
            next_bare = next(bare)
        run, share = page.source[start:end], float(linked)
        if "<" in run:
            run, share, linked = _shown_text(run, linked)
        if not run.isascii():
            run = run.encode("latin-1").decode(charset, "replace")
        if "&" in run:
            run = unescape(run)
        if text := squeeze(run):
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


def _shown_text(run: str, linked: bool) -> tuple[str, float, bool]:
    """The text of a run (line breaks as VT), the share of it that stands in links, and whether a link is open at its end; `linked`: one
    is at its start."""
    if "<b" in run or "<B" in run:
        run = _BREAK.sub("\v", run)
    if not ("<a" in run or "</a" in run or "<A" in run or "</A" in run):
        return INLINE_MARKUP.sub("", run), float(linked), linked
    pieces = LINK.split(UNSHOWN.sub("", run))  # text, "/" or "", text, ...
    texts = [INLINE_MARKUP.sub("", piece) if "<" in piece else piece for piece in pieces[::2]]
    if len(texts) == 1:
        return texts[0], float(linked), linked
    total = inside = 0
    for text, slash in zip(texts, [None, *pieces[1::2]], strict=True):
        linked = linked if slash is None else slash == ""
        length = len(" ".join(text.split()))
        total += length
        inside += length if linked else 0
    return "".join(texts), (inside / total if total else 0.0), linked
