"""A document without some of its bytes, seen as a file: what a rule has to look at that has cut inside and is applied again."""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import BinaryIO

from gutsort.records import Cut


class Spliced(io.RawIOBase):
    """What is left of `file` without `cuts`, which are in order, not empty, and do not overlap. Memory: the cuts."""

    def __init__(self, file: BinaryIO, cuts: Sequence[Cut]) -> None:
        self._file = file
        self._starts = [0, *(cut.end for cut in cuts)]  # of the pieces that are left, in the file
        ends = [*(cut.start for cut in cuts), file.seek(0, io.SEEK_END)]
        self._places = list(accumulate((end - start for start, end in zip(self._starts, ends, strict=True)), initial=0))  # of the pieces, here
        self._position = 0

    def seekable(self) -> bool:
        """It is."""
        return True

    def readable(self) -> bool:
        """It is."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Move to a place in what is left."""
        self._position = offset + (0, self._position, self._places[-1])[whence]
        return self._position

    def readinto(self, buffer, /) -> int:
        """Fill `buffer` as far as there is something left."""
        view, done = memoryview(buffer), 0
        while done < len(view) and self._position < self._places[-1]:
            piece = bisect_right(self._places, self._position) - 1
            size = min(len(view) - done, self._places[piece + 1] - self._position)
            self._file.seek(self._starts[piece] + self._position - self._places[piece])
            data = self._file.read(size)
            if not data:
                break
            view[done : done + len(data)] = data
            done += len(data)
            self._position += len(data)
        return done

    def origin(self, cut: Cut) -> Cut:
        """A cut of what is left as a cut of the file, from the first byte that goes to the last."""
        return cut._replace(start=self._origin(cut.start), end=self._origin(cut.end - 1) + 1)

    def _origin(self, place: int) -> int:
        piece = bisect_right(self._places, place) - 1
        return self._starts[piece] + place - self._places[piece]


def joined(cuts: Sequence[Cut]) -> list[Cut]:
    """Cuts in order, those that meet or overlap made one, with the reasons of all.

    >>> joined([Cut(4, 9, "interior: b"), Cut(0, 4, "head: a")])
    [Cut(start=0, end=9, reason='head: a; b')]
    """
    found: list[Cut] = []
    for cut in sorted(cuts):
        if found and cut.start <= found[-1].end:
            last = found[-1]
            found[-1] = Cut(last.start, max(last.end, cut.end), f"{last.reason}; {cut.reason.partition(': ')[2]}")
        else:
            found.append(cut)
    return found
