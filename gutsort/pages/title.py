r"""TitleFinder: the title of a page as its reader sees it (Mohammadzadeh 2013).

The candidate is the longest part of `<title>`, less what recurs in the titles of a site. Of the text blocks (the fragments) the one that
is most like the
candidate is the title: by cosine of term counts (`tf`), of counts weighted by how few fragments have the term (`tfidf`), by the share of
terms in common
(`overlap`), or by the mean of the three (`aggregate`). Ties go to a heading, then to the first. Below 0.3 the candidate itself is the
title.

The default (`combined`) takes the first `<h1>` where it shares half its terms with `<title>`, and TitleFinder by `tf` elsewhere.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from html import unescape

from gutsort.pages.blocks import Page
from gutsort.pages.charset import View
from gutsort.pages.scan import TITLE
from gutsort.pages.text import Passage, squeeze

LIKE = 0.3  # Mohammadzadeh 2013: a fragment less like the candidate is not the title
SAME_TERMS = 0.5  # methods/web-pages.md, section 5
SITE_SHARE = 0.3  # a part of <title> on so many of a site's pages is the site's
LONGEST = 400  # characters; a longer fragment is a text
_SEPARATOR = re.compile(r"\s+[-–—|:·•»«>/~]+\s+|\s*[|»«·•]\s*|:{2,}|\s+\\\s+|_{1,2}(?=\S)|: +")
_TERM = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]|[^\\W_\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

Score = Callable[[Mapping[str, int], Mapping[str, int], Mapping[str, float]], float]


def title_element(seen: View) -> str:
    """What `<title>` says, or nothing."""
    found = TITLE.search(seen.source)
    return squeeze(unescape(found[1].encode("latin-1").decode(seen.charset, "replace"))) if found else ""


def title_parts(title: str) -> list[str]:
    """The parts of a `<title>`.

    >>> title_parts("Fish and chips | Food - The Paper")
    ['Fish and chips', 'Food', 'The Paper']
    """
    return [part for part in (part.strip() for part in _SEPARATOR.split(title)) if part]


def site_parts(titles: Iterable[str]) -> set[str]:
    """The parts of titles that recur over the pages of a site: on two, and on a third of them.

    >>> sorted(site_parts(["Fish - The Paper", "Chips - The Paper", "Peas - The Paper"]))
    ['The Paper']
    """
    parts, pages = Counter(), 0
    for title in set(titles):
        parts.update(set(title_parts(title)))
        pages += 1
    return {part for part, count in parts.items() if count >= max(2, SITE_SHARE * pages)}


def candidate(title: str, of_site: Collection[str] = ()) -> str:
    """The longest part of a `<title>` that is not the site's; the longest where all are.

    >>> candidate("Fish | The Paper", {"The Paper"})
    'Fish'
    """
    parts = title_parts(title)
    return max([part for part in parts if part not in of_site] or parts or [title], key=len)


def terms(text: str) -> Counter[str]:
    """The words of a text with their counts, in lower case; a Chinese, Japanese or Korean character is a word."""
    return Counter(_TERM.findall(text.lower()))


def _cosine(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    both = sum(weight * b[term] for term, weight in a.items() if term in b)
    return both / math.sqrt(sum(w * w for w in a.values()) * sum(w * w for w in b.values())) if both else 0.0


def score_tf(a: Mapping[str, int], b: Mapping[str, int], idf: Mapping[str, float]) -> float:
    """Cosine of term counts."""
    return _cosine(a, b)


def score_tfidf(a: Mapping[str, int], b: Mapping[str, int], idf: Mapping[str, float]) -> float:
    """Cosine of term counts times `idf`, log(1 + N / n) of a term in n of N fragments."""
    return _cosine({t: n * idf.get(t, 1.0) for t, n in a.items()}, {t: n * idf.get(t, 1.0) for t, n in b.items()})


def score_overlap(a: Mapping[str, int], b: Mapping[str, int], idf: Mapping[str, float]) -> float:
    """Terms in common over all terms of the two."""
    return len(a.keys() & b.keys()) / len(a.keys() | b.keys()) if a or b else 0.0


def score_aggregate(a: Mapping[str, int], b: Mapping[str, int], idf: Mapping[str, float]) -> float:
    """The mean of the three."""
    return (score_tf(a, b, idf) + score_tfidf(a, b, idf) + score_overlap(a, b, idf)) / 3


SCORES: dict[str, Score] = {"tf": score_tf, "tfidf": score_tfidf, "overlap": score_overlap, "aggregate": score_aggregate}


def find_title(page: Page, texts: Sequence[Passage], title: str, of_site: Collection[str] = (), score: str = "combined") -> str:
    """Find the title of a page; `title` is what `<title>` says, `of_site` the parts of it that are the site's.

    `score` is `combined` or a name in SCORES. Without a `<title>` it is the first `<h1>`, or nothing. Time: linear in the page.
    """
    heading = next((p.text for p in texts if p.node >= 0 and page.tags[p.node] == "h1"), "").replace("\n", " ")
    if not title:
        return heading
    if score == "combined":
        words = terms(heading).keys()
        if words and len(words & terms(title).keys()) >= SAME_TERMS * len(words) and heading not in of_site:
            return heading
    return _most_like(page, texts, candidate(title, of_site), SCORES["tf" if score == "combined" else score])


def _most_like(page: Page, texts: Sequence[Passage], wanted: str, score: Score) -> str:
    target = terms(wanted)
    fragments = [(p, line, terms(line)) for p in texts for line in p.text.split("\n") if len(line) <= LONGEST]
    frequency = Counter(term for _, _, counts in fragments for term in counts)
    idf = {term: math.log(1 + len(fragments) / frequency[term]) for term in frequency}
    best, best_rank = wanted, (LIKE, False)
    for passage, line, counts in fragments:
        if counts.keys() & target.keys():
            rank = (round(score(target, counts, idf), 9), passage.node >= 0 and page.tags[passage.node] in _HEADINGS)
            if rank > best_rank:
                best, best_rank = line, rank
    return best
