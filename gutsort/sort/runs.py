"""Form sorted runs and spill them.

Text is split and sorted in chunks whose lines stay in the processor's cache, which takes half the time a line that larger ones
take. A sorted chunk is cut at the bounds of the partitions and packed, and what has been gathered of each partition is written as
one run: partition by partition, the chunks' slices of it one after the other. So a partition can be read with one read a run,
and is sorted by one more `list.sort()`, which merges the slices. Where so much has been spilled that partitions will not fit the memory, the
slices of each are merged before they are written.

A run is plain text with a table behind it: where each partition begins, and how long its slices are. Where lines repeat, a table
of distinct lines and their counts takes the place of the slices, and the run holds each line once, with its counts in an array
beside it.
"""

from __future__ import annotations

import os
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from gutsort.sort.bounds import FEW_PARTS, choose_bounds, shared_bounds
from gutsort.sort.folder import Folder
from gutsort.sort.memory import ENTRY_COST, LINE_COST, MIB
from gutsort.sort.merge import Block, packed
from gutsort.sort.runfile import Run, write_all, write_pieces, write_table
from gutsort.sort.runfiles import RunFiles, long_line

CHUNK_COST = 3 * MIB // 2  # memory for the lines of a chunk: about what the L2 cache holds
LEAST_CHUNK = 64
MOST_HELD = 32 * MIB  # bytes of one run: longer ones save nothing
PIECE_COST = 33 + 8 + 16  # what a packed slice takes beside its bytes
FIRST_LINE = 40  # bytes a line is taken to have before any is seen
PROBE = 2 * MIB  # text after which a run is asked whether its lines repeat
DUPLICATED = 0.5  # distinct lines a line, at most, for counting at once; a guess at the break-even, not measured
PROBE_AGAIN = 8  # runs after which one that did not repeat is asked again
DEEP = 16  # part of the budget that the text of a partition may be before its slices are merged at once


class RunWriter:
    """Sorts what it is given and spills runs of it into `folder`, using at most `budget` bytes; without a folder it spills nothing.

    `name` tells the writers of one folder apart; they cut at the same bounds. With `unique` each distinct line is kept once. A worker hands
    `list(map(tuple, writer.finish()))` to its parent, which makes `Run(*row)` of each.
    """

    def __init__(self, folder: Folder | None, budget: int, *, name: str = "0", separator: bytes = b"\n", unique: bool = False) -> None:
        self._folder, self._separator, self._unique = folder, separator, unique
        self._mark, self._budget = separator.decode("latin-1"), budget
        self._chunk_cost = min(CHUNK_COST, budget // 8)
        self._most = max(budget - 5 * self._chunk_cost, budget // 4)
        self._average = float(FIRST_LINE)
        self._bounds: list[str] | None = None
        self._first: list[str] = []  # the first chunk, until there is a second one or it is spilled
        self._parts: list[list[bytes]] = []
        self._lasts: list[str] = []  # the last line of each partition's last slice
        self._slices: list[list[int]] = []  # bytes of each slice of each partition
        self._part_rows: list[int] = []
        self._spilled = 0
        self._loose: list = []
        self._loose_size = 0
        self._table: Counter = Counter()
        self._counting = False
        self._cost = self._size = self._rows = self._longest = 0
        self._seen: set | None = set()
        self._skip_probes = 0
        self._files = RunFiles(folder, name) if folder else None
        self.runs: list[Run] = []

    def add_text(self, text: bytes) -> None:
        """Take whole lines, each ended by the separator. Time: linear, but for the sort of each chunk."""
        separator, place = self._separator, 0
        while place < len(text):
            chunk = self._chunk()
            end = len(text) - 1 if len(text) - place <= chunk * 5 // 4 else text.rfind(separator, place, place + chunk)
            if end < place:
                end = text.index(separator, place)
                if self._note_long(end - place):
                    self._files.write_long(memoryview(text)[place : end + 1])
                    place = end + 1
                    continue
            self._longest = max(self._longest, long_line(text, place, end, separator))
            lines = str(memoryview(text)[place:end], "latin-1").split(self._mark)
            self._take(lines, end + 1 - place)
            place = end + 1

    def add(self, lines: list) -> None:
        """Take a list of lines without separators, all `bytes` or all latin-1 `str`, the same kind at every call."""
        self._loose += lines
        self._loose_size += sum(map(len, lines)) + len(lines)
        if self._loose_size >= self._chunk():
            self._take_loose()

    def settle(self) -> None:
        """Sort what `add` has gathered; after it `held_blocks` spills nothing more."""
        self._take_loose()

    def held_blocks(self) -> Iterator[Block]:
        """Yield in order what is held and not spilled, and forget it."""
        self._take_loose()
        yield from self._unique_blocks(self._held())
        self._forget()

    def finish(self) -> list[Run]:
        """Spill what is left, close the files and return all runs."""
        self._take_loose()
        self._spill()
        if self._files.long_lines and self._bounds is None:
            self._set_bounds([])
        self.runs += self._files.finish(self._bounds)
        return self.runs

    def _chunk(self) -> int:
        """Bytes of text to sort at once."""
        return max(LEAST_CHUNK, int(self._chunk_cost * self._average / (self._average + LINE_COST)))

    def _take_loose(self) -> None:
        lines, size = self._loose, self._loose_size
        self._loose, self._loose_size = [], 0
        chunk = self._chunk()
        if size > 2 * chunk:
            self._note_long(max(map(len, lines)))  # it is in memory already: no run of its own
        step = max(1, len(lines) * chunk // max(1, size))
        for place in range(0, len(lines), step):
            part = lines[place : place + step]
            if isinstance(part[0], bytes):
                part = self._separator.join(part).decode("latin-1").split(self._mark)
            self._take(part, sum(map(len, part)) + len(part))

    def _note_long(self, size: int) -> bool:
        """Note a line of `size` bytes; True where it takes so much of the budget that it is to be a run of its own."""
        if size > self._chunk():
            self._longest = max(self._longest, size)
        return self._folder is not None and size * 8 > max(self._most, 8 * self._chunk())

    def _take(self, lines: list[str], size: int) -> None:
        """Take one chunk; `size` are its bytes in a file."""
        self._average = size / len(lines)
        self._rows += len(lines)
        self._size += size
        if self._counting:
            self._count(lines)
        else:
            lines.sort()
            if self._seen is not None:
                self._probe(lines)
            if not self._counting:
                self._keep(lines, size)
        if self._folder and self._cost >= (self._most if self._counting else min(self._most, MOST_HELD)):
            self._spill()

    def _keep(self, lines: list[str], size: int) -> None:
        """Keep a sorted chunk: the first as it is, the others cut at the bounds."""
        if self._unique:
            lines = list(dict.fromkeys(lines))
        if self._bounds is None and not self._first:
            self._first = lines
            self._cost = size + len(lines) * LINE_COST
            return
        if self._bounds is None:
            self._set_bounds(lines)
        if self._first:
            self._cost = self._size - size
            first, self._first = self._first, []
            self._cut(first)
        self._cost += size
        self._cut(lines)

    def _set_bounds(self, lines: list[str]) -> None:
        sample = self._first + lines
        parts = FEW_PARTS if self._folder else max(1, self._most // PROBE)
        self._bounds = shared_bounds(self._folder, lambda: choose_bounds(sample, parts)) if self._folder else choose_bounds(sample, parts)
        self._forget_parts()

    def _cut(self, lines: list[str]) -> None:
        """Cut a sorted chunk at the bounds and pack each slice."""
        low, mark, rows, lasts = 0, self._mark, self._part_rows, self._lasts
        for part, bound in enumerate(chain(self._bounds, (None,))):
            high = len(lines) if bound is None else bisect_left(lines, bound, low)
            if low == high:
                continue
            text = (mark.join(lines[low:high]) + mark).encode("latin-1")
            slices = self._slices[part]
            if slices and lasts[part] <= lines[low]:
                slices[-1] += len(text)
            else:
                slices.append(len(text))
            lasts[part] = lines[high - 1]
            self._parts[part].append(text)
            rows[part] += high - low
            self._cost += PIECE_COST
            low = high

    def _probe(self, lines: list[str]) -> None:
        """Gather distinct lines; when enough are seen and they repeat, count from here on instead of keeping every one."""
        self._seen.update(lines)
        average = self._size // self._rows
        if self._size < PROBE and len(self._seen) * (average + LINE_COST + ENTRY_COST) + self._cost < self._most // 2:
            return
        repeat = len(self._seen) <= DUPLICATED * self._rows
        self._seen = None
        if not repeat:
            self._skip_probes = PROBE_AGAIN
            return
        self._counting, self._cost = True, 0
        for kept in self._texts():
            self._count(kept)
        self._count(lines)
        self._first = []
        self._forget_parts()

    def _texts(self) -> Iterator[list[str]]:
        """What is kept, in lists of lines that are not in order."""
        if self._first:
            yield self._first
        for pieces in self._parts:
            if pieces:
                yield self._lines(pieces)

    def _lines(self, pieces: list[bytes]) -> list[str]:
        lines = str(b"".join(pieces), "latin-1").split(self._mark)
        lines.pop()
        return lines

    def _count(self, lines: list[str]) -> None:
        table = self._table
        before = len(table)
        table.update(lines)
        grown = len(table) - before
        if grown:
            self._cost += sum(map(len, islice(reversed(table), grown))) + grown * (LINE_COST + ENTRY_COST)

    def _held(self) -> Iterator[Block]:
        if self._counting:
            keys = sorted(self._table)
            yield keys, None if self._unique else list(map(self._table.__getitem__, keys))
            return
        for lines in self._texts():
            lines.sort()
            yield lines, None

    def _spill(self) -> None:
        if not self._rows:
            return
        if self._bounds is None:
            self._set_bounds(list(self._table))
        self._spilled += self._size
        counts = None
        if self._counting:
            counts = self._part_table()
        elif self._first:
            first, self._first = self._first, []
            self._cut(first)
        elif self._spilled > len(self._parts) * self._budget // DEEP:
            self._merge_parts()
        with self._files.open(len(self.runs)) as (file, path):
            start = os.lseek(file, 0, os.SEEK_END)
            write_pieces(file, chain.from_iterable(self._parts))
            sizes = list(map(sum, self._slices))
            end = start + sum(sizes)
            write_all(file, counts.tobytes() if counts else b"")
            table = write_table(file, sizes, self._part_rows, self._slices)
            self.runs.append(Run(path, start, end - start, sum(self._part_rows), end if counts else -1, table, self._longest))
        self._counting = self._counting and len(self._table) <= 1.2 * DUPLICATED * self._rows
        self._skip_probes -= 1
        self._forget()

    def _part_table(self) -> array | None:
        """Put the table's lines into the partitions; their counts in order."""
        keys = sorted(self._table)
        self._forget_parts()
        self._cut(keys)
        return None if self._unique else array("Q", map(self._table.__getitem__, keys))

    def _merge_parts(self) -> None:
        """Make one slice of each partition."""
        for part, pieces in enumerate(self._parts):
            if len(self._slices[part]) > 1:
                lines = self._lines(pieces)
                lines.sort()
                self._parts[part] = [packed(lines, self._separator)]
                self._slices[part] = [len(self._parts[part][0])]

    def _forget(self) -> None:
        self._table.clear()
        self._seen = set() if self._skip_probes <= 0 else None
        self._cost = self._size = self._rows = self._longest = 0
        self._first = []
        self._forget_parts()

    def _forget_parts(self) -> None:
        number = len(self._bounds) + 1 if self._bounds is not None else 0
        self._parts, self._slices = ([[] for _ in range(number)] for _ in range(2))
        self._part_rows, self._lasts = [0] * number, [""] * number

    def _unique_blocks(self, blocks: Iterable[Block]) -> Iterable[Block]:
        if not self._unique:
            return blocks
        return ((list(dict.fromkeys(lines)), None) for lines, _ in blocks)
