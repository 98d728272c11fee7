"""The text of blocks: decoded, character references resolved, white space squeezed."""

from __future__ import annotations

from html import unescape
from typing import NamedTuple

from gutsort.pages.blocks import Page


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
    found = []
    for node, start, end, source, linked in page.blocks:
        shown = source if source.isascii() else source.encode("latin-1").decode(charset, "replace")
        if text := squeeze(unescape(shown) if "&" in shown else shown):
            found.append(Passage(node, start, end, text, linked))
    return found


def squeeze(text: str) -> str:
    """Runs of white space as one blank; a line break (VT) stays as LF; no blank lines.

    >>> squeeze(" a  b\\v\\v c")
    'a b\\nc'
    """
    if "\v" not in text:
        return " ".join(text.split())
    return "\n".join(line for line in (" ".join(part.split()) for part in text.split("\v")) if line)
