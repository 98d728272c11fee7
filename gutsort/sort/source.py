"""One stream of lines from many files and pipes, read by one process or by several that take turns.

The reader that holds the turn takes the next megabyte and passes on, through a small file, where it stopped and the bytes of
the line it had to leave unfinished. So a pipe, which has neither size nor places, keeps all workers busy, and no line passes
through the parent. Turns are a byte in a pipe.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import select
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NamedTuple

from gutsort.errors import BudgetError, ReadError
from gutsort.formats import escape_name
from gutsort.sort.folder import Folder, naming
from gutsort.sort.memory import MIB
from gutsort.sort.runfile import write_all

TAKEN, NONE = -1, -2  # in the place of an input's number: the file of texts to be read again; no input
TAKE = MIB  # bytes taken at a turn: long enough that turns cost nothing, short enough that nobody waits for one


class Input(NamedTuple):
    """Something to read: the path of a regular file, or an open file."""

    path: bytes | None
    file: BinaryIO | None = None


def descriptor(file: BinaryIO) -> int | None:
    """The descriptor of a file, None for one that exists in memory only."""
    try:
        return file.fileno()
    except (AttributeError, OSError):
        return None


class Source:
    """The lines of `inputs`, in texts of about `take` bytes of whole lines; the separator a file lacks at its end is supplied.

    `longest` bounds a line, in bytes. Memory: one text, or the longest line.
    """

    def __init__(self, inputs: Sequence[Input], *, separator: bytes = b"\n", take: int = TAKE, longest: int | None = None) -> None:
        self._inputs, self._separator, self.take, self._longest = inputs, separator, take, longest
        self._state: tuple[int, int, bytes] = (0, 0, b"")  # the input read, the place in it, the bytes of a line begun
        self._taken, self._ahead = Input(None), self._state
        self._open: tuple[int, int] = (NONE, -1)  # the input that is open here, and its descriptor
        self._turns: tuple[int, int] | None = None
        self._alive = self._shared = -1
        self._has_turn = False

    @property
    def shareable(self) -> bool:
        """Whether several processes can read it: whether all of its files have a descriptor."""
        return all(item.path is not None or descriptor(item.file) is not None for item in self._inputs)

    def size(self) -> int | None:
        """Bytes of all inputs; None where one is not a regular file."""
        if any(item.path is None for item in self._inputs):
            return None
        return sum(self.sizes())

    def sizes(self) -> list[int]:
        """Bytes of each input; all are regular files."""
        return [self._size_of(number) for number in range(len(self._inputs))]

    def read_at(self, number: int, place: int, size: int) -> bytes:
        """At most `size` bytes at a place of an input that is a regular file."""
        return self._read(number, place, size)

    def sample(self, count: int, size: int) -> list[bytes]:
        """Lines from about `count` places spread evenly over the inputs, all regular files: a text of at most `size` bytes each."""
        step = max(1, (self.size() or 0) // count)
        texts, begun = [], 0  # begun: where the next place to look at lies in the next input
        for number in range(len(self._inputs)):
            length = self._size_of(number)
            for place in range(begun, length, step):
                text = self._read(number, place, size)
                start = text.find(self._separator) + 1 if place else 0
                texts.append(text[start : text.rfind(self._separator)] if text.count(self._separator, start) else b"")
            begun = (begun - length) % step if begun < length else begun - length
        return list(filter(None, texts))

    def _size_of(self, number: int) -> int:
        try:
            return os.stat(self._inputs[number].path).st_size
        except OSError as error:
            raise ReadError(f"{escape_name(self._inputs[number].path)}: {error.strerror}") from None

    def share(self, folder: Folder, alive: int, taken: Sequence[bytes] = ()) -> None:
        """Make the stream one that workers forked from here on take turns at; they end when `alive` closes.

        `taken` are texts that were taken already and are to be read again, before the rest.
        """
        self._turns, self._alive = os.pipe(), alive
        os.set_blocking(self._turns[0], False)
        if taken:
            path = folder.path("taken")
            with naming(folder.paths[0]), open(path, "xb", 0) as file:
                for text in taken:
                    write_all(file.fileno(), text)
            self._taken, self._ahead, self._state = Input(os.fsencode(path)), self._state, (TAKEN, 0, b"")
        with naming(folder.paths[0]):
            self._shared = os.open(folder.path("turn"), os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        self._save()
        os.write(self._turns[1], b".")

    def close(self) -> None:
        """Close what was opened here."""
        for file in (self._open[1], self._shared, *(self._turns or ())):
            if file >= 0:
                os.close(file)
        self._open, self._shared, self._turns = (NONE, -1), -1, None

    def texts(self) -> Iterator[bytes]:
        """Yield texts until the stream ends."""
        while True:
            text = self.next_text()
            if not text:
                return
            yield text
            del text  # before the next is read

    def next_text(self) -> bytes:
        """The next text, empty at the end of the stream."""
        if self._turns is None:
            return self._take()
        self._pass_turn()
        self._wait_for_turn()
        self._state = marshal.loads(os.pread(self._shared, os.fstat(self._shared).st_size, 0))
        text = self._take()
        self._save()
        self._has_turn = True
        if len(text) <= 2 * self.take:  # else only when this line has been dealt with: two that long do not fit
            self._pass_turn()
        return text

    def _pass_turn(self) -> None:
        if self._has_turn:
            self._has_turn = False
            os.write(self._turns[1], b".")

    def _wait_for_turn(self) -> None:
        waiting = select.poll()
        waiting.register(self._turns[0], select.POLLIN)
        waiting.register(self._alive, select.POLLIN)
        while True:
            ready = {fd for fd, _ in waiting.poll()}
            if self._alive in ready:
                raise BrokenPipeError
            with contextlib.suppress(BlockingIOError):
                os.read(self._turns[0], 1)
                return

    def _save(self) -> None:
        state = marshal.dumps(self._state)
        os.pwrite(self._shared, state, 0)
        os.ftruncate(self._shared, len(state))

    def _take(self) -> bytes:
        """Read until there are `take` bytes and the end of a line."""
        number, place, begun = self._state
        parts, size, whole = [begun], len(begun), False
        while number < len(self._inputs) and not (whole and size >= self.take):
            data = self._read(number, place, max(self.take - size, self.take // 16 + 1))
            if not data and number == TAKEN:  # whole lines, so nothing is begun
                number, place, data = self._ahead
            elif not data:
                if not self._ends_line(parts):
                    data, whole = self._separator, True
                number, place = number + 1, 0
            else:
                whole = whole or self._separator in data
                place += len(data)
            parts.append(data)
            size += len(data)
            if not whole and self._longest and size > self._longest:
                raise BudgetError(f"line longer than the limit of {self._longest} bytes: it must fit twice into -S")
        text, begun = self._split(parts)
        self._state = (number, place, begun)
        return text

    def _ends_line(self, parts: list[bytes]) -> bool:
        last = next((part for part in reversed(parts) if part), self._separator)
        return last.endswith(self._separator)

    def _split(self, parts: list[bytes]) -> tuple[bytes, bytes]:
        """The whole lines, and the line begun behind them, which the last parts hold."""
        behind: list[bytes] = []
        while parts:
            last = parts.pop()
            end = last.rfind(self._separator) + 1
            if end:
                behind.append(last[end:])
                parts.append(last[:end])
                break
            behind.append(last)
        return b"".join(parts), b"".join(reversed(behind))

    def _read(self, number: int, place: int, size: int) -> bytes:
        path, file = self._taken if number == TAKEN else self._inputs[number]
        try:
            if path is None:
                handle = descriptor(file)
                return file.read(size) if handle is None else os.read(handle, size)
            if self._open[0] != number:
                if self._open[1] >= 0:
                    os.close(self._open[1])
                self._open = (NONE, -1)
                self._open = (number, os.open(path, os.O_RDONLY | os.O_CLOEXEC))
            return os.pread(self._open[1], size, place)
        except OSError as error:
            name = escape_name(path) if path is not None else "standard input"
            raise ReadError(f"{name}: {error.strerror}") from None
