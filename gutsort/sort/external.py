"""The external sort: form runs, merge them partition by partition.

With several processes the workers take turns at reading the input, each sorting and spilling runs of its own; then each takes
the next range of partitions, merges it and writes the result to a file of its own, which the parent passes on in order and
removes. Where the output is a regular file and its places are known, workers write there directly. The count, or whatever is
to become of the sorted lines, is done by the worker that has just merged them: `form` turns blocks into the bytes that leave it.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import accumulate, chain
from typing import BinaryIO

from gutsort.sort.bounds import HEADS, choose_bounds, count_partitions, shared_bounds
from gutsort.sort.folder import Folder, naming, private_folder
from gutsort.sort.memory import KIB, MIB
from gutsort.sort.merge import LEAST_BLOCK, Block, Slice, counted_blocks, merge_slices, packed, packed_blocks
from gutsort.sort.partitions import Partitions, share_out
from gutsort.sort.plan import Plan, make_plan
from gutsort.sort.presorted import copy_spans, find_presorted
from gutsort.sort.runfile import Run, write_all, write_merged
from gutsort.sort.runs import RunWriter
from gutsort.sort.source import Source
from gutsort.sort.spools import Spool, in_turn, read_back
from gutsort.sort.workers import Crew

SMALL = 4 * MIB  # input up to this size is sorted in this process: starting others would take longer
RANGES_EACH = 16  # ranges of partitions a process: more make the last to end wait less, fewer cost fewer reads of tables
AHEAD = 2  # ranges a process that may wait to be passed on, so that temporary space stays near the input's size
SAMPLES, SAMPLE = 64, 16 * KIB  # places at which an input is sampled, bytes at each
LINES_SAMPLED = 32  # lines sampled a partition

Head = tuple[bytes, int]
Form = Callable[[Iterator[Block], "Head | None"], Iterator[bytes]]


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
    plain = form is None and not plan.unique
    form = form or plain_form(plan)
    plan = plan if source.shareable else plan._replace(parallel=1)
    with ExitStack() as stack:
        stack.enter_context(collector_off())
        taken, ended = _take_small(source, min(SMALL, plan.budget // 8))
        folder = None if ended else stack.enter_context(private_folder(plan.dirs))
        if folder:
            samples = source.sample(SAMPLES, SAMPLE) if source.size() is not None else None
            if plain and samples and (spans := find_presorted(source, samples, plan)):
                yield from copy_spans(source, spans, plan.separator)
                return
            set_bounds(source, folder, plan, samples or taken)
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


def set_bounds(source: Source, folder: Folder, plan: Plan, texts: Sequence[bytes]) -> None:
    """Choose the bounds of the partitions from `texts`, lines all over the source or, where it cannot be looked at elsewhere, at its start."""
    total = source.size()
    lines = [line for text in texts for line in text.decode("latin-1").split(plan.separator.decode("latin-1"))]
    average = sum(map(len, texts)) / max(1, len(lines))
    parts = count_partitions(total, plan.share, average)
    step = max(1, len(lines) // (parts * LINES_SAMPLED))
    shared_bounds(folder, lambda: choose_bounds(lines[::step], parts))


def merge_runs(
    runs: Sequence[Run], folder: Folder, plan: Plan, *, form: Form | None = None, target: BinaryIO | None = None
) -> Iterator[bytes | Spool]:
    """Merge runs of writers of `folder`; yield in order what `form` makes of their lines, as `sort_source` does. Their files are not removed."""
    form = form or plain_form(plan)
    if not runs:
        yield from form(iter(()), None)
        return
    if max(run.longest for run in runs) * 8 > plan.share:  # such lines are held by one process at a time
        plan = plan._replace(parallel=1)
    number = len(shared_bounds(folder, list)) + 1
    partitions = Partitions(runs, number, plan.share, plan.separator, lambda slices: reduce_slices(slices, folder, plan))
    head = count_head(partitions, folder) if plan.head else None
    if plan.parallel == 1:
        yield from form(partitions.blocks(0, number), head)
        return
    sizes = partitions.sizes()
    ranges = share_out(sizes, plan.parallel * RANGES_EACH)
    if target is not None and not plan.unique and all(run.counts < 0 for run in runs):
        _merge_in_place(partitions, sizes, ranges, plan, target)
    else:
        yield from _merge_to_spools(partitions, ranges, folder, plan, lambda blocks: form(blocks, head))


def reduce_slices(slices: list[Slice], folder: Folder, plan: Plan) -> list[Slice]:
    """Merge slices, in passes, until there are no more than can be merged at once by the plan's share of memory and fan-in.

    The files of a pass are removed when the next is done; the runs that were given are not.
    """
    longest = max((piece.run.longest for piece in slices), default=0)
    fan_in = max(2, min(plan.fan_in, plan.share // max(4 * LEAST_BLOCK, 3 * longest)))
    turn, path = 0, ""
    while len(slices) > fan_in:
        before, path = path, folder.path(f"pass-{os.getpid()}-{turn}", turn)
        merged, turn = [], turn + 1
        with naming(os.path.dirname(path)), open(path, "wb", 0) as file:
            for start in range(0, len(slices), fan_in):
                group = slices[start : start + fan_in]
                blocks = merge_slices(group, plan.share, separator=plan.separator)
                if plan.unique:
                    blocks = unique_blocks(blocks)
                elif any(piece.run.counts >= 0 for piece in group):
                    blocks = counted_blocks(blocks)
                merged.append(write_merged(file.fileno(), path, blocks, plan.separator, longest))
        if before:
            os.unlink(before)
        slices = [Slice(run, run.start, run.start + run.size, 0) for run in merged]
    return slices


def count_head(partitions: Partitions, folder: Folder) -> Head | None:
    """The first settings record, and how many there are; None where there is none."""
    number = shared_bounds(folder, list).index(HEADS[0]) + 1
    first, total = b"", 0
    for lines, counts in partitions.blocks(number, number + 1):
        first = first or lines[0].encode("latin-1")
        total += len(lines) if counts is None else sum(counts)
    return (first, total) if total else None


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


def _merge_in_place(partitions: Partitions, sizes: Sequence[int], ranges: Sequence[tuple[int, int]], plan: Plan, target: BinaryIO) -> None:
    """Have workers write each range of partitions where it belongs in a regular file."""
    target.flush()
    places = list(accumulate(sizes, initial=os.lseek(target.fileno(), 0, os.SEEK_CUR)))

    def work(number: int) -> None:
        low, high = ranges[number]
        at = places[low]
        for lines, _ in partitions.blocks(low, high):
            data = packed(lines, plan.separator)
            _pwrite_all(target.fileno(), data, at)
            at += len(data)

    for _ in in_turn(len(ranges), plan.parallel, work, len(ranges)):
        pass
    os.lseek(target.fileno(), places[-1], os.SEEK_SET)


def _merge_to_spools(
    partitions: Partitions,
    ranges: Sequence[tuple[int, int]],
    folder: Folder,
    plan: Plan,
    form: Callable[[Iterator[Block]], Iterator[bytes]],
) -> Iterator[Spool]:
    def work(number: int) -> None:
        path = folder.path(f"range-{number}", number)
        with naming(os.path.dirname(path)), open(path, "xb", 0) as file:
            for text in form(partitions.blocks(*ranges[number])):
                write_all(file.fileno(), text)

    for number in in_turn(len(ranges), plan.parallel, work, plan.parallel * AHEAD):
        yield Spool(folder.path(f"range-{number}", number))


def _pwrite_all(file: int, data: bytes, place: int) -> None:
    done = os.pwrite(file, data, place)
    while done < len(data):
        done += os.pwrite(file, memoryview(data)[done:], place + done)
