"""Strip documents with a frequent list: the second pass of `clean`, and all of `stripfreq`."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple

from gutsort.count.frequent import FrequentLines
from gutsort.count.model import Model
from gutsort.errors import UsageError
from gutsort.extract.containers import texts
from gutsort.extract.encodings import raw_offsets
from gutsort.extract.stream import Broken
from gutsort.extract.units import Settings, as_utf8, document_ends
from gutsort.extract.windows import extent
from gutsort.jobs.held import Held
from gutsort.jobs.inside import propose_pages, propose_runs, settle_inside
from gutsort.jobs.report import done_row, skipped_row
from gutsort.jobs.target import make_folder, whole_file
from gutsort.jobs.workers import map_in_order
from gutsort.records import Cut, Document, Ends, Proposal, Skipped, Text, Writer
from gutsort.strip.gap import GAP_MAX, epilogue_start, preamble_end
from gutsort.strip.guard import Rule, Verdict, apply_once, settle
from gutsort.strip.odds import Joint, Weights, odds_rule
from gutsort.strip.restore import write_cuts
from gutsort.strip.rewrite import Rewritten, rewrite

LINE = "refused line"  # where a row carries a refused line to the process that writes them

After = Callable[[Text], None]
Sink = Callable[[Document], contextlib.AbstractContextManager[BinaryIO | None]]


class Stripper(NamedTuple):
    """A rule on keys made by `settings`, applied `once` (the paper) or until it cuts nothing more.

    What cuts inside documents looks up `frequent` itself: `rule` is None for pages, which have none for their ends alone.
    """

    settings: Settings
    rule: Rule | None
    frequent: Mapping[bytes, int]
    once: bool = False


def gap_stripper(frequent: Mapping[bytes, int], settings: Settings, *, gap_max: int = GAP_MAX, paper: bool = False, heuristics: bool = False) -> Stripper:
    """The gap rule: with `paper` as published, else with at most `gap_max` infrequent lines before the first frequent one too."""
    lead = None if paper else gap_max

    def rule(ends: Ends) -> Proposal:
        head = preamble_end(ends.head, frequent, gap_max, lead=lead, heuristics=heuristics)
        tail = epilogue_start(ends.tail, frequent, gap_max, heuristics=heuristics)
        before = sum(bool(frequent[unit.key]) for unit in ends.head if head is not None and unit.end <= head)
        after = sum(bool(frequent[unit.key]) for unit in ends.tail if tail is not None and unit.start >= tail)
        return Proposal(head, tail, f"{before} frequent lines", f"{after} frequent lines")

    return Stripper(settings, rule, frequent, once=paper)


def odds_stripper(frequent: FrequentLines | Model, *, model: Model | None = None, jsonl_field: str | None = None, interior: bool = False) -> Stripper:
    """The default rule, on a list of marked keys, or that for pages: the settings are those that the list was made with, but for `interior`.

    `frequent` is the list that the documents were counted into, or a model in place of one; `model` is one beside it.
    Raises UsageError for `interior` where nothing but the ends of documents was counted.
    """
    settings = Settings.of_record(frequent.settings or {})
    if interior and not settings.interior:
        raise UsageError("--interior needs a list that was made with extract --interior")
    settings = settings._replace(jsonl_field=jsonl_field, interior=interior)
    if settings.key == "page":
        return Stripper(settings, None, frequent)
    return Stripper(settings, functools.partial(odds_rule, weights=weights_of(frequent, model)), frequent)


def weights_of(*lists: FrequentLines | Model | None) -> Weights | Joint:
    """The evidence of lines by one or more lists. A document has a vote of its own in a list, and none in a model."""
    weights = [Weights(some, some.documents or 0, own=int(not isinstance(some, Model))) for some in lists if some is not None]
    return weights[0] if len(weights) == 1 else Joint(*weights)


def strip_document(document: Document, source: BinaryIO, target: Writer | None, stripper: Stripper, head: bytes | None = None) -> dict[str, Any]:
    """Cut one document: write what is left of `source` to `target` (None: nowhere) and return its row of the report.

    `head`: its first bytes, where they have been read.
    """
    with as_utf8(source, head) as (view, encoding):
        verdict = _judge(view, stripper, None if encoding else head)
        if encoding is None:
            return done_row(document, verdict, rewrite(source, target, verdict.cuts))
        cuts = _raw_cuts(view, encoding, verdict.cuts, source.seek(0, os.SEEK_END))
        lines = rewrite(view, None, verdict.cuts)
    written = rewrite(source, target, cuts)
    seen = Rewritten(written.size, lines.lines, lines.first_line, lines.last_line, written.sha256_in, written.sha256_out)
    return done_row(document, verdict._replace(cuts=cuts), seen)


def _judge(source: BinaryIO, stripper: Stripper, head: bytes | None) -> Verdict:
    bom, end = extent(source, head)
    text = (0 if stripper.settings.key == "paper" else bom), end  # the authors' program takes a byte order mark for text

    if stripper.rule is None:
        verdict = settle_inside(source, text, propose_pages(stripper.settings, stripper.frequent))
    elif stripper.settings.interior:
        verdict = settle_inside(source, text, propose_runs(stripper.settings, stripper.frequent, functools.partial(_ends, stripper)))
    else:
        verdict = _ends(stripper, source, text)
    return verdict._replace(cuts=[cut._replace(start=max(cut.start, bom)) for cut in verdict.cuts if cut.end > bom])


def _ends(stripper: Stripper, source: BinaryIO, text: tuple[int, int]) -> Verdict:
    def read_ends(start: int, end: int) -> Ends:
        return document_ends(source, start, end, stripper.settings)

    return (apply_once if stripper.once else settle)(source, text, read_ends, stripper.rule)


def _raw_cuts(view: BinaryIO, encoding: str, cuts: list[Cut], size: int) -> list[Cut]:
    """Cuts of a document's UTF-8 form as cuts of itself, which has `size` bytes."""
    places = raw_offsets(view, encoding, [place for cut in cuts for place in cut[:2]], size)
    return [cut._replace(start=start, end=end) for cut, start, end in zip(cuts, places[::2], places[1::2], strict=True)]


def strip_all(
    documents: Iterable[Document | Skipped],
    stripper: Stripper,
    sink: Sink,
    processes: int = 1,
    *,
    refuse: Callable[[bytes], object] | None = None,
    after: After | None = None,
) -> Iterator[dict[str, Any]]:
    """Strip every document into the file that `sink` opens for it (None: nowhere) and yield the rows of the report, in their order.

    `documents` are those of the walk: a container is written as one, and has a row for each document in it; the rows come when its file is
    in place. What cannot be read is a skipped row, and copied as it is where that is possible. `refuse` is given the refused lines of
    JSON Lines; `after` is called with each document while it is open, and its cuts, in the process that strips.
    Raises SpaceError where the output, or the temporary folder, cannot be written.
    Memory: constant, but for what `extract.containers` says.
    """
    strip = functools.partial(_strip_one, stripper, sink, after)
    for row in map_in_order(lambda number: (strip, int), documents, processes, []):
        line = row.pop(LINE, None)
        if line is not None and refuse is not None:
            refuse(line)
        yield row


def _strip_one(stripper: Stripper, sink: Sink, after: After | None, document: Document | Skipped) -> Iterator[dict[str, Any]]:
    """The rows of one file of the walk, when what is left of it is in its place."""
    held = Held()
    try:
        if isinstance(document, Skipped):
            raise _Unreadable(document)
        with _reading(document):
            source = document.open()
        with source, sink(document) as file, _writing(), _reading(document):
            target = None if file is None else _Output(file)
            for text in texts(document, source, target, jsonl_field=stripper.settings.jsonl_field):
                held.add(_strip_text(text, stripper, after))
    except _Unreadable as unreadable:
        held.add(skipped_row(unreadable.skipped))
    yield from held.rows()


def _strip_text(text: Text | Skipped, stripper: Stripper, after: After | None) -> dict[str, Any]:
    if isinstance(text, Skipped):
        return skipped_row(text) if text.raw is None else skipped_row(text) | {LINE: text.raw}
    row = strip_document(text.document, text.file, text.target, stripper, text.head)
    text.cuts = [Cut(*cut) for cut in row["cuts"]]
    if after is not None:
        after(text)
    return row


class _Unreadable(Exception):
    """A file that cannot be read to its end, on its way past the output, which then does not appear."""

    def __init__(self, skipped: Skipped) -> None:
        self.skipped = skipped


class _Unwritable(Exception):
    """A system error of the output, on its way past those of the input."""

    def __init__(self, error: OSError) -> None:
        self.error = error


class _Output:
    """An output whose errors can be told from those of the input."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, data: bytes) -> None:
        try:
            self._file.write(data)
        except OSError as error:
            raise _Unwritable(error) from None


@contextlib.contextmanager
def _reading(document: Document) -> Iterator[None]:
    try:
        yield
    except Broken as broken:
        raise _Unreadable(Skipped(document.path, str(broken))) from None
    except OSError as error:
        raise _Unreadable(Skipped(document.path, error.strerror or str(error))) from None


@contextlib.contextmanager
def _writing() -> Iterator[None]:
    try:
        yield
    except _Unwritable as unwritable:
        raise unwritable.error from None


def into_tree(target: bytes) -> Sink:
    """A sink that mirrors the documents below the directory `target`, each whole or not at all."""

    @contextlib.contextmanager
    def sink(document: Document) -> Iterator[BinaryIO]:
        path = os.path.join(target, document.target)
        make_folder(os.path.dirname(path))
        with whole_file(path, sync=False) as file:
            yield file

    return sink


def keeping_cuts(folder: bytes) -> After:
    """Writes what is cut of each document below `folder`, in the tree of the output: what `restore` needs. Not of those in containers."""

    def keep(text: Text) -> None:
        if text.document.member is None and text.cuts:
            path = os.path.join(folder, text.document.target)
            make_folder(os.path.dirname(path))
            with whole_file(path, sync=False) as file:
                write_cuts(text.file, file, text.cuts)

    return keep


def into_file(file: BinaryIO | None) -> Sink:
    """A sink that writes all documents to one open file, or nowhere."""
    return lambda document: contextlib.nullcontext(file)
