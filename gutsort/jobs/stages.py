"""The stages of a distributed run, without an engine: iterators in, iterators out, each for one partition of the work.

extract: documents become pairs (key, count), added up in bounded memory. Copies of a document count once: each task notes the digest of
every document it counts as a pair (LEDGER + digest, place in the walk). All notes meet in partition 0, which tells the driver which
documents were counted in several tasks; those are read again and taken off (`sign=-1`). So what is left is the first of each in the order
of the walk. reduce: the sorted pairs of a partition become a part of the frequent list.
"""

from __future__ import annotations

import functools
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple
from zlib import crc32

from gutsort.count.exact import Support, count_blocks
from gutsort.extract.documents import open_file
from gutsort.extract.units import Settings
from gutsort.formats import SETTINGS_MARK, format_tsv
from gutsort.jobs.extract import read_keys
from gutsort.jobs.seen import digest
from gutsort.records import Document, Skipped

LEDGER = b"\0"  # begins the notes on documents; no marked key does
KEY_COST = 120  # bytes of a key in a Counter beside its text: an object, an entry, a number
AT_ONCE = 4096  # rows counted at once

Item = Document | Skipped
Place = tuple[int, int]  # a file's number in the walk, and of the documents in that file the how-manieth


class Ledger(NamedTuple):
    """What the notes say: the settings record, how many documents count, and where those stand that were counted once too often."""

    record: bytes | None
    documents: int
    again: list[Place]
    copies: int


def portable(item: Item) -> Item:
    """The item with its file named from the root: a task runs in a directory of its own."""
    return item if isinstance(item, Skipped) else item._replace(open=functools.partial(open_file, os.path.abspath(item.path)))


def partition_of(key: bytes, partitions: int) -> int:
    """The partition of a pair: all places of a key in one, settings records and notes in the first. `hash` differs between processes."""
    if key.startswith((LEDGER, SETTINGS_MARK)):
        return 0
    return crc32(key[: key.rfind(b"\t") + 1] or key) % partitions


class _Noting:
    """Whether a document is new to this task; for `read_keys`, in place of jobs.seen.Seen."""

    def __init__(self) -> None:
        self.file = self.text = 0
        self.copies = 0
        self.met: dict[bytes, Place] = {}

    def first(self, lines: Sequence[bytes]) -> bool:
        known, mark = len(self.met), digest(lines)
        self.met.setdefault(mark, (self.file, self.text))
        self.text += 1
        self.copies += len(self.met) == known
        return len(self.met) > known


class _Only:
    """Takes the documents of a file whose numbers are `wanted`, and no others."""

    def __init__(self, wanted: Collection[int]) -> None:
        self.wanted, self.text = wanted, -1

    def first(self, lines: Sequence[bytes]) -> bool:
        self.text += 1
        return self.text in self.wanted


def extracted(items: Iterable[tuple[int, Item]], settings: Settings, memory: int) -> Iterator[tuple[bytes, Any]]:
    """Yield the pairs of one task's documents, and its notes where copies count once. Memory: `memory` bytes, and 8 a document."""
    noting = _Noting() if settings.key == "odds" else None

    def blocks() -> Iterator[list[bytes]]:
        for number, item in items:
            if noting is not None:
                noting.file, noting.text = number, 0
            yield from (keys for keys in read_keys(item, settings, noting) if not isinstance(keys, Skipped))

    yield from combined(blocks(), memory)
    if noting is not None:
        yield from ((LEDGER + mark, place) for mark, place in noting.met.items())
        yield LEDGER, noting.copies


def taken_off(items: Iterable[tuple[Item, Collection[int]]], settings: Settings, memory: int) -> Iterator[tuple[bytes, int]]:
    """Yield the pairs, with counts below zero, of the documents that were counted once too often: the numbers of those in each file."""
    blocks = (keys for item, wanted in items for keys in read_keys(item, settings, _Only(wanted)) if not isinstance(keys, Skipped))
    yield from ((key, -count) for key, count in combined(blocks, memory))


def combined(blocks: Iterable[Sequence[bytes]], memory: int) -> Iterator[tuple[bytes, int]]:
    """Yield (key, count), a key as often as `memory` bytes make necessary: without this, the commonest line is a pair for each document."""
    table: Counter[bytes] = Counter()
    held = 0
    for keys in blocks:
        before = len(table)
        table.update(keys)
        held += (len(table) - before) * (KEY_COST + sum(map(len, keys)) // max(1, len(keys)))
        if held > memory:
            yield from table.items()
            table.clear()
            held = 0
    yield from table.items()


def read_ledger(pairs: Iterable[tuple[bytes, Any]]) -> Ledger:
    """What the sorted pairs of the first partition say. Memory: the places that are returned."""
    record, documents, copies = None, 0, 0
    again: list[Place] = []
    for key, rows in groupby(pairs, itemgetter(0)):
        values = [value for _, value in rows]
        if key == LEDGER:
            copies += sum(values)
        elif key.startswith(LEDGER) and isinstance(values[0], tuple):
            again += sorted(values)[1:]
        elif key.startswith(SETTINGS_MARK):
            record, documents = record or key, documents + sum(values)
    return Ledger(record, documents - len(again), again, copies + len(again))


def counted(pairs: Iterable[tuple[bytes, Any]], support: Support, ledger: Ledger) -> Iterator[bytes]:
    """Yield, as text, the part of the frequent list that the sorted pairs of one partition make."""
    record = None if ledger.record is None else (ledger.record, ledger.documents)
    for keys, counts in count_blocks(_blocks(pairs), support, record):
        yield b"\n".join(format_tsv(counts, keys)) + b"\n"


def _blocks(pairs: Iterable[tuple[bytes, Any]]) -> Iterator[tuple[list[bytes], list[int]]]:
    keys: list[bytes] = []
    counts: list[int] = []
    for key, rows in groupby(pairs, itemgetter(0)):
        values = [value for _, value in rows if not isinstance(value, tuple)]
        if key == LEDGER or not (total := sum(values)):
            continue
        keys.append(key)
        counts.append(total)
        if len(keys) == AT_ONCE:
            yield keys, counts
            keys, counts = [], []
    yield keys, counts
