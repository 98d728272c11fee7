r"""The blocks of a page: its tree of block elements, and the runs of text in it, each with its place in the source.

A block is what stands between two block tags; inline tags, comments and scripts belong to it. Missing end tags are supplied and
needless ones passed over by the few rules of HTML 5 that change which element a text belongs to (13.2.6: paragraphs, list items,
definition lists, table parts, table cells as barriers). The tree is flat lists in order of the source, so depth costs nothing;
every open element is closed once, so the whole is linear.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import add
from typing import NamedTuple

from gutsort.pages.scan import INLINE, MARKUP

VOID = frozenset("area base col embed frame hr input keygen link meta param track".split())
SKIPPED = frozenset("noscript template svg select object applet canvas audio video datalist".split())  # their content is not shown as text
OUTER = frozenset(("html", "head", "body"))  # not in the tree: a soup repeats, forgets and misplaces them
ENDS_P = frozenset(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header "
    "hgroup hr main menu nav ol p pre search section table ul li dt dd".split()
)
CELLS = ("td", "th", "caption")
BARRIERS = frozenset((*CELLS, "table"))  # an end tag inside does not close what is outside
TABLE_PARTS = frozenset((*CELLS, "table", "tr", "tbody", "thead", "tfoot"))
IMPLIED_END = {  # start tag: the open elements it closes, unless one of the others was opened since
    "li": (("li",), ("ul", "ol", "menu", "dir", *BARRIERS)),
    "dt": (("dt", "dd"), ("dl", *BARRIERS)),
    "dd": (("dt", "dd"), ("dl", *BARRIERS)),
    "td": (("td", "th"), ("tr", "table")),
    "th": (("td", "th"), ("tr", "table")),
    "tr": (("tr",), ("table",)),
    "tbody": (("tbody", "thead", "tfoot"), ("table",)),
    "thead": (("tbody", "thead", "tfoot"), ("table",)),
    "tfoot": (("tbody", "thead", "tfoot"), ("table",)),
}


BOM = "\xef\xbb\xbf"  # as latin-1; it is no text
BLANK = "\t\n\v\f\r "  # white space of HTML, and what stands for a line break in the text of a block

# What a piece of markup does, by its name: an end tag's begins with "/", a comment or script has none.
_NOTHING, _BREAK, _LINK, _LINK_END, _ELEMENT, _ELEMENT_END, _OUTER, _OUTER_END = range(8)
_PREFIXED = re.compile("[a-z]+:")  # o:p, fb:like: unknown elements of other vocabularies, inline as HTML 5 has it
_ROLES: dict[str | None, int] = {
    None: _NOTHING,
    **dict.fromkeys(INLINE, _NOTHING),
    **{f"/{name}": _NOTHING for name in INLINE},
    **{"br": _BREAK, "a": _LINK, "/a": _LINK_END, "": _OUTER_END},
    **dict.fromkeys(OUTER, _OUTER),
    **{f"/{name}": _OUTER_END for name in OUTER},
}


class _Roles(dict):
    """The roles of names, those of a page's own spelling added as they are met."""

    def __missing__(self, name: str) -> int:
        lower = name.lower()
        if lower in _ROLES:
            role = _ROLES[lower]
        elif _PREFIXED.match(lower.removeprefix("/")):
            role = _NOTHING
        else:
            role = _ELEMENT_END if name[0] == "/" else _ELEMENT
        self[name] = role
        return role


class Block(NamedTuple):
    """A run of text: the element it stands in (index into the lists of its Page; -1 is the page), and bytes `start` to `end` of the
    source.

    `text` is what is shown of them: latin-1 as in the source, tags out, line breaks as VT, character references as they are;
    `linked` is the share of it that stands in links (0 to 1).
    """

    node: int
    start: int
    end: int
    text: str
    linked: float


class Page:
    """A page as flat lists in order of the source, one entry an element.

    `source` is the page as latin-1 text; `tags`, `attributes` (latin-1 source text in lower case), `parents` (-1 for the outermost) and `starts`
    (bytes of the source)
    describe the elements; `blocks` are the runs of text that are not blank.
    """

    __slots__ = ("attributes", "blocks", "parents", "source", "starts", "tags")

    def __init__(self, source: str) -> None:
        self.source = source
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.parents: list[int] = []
        self.starts: list[int] = []
        self.blocks: list[Block] = []


class _Open:
    """The open elements while a page is read: a stack, and for each tag the levels of the stack at which it is open."""

    __slots__ = ("levels", "stack", "tags")

    def __init__(self, tags: list[str]) -> None:
        self.tags = tags
        self.stack: list[int] = []
        self.levels: dict[str, list[int]] = defaultdict(list)

    def innermost(self, tags: Iterable[str]) -> int:
        """The highest level at which one of `tags` is open, or -1."""
        level, levels = -1, self.levels
        for tag in tags:
            if tag in levels and levels[tag] and levels[tag][-1] > level:
                level = levels[tag][-1]
        return level

    def end(self, tag: str) -> None:
        """An end tag: close the innermost element of that name, if a table cell does not stand between."""
        level = self.innermost((tag,))
        if level >= 0 and (tag in TABLE_PARTS or level > self.innermost(BARRIERS)):
            self.close_to(level)

    def end_implied(self, tag: str) -> None:
        """Before a start tag: close the elements that it ends without their end tags."""
        if tag in ENDS_P:
            self._close_within(("p",), BARRIERS)
        if tag in IMPLIED_END:
            self._close_within(*IMPLIED_END[tag])

    def close_to(self, level: int) -> None:
        """Close all elements from `level` up."""
        for node in self.stack[level:]:
            self.levels[self.tags[node]].pop()
        del self.stack[level:]

    def _close_within(self, tags: Iterable[str], barriers: Iterable[str]) -> None:
        level = self.innermost(tags)
        if level >= 0 and level > self.innermost(barriers):
            self.close_to(level)


def parse(source: str) -> Page:  # noqa: PLR0912, PLR0915 - see the docstring
    """Read a page, given as latin-1 text (`charset.view` makes it), into its elements and blocks.

    Memory: a few hundred bytes a tag. Time: linear, for any input; no input is an error. The loop is long because it is the hot one.

    >>> page = parse("<ul><li>One <b>two</b><li>Three</ul>")
    >>> [(page.tags[block.node], page.source[block.start : block.end], block.text) for block in page.blocks]
    [('li', 'One <b>two</b>', 'One two'), ('li', 'Three', 'Three')]
    """
    page = Page(source)
    opened = _Open(page.tags)
    stack, levels, blocks = opened.stack, opened.levels, page.blocks
    tags, attributes, parents, starts = page.tags, page.attributes, page.parents, page.starts
    paragraphs, roles = levels["p"], _Roles(_ROLES)
    hidden: list[bool] = []  # of each element, whether its content is no text
    top, unseen = -1, False  # the innermost open element, and its entry in `hidden`
    begin = len(BOM) if source.startswith(BOM) else 0  # of the run
    run: list[str] = []  # its texts so far
    links: list[tuple[int, bool]] = []  # how many of them stand before a tag that opens or closes a link
    linked = False
    tokens = MARKUP.split(source[begin:])
    tokens += ("", "", "")  # the end of the page ends the last run
    texts, markups = tokens[0::4], tokens[1::4]
    ends = accumulate(map(add, map(len, texts), map(len, markups)), initial=begin)
    next(ends)
    for text, end, markup, name, rest in zip(texts, ends, markups, tokens[2::4], tokens[3::4], strict=True):
        role = roles[name]
        if role < _ELEMENT:
            if not unseen:
                run.append(text)
                if role == _BREAK:
                    run.append("\v")
                elif role:
                    links.append((len(run), role == _LINK))
            continue
        if not unseen:
            first = shown = text
            if run:
                first = run[0]
                run.append(text)
                shown = "".join(run)
            if shown.strip(BLANK):
                start = begin + len(first) - len(first.lstrip(BLANK))
                share = _linked_share(run, links, linked) if links else float(linked)
                blocks.append(Block(top, start, end - len(markup), shown, share))
            if links:
                linked = links[-1][1]
                links = []
            if run:
                run = []
        begin = end
        if role == _ELEMENT:
            tag = name if name.islower() else name.lower()
            if tag in IMPLIED_END or (paragraphs and tag in ENDS_P):
                opened.end_implied(tag)
                top = stack[-1] if stack else -1
                unseen = top >= 0 and hidden[top]
            inside = unseen or tag in SKIPPED
            hidden.append(inside)
            attributes.append(rest.removesuffix(">").lower())
            parents.append(top)
            starts.append(end - len(markup))
            if tag not in VOID and not (inside and rest.endswith("/>")):  # only in SVG does "/" close
                levels[tag].append(len(stack))
                top, unseen = len(tags), inside
                stack.append(top)
            tags.append(tag)
        elif role == _ELEMENT_END:
            tag = name[1:] if name.islower() else name[1:].lower()
            if top >= 0 and tags[top] == tag:
                levels[tag].pop()
                stack.pop()
            else:
                opened.end(tag)
            top = stack[-1] if stack else -1
            unseen = top >= 0 and hidden[top]
        elif role == _OUTER:
            opened.close_to(0)
            top, unseen = -1, False
    return page


def _linked_share(run: Sequence[str], links: Sequence[tuple[int, bool]], linked: bool) -> float:
    """The share of a run's text that stands in links; `linked`: one is open at its start."""
    total = inside = at = 0
    for place, opens in (*links, (len(run), False)):
        if place > at:
            text = run[at] if place == at + 1 else "".join(run[at:place])
            length = len(" ".join(text.split()))
            total += length
            inside += length if linked else 0
        at, linked = place, opens
    return inside / total if total else 0.0
