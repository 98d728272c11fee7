"""The generalised majority count: c lines with counters, and one step down for all when another line finds no room.

Misra & Gries 1982; found again by Demaine et al. 2002 and Karp et al. 2003; "GM" in Kaser & Lemire 2007. A step down must not
touch c counters: the counters stay, and the ground rises. How many counters stand at each height is known, so the step also says
how many it frees; those below the ground are swept when a quarter as many as there is room for have come together.
"""

from __future__ import annotations

from collections.abc import Iterable

from gutsort.count.table import rows_of, table_cost

COUNTERS = 100_000  # Kaser & Lemire 2007
SLACK = 4  # one in so many counters may be dead before they are swept


class MajorityCounter:
    """Counts of the most frequent lines, in any order, in the memory of `counters` lines.

    Of n lines every one that occurs more than n / (counters + 1) times is held, and a line's count is between what is left and
    what is left plus `missed`, the number of steps down, which is at most n / (counters + 1). With `left` the count of a line is
    what is left, as in the paper, else its upper bound, so that no line is lost that occurs more than `missed` times.
    Memory: `counters` lines and a quarter, about 150 bytes each for lines of 50. Time: constant a line, amortised.

    >>> counter = MajorityCounter(1)
    >>> counter.add_many([b"a", b"b", b"a", b"a"])
    >>> counter.frequent(2), counter.missed, counter.bounds(b"a")
    (([b'a'], [3]), 1, (2, 3))
    """

    def __init__(self, counters: int = COUNTERS, *, left: bool = False) -> None:
        self._room = counters
        self._left = left
        self._heights: dict[bytes, int] = {}
        self._standing: dict[int, int] = {}  # how many counters stand at each height above the ground
        self._live = 0
        self.missed = 0  # the ground: lines that occur more often than this are held

    def add_many(self, lines: Iterable[bytes]) -> None:
        """Count lines."""
        heights, standing = self._heights, self._standing
        for line in lines:
            height = heights.get(line, 0)
            if height > self.missed:
                standing[height] -= 1
                if not standing[height]:
                    del standing[height]
            elif self._live < self._room:
                self._live += 1
                height = self.missed
            else:
                self._step_down()
                continue
            height += 1
            heights[line] = height
            standing[height] = standing.get(height, 0) + 1

    def __getitem__(self, line: bytes) -> int:
        left = max(0, self._heights.get(line, 0) - self.missed)
        return left if self._left or not left else left + self.missed

    def bounds(self, line: bytes) -> tuple[int, int]:
        """The interval in which a line's count certainly is."""
        left = max(0, self._heights.get(line, 0) - self.missed)
        return left, left + self.missed

    def frequent(self, support: int) -> tuple[list[bytes], list[int]]:
        """The held lines whose count reaches `support`, in byte order, and their counts."""
        self._sweep()
        off = self.missed if self._left else 0
        keys, heights = rows_of((line for line, height in self._heights.items() if height - off >= support), self._heights)
        return keys, [height - off for height in heights] if off else heights

    def memory(self) -> int:
        """Bytes held, accounted."""
        return table_cost(self._heights) + self._standing.__sizeof__()

    def _step_down(self) -> None:
        self.missed += 1
        self._live -= self._standing.pop(self.missed, 0)
        if len(self._heights) - self._live > self._room // SLACK:
            self._sweep()

    def _sweep(self) -> None:
        dead = [line for line, height in self._heights.items() if height <= self.missed]
        for line in dead:
            del self._heights[line]
