"""The external sort: form runs, make them few enough, merge them region by region.

With several processes the workers take turns at reading the input, each sorting and spilling runs of its own; then each takes
the next region of the key space, merges it and writes the result to a file of its own, which the parent passes on in order and
removes. Where the output is a regular file and its places are known, workers write there directly. The count, or whatever is
to become of the sorted lines, is done by the worker that has just merged them: `form` turns blocks into the bytes that leave it.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from typing import BinaryIO, NamedTuple

from gutsort.errors import UsageError
from gutsort.sort.folder import Folder, naming, private_folder
from gutsort.sort.memory import KIB, MIB, default_budget, usable_cpus
from gutsort.sort.merge import LEAST_BLOCK, Block, Slice, merge_slices, packed, packed_blocks
from gutsort.sort.regions import cut_regions, find_places, read_index
from gutsort.sort.runs import Run, RunWriter, packs_of_blocks, write_all, write_run
from gutsort.sort.source import Source
from gutsort.sort.workers import Crew

SMALL = 4 * MIB  # input up to this size is sorted in this process: starting others would take longer
LEAST_SHARE = 2 * MIB  # memory below which a further process is not worth its own tables
REGIONS_EACH = 16  # regions a process: more make the last to end wait less, fewer cost fewer searches
AHEAD = 2  # regions a process that may wait to be passed on, so that temporary space stays near the input's size
COPY = 256 * KIB

Head = tuple[bytes, int]
Form = Callable[[Iterator[Block], "Head | None"], Iterator[bytes]]


class Plan(NamedTuple):
    """How a sort is to be done: see `make_plan`."""

    budget: int
    dirs: tuple[str, ...]
    parallel: int
    fan_in: int
    separator: bytes
    unique: bool = False
    grouped: bool = False
    head: bytes = b""

    @property
    def share(self) -> int:
        """Bytes that each process may use."""
        return self.budget // self.parallel


def make_plan(
    budget: int | None = None,
    *,
    dirs: Sequence[str] = (),
    parallel: int | None = None,
    fan_in: int | None = None,
    separator: bytes = b"\n",
    unique: bool = False,
    grouped: bool = False,
    head: bytes = b"",
) -> Plan:
    """A plan with what is not said filled in: budget in bytes for all processes, temporary directories, processes, runs merged at once.

    `unique` keeps one of equal lines; `grouped` keeps lines that are the same up to their last TAB in one region; `head` is what
    the records begin with
    whose count `form` is to know beforehand. Raises UsageError where a number makes no sense.
    """
    budget = default_budget() if budget is None else budget
    parallel = usable_cpus() if parallel is None else parallel
    if budget < 1 or parallel < 1 or (fan_in is not None and fan_in < 2):
        raise UsageError("a sort needs a budget and a process, and a merge two runs")
    parallel = max(1, min(parallel, budget // LEAST_SHARE))
    return Plan(budget, tuple(dirs), parallel, fan_in or descriptors_left(), separator, unique, grouped, head)


def descriptors_left() -> int:
    """Files that may still be opened at once, at least two."""
    import resource

    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return max(2, min(limit if limit > 0 else 1 << 16, 1 << 16) - 12)


def external_sort(
    blocks: Iterable[list[bytes]], budget: int | None = None, *, dirs: Sequence[str] = (), **options
) -> Iterator[list[bytes]]:
    r"""Yield in byte order, in lists, the lines (without separators) of `blocks`.

    `options` are those of `make_plan`. For files and pipes use `sort_source`, which reads with several processes. Raises SpaceError.
    Memory: `budget` bytes. Time: n log n comparisons and, past the budget, one write and one read of the lines.

    >>> list(external_sort([[b"b", b"a"], [b"a"]]))
    [[b'a', b'a', b'b']]
    """
    plan = make_plan(budget, dirs=dirs, **options)
    with private_folder(plan.dirs) as folder, collector_off():
        writer = RunWriter(folder, plan.share, separator=plan.separator, unique=plan.unique)
        for lines in blocks:
            writer.add(lines)
        writer.settle()
        if not writer.runs:
            merged: Iterable = plain_form(plan)(writer.held_blocks(), None)
        else:
            merged = merge_runs(writer.finish(), folder, plan._replace(parallel=1))
        for text in read_back(merged, plan.separator):
            yield text[:-1].split(plan.separator)


def sort_source(source: Source, plan: Plan, *, form: Form | None = None, target: BinaryIO | None = None) -> Iterator[bytes | Spool]:
    """Sort the lines of `source`; yield in order what `form` makes of them (None: the lines themselves), as bytes or as `Spool`.

    With `target`, an empty regular file opened for writing, the lines are written there where that can be done at known places;
    nothing is yielded then.
    """
    form = form or plain_form(plan)
    plan = plan if source.shareable else plan._replace(parallel=1)
    with ExitStack() as stack:
        stack.enter_context(collector_off())
        taken, ended = _take_small(source, min(SMALL, plan.budget // 8))
        folder = None if ended else stack.enter_context(private_folder(plan.dirs))
        if ended or plan.parallel == 1:
            writer = RunWriter(folder, plan.budget - 2 * source.take, separator=plan.separator, unique=plan.unique)
            for text in chain(_emptying(taken), source.texts()):
                writer.add_text(text)
                del text  # before the next is read
            if not writer.runs:
                yield from form(writer.held_blocks(), None)
                return
            runs = writer.finish()
        else:
            runs = form_runs(source, folder, plan, taken)
        yield from merge_runs(runs, folder, plan, form=form, target=target)


def form_runs(source: Source, folder: Folder, plan: Plan, taken: list[bytes]) -> list[Run]:
    """Have the workers of `plan` read `source`, `taken` texts first, and return the runs they spill into `folder`."""

    def work(name: str) -> list[tuple]:
        writer = RunWriter(folder, plan.share - 2 * source.take, name=name, separator=plan.separator, unique=plan.unique)
        for text in source.texts():
            writer.add_text(text)
            del text  # before the next is read
        return list(map(tuple, writer.finish()))

    with Crew() as crew:
        source.share(folder, crew.alive, taken)
        taken.clear()
        for number in range(plan.parallel):
            crew.start(lambda name=str(number): work(name))
        return [Run(*row) for rows in crew.results() for row in rows]


def merge_runs(
    runs: Sequence[Run], folder: Folder, plan: Plan, *, form: Form | None = None, target: BinaryIO | None = None
) -> Iterator[bytes | Spool]:
    """Merge runs; yield in order what `form` makes of their lines, as `sort_source` does. The runs' files are not removed."""
    form = form or plain_form(plan)
    longest = max((run.longest for run in runs), default=0)
    if longest * 8 > plan.share:  # such lines are held by one process at a time
        plan = plan._replace(parallel=1, fan_in=max(2, min(plan.fan_in, plan.budget // (3 * longest))))
    runs = reduce_runs(list(runs), folder, plan)
    head = count_head(runs, plan) if plan.head else None
    if plan.parallel == 1:
        pieces = [Slice(run, run.start, run.start + run.size, 0) for run in runs]
        yield from form(merge_slices(pieces, plan.budget, separator=plan.separator), head)
        return
    regions = cut_regions(runs, plan.parallel * REGIONS_EACH, separator=plan.separator, grouped=plan.grouped)
    if target is not None and not plan.unique and all(run.counts < 0 for run in runs):
        _merge_in_place(regions, plan, target)
    else:
        yield from _merge_to_spools(regions, folder, plan, lambda blocks: form(blocks, head))


def reduce_runs(runs: list[Run], folder: Folder, plan: Plan) -> list[Run]:
    """Merge runs, in passes, until there are no more than can be merged at once by the plan's budget and fan-in."""
    fan_in = max(2, min(plan.fan_in, plan.share // (4 * LEAST_BLOCK)))
    turn = 0
    while len(runs) > fan_in:
        path = folder.path(f"pass-{turn}", turn)
        merged, turn = [], turn + 1
        with naming(os.path.dirname(path)), open(path, "xb", 0) as file:
            for start in range(0, len(runs), fan_in):
                group = runs[start : start + fan_in]
                pieces = [Slice(run, run.start, run.start + run.size, 0) for run in group]
                blocks = merge_slices(pieces, plan.budget, separator=plan.separator)
                blocks = unique_blocks(blocks) if plan.unique else blocks
                merged.append(write_run(file.fileno(), path, packs_of_blocks(blocks, plan.separator), max(run.longest for run in group)))
        for old in {run.path for run in runs}:
            if os.path.dirname(old) in folder.paths:  # the first pass of a merge reads the user's own files
                os.unlink(old)
        runs = merged
    return runs


def count_head(runs: Sequence[Run], plan: Plan) -> Head | None:
    """The first line of all that begins with `plan.head`, and how many lines begin so; None where there is none."""
    after = plan.head[:-1] + bytes([plan.head[-1] + 1])
    first, total = b"", 0
    for run in runs:
        start, end = find_places(run, [plan.head, after], plan.separator)
        pieces = [Slice(run, run.start + start[0], run.start + end[0], start[1])]
        if run.counts < 0:
            total += end[1] - start[1]
        else:
            total += sum(sum(counts or ()) for _, counts in merge_slices(pieces, MIB, separator=plan.separator))
        if end[1] > start[1] and not first:
            first = next(line for _, _, line in [*read_index(run), (0, 0, b"")] if line.startswith(plan.head) or not line)
    return (first, total) if total else None


class Spool:
    """What a worker made of a region, in a file of the private folder; `remove()` it once it is passed on."""

    def __init__(self, path: str) -> None:
        self.path = path

    def copy_to(self, file: BinaryIO) -> None:
        """Write the content to `file` and remove the spool."""
        with open(self.path, "rb", 0) as spool:
            while data := spool.read(COPY):
                file.write(data)
        self.remove()

    def texts(self) -> Iterator[bytes]:
        """Yield the content, in pieces that need not end with a line, and remove the spool."""
        with open(self.path, "rb", 0) as spool:
            while data := spool.read(COPY):
                yield data
        self.remove()

    def remove(self) -> None:
        """Remove the file."""
        os.unlink(self.path)


def read_back(items: Iterable[bytes | Spool], separator: bytes = b"\n") -> Iterator[bytes]:
    """Yield what `sort_source` and `merge_runs` yield as texts of whole lines."""
    for item in items:
        if isinstance(item, bytes):
            yield item
            continue
        begun = b""
        for data in item.texts():
            end = data.rfind(separator) + 1
            if end:
                yield begun + data[:end]
                begun = data[end:]
            else:
                begun += data


def plain_form(plan: Plan) -> Form:
    """The form of a plain sort: the lines themselves, once each where the plan says unique."""

    def form(blocks: Iterator[Block], _head: Head | None) -> Iterator[bytes]:
        yield from packed_blocks(unique_blocks(blocks) if plan.unique else blocks, plan.separator)

    return form


def unique_blocks(blocks: Iterable[Block]) -> Iterator[Block]:
    """Each line once, over blocks that follow each other."""
    last = None
    for lines, _ in blocks:
        kept = list(dict.fromkeys(lines))
        if kept[0] == last:
            del kept[0]
        if kept:
            last = kept[-1]
            yield kept, None


@contextmanager
def collector_off() -> Iterator[None]:
    """Without the garbage collector, which would walk millions of lines that hold no references."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _take_small(source: Source, size: int) -> tuple[list[bytes], bool]:
    """Texts of up to `size` bytes, and whether the stream has ended with them."""
    taken: list[bytes] = []
    while size > 0:
        text = source.next_text()
        if not text:
            return taken, True
        taken.append(text)
        size -= len(text)
    return taken, False


def _emptying(texts: list[bytes]) -> Iterator[bytes]:
    """The texts, each forgotten before the next is asked for."""
    texts.reverse()
    while texts:
        yield texts.pop()


def _merge_in_place(regions: list[list[Slice]], plan: Plan, target: BinaryIO) -> None:
    """Have workers write each region where it belongs in a regular file."""
    target.flush()
    places, place = [], os.lseek(target.fileno(), 0, os.SEEK_CUR)
    for region in regions:
        places.append(place)
        place += sum(piece.end - piece.start for piece in region)

    def work(number: int) -> None:
        at = places[number]
        for lines, _ in merge_slices(regions[number], plan.share, separator=plan.separator):
            data = packed(lines, plan.separator)
            _pwrite_all(target.fileno(), data, at)
            at += len(data)

    for _ in _share_out(len(regions), plan.parallel, work, len(regions)):
        pass
    os.lseek(target.fileno(), place, os.SEEK_SET)


def _merge_to_spools(
    regions: list[list[Slice]], folder: Folder, plan: Plan, form: Callable[[Iterator[Block]], Iterator[bytes]]
) -> Iterator[Spool]:
    def work(number: int) -> None:
        path = folder.path(f"region-{number}", number)
        with naming(os.path.dirname(path)), open(path, "xb", 0) as file:
            for text in form(merge_slices(regions[number], plan.share, separator=plan.separator)):
                write_all(file.fileno(), text)

    for number in _share_out(len(regions), plan.parallel, work, plan.parallel * AHEAD):
        yield Spool(folder.path(f"region-{number}", number))


def _share_out(count: int, parallel: int, work: Callable[[int], None], ahead: int) -> Iterator[int]:
    """Have workers do `work(0)` to `work(count - 1)`; yield each number in order when it is done, workers at most `ahead` before
    the reader."""
    todo, done = os.pipe(), os.pipe()

    def serve() -> None:
        os.close(todo[1])
        while number := os.read(todo[0], 4):
            work(int.from_bytes(number, "little"))
            os.write(done[1], number)

    with Crew() as crew:
        try:
            for _ in range(min(parallel, count)):
                crew.start(serve)
            os.close(done[1])
            os.close(todo[0])
            yield from _in_order(count, todo[1], done[0], ahead + parallel, crew)
            os.close(todo[1])
            todo = (-1, -1)
            for _ in crew.results():
                pass
        finally:
            for end in (todo[1], done[0]):
                if end >= 0:
                    os.close(end)


def _in_order(count: int, todo: int, done: int, ahead: int, crew: Crew) -> Iterator[int]:
    finished: set[int] = set()
    given = 0
    for number in range(count):
        while given < min(count, number + ahead):
            os.write(todo, given.to_bytes(4, "little"))
            given += 1
        while number not in finished:
            if not crew.wait_for(done):
                next(crew.results())  # a worker has ended early: this says why
            finished.add(int.from_bytes(os.read(done, 4), "little"))
        finished.discard(number)
        yield number


def _pwrite_all(file: int, data: bytes, place: int) -> None:
    done = os.pwrite(file, data, place)
    while done < len(data):
        done += os.pwrite(file, memoryview(data)[done:], place + done)
