"""Form sorted runs and spill them.

Text is split and sorted in pieces of 64 KB, since a piece whose lines stay in the processor's cache is sorted in half the time
a line that a megabyte takes. A sorted piece is packed into one string again, which takes a third of the memory of its lines;
sixteen pieces are merged into a group, a few lines of each at a time, and groups are gathered until they make a run. Runs are short at
first and grow with what has been spilled, so that small input is not merged once more than it must be, and large input has no more
runs than a merge takes well. Pieces that follow each other in order are written as they are.

A run is plain text in byte order with a sparse index behind it (about every thousandth line and where it stands), so any part of
the key space can be found in it. Where lines repeat, a table of distinct lines and their counts takes the place of the pieces,
and the run holds each line once, with its counts in an array beside it.
"""

from __future__ import annotations

import marshal
import os
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from gutsort.sort.folder import Folder, naming
from gutsort.sort.memory import ENTRY_COST, LINE_COST, MIB
from gutsort.sort.merge import Block, held_cost, merged_texts, packed

PIECE = 64 << 10  # bytes of text sorted at once; measured: with 1 MiB of L2 cache 32 to 128 KiB are fastest
GROUP = 16  # pieces merged at once: their lines, a few of each, stay in the cache too
LEAST_RUN, MOST_RUN = 1 * MIB, 32 * MIB  # bytes of one run
GROWTH = 32  # a run holds at least this part of what its writer has spilled before
INDEX_EVERY = 1024  # lines from one entry of a run's index to the next
INDEX_KEY = 256  # bytes of a line that the index keeps
WRITE = 256 << 10  # bytes written at once
PROBE = 2 * MIB  # text after which a run is asked whether its lines repeat
DUPLICATED = 0.5  # distinct lines a line, at most, for counting at once; a guess at the break-even, not measured
PROBE_AGAIN = 8  # runs after which one that did not repeat is asked again


Pack = tuple[list[bytes], int, bytes, "list[int] | None"]  # bytes to write, lines in them, first bytes of the first, counts


class Text(NamedTuple):
    """Sorted lines joined by the separator, how many, the first and the last of them."""

    text: str
    rows: int
    first: str
    last: str


class Run(NamedTuple):
    """A sorted run in a file: bytes `start` to `start + size` of `path` are its `rows` lines.

    `counts` is where the array of counts stands, -1 where each line counts once; `index`, of `index_size` bytes, where the index
    stands; `longest` is a
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
        self._limit = max(budget - GROUP * self._piece, budget // 2)
        self._pieces: list[Text] = []
        self._groups: list[Text] = []
        self._spilled = 0
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
                if self._note_long(end - place):
                    self._write_long(memoryview(text)[place : end + 1])
                    place = end + 1
                    continue
            piece = str(memoryview(text)[place:end], "latin-1")
            self._take(piece.split(self._mark), len(piece) + 1)
            place = end + 1

    def add(self, lines: list) -> None:
        """Take a list of lines without separators, all `bytes` or all latin-1 `str`, the same kind at every call."""
        self._loose += lines
        self._loose_size += sum(map(len, lines)) + len(lines)
        if self._loose_size >= self._piece:
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
        for file in self._files.values():
            os.close(file)
        self._files.clear()
        return self.runs

    def _take_loose(self) -> None:
        lines, size = self._loose, self._loose_size
        self._loose, self._loose_size = [], 0
        if size > 2 * self._piece:
            self._note_long(max(map(len, lines)))  # it is in memory already: no run of its own
        step = max(1, len(lines) * self._piece // max(1, size))
        for place in range(0, len(lines), step):
            part = lines[place : place + step]
            if isinstance(part[0], bytes):
                part = self._separator.join(part).decode("latin-1").split(self._mark)
            self._take(part, sum(map(len, part)) + len(part))

    def _note_long(self, size: int) -> bool:
        """Note a line of `size` bytes; True where it takes so much of the budget that it is to be a run of its own."""
        if size > self._piece:
            self._longest = max(self._longest, size)
        return self._folder is not None and size * 8 > max(self._limit, 8 * self._piece)

    def _write_long(self, line: memoryview) -> None:
        """Write one line, with its separator, as a run, without a copy of it."""
        self._spill()
        self._longest = len(line)
        self._write([([line], 1, bytes(line[:INDEX_KEY]).split(self._separator)[0], None)])
        self._longest = 0

    def _take(self, lines: list[str], size: int) -> None:
        """Take one piece; `size` are its bytes in a file."""
        self._rows += len(lines)
        self._size += size
        if self._counting:
            self._count(lines)
        else:
            lines.sort()
            self._pieces.append(Text(self._mark.join(lines), len(lines), lines[0], lines[-1]))
            self._cost += size + held_cost(size, len(lines))
            if self._seen is not None:
                self._probe(lines)
            if len(self._pieces) >= GROUP and self._size < self._run_size():
                self._group()
        if self._folder and (self._cost >= self._limit or (not self._counting and self._seen is None and self._size >= self._run_size())):
            self._spill()

    def _run_size(self) -> int:
        return min(max(LEAST_RUN, self._spilled // GROWTH), MOST_RUN)

    def _group(self) -> None:
        """Merge the pieces into one text; those that follow each other in order stay as they are."""
        if in_chain(self._pieces):
            self._groups += self._pieces
        else:
            lines = [part for part, _ in merged_texts(self._pieces, self._mark)]
            first, last, rows = lines[0][0], lines[-1][-1], sum(map(len, lines))
            self._groups.append(Text(self._mark.join(map(self._mark.join, lines)), rows, first, last))
            self._cost -= sum(held_cost(len(piece.text), piece.rows) for piece in self._pieces)
            self._cost += held_cost(len(self._groups[-1].text), rows)
        self._pieces = []

    def _probe(self, lines: list[str]) -> None:
        """Gather distinct lines; when enough are seen and they repeat, count from here on instead of keeping every one."""
        self._seen.update(lines)
        average = self._size // self._rows
        if self._size < PROBE and len(self._seen) * (average + LINE_COST + ENTRY_COST) + self._cost < self._limit // 2:
            return
        repeat = len(self._seen) <= DUPLICATED * self._rows
        self._seen = None
        if not repeat:
            self._skip_probes = PROBE_AGAIN
            return
        self._counting, self._cost = True, 0
        for text in self._pieces + self._groups:
            self._count(text.text.split(self._mark))
        self._pieces, self._groups = [], []

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
        self._spilled += self._size
        texts = self._groups + self._pieces
        self._write(packs_of_texts(texts, self._separator) if not self._unique and in_chain(texts) else self._packs())
        self._counting = self._counting and len(self._table) <= 1.2 * DUPLICATED * self._rows
        self._skip_probes -= 1
        self._forget()

    def _held(self) -> Iterator[Block]:
        if self._counting:
            return self._counted_blocks()
        return merged_texts(self._groups + self._pieces, self._mark)

    def _packs(self) -> Iterator[Pack]:
        return packs_of_blocks(self._unique_blocks(self._held()), self._separator)

    def _forget(self) -> None:
        self._pieces, self._groups = [], []
        self._table.clear()
        self._seen = set() if self._skip_probes <= 0 else None
        self._cost = self._size = self._rows = self._longest = 0

    def _counted_blocks(self) -> Iterator[Block]:
        table, keys = self._table, sorted(self._table)
        for place in range(0, len(keys), 4 * INDEX_EVERY):
            part = keys[place : place + 4 * INDEX_EVERY]
            yield part, None if self._unique else list(map(table.__getitem__, part))

    def _write(self, packs: Iterable[Pack]) -> None:
        turn = len(self.runs) % len(self._folder.paths)
        with naming(self._folder.paths[turn]):
            if turn not in self._files:
                path = self._folder.path(f"runs-{self._name}", turn)
                self._files[turn] = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            path = self._folder.path(f"runs-{self._name}", turn)
            self.runs.append(write_run(self._files[turn], path, packs, self._longest))

    def _unique_blocks(self, blocks: Iterable[Block]) -> Iterable[Block]:
        if not self._unique:
            return blocks
        return ((list(dict.fromkeys(lines)), None) for lines, _ in blocks)


def in_chain(texts: Sequence[Text]) -> bool:
    """Whether each text's lines follow those of the one before it in order."""
    return bool(texts) and all(a.last <= b.first for a, b in pairwise(texts))


def packs_of_texts(texts: Sequence[Text], separator: bytes) -> Iterator[Pack]:
    """Packs of texts that follow each other in order."""
    for text, rows, first, _ in texts:
        yield [text.encode("latin-1"), separator], rows, first[:INDEX_KEY].encode("latin-1"), None


def packs_of_blocks(blocks: Iterable[Block], separator: bytes) -> Iterator[Pack]:
    """Packs of at most `INDEX_EVERY` lines."""
    for lines, counts in blocks:
        for place in range(0, len(lines), INDEX_EVERY):
            part = lines[place : place + INDEX_EVERY]
            first = part[0][:INDEX_KEY].encode("latin-1")
            data = [part[0].encode("latin-1"), separator] if len(part) == 1 else [packed(part, separator)]  # no copies of a long line
            yield data, len(part), first, counts and counts[place : place + INDEX_EVERY]


def write_run(file: int, path: str, packs: Iterable[Pack], longest: int) -> Run:
    """Append one run to `file`, open under `path`: its lines, then their counts if it has any, then its index."""
    start = os.lseek(file, 0, os.SEEK_END)
    size = rows = waiting = 0
    index, all_counts, parts = [], array("Q"), []
    for data, number, first, counts in packs:
        index.append((size, rows, first))
        rows += number
        length = sum(map(len, data))
        size += length
        waiting += length
        parts += data
        if counts is not None:
            all_counts.extend(counts)
        if waiting >= WRITE:
            write_parts(file, parts)
            parts, waiting = [], 0
    write_parts(file, parts)
    table = marshal.dumps(index)
    write_parts(file, [all_counts.tobytes(), table])
    after = start + size + len(all_counts) * all_counts.itemsize
    return Run(path, start, size, rows, start + size if all_counts else -1, after, len(table), longest)


def write_parts(file: int, parts: list[bytes]) -> None:
    """Write byte strings one after the other; only short ones are joined."""
    if sum(map(len, parts)) <= 2 * WRITE:
        parts = [b"".join(parts)]
    for part in parts:
        write_all(file, part)


def write_all(file: int, data: bytes) -> None:
    """Write all of `data`, however much the system takes at once."""
    done = os.write(file, data) if data else 0
    while done < len(data):
        done += os.write(file, memoryview(data)[done:])
