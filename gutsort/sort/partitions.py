"""Merge runs partition by partition.

What the runs hold of a partition is read with one read a run and is sorted by one `list.sort()`: its powersort finds the slices and
merges them in C. Neighbouring partitions are taken together while they are small. A partition that does not fit
the memory, because the bounds did not suit the lines or a line is very long or very common, is merged from its slices, a block of each at
a time.
"""

from __future__ import annotations

import os
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise, repeat
from operator import add, sub
from typing import NamedTuple

from gutsort.sort.bounds import PART_COST, partition_cost
from gutsort.sort.merge import COUNT_SIZE, Block, Slice, merge_slices
from gutsort.sort.runfile import Run

WORD = array("Q").itemsize
Reduce = Callable[[list[Slice]], list[Slice]]


class Part(NamedTuple):
    """What a run holds of some neighbouring partitions: bytes and rows of the run."""

    run: Run
    file: int
    start: int
    end: int
    row: int
    rows: int


class Partitions:
    """The partitions, `number` of them, of runs cut at the same bounds, to be merged in `share` bytes; `reduce` makes too many slices fewer."""

    def __init__(self, runs: Sequence[Run], number: int, share: int, separator: bytes, reduce: Reduce) -> None:
        self.runs, self.number = runs, number
        self._share, self._separator, self._mark, self._reduce = share, separator, separator.decode("latin-1"), reduce

    def sizes(self) -> list[int]:
        """Bytes of each partition, all runs together, counted lines once."""
        return self._sums(0)

    def rows(self, number: int) -> int:
        """Lines of a partition, counted lines once."""
        with self._open() as files:
            return sum(part.rows for part in self._parts(files, number, number + 1))

    def blocks(self, low: int, high: int) -> Iterator[Block]:
        """Yield in order the lines of partitions `low` to `high`; equal lines may fall into several blocks of a large partition.

        Memory: `share`. Time: n log(slices) comparisons, and a read a run.
        """
        with self._open() as files:
            tables = [self._table(files, run, low, high) for run in self.runs]
            costs = [
                partition_cost(sum(starts[at + 1] - starts[at] for starts, _ in tables), sum(rows[at + 1] - rows[at] for _, rows in tables))
                for at in range(high - low)
            ]
            most = min(PART_COST, self._share)
            place = 0
            while place < len(costs):
                end, cost = place + 1, costs[place]
                while end < len(costs) and cost + costs[end] <= most:
                    cost += costs[end]
                    end += 1
                parts = [
                    Part(run, files[run.path], run.start + starts[place], run.start + starts[end], rows[place], rows[end] - rows[place])
                    for run, (starts, rows) in zip(self.runs, tables, strict=True)
                    if rows[end] > rows[place]
                ]
                if cost > self._share and end == place + 1:
                    yield from self._streamed(files, low + place)
                elif parts:
                    yield self._sorted(parts)
                place = end

    def _sorted(self, parts: Sequence[Part]) -> Block:
        """The lines of partitions that fit the memory."""
        plain = b"".join(os.pread(part.file, part.end - part.start, part.start) for part in parts if part.run.counts < 0)
        lines = str(plain, "latin-1").split(self._mark)
        del plain
        lines.pop()
        if all(part.run.counts < 0 for part in parts):
            lines.sort()
            return lines, None
        table = Counter(lines)
        for run, file, start, end, row, rows in parts:
            if run.counts >= 0:  # its lines are distinct
                lines = str(os.pread(file, end - start, start), "latin-1").split(self._mark)
                lines.pop()
                numbers = array("Q", os.pread(file, rows * COUNT_SIZE, run.counts + row * COUNT_SIZE))
                dict.update(table, zip(lines, map(add, numbers, map(table.get, lines, repeat(0))), strict=True))
        keys = sorted(table)
        return keys, list(map(table.__getitem__, keys))

    def _streamed(self, files: dict[str, int], number: int) -> Iterator[Block]:
        """The lines of one partition that does not fit."""
        slices = [piece for run in self.runs for piece in self._slices(files, run, number)]
        yield from merge_slices(self._reduce(slices), self._share, separator=self._separator)

    def _slices(self, files: dict[str, int], run: Run, number: int) -> Iterator[Slice]:
        """The sorted slices of one partition of a run; a counted run has one."""
        starts, rows = self._table(files, run, number, number + 1)
        first, last = self._column(files, run, 2, number, number + 1)
        start = run.start + starts[0]
        for size in self._numbers(files[run.path], run.table + 3 * WORD * (self.number + 1) + first * WORD, last - first):
            yield Slice(run, start, start + size, rows[0])
            start += size

    def _table(self, files: dict[str, int], run: Run, low: int, high: int) -> tuple[array, array]:
        """Where partitions `low` to `high` begin in a run, and the last ends, in bytes and in rows."""
        return self._column(files, run, 0, low, high), self._column(files, run, 1, low, high)

    def _column(self, files: dict[str, int], run: Run, column: int, low: int, high: int) -> array:
        return self._numbers(files[run.path], run.table + WORD * (column * (self.number + 1) + low), high - low + 1)

    def _numbers(self, file: int, place: int, count: int) -> array:
        return array("Q", os.pread(file, count * WORD, place))

    def _parts(self, files: dict[str, int], low: int, high: int) -> Iterator[Part]:
        for run in self.runs:
            starts, rows = self._table(files, run, low, high)
            if rows[-1] > rows[0]:
                yield Part(run, files[run.path], run.start + starts[0], run.start + starts[-1], rows[0], rows[-1] - rows[0])

    def _sums(self, column: int) -> list[int]:
        total = [0] * self.number
        with self._open() as files:
            for run in self.runs:
                ends = self._column(files, run, column, 0, self.number)
                total = list(map(add, total, map(sub, ends[1:], ends)))
        return total

    @contextmanager
    def _open(self) -> Iterator[dict[str, int]]:
        files: dict[str, int] = {}
        try:
            for path in {run.path for run in self.runs}:
                files[path] = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            yield files
        finally:
            for file in files.values():
                os.close(file)


def share_out(sizes: Sequence[int], count: int) -> list[tuple[int, int]]:
    """Cut partitions of these sizes into about `count` ranges (low, high) of about the same size, none empty of bytes."""
    step = sum(sizes) / max(1, count)
    ends, total = [0], 0
    for number, size in enumerate(sizes):
        total += size
        if total >= step * len(ends) and size:
            ends.append(number + 1)
    if ends[-1] < len(sizes):
        ends.append(len(sizes))
    return [(low, high) for low, high in pairwise(ends) if sum(sizes[low:high])]
