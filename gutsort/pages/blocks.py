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

from gutsort.pages.scan import INLINE_MARKUP, TOKEN

VOID = frozenset("area base col embed frame hr input keygen link meta param track".split())
SKIPPED = frozenset("noscript template svg select object applet canvas audio video datalist".split())  # their content is not shown as text
OUTER = frozenset(("html", "head", "body"))  # not in the tree: a soup repeats, forgets and misplaces them
ENDS_P = frozenset(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr "
    "main menu nav ol p pre search section table ul li dt dd".split()
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


CLOSING = ENDS_P | IMPLIED_END.keys()
SPACE = "\t\n\f\r "


class Block(NamedTuple):
    """A run of text: the element it stands in (index into the lists of its Page; -1 is the page), and bytes `start` to `end` of the source."""

    node: int
    start: int
    end: int


class Page:
    """A page as flat lists in order of the source, one entry an element.

    `source` is the page as latin-1 text; `tags`, `attributes` (source text in lower case), `parents` (-1 for the outermost), `starts` and `ends` (bytes of the
    source, tags included), `hidden` (content is no text) describe the elements; `blocks` are the runs of text that are not blank; `bare` are spans
    of runs without text that may open or close a link.
    """

    __slots__ = ("attributes", "bare", "blocks", "ends", "hidden", "parents", "source", "starts", "tags")

    def __init__(self, source: str) -> None:
        self.source = source
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.parents: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.hidden: list[bool] = []
        self.blocks: list[Block] = []
        self.bare: list[tuple[int, int]] = []


class _Open:
    """The open elements while a page is read: a stack, and for each tag the levels of the stack at which it is open."""

    __slots__ = ("levels", "page", "stack")

    def __init__(self, page: Page) -> None:
        self.page = page
        self.stack: list[int] = []
        self.levels: dict[str, list[int]] = defaultdict(list)

    def innermost(self, tags: Iterable[str]) -> int:
        """The highest level at which one of `tags` is open, or -1."""
        level, levels = -1, self.levels
        for tag in tags:
            if tag in levels and levels[tag] and levels[tag][-1] > level:
                level = levels[tag][-1]
        return level

    def end(self, tag: str, start: int, end: int) -> None:
        """An end tag: close the innermost element of that name, if a table cell does not stand between."""
        level = self.innermost((tag,))
        if level < 0 or (tag not in TABLE_PARTS and level < self.innermost(BARRIERS)):
            return
        node = self.stack[level]
        self.close_to(level, start)
        self.page.ends[node] = end

    def close_implied(self, tag: str, where: int) -> None:
        """Before a start tag at byte `where`: close the elements that it ends without their end tags."""
        if tag in ENDS_P and self.levels["p"]:
            self._close_within(("p",), BARRIERS, where)
        if tag in IMPLIED_END:
            self._close_within(*IMPLIED_END[tag], where)

    def close_to(self, level: int, where: int) -> None:
        """Close all elements from `level` up; they end at byte `where`."""
        page, levels = self.page, self.levels
        for node in reversed(self.stack[level:]):
            page.ends[node] = where
            levels[page.tags[node]].pop()
        del self.stack[level:]

    def _close_within(self, tags: Iterable[str], barriers: Iterable[str], where: int) -> None:
        level = self.innermost(tags)
        if level >= 0 and level > self.innermost(barriers):
            self.close_to(level, where)


def parse(source: str) -> Page:
    """Read a page, given as latin-1 text (`charset.view` makes it), into its elements and blocks.

    Memory: a few hundred bytes a tag. Time: linear, for any input; no input is an error. The loop is long because it is the hot one.

    >>> page = parse("<ul><li>One <b>two</b><li>Three</ul>")
    >>> [(page.tags[block.node], page.source[block.start : block.end]) for block in page.blocks]
    [('li', 'One <b>two</b>'), ('li', 'Three')]
    """
    page = Page(source)
    opened = _Open(page)
    stack, levels, blocks = opened.stack, opened.levels, page.blocks
    tags, attributes, parents, starts, ends, hidden = page.tags, page.attributes, page.parents, page.starts, page.ends, page.hidden
    top = -1  # the innermost open element
    hidden.append(False)  # hidden[-1] while there is no element; taken off at the end
    for found in TOKEN.finditer(lower(source)):
        run, slash, tag, attrs = found.groups()
        if run and not hidden[top]:
            if "<" not in run or INLINE_MARKUP.sub("", run).strip(SPACE):
                blocks.append(Block(top, *found.span(1)))
            elif "<a" in run or "</a" in run:
                page.bare.append(found.span(1))
        if tag is None:
            continue
        if slash:
            if top >= 0 and tags[top] == tag:
                ends[top] = found.end()
                levels[tag].pop()
                stack.pop()
            else:
                opened.end(tag, found.end(1), found.end())
        elif tag not in OUTER:
            if tag in CLOSING:
                opened.close_implied(tag, found.end(1))
                top = stack[-1] if stack else -1
            tags.append(tag)
            attributes.append(attrs)
            parents.append(top)
            starts.append(found.end(1))
            ends.append(found.end())
            hidden.insert(-1, hidden[top] or tag in SKIPPED)
            if tag not in VOID and not (hidden[-2] and attrs.endswith("/")):  # only in SVG does "/" close
                levels[tag].append(len(stack))
                stack.append(len(tags) - 1)
        else:
            opened.close_to(0, found.end(1))
        top = stack[-1] if stack else -1
    opened.close_to(0, len(source))
    hidden.pop()
    return page


def lower(source: str) -> str:
    """Latin-1 text with its ASCII letters in lower case, all others and all offsets as they were."""
    return source.encode("latin-1").lower().decode("latin-1")
