"""Count a random sample in place of the whole, and scale.

What is sampled are documents where they can be told apart: a stream of marked keys that does not come sorted has a settings record
at the start of each document. Elsewhere a line stream shows no documents, and single occurrences are sampled; where each key stands
once a document, as with key `line`, the count of one line has the same distribution either way.

The rate starts at 1 and is halved whenever the sample has more distinct lines than there is room for (concise samples: Gibbons &
Matias 1998). Each document, or occurrence, draws a level from the geometric distribution and is counted in the field of its level, and to
halve the rate is to drop the lowest field. Whether to halve depends on what has been sampled so far, not on what a halving would leave, so
the estimates stay unbiased (the scaled counts are a martingale).
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from math import log

from gutsort.count.table import table_cost

COUNTERS = 100_000
RANDOM_BITS = 60
FIELD = 32  # bits of a line's number that count its occurrences of one level
FULL_FIELD = (1 << FIELD) - 1


class SampleCounter:
    """Estimates of counts, in the memory of `counters` lines; the same `seed` gives the same sample of the same stream.

    A line's count is estimated as its occurrences in the sample times 2^level; the expectation of that is the count, and its
    deviation at most the square root of 2^level times the count. Nothing is certain but that a line occurs as often as in the sample.
    With `record`, whole documents are sampled, each beginning with that line, which itself is not counted.
    Memory: about 150 bytes a counter for lines of 50. Time: constant a line of the sample, next to nothing for others.

    >>> counter = SampleCounter(2)
    >>> counter.add_many([b"a"] * 5 + [b"b"])
    >>> counter.frequent(2), counter.level, counter.bounds(b"a")
    (([b'a'], [5]), 0, (5, 5))
    """

    def __init__(self, counters: int = COUNTERS, seed: int = 0, record: bytes | None = None) -> None:
        self.level = 0  # one in 2^level is sampled
        self._room = counters
        self._random = random.Random(seed)
        self._record = record
        self._fields: dict[bytes, int] = {}  # the lowest field counts occurrences of level self.level
        self._seen = 0
        self._skip = 0  # occurrences to pass over until the next that is sampled
        self._document = 0  # the level of the document that is being read

    @property
    def missed(self) -> int:
        """Lines that occur more often than this are in the sample: all others may be what was passed over. Time: linear in the sample."""
        return self._seen - sum(map(total, self._fields.values()))

    def add_many(self, lines: Iterable[bytes]) -> None:
        """Count lines."""
        lines = list(lines)
        if self._record is None:
            self._add_occurrences(lines)
            return
        start = 0
        for end in [place for place, line in enumerate(lines) if line == self._record]:
            self._add_part(lines[start:end])
            self._document, start = self._draw_level(), end + 1
        self._add_part(lines[start:])

    def __getitem__(self, line: bytes) -> int:
        return total(self._fields.get(line, 0)) << self.level

    def bounds(self, line: bytes) -> tuple[int, int]:
        """The interval in which a line's count certainly is. Time: linear in the sample."""
        sampled = total(self._fields.get(line, 0))
        return sampled, sampled + self.missed

    def frequent(self, support: int) -> tuple[list[bytes], list[int]]:
        """The sampled lines whose estimate reaches `support`, in byte order, and their estimates."""
        keys = sorted(line for line, fields in self._fields.items() if total(fields) << self.level >= support)
        return keys, [self[key] for key in keys]

    def memory(self) -> int:
        """Bytes held, accounted."""
        return table_cost(self._fields)

    def _add_part(self, lines: list[bytes]) -> None:
        """Count lines of the document that is being read."""
        self._seen += len(lines)
        if self._document >= self.level:
            fields, one = self._fields, 1 << FIELD * (self._document - self.level)
            for line in lines:
                fields[line] = fields.get(line, 0) + one
            self._make_room()

    def _add_occurrences(self, lines: list[bytes]) -> None:
        self._seen += len(lines)
        place = self._skip
        while place < len(lines):
            fields, line = self._fields, lines[place]
            fields[line] = fields.get(line, 0) + (1 << FIELD * self._draw_level())
            if len(fields) > self._room:
                self._make_room()
            place += 1 + self._draw_gap()
        self._skip = place - len(lines)

    def _draw_level(self) -> int:
        """0 with probability 1/2, 1 with 1/4, and so on."""
        bits = self._random.getrandbits(RANDOM_BITS) | 1 << RANDOM_BITS
        return (bits & -bits).bit_length() - 1

    def _draw_gap(self) -> int:
        """How many occurrences to pass over where one in 2^level is sampled."""
        return int(log(1 - self._random.random()) / log(1 - 0.5**self.level)) if self.level else 0

    def _make_room(self) -> None:
        while len(self._fields) > self._room:
            self._fields = {line: left for line, fields in self._fields.items() if (left := fields >> FIELD)}
            self.level += 1


def total(fields: int) -> int:
    """The sum of the fields of a number.

    >>> total(3 + (4 << FIELD))
    7
    """
    number = 0
    while fields:
        number += fields & FULL_FIELD
        fields >>= FIELD
    return number
