"""Counters shared by all lines whose checksums fall on the same one: the paper's 23-bit hash (Kaser & Lemire 2007).

A counter is never below the count of any of its lines, so no frequent line is missed; rare lines that share a counter may be taken
for frequent. The paper's bound on their share, p(n - 1)/c, has a frequent line meet a rare one; sums of rare lines come on top
(`scripts/experiments` shows how many).
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence

from gutsort.count.checksum import Digest, check_support, smallest_type
from gutsort.count.crc64 import crc64_many
from gutsort.count.table import rows_of, table_cost

COUNTERS = 1 << 23  # Kaser & Lemire 2007: "23-bit hashing"


class HashedCounter:
    """Upper bounds for the counts of lines in any order, in constant memory.

    `support` is the least that `frequent` will be asked for; `counters` is rounded down to a power of two. A line is in the list if its
    counter had reached `support` at one of its occurrences, so every frequent line is, with a count that is never too low.
    Memory: a byte a counter while `support` is below 257, and the lines of the list. Time: constant a line.

    >>> counter = HashedCounter(2, 1 << 16)
    >>> counter.add_many([b"b", b"a", b"b", b"b"])
    >>> counter.frequent(2), counter.bounds(b"b"), counter.bounds(b"a")
    (([b'b'], [3]), (2, 3), (0, 1))
    """

    missed = 0  # lines that occur more often than this are in the list

    def __init__(self, support: int, counters: int = COUNTERS, digest: Digest = crc64_many) -> None:
        self.support = support
        self._digest = digest
        self._bits = max(1, counters.bit_length() - 1)
        self._counters = array(smallest_type(support - 1), [0]) * (1 << self._bits)  # each stops one below the support
        self._more: Counter[int] = Counter()  # by slot: what came on top
        self._lines: Counter[bytes] = Counter()  # occurrences of a line since its counter came to the support

    def add_many(self, lines: Iterable[bytes]) -> None:
        """Count lines."""
        lines = list(lines)
        counters, more, kept, last = self._counters, self._more, self._lines, self.support - 1
        for line, slot in zip(lines, self._slots(lines), strict=True):
            if (count := counters[slot]) < last:
                counters[slot] = count + 1
            else:
                more[slot] += 1
                kept[line] += 1

    def __getitem__(self, line: bytes) -> int:
        (slot,) = self._slots([line])
        return self._counters[slot] + self._more.get(slot, 0)

    def bounds(self, line: bytes) -> tuple[int, int]:
        """The interval in which a line's count certainly is: what was seen of it since it is held, and its counter."""
        return self._lines.get(line, 0), self[line]

    def frequent(self, support: int) -> tuple[list[bytes], list[int]]:
        """The lines that may occur `support` times, in byte order, and their counters. Raises ValueError below what was announced."""
        check_support(support, self.support)
        lines = list(self._lines)
        slots = self._slots(lines)
        counts = {line: self._counters[slot] + self._more[slot] for line, slot in zip(lines, slots, strict=True)}
        return rows_of((line for line, count in counts.items() if count >= support), counts)

    def memory(self) -> int:
        """Bytes held, accounted."""
        return len(self._counters) * self._counters.itemsize + self._more.__sizeof__() + table_cost(self._lines)

    def _slots(self, lines: Sequence[bytes]) -> list[int]:
        return fold(self._digest(lines), self._bits)


def fold(checksums: Sequence[int], bits: int) -> list[int]:
    """The xor of each checksum's successive pieces of `bits` bits.

    >>> fold([0x123456], 8) == [0x12 ^ 0x34 ^ 0x56]
    True
    """
    folded = checksums
    for shift in range(bits, 64, bits):
        folded = [value ^ checksum >> shift for value, checksum in zip(folded, checksums, strict=True)]
    mask = (1 << bits) - 1
    return [value & mask for value in folded]
