r"""Count a sorted stream of lines exactly, in constant memory.

What K is, and which rows are kept, is the `Support`: on a plain stream every line that occurs K times; on a stream with a settings
record (see formats) all places of a key whose head (`^`) or tail (`$`) count reaches K, so that the middle count (`=`) stays.

Lines are `str` or `bytes`, all of one kind; blocks may be cut anywhere, also between equal lines.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, compress, islice
from operator import eq, le, ne, sub
from typing import NamedTuple

from gutsort.count.frequent import DEFAULT_SUPPORT, default_support
from gutsort.errors import FormatError, OrderError
from gutsort.formats import SETTINGS_MARK

Block = tuple[list, "list[int] | None"]
Counts = tuple[list, list[int]]

SMALL_SUPPORT = 4  # below it the ends of all stretches are found, above it the few long stretches; the border is a guess, not measured


class Support(NamedTuple):
    """How often a line must occur: `count` times, or in `percent` of the documents; the default where both are None."""

    count: int | None = None
    percent: float | None = None

    def text(self) -> str | None:
        """As -k says it; None for the default."""
        return f"{self.percent:g}%" if self.percent is not None else self.count and str(self.count)

    def resolve(self, documents: int | None, settings: bytes = b"") -> int:
        """K on a stream of so many documents with this settings record, None for a plain one. Raises FormatError where a share has no whole."""
        if self.count is not None:
            return self.count
        if documents is None:
            if self.percent is not None:
                raise FormatError("a share of the documents needs a settings record, and the input has none")
            return DEFAULT_SUPPORT
        if self.percent is not None:
            return max(1, -int(-documents * self.percent // 100))
        return default_support(documents, settings)


def count_blocks(blocks: Iterable[Block], support: Support, record: tuple[bytes, int] | None = None) -> Iterator[Counts]:
    """Yield in order, in lists, the lines to keep and their counts.

    `blocks` are sorted lines, each with a list of how often each line counts, or None; `record` is the settings record and its count where
    the blocks are a part of the stream and may not hold it. Memory: one block. Time: linear.

    >>> list(count_blocks([(["a", "b"], None), (["b", "c"], None)], Support(2)))
    [(['b'], [2])]
    """
    settings, blocks = _split_settings(iter(blocks))
    if settings:
        yield list(settings), list(settings.values())
        record = record or (_as_bytes(next(iter(settings))), sum(settings.values()))
    if record is None:
        yield from _count_plain(blocks, support.resolve(None))
    else:
        yield from _count_marked(blocks, support.resolve(record[1], record[0]))


def kept_rows(keys: list, counts: list[int], support: Support) -> Iterator[Counts]:
    """The rows of a merged frequent list that `support` keeps."""
    return count_blocks([(keys, counts)], support)


def in_order(blocks: Iterable[list], name: str, last: list | None = None) -> Iterator[Block]:
    """Yield lists of lines as blocks. Raises OrderError, with `name` and the line's number, at the first line that is less than
    the one before it.

    `last` holds the line before the first block, if there is one.
    """
    last = last or []
    seen = 0
    for lines in blocks:
        joined = last + lines
        ordered = sorted(joined)  # of sorted lines: one comparison a line, faster than a map over pairs
        if ordered != joined:
            place = next(compress(range(1, len(joined)), map(False.__eq__, map(le, joined, islice(joined, 1, None)))))
            raise OrderError(f"{name}:{seen + place + 1 - len(last)}: not in order: sort the input with extsort or LC_ALL=C sort")
        yield lines, None
        seen += len(lines)
        last = lines[-1:]


def _split_settings(blocks: Iterator[Block]) -> tuple[Counter, Iterator[Block]]:
    """The settings records at the start of the stream with their counts, and the blocks of the rest."""
    found: Counter = Counter()
    for lines, counts in blocks:
        if not lines:
            continue
        mark = _like(SETTINGS_MARK, lines[0])
        end = bisect_left(lines, mark[:-1] + _like(b"!", lines[0]))
        start = bisect_left(lines, mark, 0, end)
        if start or start == end:
            return found, chain([(lines, counts)], blocks)
        _add(found, lines, counts, 0, end)
        if end < len(lines):
            return found, chain([(lines[end:], counts and counts[end:])], blocks)
    return found, iter(())


def _count_plain(blocks: Iterable[Block], support: int) -> Iterator[Counts]:
    key, total = None, 0
    for lines, counts in blocks:
        if not lines:
            continue
        start = 0 if key is None else bisect_right(lines, key)
        total += _total(counts, 0, start)
        if start == len(lines):
            continue
        if key is not None and total >= support:
            yield [key], [total]
        key = lines[-1]
        end = bisect_left(lines, key, start)
        total = _total(counts, end, len(lines))
        keys, numbers = frequent_rows(lines[start:end], counts and counts[start:end], support)
        if keys:
            yield keys, numbers
    if key is not None and total >= support:
        yield [key], [total]


def _count_marked(blocks: Iterable[Block], support: int) -> Iterator[Counts]:
    group, table = None, Counter()  # the key that the last block ended with, up to its TAB, and its rows so far
    for lines, counts in blocks:
        if not lines:
            continue
        start = 0 if group is None else bisect_left(lines, _after(group))
        _add(table, lines, counts, 0, start)
        if start == len(lines):
            continue
        if table:
            yield from _kept(table, support)
        group, table = _group(lines[-1]), Counter()
        end = bisect_left(lines, group, start)
        _add(table, lines, counts, end, len(lines))
        yield from _kept_groups(lines[start:end], counts and counts[start:end], support)
    if table:
        yield from _kept(table, support)


def _kept_groups(lines: list, counts: list[int] | None, support: int) -> Iterator[Counts]:
    """The rows of all keys that are kept, of whole groups."""
    keys: list = []
    numbers: list[int] = []
    for group in dict.fromkeys(map(_group, filter(_decides, frequent_rows(lines, counts, support)[0]))):
        start = bisect_left(lines, group)
        table: Counter = Counter()
        _add(table, lines, counts, start, bisect_left(lines, _after(group), start))
        keys += table
        numbers += table.values()
    if keys:
        yield keys, numbers


def _kept(table: Counter, support: int) -> Iterator[Counts]:
    if any(number >= support and _decides(row) for row, number in table.items()):
        yield list(table), list(table.values())


def frequent_rows(lines: list, counts: list[int] | None, support: int) -> Counts:
    """The lines of a sorted list that occur `support` times, each once, and their counts.

    >>> frequent_rows(["a", "b", "b"], None, 2)
    (['b'], [2])
    """
    if counts is not None:
        wanted = list(map(support.__le__, counts))
        return list(compress(lines, wanted)), list(compress(counts, wanted))
    if support < SMALL_SUPPORT:
        starts = [0, *compress(range(1, len(lines)), map(ne, lines, islice(lines, 1, None))), len(lines)] if lines else [0]
        numbers = list(map(sub, starts[1:], starts))
        wanted = list(map(support.__le__, numbers))
        return list(map(lines.__getitem__, compress(starts, wanted))), list(compress(numbers, wanted))
    # A stretch of K equal lines covers two neighbours among the lines that stand K // 2 apart.
    few = lines[:: support // 2]
    keys, numbers = [], []
    for key in dict.fromkeys(compress(few, map(eq, few, islice(few, 1, None)))):
        start = bisect_left(lines, key)
        number = bisect_right(lines, key, start) - start
        if number >= support:
            keys.append(key)
            numbers.append(number)
    return keys, numbers


def _total(counts: list[int] | None, start: int, end: int) -> int:
    return end - start if counts is None else sum(counts[start:end])


def _add(table: Counter, lines: list, counts: list[int] | None, start: int, end: int) -> None:
    if start == end:
        return
    if counts is None:
        table.update(lines[start:end])
    else:
        for line, number in zip(lines[start:end], counts[start:end], strict=True):
            table[line] += number


def _like(data: bytes, line: str | bytes) -> str | bytes:
    return data if isinstance(line, bytes) else data.decode("latin-1")


def _as_bytes(line: str | bytes) -> bytes:
    return line if isinstance(line, bytes) else line.encode("latin-1")


def _group(row: str | bytes) -> str | bytes:
    """The key of a marked row up to its last TAB, or the row where it has none."""
    return row[: row.rfind(_like(b"\t", row)) + 1] or row


def _after(group: str | bytes) -> str | bytes:
    """The least line that is greater than all rows of a group."""
    tab, line_feed, zero = (_like(mark, group) for mark in (b"\t", b"\n", b"\0"))
    return group[:-1] + line_feed if group.endswith(tab) else group + zero


def _decides(row: str | bytes) -> bool:
    """Whether a row's own count may keep its key: head, tail, and lines without a place."""
    return row[-2:] != _like(b"\t=", row)
