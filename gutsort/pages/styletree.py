r"""The site style tree (Yi, Liu & Li, KDD 2003; Yi 2004), built from a sorted stream with one stack.

An element node has a tag with class and id; its style in a page is the sequence of its children, texts among them; pages in which the
style is the same share
the children's nodes. So a node is named by the way to it: at each level the style of its parent and its number in that style, in
fixed-width fields, and byte order of the names
is pre-order. Each page gives lines

    SITE TAB NAME TAB S STYLE          a node and its style; one a page, for no page has a name twice
    SITE TAB NAME TAB F FEATURE        a text and the hash of it

and counted they are the tree: count of a style line = pages of the style. Read backwards, a node's children come before it, and one entry
a level is
all that is held. With m the pages of a node E, p_i the shares of its l styles S_i, and a the features of a text in it (our reading: the
sources leave the formulas out):

    NodeImp(E) = 1 if m = 1, else -sum p_i log_m p_i          CompImp(text) = 1 if m = 1, else 1 - mean over a of log_m df(a)
    CompImp(S) = mean over its children                       CompImp(E) = (1 - g^l) NodeImp(E) + g^l sum p_i CompImp(S_i),  g = 0.9

A node is noisy where it and all below have CompImp < t. A page is mapped by following its own styles: noisy nodes are cut; a style the
site does not have leads
nowhere and is kept. Our addition: no verdict where m < max(3, 0.2 pages), for two pages that agree are no site.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import groupby
from typing import NamedTuple

from gutsort.errors import FormatError
from gutsort.pages.blocks import Block, Page
from gutsort.pages.site import name_of, page_keys
from gutsort.records import Counted, Cut

GAMMA = 0.9  # Yi 2004
THRESHOLD = 0.5  # t; the sources choose one for each site by hand; .2, .35, .5 give F1 .66, .69, .72 on 21 sites
LEAST_PAGES = 3
LEAST_SHARE = 0.2
DEPTH = 64  # levels; what is deeper is not looked at (Yi's trees are shallow, and a name is as long as its node is deep)
_STYLE, _NUMBER = 8, 4  # hexadecimal digits of a field: a style's hash, a child's number in it
_FIELD = _STYLE + _NUMBER
_MOST_CHILDREN = 16**_NUMBER


class Node(NamedTuple):
    """A verdict: the `name` of an element or text node, the `pages` that have it, its CompImp and the greatest at and below it."""

    name: bytes
    pages: int
    importance: float
    greatest: float


class _Named(NamedTuple):
    """The nodes of a page: their names; which element (index of a tag, -1 the page) or block each is; the style of each element or the
    text hash of each block."""

    name: str
    element: int | None
    block: Block | None
    mark: str


def _named_nodes(page: Page) -> Iterator[_Named]:
    """Yield the nodes of a page, parents before children."""
    children: list[list[tuple[int, int, Block | None, str]]] = [[] for _ in range(len(page.tags) + 1)]
    for node, (parent, start) in enumerate(zip(page.parents, page.starts, strict=True)):
        children[parent].append((start, node, None, ""))
    for block, _, text in page_keys(page):
        children[block.node].append((block.start, -1, block, text))
    todo: list[tuple[str, int, int]] = [("", -1, 0)]
    while todo:
        name, element, depth = todo.pop()
        below = sorted(children[element], key=lambda child: child[0])
        labels = ("#" if block else f"{page.tags[node]} {name_of(page.attributes[node])}" for _, node, block, _ in below)
        style = blake2b("\0".join(labels).encode(), digest_size=_STYLE // 2).hexdigest()
        yield _Named(name, element, None, style)
        if depth == DEPTH:
            continue
        for number, (_, node, block, text) in enumerate(below[:_MOST_CHILDREN]):
            child = f"{name}{style}{number:0{_NUMBER}x}"
            if block is None:
                todo.append((child, node, depth + 1))
            else:
                yield _Named(child, None, block, text)


def style_lines(page: Page, site: bytes) -> list[bytes]:
    """The lines of a page of `site`, each once, sorted. A leaf element without text gives its style line alone."""
    return sorted(
        b"%b\t%b\t%b" % (site, n.name.encode(), (f"S{n.mark}" if n.block is None else f"F{n.mark}").encode()) for n in _named_nodes(page)
    )


def tree_nodes(counted: Iterable[Counted], name: str) -> Iterator[Node]:
    """Yield the nodes of one site's tree, children before parents; `counted` are its lines, the site taken off, in falling byte order.

    `name` is what messages call the list. Raises FormatError where a key is no line of a style tree.
    Memory: an entry a level, with the styles of the node being read there.
    """
    levels: list[dict[bytes, list[float]]] = [defaultdict(lambda: [0.0, 0.0, 0.0])]  # style -> sum, number and greatest of its children
    for node, group in groupby(counted, key=lambda entry: entry.key.partition(b"\t")[0]):
        marks = [(entry.key.partition(b"\t")[2], entry.count) for entry in group]
        if len(node) % _FIELD or not all(mark[:1] in (b"S", b"F") for mark, _ in marks):
            raise FormatError(f"{name}: expected a key SITE TAB NAME TAB MARK, found {node[:40].decode('latin-1')!r}")
        depth = len(node) // _FIELD
        while len(levels) <= depth + 1:
            levels.append(defaultdict(lambda: [0.0, 0.0, 0.0]))
        verdict = _verdict(node, marks, levels[depth + 1])
        levels[depth + 1].clear()
        if depth:
            entry = levels[depth][node[-_FIELD:-_NUMBER]]
            entry[0] += verdict.importance
            entry[1] += 1
            entry[2] = max(entry[2], verdict.greatest)
        yield verdict


def _verdict(node: bytes, marks: list[tuple[bytes, int]], below: dict[bytes, list[float]]) -> Node:
    pages = sum(count for _, count in marks)
    if marks[0][0][:1] == b"F":
        importance = text_importance([count for _, count in marks], pages)
        return Node(node, pages, importance, importance)
    styles = [(count, *below.get(mark[1:], (0.0, 0.0, 0.0))) for mark, count in marks]
    importance = element_importance([(count, total / number if number else None) for count, total, number, _ in styles])
    return Node(node, pages, importance, max(importance, *(greatest for *_, greatest in styles)))


def text_importance(pages_of_features: Iterable[int], m: int) -> float:
    """CompImp of a text whose features are on so many of its `m` pages each.

    >>> text_importance([1], 1), text_importance([4], 4), text_importance([1, 1, 1, 1], 4), text_importance([2, 2], 4)
    (1.0, 0.0, 1.0, 0.5)
    """
    if m <= 1:
        return 1.0
    counts = list(pages_of_features)
    return 1.0 - sum(math.log(n, m) for n in counts) / len(counts)


def element_importance(styles: Iterable[tuple[int, float | None]]) -> float:
    """CompImp of an element from its styles, each with its pages and the CompImp of the style (None where it has no children: then 0, for
    there is nothing to keep).

    >>> element_importance([(4, 0.5)])  # one style: 0.9 of it
    0.45
    >>> round(element_importance([(2, 1.0), (2, 0.0)]), 4)  # (1 - 0.81) * 0.5 + 0.81 * 0.5
    0.5
    """
    styles = list(styles)
    m = sum(count for count, _ in styles)
    damped = GAMMA ** len(styles)
    own = 1.0 if m <= 1 else abs(sum(n / m * math.log(n / m, m) for n, _ in styles))
    return (1 - damped) * own + damped * sum(n / m * (value or 0.0) for n, value in styles)


def noisy_names(nodes: Iterable[Node], pages: int, *, threshold: float = THRESHOLD, minimum: bool = True) -> set[bytes]:
    """The names of the noisy nodes of a site of `pages` pages. `minimum`: none without the least number of pages.

    Memory: the names, which with `minimum` are those of a few pages.
    """
    least = max(LEAST_PAGES, LEAST_SHARE * pages) if minimum else 1
    return {node.name for node in nodes if node.greatest < threshold and node.pages >= least}


def style_cuts(page: Page, noisy: set[bytes]) -> Iterator[Cut]:
    """Yield the blocks of a page that are noisy or in a noisy element, in order."""
    inside = [False] * (len(page.tags) + 1)
    cut = set()
    for named in _named_nodes(page):
        if named.block is None:
            parent = page.parents[named.element] if named.element >= 0 else -1
            inside[named.element] = (named.element >= 0 and inside[parent]) or named.name.encode() in noisy
        elif inside[named.block.node] or named.name.encode() in noisy:
            cut.add(named.block.start)
    for block in page.blocks:
        if block.start in cut or (inside[block.node]):
            yield Cut(block.start, block.end, "site block: style tree")
