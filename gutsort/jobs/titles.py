"""Titles of pages: directory by directory, so that what recurs in the `<title>`s of one is learned before the first is answered."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import groupby

from gutsort.jobs.pages import read_document
from gutsort.pages.charset import view
from gutsort.pages.maintext import read_page
from gutsort.pages.title import find_title, site_parts, title_element
from gutsort.records import Document, Skipped

LEARNED_FROM = 500  # pages of a directory whose <title>s are read first: enough for a part that a third of them have


def titles(documents: Iterable[Document | Skipped], score: str) -> Iterator[tuple[bytes, str] | Skipped]:
    """Yield the path and the title of each page, in the order of the documents.

    Pages that follow each other in one directory are a site. Memory: the names of its pages. Time: its first 500 pages are read twice.
    """
    for _, group in groupby(documents, key=lambda document: os.path.dirname(document.path)):
        pages = list(group)
        of_site = site_parts(_elements(pages[:LEARNED_FROM])) if len(pages) > 1 else set()
        for document in pages:
            data = read_document(document)
            if isinstance(data, Skipped):
                yield data
                continue
            reading = read_page(data)
            yield document.path, find_title(reading.page, reading.texts, reading.title, of_site, score)


def _elements(documents: Iterable[Document | Skipped]) -> Iterator[str]:
    for document in documents:
        data = read_document(document)
        if not isinstance(data, Skipped) and (title := title_element(view(data))):
            yield title
