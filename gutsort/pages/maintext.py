"""The main text of one page: parse, find the article by one of the methods, give its text and title.

`auto` is `article.find_article`, which works on blocks and so on every script; it weighs characters by script. Where no
article is found it keeps the page and says so (`found`). The others are the DANAg family, each as it is (`dana.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from gutsort.pages.article import Region, find_article, size
from gutsort.pages.blocks import Page, parse
from gutsort.pages.charset import View, cuts_of_bytes, view
from gutsort.pages.dana import dana_region, in_region, only_right_to_left
from gutsort.pages.text import Passage, passages
from gutsort.pages.title import find_title, title_element
from gutsort.records import Cut


class Reading(NamedTuple):
    """A page that was parsed: its `view`, its elements and blocks (`page`), its `texts`, and what `<title>` says."""

    view: View
    page: Page
    texts: list[Passage]
    title: str


class MainText(NamedTuple):
    """The main text of a page.

    `text` has paragraphs parted by blank lines; `method` is the one that was used; `found` is False where no article was found and the
    page was kept;
    `share` is how much of the page's text is kept (0 to 1); `charset` is that of the page; `kept` says of each passage whether it is in
    `text`.
    """

    title: str
    text: str
    method: str
    found: bool
    share: float
    charset: str
    kept: list[bool]


def read_page(data: bytes, *, texts: bool = True) -> Reading:
    """Parse the bytes of a page; without `texts`, only its elements and blocks. No bytes are an error. Memory and time: linear."""
    seen = view(data)
    page = parse(seen.source)
    return Reading(seen, page, passages(page, seen.charset) if texts else [], title_element(seen) if texts else "")


def main_text(
    reading: Reading,
    method: str = "auto",
    *,
    template: Sequence[bool] | None = None,
    of_site: Collection[str] = (),
    titled: bool = True,
) -> MainText:
    """Find the main text of a page by a method of METHODS.

    `template` marks the passages that recur over the page's site (`auto` only), `of_site` the parts of `<title>` that do.
    Where not `titled`, no title is looked for, and it is empty.
    """
    used, region = METHODS[method](reading, template)
    texts = [p.text for p, keep in zip(reading.texts, region.kept, strict=True) if keep]
    if used == "r2l" and region.found:
        texts = [text for text in map(only_right_to_left, texts) if text]
    title = find_title(reading.page, reading.texts, reading.title, of_site) if titled else ""
    return MainText(title, "\n\n".join(texts), used, region.found, region.share, reading.view.declared, region.kept)


def page_cuts(reading: Reading, kept: Sequence[bool]) -> Iterator[Cut]:
    """Yield the blocks of a page that are not kept, as cuts of its bytes, in order."""
    cuts = (Cut(p.start, p.end, "not main text") for p, keep in zip(reading.texts, kept, strict=True) if not keep)
    return cuts_of_bytes(cuts, reading.view)


def _auto(reading: Reading, template: Sequence[bool] | None) -> tuple[str, Region]:
    return "auto", find_article(reading.page, reading.texts, reading.title, template)


def _family(name: str, *, by_tags: bool, adapted: bool = False) -> Callable[[Reading, Sequence[bool] | None], tuple[str, Region]]:
    def find(reading: Reading, template: Sequence[bool] | None) -> tuple[str, Region]:
        region = dana_region(reading.view.source, reading.view.charset, by_tags=by_tags, adapted=adapted)
        kept = in_region(reading.texts, region)
        found = any(kept)
        kept = kept if found else [True] * len(reading.texts)
        sizes = [size(p.text) for p in reading.texts]
        return name, Region(kept, found, sum(n for n, keep in zip(sizes, kept, strict=True) if keep) / (sum(sizes) or 1))

    return find


METHODS: dict[str, Callable[[Reading, Sequence[bool] | None], tuple[str, Region]]] = {
    "auto": _auto,
    "danag": _family("danag", by_tags=True),
    "addanag": _family("addanag", by_tags=True, adapted=True),
    "dana": _family("dana", by_tags=False),
    "r2l": _family("r2l", by_tags=False),
}
