"""Count a stream in any order by any of the structures: what `approxfreq` and `clean --counter` call.

All structures have one signature: `add_many(lines)`, `frequent(support)` -> keys and counts in byte order, `counter[line]` the count
that the list would give it, `bounds(line)` the interval in which it certainly is, `missed` (lines that occur more often are surely
held) and `memory()`. To add one, write such a class and a line of `new_counter`.

On a stream of marked keys the settings records are counted exactly, and the list has all places of a key whose head or tail count
reaches the support, as `exact` has it; the counts of places that are not held are the structure's own estimates. The odds rule
weighs small counts in the background, which majority, spacesaving and sample forget first: there they want room for most lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, filterfalse, islice
from typing import Any, NamedTuple, Protocol

from gutsort.count.checksum import ChecksumCounter
from gutsort.count.exact import Counts, Support
from gutsort.count.frequent import DEFAULT_SUPPORT, default_support
from gutsort.count.hashed import HashedCounter
from gutsort.count.majority import MajorityCounter
from gutsort.count.sample import SampleCounter
from gutsort.count.spacesaving import SpaceSavingCounter
from gutsort.count.table import TableCounter
from gutsort.errors import UsageError
from gutsort.formats import SETTINGS_MARK

METHODS = ("exact", "checksum", "hashed", "majority", "spacesaving", "sample")
UNBOUNDED = ("exact", "checksum")  # their memory grows with the number of distinct lines
ANNOUNCED = ("checksum", "hashed")  # they hold a line when its count comes to the support, which they must know before
PAPER_MAJORITY_SUPPORT = 6  # Kaser & Lemire 2007: what is left above 5
PLACES = (b"$", b"=", b"^")  # of marked keys, in byte order


class LineCounter(Protocol):
    """What all structures have in common."""

    missed: int

    def add_many(self, lines: Iterable[bytes]) -> None: ...
    def __getitem__(self, line: bytes) -> int: ...
    def bounds(self, line: bytes) -> tuple[int, int]: ...
    def frequent(self, support: int) -> Counts: ...
    def memory(self) -> int: ...


class Outcome(NamedTuple):
    """A counted stream: the structure, the settings records with their exact counts, and the support that was applied."""

    counter: LineCounter
    settings: Counter[bytes]
    support: int

    def rows(self) -> Counts:
        """The frequent list: keys in byte order, and their counts."""
        keys, counts = self.counter.frequent(self.support)
        if not self.settings:
            return keys, counts
        marked, places = self._marked_rows(keys)
        records = sorted(self.settings)
        return records + marked, [self.settings[record] for record in records] + places

    def bounds(self, key: bytes) -> tuple[int, int]:
        """The interval in which the count of a key of the list certainly is."""
        return (self.settings[key],) * 2 if key in self.settings else self.counter.bounds(key)

    def _marked_rows(self, keys: list[bytes]) -> Counts:
        """All places of the keys that are frequent at a head or tail; lines without a place stand for themselves."""
        rows = {}
        for key in keys:
            text, tab, place = key.rpartition(b"\t")
            if not tab or place not in PLACES:
                rows[key] = self.counter[key]
            elif place != b"=":
                rows |= {row: count for row in (text + tab + other for other in PLACES) if (count := self.counter[row])}
        ordered = sorted(rows)
        return ordered, list(map(rows.__getitem__, ordered))


def approximate(blocks: Iterable[list[bytes]], method: str, support: Support | None = None, **options: Any) -> Counts:
    """The frequent list of a stream in any order: keys in byte order, and their counts. Arguments as for `count_stream`.

    >>> approximate([[b"b", b"a"], [b"b"]], "spacesaving", Support(2), counters=10)
    ([b'b'], [2])
    """
    return count_stream(blocks, method, support, **options).rows()


def count_stream(
    blocks: Iterable[list[bytes]],
    method: str,
    support: Support | None = None,
    *,
    counters: int | None = None,
    seed: int = 0,
    paper: bool = False,
) -> Outcome:
    """Count lines in any order, given in lists that may be cut anywhere, by one of METHODS.

    `support` None is the default, which on a stream of marked keys is known at its end; `paper` sets all constants to the paper's, and
    has `support` and `counters` None. Raises UsageError for options that do not go with the method. Memory: see each structure.
    """
    first, blocks = _look_ahead(blocks)
    marked = bool(first) and first[0].startswith(SETTINGS_MARK)
    record = first[0] if marked and first[1:] != first[:1] else None  # two records in a row: the stream is sorted, and shows no documents
    least = least_support(method, support, marked=marked, paper=paper)
    counter = new_counter(method, least, counters=counters, seed=seed, paper=paper, record=record)
    settings: Counter[bytes] = Counter()
    for lines in blocks:
        if marked:
            settings.update(filter(_is_record, lines))
        counter.add_many(filterfalse(_is_record, lines) if marked and not (method == "sample" and record) else lines)
    if not paper:
        least = max(least, (support or Support()).resolve(settings.total() if settings else None, min(settings, default=b"")))
    return Outcome(counter, settings, least)


def least_support(method: str, support: Support | None, *, marked: bool, paper: bool) -> int:
    """The least support that a stream may turn out to have. Raises UsageError for a share where it must be known before the end."""
    if paper:
        return PAPER_MAJORITY_SUPPORT if method == "majority" else DEFAULT_SUPPORT
    if support is None or support == Support():
        return default_support(0) if marked else DEFAULT_SUPPORT
    if support.count is None and method in ANNOUNCED:
        raise UsageError(f"--method {method} has to know K before the last document is read: a share of them will not do")
    return support.count or 1


def new_counter(method: str, support: int, *, counters: int | None = None, seed: int = 0, paper: bool = False, record: bytes | None = None) -> LineCounter:
    """An empty structure. Raises UsageError for options that do not go with the method."""
    if method in UNBOUNDED and counters is not None:
        raise UsageError(f"--method {method} holds every distinct line and --counters do not go together")
    room = {} if counters is None else {"counters": counters}
    make = {
        "exact": TableCounter,
        "checksum": lambda: ChecksumCounter(support),
        "hashed": lambda: HashedCounter(support, **room),
        "majority": lambda: MajorityCounter(**room, left=paper),
        "spacesaving": lambda: SpaceSavingCounter(**room),
        "sample": lambda: SampleCounter(**room, seed=seed, record=record),
    }
    if method not in make:
        raise UsageError(f"{method!r} is no counting method; there are {', '.join(METHODS)}")
    return make[method]()


def _is_record(line: bytes) -> bool:
    return line.startswith(SETTINGS_MARK)


def _look_ahead(blocks: Iterable[list[bytes]]) -> tuple[list[bytes], Iterator[list[bytes]]]:
    """The first two lines of a stream, and the whole of it."""
    blocks = iter(blocks)
    taken: list[list[bytes]] = []
    while sum(map(len, taken)) < 2 and (block := next(blocks, None)) is not None:
        taken.append(block)
    return list(islice(chain.from_iterable(taken), 2)), chain(taken, blocks)
