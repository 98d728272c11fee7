"""Space saving: c lines with counters, and a newcomer takes over the smallest one, count and all (Metwally, Agrawal & El Abbadi 2005).

As the majority count (the two hold the same with one counter more here: Agarwal et al. 2012), but each line keeps the error it may have
inherited, and most have none. To find the smallest counter at any time, lines are filed by count in a `SortedDict`, lazily: a
count may outgrow the place where it is filed, and is filed anew only when it comes up there. So a known line costs one addition.
"""

from __future__ import annotations

from collections.abc import Iterable

from sortedcontainers import SortedDict

from gutsort.count.table import rows_of, table_cost

COUNTERS = 100_000  # as for the majority count, for comparison


class SpaceSavingCounter:
    """Upper bounds for the counts of the most frequent lines, in any order, in the memory of `counters` lines.

    Of n lines every one that occurs more than n / (counters + 1) times is held (one counter more is kept than asked for), with a count
    that is too high by at most its error, which is at most `missed` <= n / (counters + 1); others occur at most `missed` times.
    Memory: about 170 bytes a counter for lines of 50. Time: log of the number of different counts, amortised.

    >>> counter = SpaceSavingCounter(1)
    >>> counter.add_many([b"a", b"b", b"a", b"c", b"a"])
    >>> counter.frequent(2), counter.missed, counter.bounds(b"a")
    (([b'a', b'c'], [3, 2]), 1, (3, 3))
    """

    def __init__(self, counters: int = COUNTERS) -> None:
        self._room = counters + 1
        self._counts: dict[bytes, int] = {}
        self._errors: dict[bytes, int] = {}  # of lines that took a counter over
        self._filed = SortedDict()  # count -> lines that had it when they were filed
        self.missed = 0  # the count of the last that was forgotten: lines that occur more often are held

    def add_many(self, lines: Iterable[bytes]) -> None:
        """Count lines."""
        counts, room = self._counts, self._room
        for line in lines:
            if line in counts:
                counts[line] += 1
                continue
            least = 0
            if len(counts) == room:
                least = self.missed = self._take_smallest()
                self._errors[line] = least
            counts[line] = least + 1
            self._file(line, least + 1)

    def __getitem__(self, line: bytes) -> int:
        return self._counts.get(line, 0)

    def bounds(self, line: bytes) -> tuple[int, int]:
        """The interval in which a line's count certainly is."""
        if line not in self._counts:
            return 0, self.missed
        return self._counts[line] - self._errors.get(line, 0), self._counts[line]

    def frequent(self, support: int) -> tuple[list[bytes], list[int]]:
        """The held lines that may occur `support` times, in byte order, and their counters."""
        return rows_of((line for line, count in self._counts.items() if count >= support), self._counts)

    def memory(self) -> int:
        """Bytes held, accounted."""
        filed = sum(lines.__sizeof__() for lines in self._filed.values()) + self._filed.__sizeof__()
        return table_cost(self._counts) + self._errors.__sizeof__() + filed

    def _file(self, line: bytes, count: int) -> None:
        lines = self._filed.get(count)
        if lines is None:
            self._filed[count] = [line]
        else:
            lines.append(line)

    def _take_smallest(self) -> int:
        """Forget a line with the smallest count and return that count."""
        while True:
            least, lines = self._filed.peekitem(0)
            while lines:
                line = lines.pop()
                count = self._counts[line]
                if count == least:
                    del self._counts[line]
                    self._errors.pop(line, None)
                    return least
                self._file(line, count)
            del self._filed[least]
