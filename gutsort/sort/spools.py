"""What workers hand over in files, and work that is shared out in order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from gutsort.sort.memory import KIB
from gutsort.sort.workers import Crew

COPY = 256 * KIB


class Spool:
    """What a worker made of a region, in a file of the private folder; `remove()` it once it is passed on."""

    def __init__(self, path: str) -> None:
        self.path = path

    def copy_to(self, file: BinaryIO) -> None:
        """Write the content to `file` and remove the spool."""
        with open(self.path, "rb", 0) as spool:
            while data := spool.read(COPY):
                file.write(data)
        self.remove()

    def texts(self) -> Iterator[bytes]:
        """Yield the content, in pieces that need not end with a line, and remove the spool."""
        with open(self.path, "rb", 0) as spool:
            while data := spool.read(COPY):
                yield data
        self.remove()

    def remove(self) -> None:
        """Remove the file."""
        os.unlink(self.path)


def read_back(items: Iterable[bytes | Spool], separator: bytes = b"\n") -> Iterator[bytes]:
    """Yield what `sort_source` and `merge_runs` yield as texts of whole lines."""
    for item in items:
        if isinstance(item, bytes):
            yield item
            continue
        begun = b""
        for data in item.texts():
            end = data.rfind(separator) + 1
            if end:
                yield begun + data[:end]
                begun = data[end:]
            else:
                begun += data


def in_turn(count: int, parallel: int, work: Callable[[int], None], ahead: int) -> Iterator[int]:
    """Have workers do `work(0)` to `work(count - 1)`; yield each number in order when it is done, workers at most `ahead` before
    the reader."""
    todo, done = os.pipe(), os.pipe()

    def serve() -> None:
        os.close(todo[1])
        while number := os.read(todo[0], 4):
            work(int.from_bytes(number, "little"))
            os.write(done[1], number)

    with Crew() as crew:
        try:
            for _ in range(min(parallel, count)):
                crew.start(serve)
            os.close(done[1])
            os.close(todo[0])
            yield from _in_order(count, todo[1], done[0], ahead + parallel, crew)
            os.close(todo[1])
            todo = (-1, -1)
            for _ in crew.results():
                pass
        finally:
            for end in (todo[1], done[0]):
                if end >= 0:
                    os.close(end)


def _in_order(count: int, todo: int, done: int, ahead: int, crew: Crew) -> Iterator[int]:
    finished: set[int] = set()
    given = 0
    for number in range(count):
        while given < min(count, number + ahead):
            os.write(todo, given.to_bytes(4, "little"))
            given += 1
        while number not in finished:
            if not crew.wait_for(done):
                next(crew.results())  # a worker has ended early: this says why
            finished.add(int.from_bytes(os.read(done, 4), "little"))
        finished.discard(number)
        yield number
