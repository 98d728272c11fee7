"""The file format of runs: sorted text, the counts of its lines if they have any, and a table of where each partition begins."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, islice
from typing import NamedTuple

from gutsort.sort.merge import Block, packed_blocks

IOV_MAX = 512  # byte strings written with one call


class Run(NamedTuple):
    """A run in a file: bytes `start` to `start + size` of `path` are its `rows` lines.

    `counts` is where the array of counts stands, -1 where each line counts once; `table` where the table of its partitions stands, -1
    where it has none and is sorted as a whole; `longest` is a bound of its longest line when lines are long, else 0.
    """

    path: str
    start: int
    size: int
    rows: int
    counts: int
    table: int
    longest: int


def write_merged(file: int, path: str, blocks: Iterable[Block], separator: bytes, longest: int) -> Run:
    """Append one run without partitions to `file`, open under `path`: the lines of `blocks`, then their counts if they have any.

    Either all blocks have counts, and their lines are distinct, or none has.
    """
    start, rows, all_counts = os.lseek(file, 0, os.SEEK_END), 0, array("Q")
    for lines, counts in blocks:
        rows += len(lines)
        all_counts.extend(counts or ())
        for text in packed_blocks([(lines, None)], separator):
            write_all(file, text)
    end = os.lseek(file, 0, os.SEEK_END)
    write_all(file, all_counts.tobytes())
    return Run(path, start, end - start, rows, end if all_counts else -1, -1, longest)


def write_table(file: int, sizes: Iterable[int], rows: Iterable[int], slices: Sequence[Sequence[int]]) -> int:
    """Append the table of a run: where each partition begins and ends, in bytes, in rows and in slices, and each slice's bytes.

    Returns where it stands. Numbers have eight bytes.
    """
    place = os.lseek(file, 0, os.SEEK_END)
    for numbers in (sizes, rows, map(len, slices)):
        write_all(file, array("Q", accumulate(numbers, initial=0)).tobytes())
    write_all(file, array("Q", chain.from_iterable(slices)).tobytes())
    return place


def write_pieces(file: int, pieces: Iterable[bytes]) -> None:
    """Write byte strings one after the other, many at once."""
    pieces = iter(pieces)
    while batch := list(islice(pieces, IOV_MAX)):
        done, size = os.writev(file, batch), sum(map(len, batch))
        if done < size:  # a full disk, a signal, or more than the system takes at once
            write_all(file, memoryview(b"".join(batch))[done:])


def write_all(file: int, data: bytes | memoryview) -> None:
    """Write all of `data`, however much the system takes at once."""
    done = os.write(file, data) if data else 0
    while done < len(data):
        done += os.write(file, memoryview(data)[done:])
