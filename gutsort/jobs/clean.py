"""The whole pipe in one command: count the lines at the ends of all documents, then cut what is frequent."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from gutsort.count.approximate import approximate
from gutsort.count.exact import Support
from gutsort.count.frequent import FrequentLines, load_frequent
from gutsort.count.model import Model
from gutsort.extract.documents import Choice, walk
from gutsort.extract.units import Settings
from gutsort.formats import escape_name, format_tsv, write_lines
from gutsort.jobs.extract import counts_copies_once, key_blocks, read_keys
from gutsort.jobs.freq import count_runs
from gutsort.jobs.operands import layout_of
from gutsort.jobs.refused import refused_lines
from gutsort.jobs.report import write_suspect
from gutsort.jobs.resume import (
    Manifest,
    Walked,
    check_same,
    continued_report,
    find_manifest,
    read_state,
    reusable,
    sweep_leftovers,
    write_state,
)
from gutsort.jobs.seen import Seen
from gutsort.jobs.strip import Stripper, gap_stripper, into_tree, keeping_cuts, odds_stripper, strip_all
from gutsort.jobs.target import check_new, check_target, held_folder, lock, make_folder, side_folder, sync_folder, whole_file
from gutsort.jobs.workers import Finish, Work, map_in_order
from gutsort.records import Document, Skipped
from gutsort.sort.folder import Folder, private_folder
from gutsort.sort.plan import make_plan
from gutsort.sort.runfile import Run
from gutsort.sort.runs import RunWriter


class Options(NamedTuple):
    """What a run of `clean` is asked for; the report's header holds it. `rule`: arguments of the rule; `counter`: an approximate one; `chosen`: which files.

    `model`: one whose evidence is taken along with the collection's own.
    """

    settings: Settings = Settings()
    support: Support = Support()
    rule: Mapping[str, Any] = {}
    counter: str | None = None
    chosen: Mapping[str, Any] = {}
    model: Model | None = None

    def stripper(self, frequent: FrequentLines) -> Stripper:
        """The rule that the options and the list ask for."""
        if frequent.settings is None:
            return gap_stripper(frequent, self.settings, **self.rule)
        return odds_stripper(frequent, model=self.model, jsonl_field=self.settings.jsonl_field, interior=self.settings.interior)

    def header(self) -> dict[str, Any]:
        """The options as the report has them."""
        model = self.model and self.model.sha256
        return {"support": self.support.text(), "counter": self.counter, "model": model, **self.chosen, **self.settings._asdict(), **self.rule}


class Sorting(NamedTuple):
    """What the first pass may use: bytes of memory over all `processes`, and the directories to spill to (TMPDIR, else /tmp)."""

    budget: int
    processes: int = 1
    dirs: Sequence[str] = ()


class Engine(NamedTuple):
    """What does the two passes elsewhere (`jobs.spark`): `count(documents, options, path)` writes the list and returns how many copies there were;
    `strip(documents, options, frequent, target, refuse, keep_cuts)` yields the rows of the report in the order of the documents.
    """

    count: Callable[..., int]
    strip: Callable[..., Iterator[dict[str, Any]]]


class Stage(NamedTuple):
    """How far a pass is: documents and bytes done, and of how many (None where that is not known yet)."""

    name: str
    documents: int
    bytes: int
    of_documents: int | None = None
    of_bytes: int | None = None
    copies: int = 0  # documents whose ends are those of another, and were counted once


Progress = Callable[[Stage], None]
WalkAll = Callable[[], Iterator[Document | Skipped]]


def clean(
    operands: Collection[bytes],
    target: bytes,
    options: Options,
    sorting: Sorting,
    *,
    report: bytes | None = None,
    keep_cuts: bytes | None = None,
    choice: Choice | None = None,
    progress: Progress = lambda stage: None,
    engine: Engine | None = None,
) -> Iterator[dict[str, Any]]:
    """Clean the documents of `operands` into the directory `target`; yield the rows of the report as they are done.

    Beside it, `TARGET.gutsort/` gets the frequent list, the report, the suspects and a lock. A target that a run with the same options and
    list has begun is taken up where that run stopped. Raises UsageError, before anything is written, where the layout does not work.
    Memory: the sort's budget in the first pass, the frequent list in the second; never the collection. Time: two walks.
    """
    engine = engine or here(sorting)
    prefixes = layout_of(operands)
    side = side_folder(target)
    report = report or os.path.join(side, b"report.jsonl")
    header = options.header()
    _begun(target, operands, report, header)
    make_folder(side)
    with lock(os.path.join(side, b"lock")):
        begun, manifest = _begun(target, operands, report, header)  # again: the run that held the lock may have come to its end
        walk_all = functools.partial(walk, operands, prefixes=prefixes, choice=choice)
        sweep_leftovers(side)
        frequent, walked = _first_pass(walk_all, options, engine, side, progress)
        if begun:
            check_same(manifest, header, frequent.sha256, target)
        with (
            _held(target, operands, begun=begun),
            continued_report(report, manifest, header, frequent.sha256) as (write_row, manifest),
            whole_file(os.path.join(side, b"suspects.txt")) as suspects,
            refused_lines(target, resume=begun) as refuse,
        ):
            order = {"options": options, "frequent": frequent, "target": target, "refuse": refuse, "keep_cuts": keep_cuts}
            strip_rest = functools.partial(engine.strip, **order)
            done = Stage("strip", 0, 0, walked.documents, walked.bytes, walked.copies)
            for row in _second_pass(walk_all(), manifest, target, strip_rest):
                write_row(row)
                write_suspect(suspects, row)
                done = done._replace(documents=done.documents + 1, bytes=done.bytes + row.get("size", 0))
                progress(done)
                yield row
        sync_folder(target)


def _begun(target: bytes, operands: Collection[bytes], report: bytes, header: Mapping[str, Any]) -> tuple[bool, Manifest | None]:
    """Whether an earlier run has begun the output tree, and its report. Raises UsageError where it was another kind of run."""
    begun = check_target(target, operands)
    manifest = find_manifest(report) if begun else None
    if begun:
        check_same(manifest, header, None, target)
    return begun, manifest


@contextlib.contextmanager
def _held(target: bytes, operands: Collection[bytes], *, begun: bool) -> Iterator[None]:
    """The output tree, held against programs that know nothing of the folder beside it; swept where an earlier run has begun it."""
    with held_folder(target):
        if begun:
            sweep_leftovers(target)
        else:
            check_new(target, operands)
        yield


def _second_pass(
    items: Iterator[Document | Skipped], manifest: Manifest | None, target: bytes, strip_rest: Callable[..., Iterator[dict[str, Any]]]
) -> Iterator[dict[str, Any]]:
    """The rows that an earlier run has done, then those of the rest."""
    rest: list[Document | Skipped] = []
    yield from reusable(manifest, items, target, rest)
    yield from strip_rest(chain(rest, items))


def _first_pass(walk_all: WalkAll, options: Options, engine: Engine, side: bytes, progress: Progress) -> tuple[FrequentLines, Walked]:
    """The frequent list, counted again unless it is there whole for just this walk; and what was walked."""
    path, state_path = os.path.join(side, b"frequent.txt"), os.path.join(side, b"state.json")
    header, state = options.header(), read_state(state_path)
    walked = Walked(walk_all())
    if state is not None and state["options"] == header and os.path.exists(path):
        walked.exhaust()
        if walked.digest == state["walk"]:
            walked.copies = state["copies"]
            return _load(path), walked
        walked = Walked(walk_all())
    walked.copies = engine.count(_told(walked, progress), options, path)
    write_state(state_path, header, walked)
    return _load(path), walked


def here(sorting: Sorting) -> Engine:
    """The passes in this process and those it forks."""
    return Engine(functools.partial(count_ends, sorting=sorting), functools.partial(strip_tree, processes=sorting.processes))


def strip_tree(
    documents: Iterable[Document | Skipped],
    options: Options,
    frequent: FrequentLines,
    target: bytes,
    *,
    refuse: Callable[[bytes], object],
    keep_cuts: bytes | None = None,
    processes: int = 1,
) -> Iterator[dict[str, Any]]:
    """The second pass: strip each document into the tree `target`, and what is cut of it into `keep_cuts`; yield the rows of the report."""
    after = None if keep_cuts is None else keeping_cuts(keep_cuts)
    return strip_all(documents, options.stripper(frequent), into_tree(target), processes, refuse=refuse, after=after)


def _told(walked: Walked, progress: Progress) -> Iterator[Document | Skipped]:
    for item in walked:
        progress(Stage("count", walked.documents, walked.bytes))
        yield item


def _load(path: bytes) -> FrequentLines:
    with open(path, "rb") as file:
        return load_frequent(file, escape_name(path))


def count_ends(documents: Iterable[Document | Skipped], options: Options, path: bytes, sorting: Sorting) -> int:
    """The first pass: write the frequent list of the documents' ends to `path`; return how many were copies of another, counted once.

    Each process extracts, sorts and spills runs of its own. What cannot be read is passed over: the second pass says it.
    """
    seen = counts_copies_once(options.settings)
    with private_folder(sorting.dirs) as folder, whole_file(path) as file:
        if options.counter is not None:
            blocks = key_blocks(documents, options.settings, sorting.processes, seen)
            found = (keys for keys in blocks if not isinstance(keys, Skipped))
            keys, counts = approximate(found, options.counter, options.support, paper=options.settings.key == "paper")
            write_lines(file, format_tsv(counts, keys))
            return seen.copies if seen is not None else 0
        ends: list[list[tuple]] = []
        make = functools.partial(_extract_runs, folder, options.settings, sorting.budget // sorting.processes, seen)
        for _ in map_in_order(make, documents, sorting.processes, ends):
            pass
        runs = [Run(*row) for rows in ends for row in rows]
        plan = make_plan(sorting.budget, dirs=sorting.dirs, parallel=sorting.processes)
        for keys, counts in count_runs(runs, folder, plan, options.support):
            write_lines(file, format_tsv(counts, keys))
    return seen.copies if seen is not None else 0


def _extract_runs(folder: Folder, settings: Settings, budget: int, seen: Seen | None, number: int) -> tuple[Work, Finish]:
    """One process of the first pass: what it does with a document, and the runs it hands over at the end."""
    writer = RunWriter(folder, budget, name=str(number))

    def work(document: Document | Skipped) -> Iterator[None]:
        for keys in read_keys(document, settings, seen):
            if not isinstance(keys, Skipped):
                writer.add(keys)
        yield None

    return work, lambda: [tuple(run) for run in writer.finish()]
