"""Bounds that cut the key space into partitions, the same for all writers of one folder.

Partition p holds the lines from bound p - 1 up to, not including, bound p. The bounds are quantiles of a sample, so partitions
are even whatever the lines look like, as long as the sample is like the rest; only lines that are equal cannot be parted. The
first writer that needs bounds chooses them, the others find them in the folder.
"""

from __future__ import annotations

import contextlib
import marshal
import os
from collections.abc import Callable, Sequence

from gutsort.formats import SETTINGS_MARK
from gutsort.sort.folder import Folder, naming
from gutsort.sort.memory import LINE_COST, MIB, WIDE_COST

PART_COST = 6 * MIB  # memory for the lines of a partition: they fit the cache, nearly; larger ones cost more a line, smaller ones more calls
FEW_PARTS, MOST_PARTS = 512, 4096  # partitions of an input of unknown size; more than these cost more than they save
LINES_EACH = 8  # sampled lines a partition, at least
KEPT = 256  # bytes of a line that a bound keeps
PLACE = 3  # bytes behind the last TAB of a marked key, at most
NAME = "bounds"

HEAD = SETTINGS_MARK.decode("latin-1")
HEADS = (HEAD, HEAD[:-1] + chr(ord(HEAD[-1]) + 1))  # settings records have a partition of their own


def partition_cost(size: int, rows: int) -> int:
    """Bytes that it takes to sort and pack again lines that take `size` bytes in a file."""
    return 3 * size + rows * (LINE_COST + WIDE_COST)


def count_partitions(total: int | None, share: int, average: float) -> int:
    """How many partitions suit an input of `total` bytes (None: not known) of lines of `average` bytes, sorted in `share` bytes."""
    if total is None:
        return FEW_PARTS
    cost = partition_cost(total, int(total / max(1.0, average)))
    wanted = min(FEW_PARTS, cost // min(PART_COST, max(1, share // 2)))
    return max(1, min(MOST_PARTS, max(wanted, 2 * cost // max(1, share))))


def choose_bounds(sample: Sequence[str], count: int) -> list[str]:
    """About `count` - 1 bounds that part the sample evenly, and those around the settings records, which are all in one partition.

    The places of a marked key (what stands behind its last TAB) are not parted.
    """
    lines = sorted(line for line in sample if not line.startswith(HEAD))
    count = min(count, len(lines) // LINES_EACH)
    chosen = {bound_of(lines[len(lines) * number // count]) for number in range(1, count)}
    return sorted(chosen.union(HEADS) - {""})


def bound_of(line: str) -> str:
    """The bound that a line gives: cut short, and without the place of a marked key."""
    end = line.rfind("\t") + 1
    return line[:end][:KEPT] if end and len(line) - end <= PLACE else line[:KEPT]


def shared_bounds(folder: Folder, make: Callable[[], list[str]]) -> list[str]:
    """The bounds of `folder`: those that are there, else those that `make` chooses, which are then there for all."""
    path = folder.path(NAME)
    with naming(folder.paths[0]):
        if not os.path.exists(path):
            mine = f"{path}-{os.getpid()}"
            with open(mine, "wb") as file:
                marshal.dump(make(), file)
            with contextlib.suppress(FileExistsError):
                os.link(mine, path)  # the first one stands
            os.unlink(mine)
        with open(path, "rb") as file:
            return marshal.load(file)
