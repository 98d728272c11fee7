"""The files that one writer spills to, one in each temporary directory, and the long lines that go there before the bounds are known."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from gutsort.sort.bounds import KEPT
from gutsort.sort.folder import Folder, naming
from gutsort.sort.runfile import Run, write_all, write_table

LEAST_LOOK = 64  # bytes in which a line end is looked for, at least


class LongLine(NamedTuple):
    """A line in the file of turn `turn`: where it stands, its bytes with the separator, and as many first ones as bounds look at."""

    turn: int
    place: int
    size: int
    first: bytes


class RunFiles:
    """Files of the writer `name` in `folder`, made when they are first written to."""

    def __init__(self, folder: Folder, name: str) -> None:
        self._folder, self._name = folder, name
        self._files: dict[int, int] = {}
        self.long_lines: list[LongLine] = []

    @contextmanager
    def open(self, turn: int) -> Iterator[tuple[int, str]]:
        """The descriptor and the path of the file for the run `turn`: the directories take turns. Raises SpaceError within."""
        turn %= len(self._folder.paths)
        path = self._folder.path(f"runs-{self._name}", turn)
        with naming(self._folder.paths[turn]):
            if turn not in self._files:
                self._files[turn] = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            yield self._files[turn], path

    def write_long(self, line: memoryview) -> None:
        """Write one line, with its separator, to be made a run when the bounds are known, without a copy of it."""
        turn = len(self.long_lines)
        with self.open(turn) as (file, _):
            self.long_lines.append(LongLine(turn, os.lseek(file, 0, os.SEEK_END), len(line), bytes(line[: min(KEPT + 1, len(line) - 1)])))
            write_all(file, line)

    def finish(self, bounds: Sequence[str] | None) -> list[Run]:
        """Make each long line a run, which needs `bounds`; close the files."""
        runs = [self._long_run(line, bounds) for line in self.long_lines]
        for file in self._files.values():
            os.close(file)
        self._files.clear()
        return runs

    def _long_run(self, line: LongLine, bounds: Sequence[str]) -> Run:
        part, number = bisect_right(bounds, line.first.decode("latin-1")), len(bounds) + 1
        with self.open(line.turn) as (file, path):
            sizes, rows = ([kind * (each == part) for each in range(number)] for kind in (line.size, 1))
            table = write_table(file, sizes, rows, [[line.size] if row else [] for row in rows])
            return Run(path, line.place, line.size, 1, -1, table, line.size)


def long_line(text: bytes, start: int, end: int, separator: bytes) -> int:
    """The length of the longest line of `text[start:end]`, if one is clearly longer than the rest may be; else 0."""
    step = max(LEAST_LOOK, (end - start) // 16)
    for place in range(start, end, step):
        if text.find(separator, place, place + step) < 0:
            return max(map(len, text[start:end].split(separator)))
    return 0
