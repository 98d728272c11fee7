"""Head and tail windows: the ends of a document, read without reading what lies between.

Windows are a function of the bytes from `start` to `end` alone, whatever file they stand in, so a document that was
cut and read again shows the same windows as the rest of the uncut one.
"""

from __future__ import annotations

from typing import BinaryIO

from gutsort.records import Window

HEAD_LINES = 500  # the preambles of all Gutenberg styles fit: the longest seen is 322 lines
TAIL_LINES = 600  # the longest epilogue seen (the licence of 2003 and later, with its credits) is 392 lines
MIDDLE_LINES = 500
WINDOW_BYTES = 64 << 10  # bounds what one document costs, whatever its lines are
BOM = b"\xef\xbb\xbf"


def extent(file: BinaryIO) -> tuple[int, int]:
    """First and last byte of a document's text: its size, and past a byte order mark at its start."""
    end = file.seek(0, 2)
    file.seek(0)
    return len(BOM) if file.read(len(BOM)) == BOM else 0, end


def head_window(file: BinaryIO, start: int, end: int, lines: int) -> Window:
    """The first `lines` lines of the bytes from `start` to `end`, as many of them as are whole within WINDOW_BYTES."""
    data = read_span(file, start, min(end, start + WINDOW_BYTES))
    whole = start + len(data) == end
    parts = data.split(b"\n", lines)
    if len(parts) > lines or not whole:
        data = data[: len(data) - len(parts[-1])]
    return Window(start, data, start + len(data) < end)


def tail_window(file: BinaryIO, start: int, end: int, lines: int) -> Window:
    """The last `lines` lines of the bytes from `start` to `end`, as many of them as are whole within WINDOW_BYTES."""
    whole = end - start <= WINDOW_BYTES
    begin = start if whole else end - WINDOW_BYTES - 1  # the byte before the window tells whether its first line is whole
    data = read_span(file, begin, end)
    if not whole:
        first = data.find(b"\n") + 1
        begin, data = (begin + first, data[first:]) if first else (end, b"")
    parts = data.removesuffix(b"\n").rsplit(b"\n", lines)
    if len(parts) > lines:
        begin, data = begin + len(parts[0]) + 1, data[len(parts[0]) + 1 :]
    return Window(begin, data, begin > start)


def middle_window(file: BinaryIO, head: Window, tail: Window, end: int, lines: int = MIDDLE_LINES) -> Window:
    """Up to `lines` lines from the first line start after the middle byte of a text that ends at `end`, between its two other windows."""
    first, last = head.start + len(head.data), tail.start
    middle = (head.start + end) // 2
    if middle > first:
        found = read_span(file, middle, min(last, middle + WINDOW_BYTES)).find(b"\n") + 1
        first = middle + found if found else last
    return head_window(file, first, last, lines) if first < last else Window(last, b"", False)


def read_span(file: BinaryIO, start: int, end: int) -> bytes:
    """The bytes from `start` to `end`, fewer only where the file has become shorter."""
    file.seek(start)
    data = file.read(max(0, end - start))
    while len(data) < end - start and (more := file.read(end - start - len(data))):
        data += more  # an unbuffered read may return less than it was asked for
    return data
