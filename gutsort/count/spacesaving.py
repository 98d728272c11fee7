"""Space saving: c lines with counters, and a newcomer takes over the smallest one, count and all (Metwally, Agrawal & El Abbadi 2005).

As the majority count (the two hold the same with one counter more here: Agarwal et al. 2012), but each line keeps the error it may have
inherited, and most have none. To find the smallest counter at any time, lines are filed by count in a `SortedDict`, lazily: a
count may outgrow the place where it is filed, and is filed anew only when it comes up there. So a known line costs one addition.
"""

from __future__ import annotations

from collections.abc import Iterable

from sortedcontainers import SortedDict

from gutsort.count.table import table_cost

COUNTERS = 100_000  # as for the majority count, for comparison
ERROR = 40  # a number holds a count in so many bits, and above them its error: a second table would cost as much again
COUNT = (1 << ERROR) - 1


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
        self._numbers: dict[bytes, int] = {}  # error and count
        self._filed = SortedDict()  # count -> lines that had it when they were filed
        self._forgotten = 0  # lines since the table was last made anew
        self.missed = 0  # the count of the last that was forgotten: lines that occur more often are held

    def add_many(self, lines: Iterable[bytes]) -> None:
        """Count lines."""
        if self._forgotten > self._room // 2:  # before the table grows for the sake of entries that are no more
            self._numbers, self._forgotten = dict(self._numbers), 0
        numbers, room = self._numbers, self._room
        for line in lines:
            if line in numbers:
                numbers[line] += 1
                continue
            least = 0
            if len(numbers) == room:
                least = self.missed = self._take_smallest()
            numbers[line] = least << ERROR | least + 1
            self._file(line, least + 1)

    def __getitem__(self, line: bytes) -> int:
        return self._numbers.get(line, 0) & COUNT

    def bounds(self, line: bytes) -> tuple[int, int]:
        """The interval in which a line's count certainly is."""
        if (number := self._numbers.get(line)) is None:
            return 0, self.missed
        return (number & COUNT) - (number >> ERROR), number & COUNT

    def frequent(self, support: int) -> tuple[list[bytes], list[int]]:
        """The held lines that may occur `support` times, in byte order, and their counters."""
        keys = sorted(line for line, number in self._numbers.items() if number & COUNT >= support)
        return keys, [self[key] for key in keys]

    def memory(self) -> int:
        """Bytes held, accounted."""
        filed = sum(lines.__sizeof__() for lines in self._filed.values()) + self._filed.__sizeof__()
        return table_cost(self._numbers) + filed

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
                count = self._numbers[line] & COUNT
                if count == least:
                    del self._numbers[line]
                    self._forgotten += 1
                    return least
                self._file(line, count)
            del self._filed[least]
