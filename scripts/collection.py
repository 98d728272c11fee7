"""What the experiments read of a collection once, and how the cuts of documents are judged."""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from gutsort.count.approximate import approximate
from gutsort.count.exact import Support
from gutsort.count.frequent import FrequentLines, load_frequent
from gutsort.extract.documents import walk
from gutsort.extract.units import Settings
from gutsort.extract.windows import extent
from gutsort.formats import escape_name, parse_settings
from gutsort.jobs.clean import Options, Sorting, count_ends
from gutsort.jobs.extract import read_keys
from gutsort.jobs.strip import Stripper, gap_stripper, odds_stripper, strip_document
from gutsort.records import Document, Unit

PAPER, ODDS = Settings("paper", 0, 0), Settings()
SORTING = Sorting(64 << 20)
WITHOUT_GOLD = 60  # documents that are judged by the default rule's cuts where there are no labels


class Book(NamedTuple):
    """A document with its head and tail units in the paper's windows."""

    document: Document
    head: list[Unit]
    tail: list[Unit]

    def stream(self) -> list[bytes]:
        """What the document adds to the paper's stream."""
        return [unit.key for unit in self.head + self.tail]


class Truth(NamedTuple):
    """The accepted first and last kept lines of a document."""

    head: tuple[int, int]
    tail: tuple[int, int]

    def off(self, row: Mapping[str, Any], lines: int) -> tuple[int, int]:
        """Lines by which a row of a report misses the ranges at both ends; a document that was emptied misses by its length."""
        ends = row["first_line"] or lines, row["last_line"] or 0
        return tuple(max(low - at, at - high, 0) for at, (low, high) in zip(ends, self, strict=True))


def read_books(folder: str) -> list[Book]:
    """Every document below `folder` that can be read."""
    from gutsort.extract.paper import paper_units

    books = []
    for document in walk([os.fsencode(folder)]):
        if isinstance(document, Document):
            with document.open() as file:
                books.append(Book(document, *paper_units(file, 0, extent(file)[1])))
    return books


def whole_list(documents: Iterable[Document], settings: Settings) -> FrequentLines:
    """The frequent list of a collection, by the external sort."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(os.fsencode(folder), b"frequent.txt")
        count_ends(documents, Options(settings, Support(11) if settings == PAPER else Support()), path, SORTING)
        with open(path, "rb") as file:
            return load_frequent(file, escape_name(path))


def list_of_few(documents: Iterable[Document], settings: Settings) -> FrequentLines:
    """The same for a few documents, in memory."""
    support = Support(11) if settings == PAPER else None
    keys, counts = approximate((keys for document in documents for keys in read_keys(document, settings)), "exact", support)
    marked = settings != PAPER and bool(keys)
    frequent = FrequentLines(list(zip(keys, counts, strict=True))[marked:])
    if marked:
        frequent.settings, frequent.documents = parse_settings(keys[0]), counts[0]
    return frequent


RULES: dict[str, tuple[Settings, Callable[[FrequentLines], Stripper]]] = {
    "paper": (PAPER, lambda frequent: gap_stripper(frequent, PAPER, paper=True)),
    "paper, heuristics": (PAPER, lambda frequent: gap_stripper(frequent, PAPER, paper=True, heuristics=True)),
    "odds": (ODDS, odds_stripper),
}


def strip(document: Document, stripper: Stripper) -> dict[str, Any]:
    """The row of the report for one document, which is written nowhere."""
    with document.open() as file:
        return strip_document(document, file, None, stripper)


def read_gold(path: str, books: Iterable[Book]) -> dict[bytes, Truth]:
    """Accepted ranges by document, from a table with path, head_lo, head_hi, tail_lo, tail_hi and group (`none`: no boilerplate)."""
    with open(path, encoding="utf-8", newline="") as file:
        gold = {row["path"]: row for row in csv.DictReader(file, delimiter="\t") if row.get("group") != "none"}
    return dict(_truths(books, gold))


def _truths(books: Iterable[Book], gold: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[bytes, Truth]]:
    for book in books:
        parts = os.fsdecode(book.document.path).split("/")
        row = next((row for depth in range(len(parts)) if (row := gold.get("/".join(parts[depth:])))), None)
        if row:
            yield book.document.path, Truth((int(row["head_lo"]), int(row["head_hi"])), (int(row["tail_lo"]), int(row["tail_hi"])))


def own_truth(books: list[Book], stripper: Stripper) -> dict[bytes, Truth]:
    """The default rule's own cuts of some documents, where nobody has labelled any."""
    truths = {}
    for book in books[:: max(1, len(books) // WITHOUT_GOLD)]:
        row = strip(book.document, stripper)
        if row["first_line"]:
            truths[book.document.path] = Truth((row["first_line"],) * 2, (row["last_line"],) * 2)
    return truths


def write_stream(books: Iterable[Book], path: str) -> None:
    """The paper's line stream of all documents, as `extract --paper` writes it."""
    with open(path, "wb") as file:
        for book in books:
            file.writelines(key + b"\n" for key in book.stream())
