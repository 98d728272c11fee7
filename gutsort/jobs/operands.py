"""Where the documents of any number of operands go: names that would collide are found by the external sort."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

from gutsort.extract.documents import Layout, lay_out
from gutsort.extract.operands import Names

BUDGET = 4 << 20  # bytes: some 20,000 names, and more of them are spilled
AT_ONCE = 1024  # names


def layout_of(operands: Collection[bytes]) -> Layout:
    """As `extract.documents.lay_out`. Memory: BUDGET for a list of names that is read, not held."""
    return lay_out(operands, sort_names if isinstance(operands, Names) else sorted)


def sort_names(names: Iterator[bytes]) -> Iterator[bytes]:
    """Yield names in byte order. Memory: BUDGET."""
    from gutsort.sort.external import external_sort  # late: most runs have few operands

    blocks = iter(lambda: list(islice(names, AT_ONCE)), [])
    for lines in external_sort(blocks, BUDGET, parallel=1, separator=b"\0"):
        yield from lines
