"""Merge sorted lists and runs, a block of each at a time.

From every run a block of lines is held; all lines up to the smallest of the blocks' last lines are known to be complete. They
are cut into parts of a few thousand lines, so that a part stays in the processor's cache, and each part is the concatenation
of the runs' presorted slices and one `list.sort()`: its powersort finds the slices and merges them in C. A merge that picks
line by line (a heap, a loser tree) costs ten times as much in Python.
"""

from __future__ import annotations

import os
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, repeat
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from gutsort.errors import BudgetError, OrderError
from gutsort.formats import escape_name
from gutsort.sort.memory import LINE_COST, WIDE_COST
from gutsort.sort.order import first_disorder

if TYPE_CHECKING:
    from gutsort.sort.runfile import Run

Block = tuple[list, "list[int] | None"]  # sorted lines, and how often each occurs (None: each once a place in the list)

PART = 8192  # lines sorted at once: about what fits the L2 cache with their headers
SAMPLES = 8  # lines sampled for each bound between parts
LEAST_BLOCK, MOST_BLOCK = 2 << 10, 256 << 10  # bytes read at once of a run: below, calls cost more than lines; above, nothing is gained
UNFOLD = 256 << 10  # bytes that a line which counts often is repeated to at once
COUNT_SIZE = array("Q").itemsize


class Slice(NamedTuple):
    """Part of a run: bytes `start` to `end` of its file, whose first line is row `row` of the run."""

    run: Run
    start: int
    end: int
    row: int


def packed(lines: list, separator: bytes) -> bytes:
    """The bytes of `lines`, all `str` or all `bytes`, each ended by `separator`."""
    if not lines:
        return b""
    if isinstance(lines[0], bytes):
        return separator.join(lines) + separator
    mark = separator.decode("latin-1")
    return (mark.join(lines) + mark).encode("latin-1")


def packed_blocks(blocks: Iterable[Block], separator: bytes) -> Iterator[bytes]:
    """The bytes of blocks, each line as often as it counts, in byte strings of bounded size."""
    mark = separator.decode("latin-1")
    for lines, counts in blocks:
        if counts is None:
            if len(lines) == 1 and len(lines[0]) > UNFOLD:  # without the copies of a join
                text = lines[0].encode("latin-1")
                del lines
                yield text
                del text  # before the next is read
                yield separator
            else:
                yield packed(lines, separator)
            continue
        place = 0
        for end, total in _cuts(counts):
            if end - place > 1:
                yield packed(list(chain.from_iterable(map(repeat, lines[place:end], counts[place:end]))), separator)
            else:
                line = (lines[place] + mark).encode("latin-1")
                most = max(1, UNFOLD // len(line))
                yield from repeat(line * most, total // most)
                yield line * (total % most)
            place = end


def _cuts(counts: list[int]) -> Iterator[tuple[int, int]]:
    """Where to cut rows so that each part counts at most `PART` or is one row: the end and the total of each part."""
    totals = list(accumulate(counts, initial=0))
    place = 0
    while place < len(counts):
        end = max(place + 1, bisect_right(totals, totals[place] + PART) - 1)
        yield end, totals[end] - totals[place]
        place = end


def merged_lists(lists: Sequence[list], stops: Sequence[int]) -> Iterator[Block]:
    """Yield in order, in parts, the first `stops[i]` lines of each sorted `lists[i]`; equal lines fall into one part.

    Time: n log(len(lists)) comparisons in C.
    """
    for starts, ends in _parts(lists, stops):
        part: list = []
        for lines, start, end in zip(lists, starts, ends, strict=True):
            if start < end:
                part += lines[start:end]
        if part:
            part.sort()
            yield part, None
            del part


def merged_counts(lists: Sequence[list], counts: Sequence[list[int] | None], stops: Sequence[int]) -> Iterator[Block]:
    """As `merged_lists`, each line once with the sum of its counts."""
    for starts, ends in _parts(lists, stops):
        table: Counter = Counter()
        for lines, numbers, start, end in zip(lists, counts, starts, ends, strict=True):
            if start == end:
                continue
            part = lines[start:end]
            if numbers is None:
                table.update(part)
            else:  # the lines of a counted list are distinct
                sums = map(add, numbers[start:end], map(table.get, part, repeat(0)))
                dict.update(table, zip(part, sums, strict=True))
        if table:
            keys = sorted(table)
            yield keys, list(map(table.__getitem__, keys))


def counted_blocks(blocks: Iterable[Block]) -> Iterator[Block]:
    """Sorted blocks, each distinct line once with its count, also where equal lines fall into blocks that follow each other."""
    line, total = None, 0
    for lines, counts in blocks:
        table = Counter(lines) if counts is None else dict(zip(lines, counts, strict=True))
        if line in table:
            table[line] += total
        elif line is not None:
            yield [line], [total]
        line, total = table.popitem()  # the last one: the next block may begin with it
        if table:
            yield list(table), list(table.values())
    if line is not None:
        yield [line], [total]


def _parts(lists: Sequence[list], stops: Sequence[int]) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Where each list's slice of each part starts and ends."""
    total = sum(stops)
    parts = min(total // PART, total // (SAMPLES * max(1, len(lists))))
    starts: Sequence[int] = [0] * len(lists)
    if parts > 1:
        step = max(1, min(total // (parts * SAMPLES), total // (len(lists) * 4)))
        sample = sorted(chain.from_iterable(lines[step // 2 : stop : step] for lines, stop in zip(lists, stops, strict=True)))
        for number in range(1, parts):
            bound = sample[len(sample) * number // parts]
            ends = list(map(bisect_right, lists, repeat(bound), starts, stops))
            yield starts, ends
            starts = ends
    yield starts, stops


def merge_slices(slices: Sequence[Slice], budget: int, *, separator: bytes = b"\n", check: bool = False) -> Iterator[Block]:
    """Yield in order the lines of sorted slices of runs; equal lines may fall into several blocks that follow each other.

    With `check` the slices' own order is checked: OrderError names the line that breaks it. Raises BudgetError where a line does not fit.
    Memory: `budget` bytes. Time: n log(slices) comparisons, and one read a block of each slice.
    """
    files: dict[str, int] = {}
    try:
        for piece in slices:
            if piece.run.path not in files:
                files[piece.run.path] = os.open(piece.run.path, os.O_RDONLY | os.O_CLOEXEC)
        blocks = _block_sizes(slices, budget)
        kind = _CheckedReader if check else _Reader
        readers = [kind(piece, files[piece.run.path], block, budget, separator) for piece, block in zip(slices, blocks, strict=True)]
        merged = _merge_readers(readers)
        yield from _alone(merged) if any(piece.run.longest for piece in slices) else merged
    finally:
        for file in files.values():
            os.close(file)


def _alone(blocks: Iterator[Block]) -> Iterator[Block]:
    """The blocks, with every long line in one of its own: joined to others it would be held several times."""
    for lines, counts in blocks:
        place = 0
        for end, line in enumerate(lines):
            if len(line) > MOST_BLOCK:
                if place < end:
                    yield lines[place:end], counts and counts[place:end]
                yield lines[end : end + 1], counts and counts[end : end + 1]
                place = end + 1
        if place < len(lines):
            yield lines[place:], counts and counts[place:]
        del lines


def _merge_readers(readers: list) -> Iterator[Block]:
    while True:
        for reader in readers:
            if len(reader.lines) <= reader.low:
                reader.fill()
        readers = [reader for reader in readers if reader.lines]
        if not readers:
            return
        lasts = [reader.lines[-1] for reader in readers if reader.more]
        lists = [reader.lines for reader in readers]
        stops = list(map(len, lists))
        if lasts:
            bound = min(lasts)
            stops = [stop if lines[-1] <= bound else bisect_right(lines, bound) for lines, stop in zip(lists, stops, strict=True)]
            del bound
        if all(reader.counts is None for reader in readers):
            yield from merged_lists(lists, stops)
        else:
            yield from merged_counts(lists, [reader.counts for reader in readers], stops)
        for reader, stop in zip(readers, stops, strict=True):
            reader.drop(stop)
        del lists, lasts  # long lines may be as large as half the budget


class _Reader:
    """Holds a block of a slice's lines, and their counts; `more` is True while the file has further ones."""

    def __init__(self, piece: Slice, file: int, block: int, limit: int, separator: bytes) -> None:
        self.lines: list[str] = []
        self.counts: list[int] | None = None if piece.run.counts < 0 else []
        self.low = 0
        self._piece, self._file, self._block, self._limit, self._separator = piece, file, block, limit, separator
        self._place, self._row = piece.start, piece.row
        self.more = piece.start < piece.end

    def fill(self) -> None:
        """Read the next block behind the lines that are left."""
        if not self.more:
            return
        data, end = self._whole_lines()
        new = str(memoryview(data)[:end], "latin-1").split(self._separator.decode("latin-1"))
        del data
        if self.counts is not None:
            numbers = array("Q")
            numbers.frombytes(os.pread(self._file, len(new) * COUNT_SIZE, self._piece.run.counts + self._row * COUNT_SIZE))
            self.counts += numbers.tolist()
        self._row += len(new)
        self.lines = self.lines + new if self.lines else new
        self.low = len(new) // 2
        self._place += end + 1
        self.more = self._place < self._piece.end

    def drop(self, count: int) -> None:
        """Forget the first `count` lines."""
        del self.lines[:count]
        if self.counts is not None:
            del self.counts[:count]

    def _whole_lines(self) -> tuple[bytes, int]:
        """The next block of the file, and where in it the last separator stands; of a line longer than a block, the line alone."""
        data = os.pread(self._file, min(self._block, self._piece.end - self._place), self._place)
        end = data.rfind(self._separator)
        if end >= 0:
            return data, end
        size = len(data)
        del data
        while self._place + size < self._piece.end:  # find its end first, so that it is held once
            data = os.pread(self._file, min(MOST_BLOCK, self._piece.end - self._place - size), self._place + size)
            end = data.find(self._separator)
            size += len(data) if end < 0 else end
            if end >= 0:
                break
            if size > self._limit:
                raise BudgetError(f"line longer than the limit: a line must fit twice into the memory budget ({self._limit} bytes)")
        return os.pread(self._file, size, self._place), size  # a file that was given to be merged may lack its last separator


class _CheckedReader(_Reader):
    """A reader that makes sure that its lines are in order."""

    def fill(self) -> None:
        start = max(0, len(self.lines) - 1)
        super().fill()
        place = first_disorder(self.lines[start:])
        if place is not None:
            number = self._row - len(self.lines) + start + place + 1
            raise OrderError(f"{escape_name(os.fsencode(self._piece.run.path))}:{number}: not in order")


def _block_sizes(slices: Sequence[Slice], budget: int) -> list[int]:
    """Bytes to read at once of each slice, so that all blocks held, one and a half of each, fit the budget as lines."""
    each = budget // (max(1, len(slices)) * 3 // 2 + 1)
    sizes = []
    for piece in slices:
        lines = max(1, piece.run.rows) if piece.run.rows else piece.run.size // 32 + 1
        sizes.append(max(LEAST_BLOCK, min(MOST_BLOCK, int(each / (2 + (LINE_COST + WIDE_COST) * lines / max(1, piece.run.size))))))
    return sizes
