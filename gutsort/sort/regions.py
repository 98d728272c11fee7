"""Cut the key space of sorted runs into regions that can be merged apart from each other, and so by several processes.

The bounds are quantiles of the runs' own indexes, so the regions are even whatever the lines look like; only lines that are
equal cannot be parted. A region knows where its lines begin and end in every run, and so where they belong in the output.
"""

from __future__ import annotations

import marshal
import os
from bisect import bisect_left
from collections.abc import Sequence

from gutsort.sort.merge import Slice
from gutsort.sort.runs import Run

SAMPLE = 4096  # entries of the indexes, all runs together, that the bounds are chosen from

Index = list[tuple[int, int, bytes]]


def cut_regions(runs: Sequence[Run], count: int, *, separator: bytes = b"\n", grouped: bool = False) -> list[list[Slice]]:
    """About `count` regions, in order, of about the same size; each a list of slices of the runs, empty ones left out.

    `grouped` keeps lines that are the same up to their last TAB in one region. Memory: one run's index. Time: runs x regions searches.
    """
    bounds = _bounds(runs, count, grouped)
    regions: list[list[Slice]] = [[] for _ in range(len(bounds) + 1)]
    for run in runs:
        places = [(0, 0), *find_places(run, bounds, separator), (run.size, run.rows)]
        for region, (start, row), (end, _) in zip(regions, places, places[1:], strict=False):
            if start < end:
                region.append(Slice(run, run.start + start, run.start + end, row))
    return [region for region in regions if region]


def read_index(run: Run) -> Index:
    """The index of a run: (byte, row, first bytes of the line) in order."""
    with open(run.path, "rb", 0) as file:
        return marshal.loads(os.pread(file.fileno(), run.index_size, run.index))


def _bounds(runs: Sequence[Run], count: int, grouped: bool) -> list[bytes]:
    step = sum(run.rows for run in runs) // (1024 * SAMPLE) + 1
    sample: list[bytes] = []
    for run in runs:
        sample += [line for _, _, line in read_index(run)[::step]]
    sample.sort()
    chosen = [sample[len(sample) * i // count] for i in range(1, count)] if sample else []
    if grouped:
        chosen = [line[: line.rfind(b"\t") + 1] or line for line in chosen]
    return sorted(set(chosen) - {b""})


def find_places(run: Run, bounds: Sequence[bytes], separator: bytes) -> list[tuple[int, int]]:
    """For each of the sorted bounds the (byte, row) of the first line of the run that is not less."""
    index = read_index(run)
    keys = [line for _, _, line in index]
    found = []
    with open(run.path, "rb", 0) as file:
        for bound in bounds:
            entry = bisect_left(keys, bound)
            while True:  # the index cuts lines short: the line itself may be greater than the bound
                start, row, _ = index[entry - 1] if entry else (0, 0, b"")
                end = index[entry][0] if entry < len(index) else run.size
                data = os.pread(file.fileno(), end - start, run.start + start)
                place = place_in(data, bound, separator)
                if place or entry <= 1:
                    break
                entry -= 1
            found.append((start + place, row + data.count(separator, 0, place)))
    return found


def place_in(text: bytes, bound: bytes, separator: bytes) -> int:
    """Where in a text of sorted whole lines the first line that is not less than `bound` starts, or its length.

    >>> place_in(b"a\\nb\\nc\\n", b"b", b"\\n")
    2
    """
    low, high = 0, len(text)
    while low < high:  # lines that start before `low` are less, those from `high` on are not
        middle = (low + high) // 2
        start = text.rfind(separator, low, middle) + 1 or low
        end = text.index(separator, max(start, middle))
        if text[start:end] < bound:
            low = end + 1
        else:
            high = start
    return low
