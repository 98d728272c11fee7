"""Write all of a document but the cut spans, and say of it what the report needs, in one pass of constant memory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NamedTuple

from gutsort.records import Cut, Writer

BLOCK = 1 << 18
BLANK = bytes(range(0x21))
BOM = b"\xef\xbb\xbf"


class Rewritten(NamedTuple):
    """What was read and kept: bytes and lines of the input, the first and last kept line that is not blank (from 1), both digests."""

    size: int
    lines: int
    first_line: int | None
    last_line: int | None
    sha256_in: str
    sha256_out: str


def rewrite(source: BinaryIO, target: Writer | None, cuts: Sequence[Cut]) -> Rewritten:
    """Copy `source` to `target` (None: nowhere) without the bytes of `cuts`, which are in order and do not overlap.

    Memory: one block. Time: linear.
    """
    whole, kept = hashlib.sha256(), hashlib.sha256()
    size = newlines = 0
    first: int | None = None
    last: tuple[int, bytes] | None = None  # newlines before the last kept piece that is not blank, and its text
    ended = True
    for data, keep in pieces(source, cuts):
        whole.update(data)
        if keep:
            kept.update(data)
            if target is not None:
                target.write(data)
            text = data if size else data.removeprefix(BOM)  # the mark is no text, so a line of nothing else is blank
            if stripped := text.rstrip(BLANK):
                last = newlines, stripped
                first = newlines + 1 + text.count(b"\n", 0, len(text) - len(text.lstrip(BLANK))) if first is None else first
        newlines += data.count(b"\n")
        size, ended = size + len(data), data.endswith(b"\n")
    last_line = None if last is None else last[0] + last[1].count(b"\n") + 1
    return Rewritten(size, newlines + (not ended), first, last_line, whole.hexdigest(), kept.hexdigest())


def pieces(source: BinaryIO, cuts: Sequence[Cut]) -> Iterator[tuple[bytes, bool]]:
    """Yield all bytes of `source` in order, in pieces of up to BLOCK, each with whether it is kept."""
    source.seek(0)
    position = 0
    for cut in cuts:
        yield from _span(source, cut.start - position, True)
        yield from _span(source, cut.end - cut.start, False)
        position = cut.end
    yield from _span(source, None, True)


def _span(source: BinaryIO, length: int | None, keep: bool) -> Iterator[tuple[bytes, bool]]:
    while length is None or length > 0:
        data = source.read(BLOCK if length is None else min(BLOCK, length))
        if not data:
            return
        length = None if length is None else length - len(data)
        yield data, keep
