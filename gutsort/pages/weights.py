r"""Feature weights of the compressed structure tree (Yi & Liu, IJCAI 2003; Yi 2004), from counted lines.

Elements of all pages are one node where their chains of tag, class and id agree (`site.py`'s path). Of m pages that have a node:

- importance of the node = entropy, to the base m, of its presentation styles, a style being the sequence of its children's tags with
  class and id; 1 where m = 1;
- importance of a feature in it = 1 - H, H the entropy to the base m of the pages that have it: log df / log m. The feature of a block is
  its text;
- weight of a block = that of its text times the greatest importance of a node on the way to it from the root (our reading: the sources
  leave the formula out).

Each page adds to `site.feature_lines` one line `SITE TAB PATH TAB =STYLE` for every style of a path. No threshold is needed where weights
are features for clustering or
classification; for cutting, a block below 0.2 goes.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gutsort.pages.blocks import Block, Page
from gutsort.pages.site import feature_lines, name_of, page_keys, path_hashes, text_hash
from gutsort.records import Cut

LEAST = 0.2  # methods/web-pages.md, section 2


class SiteWeights:
    """What a site's counts say: `importance[path]` of nodes, and pages of paths and texts."""

    def __init__(self, counts: Mapping[bytes, int]) -> None:
        self._counts = counts
        styles: dict[bytes, list[int]] = defaultdict(list)
        for key, count in counts.items():
            path, _, rest = key.partition(b"\t")
            if rest.startswith(b"="):
                styles[path].append(count)
        self.importance = {path: node_importance(of_path) for path, of_path in styles.items()}

    def block(self, path: str, text: str, above: float) -> float:
        """The weight of a block with this path and text, below nodes of importance `above`."""
        m = self._counts.get(f"{path}\t".encode(), 1)
        return above * feature_importance(self._counts.get(f"{path}\t{text}".encode(), 1), m)


def node_importance(pages_of_styles: Sequence[int]) -> float:
    """Entropy of a node's styles to the base of the pages that have it; 1 for one page.

    >>> node_importance([1]), node_importance([4]), node_importance([1, 1, 1, 1]), node_importance([2, 2])
    (1.0, 0.0, 1.0, 0.5)
    """
    m = sum(pages_of_styles)
    return 1.0 if m <= 1 else abs(sum(n / m * math.log(n / m, m) for n in pages_of_styles))


def feature_importance(df: int, m: int) -> float:
    """1 - log df / log m: 1 for a text of one page, 0 for one of all.

    >>> feature_importance(1, 100), feature_importance(10, 100), feature_importance(100, 100)
    (1.0, 0.5, 0.0)
    """
    return 1.0 if m <= 1 else 1.0 - math.log(min(df, m)) / math.log(m)


def weight_lines(page: Page, site: bytes) -> list[bytes]:
    """The lines of a page that `SiteWeights` needs counted, each once, sorted."""
    paths = path_hashes(page)
    children: list[list[str]] = [[] for _ in range(len(page.tags) + 1)]
    for tag, attributes, parent in zip(page.tags, page.attributes, page.parents, strict=True):
        children[parent].append(f"{tag} {name_of(attributes)}")
    lines = {f"{path}\t={text_hash(chr(0).join(below))}".encode() for path, below in zip(paths, children, strict=True)}
    return sorted({site + b"\t" + line for line in lines} | set(feature_lines(page, site)))


def block_weights(page: Page, weights: SiteWeights) -> Iterator[tuple[Block, float]]:
    """Yield each block of a page with its weight, 0 (template) to 1."""
    paths = path_hashes(page)
    above = [0.0] * (len(page.tags) + 1)
    above[-1] = weights.importance.get(paths[-1].encode(), 1.0)
    for node, parent in enumerate(page.parents):
        above[node] = max(above[parent], weights.importance.get(paths[node].encode(), 1.0))
    for block, path, text in page_keys(page):
        yield block, weights.block(path, text, above[block.node])


def weight_rows(page: Page, weights: SiteWeights, name: bytes) -> list[bytes]:
    """A page's weights for clustering and classification: lines `NAME TAB PATH TAB TEXT TAB WEIGHT`, hashes as in the counted list."""
    found: dict[tuple[str, str], float] = {}
    for (_, weight), (_, path, text) in zip(block_weights(page, weights), page_keys(page), strict=True):
        found[path, text] = weight
    return [b"%b\t%b\t%b\t%.4f" % (name, path.encode(), text.encode(), weight) for (path, text), weight in sorted(found.items())]


def weight_cuts(page: Page, weights: SiteWeights, least: float = LEAST) -> Iterable[Cut]:
    """Yield the blocks of a page with a weight below `least`, in order."""
    for block, weight in block_weights(page, weights):
        if weight < least:
            yield Cut(block.start, block.end, "site block: feature weight")
