"""Count checksums of 64 bits in place of lines: the paper's CRC-64 structure (Kaser & Lemire 2007).

The table is two arrays with open addressing, 8 bytes for a checksum and as few as `support` needs for its count, which stops there;
the counts beyond are kept apart, along with the line itself, so that the list holds lines.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from gutsort.count.crc64 import crc64_many
from gutsort.count.table import COUNT_COST, LINE_COST, rows_of

Digest = Callable[[Sequence[bytes]], Sequence[int]]

FIRST_SLOTS = 1 << 12
FULLEST = 0.6  # of the slots: with linear probing a line looks at 1.8 of them, a new one at 3.6
SPREAD = 0x9E3779B97F4A7C15  # odd: a CRC of short lines is hardly more than their text, and neighbours would fill neighbouring slots


class ChecksumCounter:
    """Counts of lines in any order, exact up to collisions: with 3.4 million distinct lines there is one with probability 3.1e-7.

    `support` is the least that `frequent` will be asked for. A collision adds the counts of two lines, so no count is too low;
    lines that differ only by NULs in front always collide.
    Memory: 15 to 23 bytes a distinct line while `support` is below 256, half as much again while the table grows, and the
    frequent lines. Time: constant a line, amortised.

    >>> counter = ChecksumCounter(2)
    >>> counter.add_many([b"b", b"a", b"b", b"b"])
    >>> counter.frequent(2), counter.bounds(b"a")
    (([b'b'], [3]), (1, 1))
    """

    missed = 0  # lines that occur more often than this are in the list

    def __init__(self, support: int, digest: Digest = crc64_many) -> None:
        self.support = support
        self._digest = digest
        self._kind = smallest_type(support)
        self._used = 0
        self._lines: dict[int, bytes] = {}  # by checksum: the line with which the count came to `support`
        self._more: Counter[int] = Counter()  # occurrences beyond it
        self._make_slots(FIRST_SLOTS)

    def add_many(self, lines: Iterable[bytes]) -> None:
        """Count lines."""
        lines = list(lines)
        keys, counts, mask, support = self._keys, self._counts, self._mask, self.support
        for line, key in zip(lines, self._digest(lines), strict=True):
            slot = key * SPREAD >> 40 & mask
            while (count := counts[slot]) and keys[slot] != key:
                slot = slot + 1 & mask
            if count == support:
                self._more[key] += 1
                continue
            counts[slot] = count + 1
            if count + 1 == support:
                self._lines[key] = line
            if not count:
                keys[slot] = key
                self._used += 1
                if self._used > FULLEST * mask:
                    self._grow()
                    keys, counts, mask = self._keys, self._counts, self._mask

    def __getitem__(self, line: bytes) -> int:
        (key,) = self._digest([line])
        return self._counts[self._find(key)] + self._more.get(key, 0)

    def bounds(self, line: bytes) -> tuple[int, int]:
        """The interval in which a line's count is, but for a collision."""
        return self[line], self[line]

    def frequent(self, support: int) -> tuple[list[bytes], list[int]]:
        """The lines that occur `support` times, in byte order, and their counts. Raises ValueError below the support that was announced."""
        check_support(support, self.support)
        counts = {line: self.support + self._more.get(key, 0) for key, line in self._lines.items()}
        return rows_of((line for line, count in counts.items() if count >= support), counts)

    def memory(self) -> int:
        """Bytes held, accounted."""
        slots = (self._mask + 1) * (self._keys.itemsize + self._counts.itemsize)
        lines = sum(len(line) + LINE_COST + 2 * COUNT_COST for line in self._lines.values())
        return slots + lines + self._lines.__sizeof__() + self._more.__sizeof__()

    def _make_slots(self, size: int) -> None:
        self._mask = size - 1
        self._keys, self._counts = array("Q", bytes(8)) * size, array(self._kind, [0]) * size

    def _find(self, key: int) -> int:
        """The slot that holds a checksum, or the free one where it would be."""
        slot = key * SPREAD >> 40 & self._mask
        while self._counts[slot] and self._keys[slot] != key:
            slot = slot + 1 & self._mask
        return slot

    def _grow(self) -> None:
        old = zip(self._keys, self._counts, strict=True)
        self._make_slots(2 * self._mask + 2)
        for key, count in old:
            if count:
                slot = self._find(key)
                self._keys[slot], self._counts[slot] = key, count


def smallest_type(number: int) -> str:
    """The type code of the smallest array items that hold `number`. Raises ValueError where none does.

    >>> smallest_type(255), smallest_type(256)
    ('B', 'H')
    """
    for code in "BHIQ":
        if number < 1 << 8 * array(code).itemsize:
            return code
    raise ValueError(f"a count of {number} is beyond 64 bits")


def check_support(support: int, announced: int) -> None:
    """Raise ValueError where lines would be missing from a list, since they were not held below the announced support."""
    if support < announced:
        raise ValueError(f"support {support} is below the {announced} that was announced")
