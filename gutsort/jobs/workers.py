"""Documents shared out to forked workers, and what they make of them taken back in order.

The parent alone walks: a tree that changes meanwhile is then seen once. Batches are small, and a worker is given a second one only, so
that what waits for it always fits a pipe: neither side can wait for the other to read. Results come back in the order of the items,
whatever the number of workers, which is what makes outputs the same for any number.
"""

from __future__ import annotations

import os
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import cycle, islice
from typing import Any, BinaryIO

from gutsort.sort.workers import Crew

BATCH_ITEMS = 16
BATCH_BYTES = 16 << 10  # two batches have to fit a pipe, which holds 64 KiB
WAITING = 2  # batches a worker has at most
END = bytes(8)

Work = Callable[[Any], Iterable[Any]]
Finish = Callable[[], Any]
Make = Callable[[int], tuple[Work, Finish]]


def map_in_order(make: Make, items: Iterable[Any], processes: int, ends: list[Any]) -> Iterator[Any]:
    """Yield what `work(item)` yields, for each of `items` in their order; when all are done, put each worker's `finish()` into `ends`.

    `make(number)` is called in each worker and gives its `work` and `finish`. Items and results are picklable, the ends are of types that
    marshal knows. An item may have any number of results: a worker holds BATCH_ITEMS of them, and then waits to be read from. With
    one process nothing is forked. Raises the first error of a worker.
    """
    if processes == 1:
        work, finish = make(0)
        for item in items:
            yield from work(item)
        ends.append(finish())
        return
    with Crew() as crew:
        channels: list[tuple[BinaryIO, BinaryIO]] = []
        try:
            for number in range(processes):
                channels.append(_start(crew, make, number, channels))
            yield from _dispatch(channels, items, crew)
            for inbox, _ in channels:
                inbox.close()
            ends += crew.results()
        finally:
            for channel in channels:
                for file in channel:
                    file.close()


def one_each(function: Callable[[Any], Any]) -> Make:
    """What `map_in_order` calls in each worker, where every item has the one result `function(item)`."""
    return lambda number: (lambda item: (function(item),), int)


def _dispatch(channels: list[tuple[BinaryIO, BinaryIO]], items: Iterable[Any], crew: Crew) -> Iterator[Any]:
    turn, waiting = cycle(channels), deque()
    for batch in _batches(items):
        if len(waiting) == WAITING * len(channels):
            yield from _receive(waiting.popleft(), crew)
        inbox, outbox = next(turn)
        try:
            inbox.write(batch)
        except BrokenPipeError:
            _raise_error(crew)
        waiting.append(outbox)
    while waiting:
        yield from _receive(waiting.popleft(), crew)


def _batches(items: Iterable[Any]) -> Iterator[bytes]:
    """Frames of pickled items: a length of 8 bytes, then a list of pickled items."""
    batch: list[bytes] = []
    size = 0
    for item in items:
        data = pickle.dumps(item, -1)
        if batch and (len(batch) == BATCH_ITEMS or size + len(data) > BATCH_BYTES):
            yield _frame(batch)
            batch, size = [], 0
        batch.append(data)
        size += len(data)
    if batch:
        yield _frame(batch)


def _frame(value: Any) -> bytes:
    data = pickle.dumps(value, -1)
    return len(data).to_bytes(8, "big") + data


def _receive(outbox: BinaryIO, crew: Crew) -> Iterator[Any]:
    """The results of one batch, which an empty frame ends."""
    while head := outbox.read(8):
        if head == END:
            return
        yield from pickle.loads(outbox.read(int.from_bytes(head, "big")))
    _raise_error(crew)


def _write(file: BinaryIO, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _raise_error(crew: Crew) -> None:
    """A worker has gone before its work was done: its result says why."""
    for _ in crew.results():
        pass
    raise RuntimeError("a worker ended early")


def _start(crew: Crew, make: Make, number: int, others: list[tuple[BinaryIO, BinaryIO]]) -> tuple[BinaryIO, BinaryIO]:
    """Fork one worker; return the files that lead to it and from it. It lets go of those of `others`, for they close with the parent."""
    inbox_read, inbox_write = os.pipe()
    outbox_read, outbox_write = os.pipe()

    def serve() -> Any:
        os.close(inbox_write)
        os.close(outbox_read)
        for file in (file for channel in others for file in channel):
            file.close()
        work, finish = make(number)
        with open(inbox_read, "rb") as inbox, open(outbox_write, "wb", buffering=0) as outbox:
            while head := inbox.read(8):
                batch = pickle.loads(inbox.read(int.from_bytes(head, "big")))
                results = (result for item in batch for result in work(pickle.loads(item)))
                while some := list(islice(results, BATCH_ITEMS)):
                    _write(outbox, _frame(some))
                _write(outbox, END)
        return finish()

    crew.start(serve)
    os.close(inbox_read)
    os.close(outbox_write)
    return open(inbox_write, "wb", buffering=0), open(outbox_read, "rb")
