"""The list of frequent lines: how often is frequent, and merging the lists of several streams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import sqrt

from gutsort.records import Counted

DEFAULT_SUPPORT = 11  # Kaser & Lemire 2007, sec. 3: lines that occur more than 10 times


def default_support(documents: int) -> int:
    """K on a stream of marked keys from so many documents, where none is said."""
    return max(3, round(0.25 * sqrt(documents)))


def merge_lists(lists: Iterable[Iterable[Counted]]) -> tuple[list[bytes], list[int]]:
    """The keys of several frequent lists in byte order, and for each the sum of its counts. Lists may be in any order.

    Memory: the distinct keys. Time: n log n.

    >>> merge_lists([[Counted(2, b"b")], [Counted(1, b"a"), Counted(3, b"b")]])
    ([b'a', b'b'], [1, 5])
    """
    table: Counter[bytes] = Counter()
    for entries in lists:
        for number, key in entries:
            table[key] += number
    keys = sorted(table)
    return keys, list(map(table.__getitem__, keys))
