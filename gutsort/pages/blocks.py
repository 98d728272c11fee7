r"""The blocks of a page: its tree of block elements, and the runs of text in it, each with its place in the source.

A block is what stands between two block tags; inline tags, comments and scripts belong to it. Missing end tags are supplied and
needless ones passed over by the few rules of HTML 5 that change which element a text belongs to (13.2.6: paragraphs, list items,
definition lists, table parts, table cells as barriers). The tree is flat lists in order of the source, so depth costs nothing;
every open element is closed once, so the whole is linear.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from gutsort.pages.scan import TOKEN

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


class Block(NamedTuple):
    """A run of text: the element it stands in (index into the lists of its Page; -1 is the page), and bytes `start` to `end` of the
    source."""

    node: int
    start: int
    end: int


class Page:
    """A page as flat lists in order of the source, one entry an element.

    `source` is the page as latin-1 text; `tags`, `attributes` (source text in lower case), `parents` (-1 for the outermost) and `starts`
    (bytes of the source)
    describe the elements; `blocks` are the runs of text that are not blank; `bare` are spans of runs without text that may open or close
    a link.
    """

    __slots__ = ("attributes", "bare", "blocks", "parents", "source", "starts", "tags")

    def __init__(self, source: str) -> None:
        self.source = source
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.parents: list[int] = []
        self.starts: list[int] = []
        self.blocks: list[Block] = []
        self.bare: list[tuple[int, int]] = []


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


def parse(source: str) -> Page:
    """Read a page, given as latin-1 text (`charset.view` makes it), into its elements and blocks.

    Memory: a few hundred bytes a tag. Time: linear, for any input; no input is an error. The loop is long because it is the hot one.

    >>> page = parse("<ul><li>One <b>two</b><li>Three</ul>")
    >>> [(page.tags[block.node], page.source[block.start : block.end]) for block in page.blocks]
    [('li', 'One <b>two</b>'), ('li', 'Three')]
    """
    page = Page(source)
    opened = _Open(page.tags)
    stack, levels, blocks = opened.stack, opened.levels, page.blocks
    tags, attributes, parents, starts = page.tags, page.attributes, page.parents, page.starts
    paragraphs = levels["p"]
    hidden: list[bool] = []  # of each element, whether its content is no text
    top, unseen = -1, False  # the innermost open element, and its entry in `hidden`
    for found in TOKEN.finditer(lower(source), len(BOM) if source.startswith(BOM) else 0):
        before, text, slash, tag, attrs = found.groups()
        if text and not unseen:
            blocks.append(Block(top, found.start(1), found.end(2)))
        elif before and not unseen and ("<a" in before or "</a" in before):
            page.bare.append(found.span(1))
        if slash == "":
            if tag in OUTER:
                opened.close_to(0)
                top, unseen = -1, False
                continue
            if tag in IMPLIED_END or (paragraphs and tag in ENDS_P):
                opened.end_implied(tag)
                top = stack[-1] if stack else -1
                unseen = top >= 0 and hidden[top]
            inside = unseen or tag in SKIPPED
            hidden.append(inside)
            attributes.append(attrs)
            parents.append(top)
            starts.append(found.end(2))
            if tag not in VOID and not (inside and attrs.endswith("/")):  # only in SVG does "/" close
                levels[tag].append(len(stack))
                top, unseen = len(tags), inside
                stack.append(top)
            tags.append(tag)
        elif slash and tag not in OUTER:
            if top >= 0 and tags[top] == tag:
                levels[tag].pop()
                stack.pop()
            else:
                opened.end(tag)
            top = stack[-1] if stack else -1
            unseen = top >= 0 and hidden[top]
    return page


def lower(source: str) -> str:
    """Latin-1 text with its ASCII letters in lower case, all others and all offsets as they were."""
    return source.encode("latin-1").lower().decode("latin-1")
