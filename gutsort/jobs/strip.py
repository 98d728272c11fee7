"""Strip documents with a frequent list: the second pass of `clean`, and all of `stripfreq`."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple

from gutsort.count.frequent import FrequentLines
from gutsort.extract.units import Settings, document_ends
from gutsort.extract.windows import extent
from gutsort.jobs.report import done_row, skipped_row
from gutsort.jobs.target import make_folder, whole_file
from gutsort.jobs.workers import map_in_order
from gutsort.records import Document, Ends, Proposal, Skipped
from gutsort.strip.gap import GAP_MAX, epilogue_start, preamble_end
from gutsort.strip.guard import Rule, apply_once, settle
from gutsort.strip.odds import Weights, odds_rule
from gutsort.strip.rewrite import rewrite

Sink = Callable[[Document], contextlib.AbstractContextManager[BinaryIO | None]]


class Stripper(NamedTuple):
    """A rule on keys made by `settings`, applied `once` (the paper) or until it cuts nothing more."""

    settings: Settings
    rule: Rule
    once: bool = False


def gap_stripper(
    frequent: Mapping[bytes, int], settings: Settings, *, gap_max: int = GAP_MAX, paper: bool = False, heuristics: bool = False
) -> Stripper:
    """The gap rule: with `paper` as published, else with at most `gap_max` infrequent lines before the first frequent one too."""
    lead = None if paper else gap_max

    def rule(ends: Ends) -> Proposal:
        head = preamble_end(ends.head, frequent, gap_max, lead=lead, heuristics=heuristics)
        tail = epilogue_start(ends.tail, frequent, gap_max, heuristics=heuristics)
        before = sum(bool(frequent[unit.key]) for unit in ends.head if head is not None and unit.end <= head)
        after = sum(bool(frequent[unit.key]) for unit in ends.tail if tail is not None and unit.start >= tail)
        return Proposal(head, tail, f"{before} frequent lines", f"{after} frequent lines")

    return Stripper(settings, rule, once=paper)


def odds_stripper(frequent: FrequentLines, *, own: int = 1) -> Stripper:
    """The default rule, on a list of marked keys: the settings are those that the list was made with. `own`: see strip.odds.Weights."""
    weights = Weights(frequent, frequent.documents or 0, own)
    return Stripper(Settings.of_record(frequent.settings or {}), functools.partial(odds_rule, weights=weights))


def strip_document(document: Document, source: BinaryIO, target: BinaryIO | None, stripper: Stripper) -> dict[str, Any]:
    """Cut one document: write what is left of `source` to `target` (None: nowhere) and return its row of the report."""
    bom, end = extent(source)
    text = (0 if stripper.settings.key == "paper" else bom), end  # the authors' program takes a byte order mark for text

    def read_ends(start: int, end: int) -> Ends:
        return document_ends(source, start, end, stripper.settings)

    verdict = (apply_once if stripper.once else settle)(source, text, read_ends, stripper.rule)
    cuts = [cut._replace(start=max(cut.start, bom)) for cut in verdict.cuts if cut.end > bom]
    return done_row(document, verdict._replace(cuts=cuts), rewrite(source, target, cuts))


def strip_all(documents: Iterable[Document | Skipped], stripper: Stripper, sink: Sink, processes: int = 1) -> Iterator[dict[str, Any]]:
    """Strip every document into the file that `sink` opens for it (None: nowhere) and yield the rows of the report, in their order.

    A document that cannot be read is a skipped row. Raises SpaceError where the output cannot be written.
    """
    strip = functools.partial(_strip_one, stripper, sink)
    return map_in_order(lambda number: (strip, int), documents, processes, [])


def _strip_one(stripper: Stripper, sink: Sink, document: Document | Skipped) -> dict[str, Any]:
    if isinstance(document, Skipped):
        return skipped_row(document.path, document.why)
    try:
        source = document.open()
    except OSError as error:
        return skipped_row(document.path, error.strerror or str(error))
    with source, sink(document) as file:
        return strip_document(document, source, file, stripper)


def into_tree(target: bytes) -> Sink:
    """A sink that mirrors the documents below the directory `target`, each whole or not at all."""

    @contextlib.contextmanager
    def sink(document: Document) -> Iterator[BinaryIO]:
        path = os.path.join(target, document.target)
        make_folder(os.path.dirname(path))
        with whole_file(path, sync=False) as file:
            yield file

    return sink


def into_file(file: BinaryIO | None) -> Sink:
    """A sink that writes all documents to one open file, or nowhere."""
    return lambda document: contextlib.nullcontext(file)
