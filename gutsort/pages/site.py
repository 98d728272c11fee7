r"""Site blocks: what recurs over the pages of a site, found by counting lines.

Each page gives a line for every block and one for every path, each once: `SITE TAB PATH TAB TEXT` and `SITE TAB PATH TAB`, where PATH and
TEXT are hashes of the
chain of elements a block stands in and of its text. Counted, they are df(path, text) and m(path), the pages that have the path. A block
is template where
df >= max(2, 2/3 m) (methods/web-pages.md, section 1, has m/2). The counted list is in order of site, so pages are stripped with one
site's counts at a time.

Digits are folded: dates, counts and numbered classes recur although their digits do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import blake2b

from gutsort.pages.blocks import Block, Page
from gutsort.records import Cut

HASH = 6  # bytes: two of a million blocks of a site share a hash with a chance of 1 in 500
SITE_SHARE = 2 / 3  # half, as first written, takes the two copies of an article among four known pages for template
SITE_PAGES = 2

_NAMES = re.compile(r"""(?:^|\s)(?:class|id)=(?:"[^"]*"|'[^']*'|[^\s"'>]+)""")
_DIGITS = re.compile("[0-9]+")


def page_keys(page: Page) -> Iterator[tuple[Block, str, str]]:
    """Yield each block of a page with its path's hash and its text's hash, in hexadecimal."""
    paths = path_hashes(page)
    for block in page.blocks:
        yield block, paths[block.node], text_hash(_DIGITS.sub("0", " ".join(block.text.split())))


def feature_lines(page: Page, site: bytes) -> list[bytes]:
    r"""The lines of a page of `site`, each once, sorted; `site` may hold no TAB and no LF (`escape_name` writes it without).

    >>> from gutsort.pages.blocks import parse
    >>> len(feature_lines(parse("<p>One</p><p>Two</p><p>One</p>"), b"example.org"))
    3
    """
    lines = set()
    for _, path, text in page_keys(page):
        lines.add(f"{path}\t{text}")
        lines.add(f"{path}\t")
    return [site + b"\t" + line.encode() for line in sorted(lines)]


def is_template(counts: Mapping[bytes, int], path: str, text: str) -> bool:
    """Whether a block recurs over its site: on two pages at least, and on two thirds of those that have its path."""
    both = counts.get(f"{path}\t{text}".encode(), 0)
    return both >= SITE_PAGES and both >= SITE_SHARE * counts.get(f"{path}\t".encode(), 0)


def template_cuts(page: Page, counts: Mapping[bytes, int]) -> Iterator[Cut]:
    """Yield the blocks of a page that recur over its site, in order, for `rewrite` to cut."""
    for block, path, text in page_keys(page):
        if is_template(counts, path, text):
            yield Cut(block.start, block.end, "site block: recurs")


def path_hashes(page: Page) -> list[str]:
    """The hash of each element's chain of tags with class and id; the last entry is the page itself, so that node -1 finds it."""
    paths = [""] * (len(page.tags) + 1)
    for node, step in enumerate(zip(page.parents, page.tags, page.attributes, strict=True)):
        paths[node] = _path(paths[step[0]], step[1], step[2])
    return paths


@lru_cache(maxsize=1 << 14)  # the pages of a site have the same elements: 8 of 10 are found, a fifth of the time of a page
def _path(parent: str, tag: str, attributes: str) -> str:
    return text_hash(f"{parent} {tag} {name_of(attributes)}")


def name_of(attributes: str) -> str:
    """Class and id in an element's attributes, digits folded.

    >>> name_of('href="/x" class="post p17"')
    'class="post p0"'
    """
    return _DIGITS.sub("0", " ".join(found.strip() for found in _NAMES.findall(attributes))) if "=" in attributes else ""


def text_hash(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=HASH).hexdigest()
