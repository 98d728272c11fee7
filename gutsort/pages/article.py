"""The default of page mode: the article as the run of blocks with the greatest sum of text less clutter.

Each block is worth its characters, less three times those in links, less what a block costs: a sentence pays for its block, a menu entry
does
not. The article is the run of neighbouring blocks whose worths have the greatest sum (Pasternack & Roth 2009, maximum subsequence
segmentation, here
with no training). This is the region of the DANAg family (`dana.py`) with blocks for lines of 80 characters and the sum for the sign.

Two things beyond the sum. An element that names itself clutter (comments, menu, footer) is worth nothing, unless most of the page's text
is in it.
And a heading that says what `<title>` says doubles a short run that it opens, so that a short article outweighs a long notice elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from gutsort.pages.blocks import Page
from gutsort.pages.text import Passage

BLOCK_COST = 50  # characters; 40 to 60 differ by .002 F1 on both open sets
PARAGRAPH_COST = 20  # <p> says that it is text
ROW_COST = {"td": 25, "th": 25, "li": 40}  # what comes in many small blocks
LINK_COST = 3  # a linked character counts against twice its worth
TEMPLATE_COST = 10  # a block that recurs over the site
NAMED_COST = 25  # a block in an element named clutter, whatever it holds
LINKED = 0.5  # more links than text: left out of the article even where it stands in it
MOST = 0.8  # an element with more of the page's text is not clutter, whatever its name
HEADING_WORTH = 150
HEADING_TERMS = 0.5  # share of a heading's words that <title> has too
MOST_HEADINGS = 20  # looked at: keeps the time linear
MOST_RUNS = 20
FURTHER_RUN = 0.4  # a run of blocks apart from the best belongs to the article with this share of its sum: .3 to .5 are alike
ARTICLE_SHARE = 0.1  # runs with less of the page's text are no article: keep all but clutter

CLUTTER_TAGS = frozenset("nav footer aside form header button figcaption".split())
_CLUTTER = re.compile(
    r"comment|foot(?!age)|side-?bar|related|recommend|shar(?:e|ing)|social|promo|advert|(?<![a-z])ads?(?![a-z])|sponsor|menu|(?<![a-z])nav|breadcrumb"
    r"|cookie|newsletter|copyright|disclaimer|outbrain|taboola|disqus|most-?(?:read|popular|viewed)|tooltip|popup|log-?in|sign-?up|caption"
)
_PERHAPS_CLUTTER = re.compile(
    r"consent|subscri|modal|banner|widget|(?<![a-z])tags?(?![a-z])|trending|popular|respond|rating|byline|author|(?<![a-z])meta|credit|toolbar|pagin|hidden|print"
)
_CONTENT = re.compile(r"article|body|content|main|post\b|entry|story|column|page\b|wrap|container|layout")
_NAMES = re.compile(r"""(?:class|id)=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_UNSEEN = re.compile(r"display:\s*none|(?:^|\s)hidden(?:\s|=|$)")
_WORD = re.compile(r"[^\W_]+")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")  # a character says as much as two of an alphabet


class Region(NamedTuple):
    """`kept` says for each passage of a page whether it is in the article; `found` is False where no article was found and the page is
    kept; `share` is
    how much of the page's text (links and template aside) is kept."""

    kept: list[bool]
    found: bool
    share: float


def find_article(page: Page, texts: Sequence[Passage], title: str, template: Sequence[bool] | None = None) -> Region:
    """Find the article among the passages of a page; `title` is what its `<title>` says; `template` marks the passages that recur over
    its site.

    Template is left out, and parts what stands around it as clutter does.

    Time: linear in elements and passages.
    """
    template = template or [False] * len(texts)
    sizes = [size(passage.text) for passage in texts]
    tags = [page.tags[passage.node] if passage.node >= 0 else "" for passage in texts]
    worths = [_worth(tag, n, passage.linked) for tag, n, passage in zip(tags, sizes, texts, strict=True)]
    worths = [min(worth, -TEMPLATE_COST) if known else worth for worth, known in zip(worths, template, strict=True)]
    inside_clutter = _clutter(page, texts, worths)
    out = [known or inside_clutter[passage.node] for known, passage in zip(template, texts, strict=True)]
    worths = [min(worth, -NAMED_COST) if inside_clutter[p.node] else worth for worth, p in zip(worths, texts, strict=True)]
    kept = [False] * len(texts)
    for start, end in _runs(worths, _headings(tags, texts, title)):
        kept[start:end] = [texts[i].linked < LINKED and not out[i] for i in range(start, end)]
    plain = [0.0 if known else n * (1 - p.linked) for n, p, known in zip(sizes, texts, template, strict=True)]
    found = _share(plain, kept) >= ARTICLE_SHARE
    if not found:
        kept = [not o for o in out] if not all(out) else [True] * len(texts)
    return Region(kept, found, _share(plain, kept))


def _share(plain: Sequence[float], kept: Sequence[bool]) -> float:
    return sum(n for n, keep in zip(plain, kept, strict=True) if keep) / (sum(plain) or 1)


def size(text: str) -> int:
    """How much a text says: its characters, those of Chinese, Japanese and Korean counted twice.

    >>> size("ab"), size("漢字")
    (2, 4)
    """
    return len(text) if text.isascii() else len(text) + len(_WIDE.findall(text))


def _worth(tag: str, characters: int, linked: float) -> float:
    cost = PARAGRAPH_COST if tag == "p" else ROW_COST.get(tag, BLOCK_COST)
    return characters * (1 - LINK_COST * linked) - cost


def _clutter(page: Page, texts: Sequence[Passage], worths: Sequence[float]) -> list[bool]:
    """For each element whether it is in clutter; the last entry is the page itself, so that node -1 finds it."""
    inside = [0.0] * (len(page.tags) + 1)
    for passage, worth in zip(texts, worths, strict=True):
        inside[passage.node] += max(worth, 0.0)
    for node in range(len(page.tags) - 1, -1, -1):
        inside[page.parents[node]] += inside[node]
    most = MOST * inside[-1]
    clutter = [False] * (len(page.tags) + 1)
    for node, (tag, attributes, parent) in enumerate(zip(page.tags, page.attributes, page.parents, strict=True)):
        if clutter[parent]:
            clutter[node] = True
        elif inside[node] <= most:
            clutter[node] = tag in CLUTTER_TAGS or (attributes != "" and names_clutter(attributes))
    return clutter


@lru_cache(maxsize=1 << 12)  # few attributes of a page are not those of another element or of the page before
def names_clutter(attributes: str) -> bool:
    """Whether an element's class or id (its attributes in lower case) says that it is not the article, or its style that it is not shown.

    >>> names_clutter('class="site-footer"'), names_clutter('class="article-meta"'), names_clutter('class="post-footage"')
    (True, False, False)
    """
    names = " ".join("".join(found.groups("")) for found in _NAMES.finditer(attributes))
    if _CLUTTER.search(names) or (_PERHAPS_CLUTTER.search(names) and not _CONTENT.search(names)):
        return True
    return _UNSEEN.search(attributes) is not None


def _headings(tags: Sequence[str], texts: Sequence[Passage], title: str) -> list[int]:
    terms = set(_WORD.findall(title.lower()))
    found = []
    for i, (tag, passage) in enumerate(zip(tags, texts, strict=True)):
        if tag in ("h1", "h2", "h3") and passage.linked < LINKED:
            words = set(_WORD.findall(passage.text.lower()))
            if len(words & terms) >= max(1, HEADING_TERMS * len(words)):
                found.append(i)
    return found


def _best_run(worths: Sequence[float], headings: Sequence[int]) -> tuple[int, int]:
    """The run with the greatest sum, where one that holds a heading gains up to HEADING_WORTH, and no more than it has."""
    start, end, best = _greatest_sum(worths, 0, len(worths))
    best += min(best, HEADING_WORTH) if any(start <= i < end for i in headings) else 0
    for heading in headings[:MOST_HEADINGS]:
        total = reached = 0.0
        last = heading
        for i in range(heading + 1, len(worths)):
            total += worths[i]
            if total > reached:
                reached, last = total, i
            if total < -2 * HEADING_WORTH:
                break
        if reached + min(reached, HEADING_WORTH) > best:
            best, start, end = reached + min(reached, HEADING_WORTH), heading, last + 1
    return start, end


def _runs(worths: Sequence[float], headings: Sequence[int]) -> list[tuple[int, int]]:
    """The best run, and those before and after it that have a good share of its sum."""
    start, end = _best_run(worths, headings)
    least = max(FURTHER_RUN * sum(worths[start:end]), 1.0)
    found, open_spans = [(start, end)], [(0, start), (end, len(worths))]
    while open_spans and len(found) < MOST_RUNS:
        first, last = open_spans.pop()
        start, end, total = _greatest_sum(worths, first, last)
        if total >= least:
            found.append((start, end))
            open_spans += [(first, start), (end, last)]
    return found


def _greatest_sum(worths: Sequence[float], first: int, last: int) -> tuple[int, int, float]:
    """Kadane's maximum subarray within `first` to `last`: start, end and sum."""
    best = total = 0.0
    start = end = begun = first
    for i in range(first, last):
        total += worths[i]
        if total <= 0:
            total, begun = 0.0, i + 1
        elif total > best:
            best, start, end = total, begun, i + 1
    return start, end, best
