"""The list of frequent lines: how often is frequent, the list as a mapping, and merging the lists of several streams."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from math import sqrt
from typing import BinaryIO

from gutsort.errors import FormatError
from gutsort.formats import SETTINGS_MARK, escape_name, parse_settings, read_frequent
from gutsort.records import Counted

LEAST_SUPPORT = 3  # two documents may share a line by chance
DEFAULT_SUPPORT = 11  # Kaser & Lemire 2007, sec. 3: lines that occur more than 10 times


def default_support(documents: int, settings: bytes = b"") -> int:
    """K on a stream of marked keys from so many documents, where none is said; `settings` is its settings record.

    A head of pages runs through one document, however many there are: K does not grow with the number of pages.
    """
    paged = (parse_settings(settings) or {}).get("key") == "page"
    return LEAST_SUPPORT if paged else max(LEAST_SUPPORT, round(0.25 * sqrt(documents)))


class FrequentLines(dict[bytes, int]):
    """Counts by key, and what a list of marked keys says of itself: `settings` and the number of `documents` (None for a plain list).

    Memory: about 150 bytes a key of 50 bytes; nothing but the list is held.
    """

    sha256: str = ""  # of the entries as COUNT TAB KEY lines, in the order of the file
    settings: dict[str, str] | None = None
    documents: int | None = None

    def __missing__(self, key: bytes) -> int:
        return 0


def load_frequent(file: BinaryIO, name: str) -> FrequentLines:
    """Read a frequent list of either style, in any order; counts of equal keys are added.

    Raises FormatError, naming file and line, for a line that does not fit and for two different settings records.
    """
    frequent, digest = FrequentLines(), hashlib.sha256()
    for count, key in read_frequent(file, name):
        digest.update(b"%d\t%b\n" % (count, key))
        if key.startswith(SETTINGS_MARK) and (settings := parse_settings(key)) is not None:
            if frequent.settings not in (None, settings):
                raise FormatError(f"{name}: expected one settings record, found another: {escape_name(key)}")
            frequent.settings, frequent.documents = settings, count + (frequent.documents or 0)
        else:
            frequent[key] = frequent[key] + count
    frequent.sha256 = digest.hexdigest()
    return frequent


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
