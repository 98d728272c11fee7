"""The list of frequent lines: how often is frequent, the list as a mapping, and merging the lists of several streams."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from math import sqrt
from typing import BinaryIO
from zlib import crc32

from gutsort.errors import FormatError
from gutsort.formats import SETTINGS_MARK, escape_name, parse_settings, read_frequent
from gutsort.records import Counted

LEAST_SUPPORT = 3  # two documents may share a line by chance
DEFAULT_SUPPORT = 11  # Kaser & Lemire 2007, sec. 3: lines that occur more than 10 times
FIRST_SLOTS = 1 << 10
COUNT_MAX = (1 << 64) - 1


def default_support(documents: int, settings: bytes = b"") -> int:
    """K on a stream of marked keys from so many documents, where none is said; `settings` is its settings record.

    A head of pages runs through one document, however many there are: K does not grow with the number of pages.
    """
    paged = (parse_settings(settings) or {}).get("key") == "page"
    return LEAST_SUPPORT if paged else max(LEAST_SUPPORT, round(0.25 * sqrt(documents)))


class FrequentLines(Mapping[bytes, int]):
    """Counts by key, 0 for one that is absent, and what a list of marked keys says of itself: `settings`, the number of `documents` (None for a plain list).

    Counts stop at COUNT_MAX. The keys are one text and all numbers arrays, so forked workers share them: of a dict each would get a copy,
    since a look-up writes into what it finds. Memory: 20 to 28 bytes a key beside its text; while the list is read half as much again.
    Time of a look-up: constant, some four times that of a dict.

    >>> frequent = FrequentLines({b"a": 3})
    >>> frequent[b"b"] = 2
    >>> frequent[b"a"], frequent[b"c"], list(frequent)
    (3, 0, [b'a', b'b'])
    """

    sha256: str = ""  # of the entries as COUNT TAB KEY lines, in the order of the file
    settings: dict[str, str] | None = None
    documents: int | None = None

    def __init__(self, entries: Mapping[bytes, int] | Iterable[tuple[bytes, int]] = ()) -> None:
        self._text = bytearray()
        self._ends, self._counts = array("Q", [0]), array("Q", [0])  # of key number 1 and on
        self._slots = array("I", bytes(4 * FIRST_SLOTS))  # numbers of keys, 0 in a free slot: a hash table with linear probing
        for key, count in entries.items() if isinstance(entries, Mapping) else entries:
            self[key] = count

    def __getitem__(self, key: bytes) -> int:
        slots = self._slots
        if not slots[crc32(key) & len(slots) - 1]:  # most keys that rules ask for are absent
            return 0
        return self._counts[slots[self._slot(key)]]

    def __setitem__(self, key: bytes, count: int) -> None:
        slot = self._slot(key)
        if number := self._slots[slot]:
            self._counts[number] = min(count, COUNT_MAX)
            return
        self._slots[slot] = len(self._ends)
        self._text += key
        self._ends.append(len(self._text))
        self._counts.append(min(count, COUNT_MAX))
        if 2 * len(self._ends) > len(self._slots):
            self._double()

    def __contains__(self, key: object) -> bool:
        return isinstance(key, bytes) and self._slots[self._slot(key)] > 0

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __iter__(self) -> Iterator[bytes]:
        for start, end in pairwise(self._ends):
            yield bytes(self._text[start:end])

    def _double(self) -> None:
        slots = self._slots = array("I", bytes(8 * len(self._slots)))
        mask = len(slots) - 1
        for number, key in enumerate(self, 1):
            slot = crc32(key) & mask
            while slots[slot]:
                slot = slot + 1 & mask
            slots[slot] = number

    def _slot(self, key: bytes) -> int:
        """The slot that has the number of `key`, or the free one where it would be."""
        slots, text, ends = self._slots, self._text, self._ends
        mask = len(slots) - 1
        slot = crc32(key) & mask
        while (number := slots[slot]) and text[ends[number - 1] : ends[number]] != key:
            slot = slot + 1 & mask
        return slot


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
