"""Pages one at a time: read a document, find its main text or title, and say where none was found."""

from __future__ import annotations

import functools
import io
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from gutsort.extract.compressed import codec_of
from gutsort.extract.names import kind_of
from gutsort.formats import escape_name
from gutsort.jobs.workers import map_in_order, one_each
from gutsort.pages.maintext import MainText, main_text, page_cuts, read_page
from gutsort.records import Document, Skipped
from gutsort.strip.rewrite import rewrite

HOLDS_PAGES = "holds pages and is none: unpack it first"


class Found(NamedTuple):
    """What came of one page: its document's `path` and `target`, its main text, and, where asked for, the page cut down to it (`html`)."""

    path: bytes
    target: bytes
    main: MainText
    html: bytes | None

    def row(self) -> dict[str, Any]:
        """The page as an object of JSON Lines."""
        main = self.main
        row = {"path": escape_name(self.path), "title": main.title, "method": main.method, "found": main.found}
        row |= {"share": round(main.share, 4), "charset": main.charset}
        return row | ({"text": main.text} if self.html is None else {"html": self.html.decode(main.charset, "replace")})


def read_document(document: Document | Skipped) -> bytes | Skipped:
    """The bytes of a page, or why there are none."""
    data = read_file(document)
    if isinstance(data, bytes) and holds_pages(document, data):
        return Skipped(document.path, HOLDS_PAGES)
    return data


def read_file(document: Document | Skipped) -> bytes | Skipped:
    """The bytes of a document, page or not, or why there are none."""
    if isinstance(document, Skipped):
        return document
    try:
        with document.open() as file:
            return file.read()
    except OSError as error:
        return Skipped(document.path, error.strerror or str(error))


def holds_pages(document: Document, data: bytes) -> bool:
    """Whether a file is compressed, or a container by its name: cuts between its bytes would damage it."""
    return codec_of(data) is not None or kind_of(document) is not None


def main_texts(
    documents: Iterable[Document | Skipped], method: str, *, html: bool = False, titled: bool = True, processes: int = 1
) -> Iterator[Found | Skipped]:
    """Yield the main text of each page, in the order of the documents.

    `html` also gives the page with all cut that is not in it; where not `titled`, titles are not looked for. Memory: a page a process.
    """
    find = functools.partial(_find, method=method, html=html, titled=titled)
    return map_in_order(one_each(find), documents, processes, [])


def _find(document: Document | Skipped, method: str, html: bool, titled: bool) -> Found | Skipped:
    data = read_document(document)
    if isinstance(data, Skipped) or isinstance(document, Skipped):
        return data
    reading = read_page(data)
    main = main_text(reading, method, titled=titled)
    cut = cut_page(data, page_cuts(reading, main.kept)) if html else None
    return Found(document.path, document.target, main._replace(kept=[]), cut)


def cut_page(data: bytes, cuts: Iterable) -> bytes:
    """A page without the bytes of `cuts`, which are in order; all others stay as they are."""
    left = io.BytesIO()
    rewrite(io.BytesIO(data), left, list(cuts))
    return left.getvalue()
