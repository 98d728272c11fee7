"""Form sorted runs and spill them.

Text is split and sorted in pieces of about 100 KB, since a piece whose lines stay in the processor's cache is sorted in half
the time a line that a megabyte takes. A sorted piece is packed into one string again, which takes a third of the memory that
its lines take, and unpacked a few lines at a time when all pieces are merged into a run: lines that leave the cache cost more
than packing them. A run is plain text in byte order with a sparse index behind it (every thousandth line and where it stands), so
any part of the key space can be found in it. Where lines repeat, a table of distinct lines and their counts takes the place of
the pieces, and the run holds each line once, with its counts in an array beside it.
"""

from __future__ import annotations

import marshal
import os
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from gutsort.sort.folder import Folder, naming
from gutsort.sort.memory import ENTRY_COST, LINE_COST, MIB, WIDE_COST
from gutsort.sort.merge import HELD_LINES, Block, merged_texts, packed

PIECE = 192 << 10  # bytes of text sorted at once; measured: flat from 96 to 256 KiB with 1 MiB of L2 cache, worse beyond
MOST_HELD = 32 * MIB  # bytes of one run: more pieces than about 300 are not merged any faster than runs are
INDEX_EVERY = 1024  # lines from one entry of a run's index to the next
INDEX_KEY = 256  # bytes of a line that the index keeps
PROBE = 2 * MIB  # text after which a run is asked whether its lines repeat
DUPLICATED = 0.5  # distinct lines a line, at most, for counting at once to pay (measured: break-even near 0.6)
PROBE_AGAIN = 8  # runs after which one that did not repeat is asked again


class Run(NamedTuple):
    """A sorted run in a file: bytes `start` to `start + size` of `path` are its `rows` lines.

    `counts` is where the array of counts stands, -1 where each line counts once; `index`, of `index_size` bytes, where the index stands; `longest` is a
    bound of its longest line when lines are long, else 0.
    """

    path: str
    start: int
    size: int
    rows: int
    counts: int
    index: int
    index_size: int
    longest: int


class RunWriter:
    """Sorts what it is given and spills runs of it into `folder`, using at most `budget` bytes; without a folder it spills nothing.

    `name` tells the writers of one folder apart. With `unique` each distinct line is kept once. A worker hands
    `list(map(tuple, writer.finish()))` to its parent, which makes `Run(*row)` of each.
    """

    def __init__(self, folder: Folder | None, budget: int, *, name: str = "0", separator: bytes = b"\n", unique: bool = False) -> None:
        self._folder, self._name, self._separator, self._unique = folder, name, separator, unique
        self._mark = separator.decode("latin-1")
        self._piece = max(64, min(PIECE, budget // 32))
        self._limit = min(max(budget - 12 * self._piece, budget // 2), MOST_HELD)
        self._pieces: list[tuple[str, int]] = []  # sorted and packed, and how many lines each has
        self._loose: list = []
        self._loose_size = 0
        self._table: Counter = Counter()
        self._counting = False
        self._cost = self._size = self._rows = self._longest = 0
        self._seen: set | None = set()
        self._skip_probes = 0
        self._files: dict[int, int] = {}
        self.runs: list[Run] = []

    def add_text(self, text: bytes) -> None:
        """Take whole lines, each ended by the separator. Time: linear, but for the sort of each piece."""
        separator, place = self._separator, 0
        while place < len(text):
            end = text.rfind(separator, place, place + self._piece)
            if end < place:
                end = text.index(separator, place)
                self._note_long(end - place)
            piece = str(memoryview(text)[place:end], "latin-1")
            self._take(piece.split(self._mark), len(piece) + 1)
            place = end + 1

    def add(self, lines: list) -> None:
        """Take a list of lines without separators, all `bytes` or all latin-1 `str`, the same kind at every call."""
        self._loose += lines
        self._loose_size += sum(map(len, lines)) + len(lines)
        if self._loose_size >= self._piece:
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
        for file in self._files.values():
            os.close(file)
        self._files.clear()
        return self.runs

    def _take_loose(self) -> None:
        lines, size = self._loose, self._loose_size
        self._loose, self._loose_size = [], 0
        if size > 2 * self._piece:
            self._note_long(max(map(len, lines)))
        step = max(1, len(lines) * self._piece // max(1, size))
        for place in range(0, len(lines), step):
            part = lines[place : place + step]
            if isinstance(part[0], bytes):
                part = self._separator.join(part).decode("latin-1").split(self._mark)
            self._take(part, sum(map(len, part)) + len(part))

    def _note_long(self, size: int) -> None:
        if size > self._piece:
            if size * 8 > self._limit and self._folder:
                self._spill()  # a line that takes much of the budget has it for itself
            self._longest = max(self._longest, size)

    def _take(self, lines: list[str], size: int) -> None:
        """Take one piece; `size` are its bytes in a file."""
        self._rows += len(lines)
        self._size += size
        if self._counting:
            self._count(lines)
        else:
            lines.sort()
            self._cost += size + min(len(lines), HELD_LINES) * (size // len(lines) + LINE_COST + WIDE_COST)
            self._pieces.append((self._mark.join(lines), len(lines)))
            if self._seen is not None:
                self._probe(lines)
        if self._cost >= self._limit and self._folder:
            self._spill()

    def _probe(self, lines: list[str]) -> None:
        """Gather distinct lines; when enough are seen and they repeat, count from here on instead of keeping every one."""
        self._seen.update(lines)
        if self._size < min(PROBE, self._limit // 8):
            return
        repeat = len(self._seen) <= DUPLICATED * self._rows
        self._seen = None
        if not repeat:
            self._skip_probes = PROBE_AGAIN
            return
        self._counting, self._cost = True, 0
        while self._pieces:
            self._count(self._pieces.pop()[0].split(self._mark))

    def _count(self, lines: list[str]) -> None:
        table = self._table
        before = len(table)
        table.update(lines)
        grown = len(table) - before
        if grown:
            self._cost += sum(map(len, islice(reversed(table), grown))) + grown * (LINE_COST + ENTRY_COST)

    def _spill(self) -> None:
        if not self._rows:
            return
        self._write(self._held())
        self._counting = self._counting and len(self._table) <= 1.2 * DUPLICATED * self._rows
        self._skip_probes -= 1
        self._forget()

    def _held(self) -> Iterator[Block]:
        if self._counting:
            return self._counted_blocks()
        return merged_texts(self._pieces, self._mark)

    def _forget(self) -> None:
        self._pieces.clear()
        self._table.clear()
        self._seen = set() if self._skip_probes <= 0 else None
        self._cost = self._size = self._rows = self._longest = 0

    def _counted_blocks(self) -> Iterator[Block]:
        table, keys = self._table, sorted(self._table)
        for place in range(0, len(keys), 4 * INDEX_EVERY):
            part = keys[place : place + 4 * INDEX_EVERY]
            yield part, None if self._unique else list(map(table.__getitem__, part))

    def _write(self, blocks: Iterable[Block]) -> None:
        turn = len(self.runs) % len(self._folder.paths)
        with naming(self._folder.paths[turn]):
            if turn not in self._files:
                path = self._folder.path(f"runs-{self._name}", turn)
                self._files[turn] = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            path = self._folder.path(f"runs-{self._name}", turn)
            self.runs.append(write_run(self._files[turn], path, self._unique_blocks(blocks), self._separator, self._longest))

    def _unique_blocks(self, blocks: Iterable[Block]) -> Iterable[Block]:
        if not self._unique:
            return blocks
        return ((list(dict.fromkeys(lines)), None) for lines, _ in blocks)


def write_run(file: int, path: str, blocks: Iterable[Block], separator: bytes, longest: int) -> Run:
    """Append one run to `file`, open under `path`: its lines, then their counts if it has any, then its index."""
    start = os.lseek(file, 0, os.SEEK_END)
    size = rows = 0
    index, all_counts = [], array("Q")
    counted = False
    for lines, counts in blocks:
        pieces = []
        for place in range(0, len(lines), INDEX_EVERY):
            part = lines[place : place + INDEX_EVERY]
            first = part[0][:INDEX_KEY]
            index.append((size, rows + place, first if isinstance(first, bytes) else first.encode("latin-1")))
            if longest and len(part) == 1 and len(part[0]) > PIECE:
                write_all(file, b"".join(pieces))
                _write_long_line(file, part[0], separator)
                pieces, size = [], size + len(part[0]) + 1
                continue
            pieces.append(packed(part, separator))
            size += len(pieces[-1])
        rows += len(lines)
        if counts is not None:
            counted = True
            all_counts.extend(counts)
        write_all(file, pieces[0] if len(pieces) == 1 else b"".join(pieces))
    counts_at = start + size
    if counted:
        write_all(file, all_counts.tobytes())
    table = marshal.dumps(index)
    write_all(file, table)
    after = counts_at + len(all_counts) * all_counts.itemsize
    return Run(path, start, size, rows, counts_at if counted else -1, after, len(table), longest)


def _write_long_line(file: int, line: str | bytes, separator: bytes) -> None:
    """Without the copies that joining it to its separator would make."""
    write_all(file, line if isinstance(line, bytes) else line.encode("latin-1"))
    write_all(file, separator)


def write_all(file: int, data: bytes) -> None:
    """Write all of `data`, however much the system takes at once."""
    done = os.write(file, data) if data else 0
    while done < len(data):
        done += os.write(file, memoryview(data)[done:])
