"""The document model: a paper is pages, a page is paragraphs, a paragraph is lines (Kokkelink 2001).

A line carries its place, so that lines can be dropped before a rule runs and places still mean the file as it was read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from gutsort.metadata.words import normalise

HEAD_PAGES = 3  # Kokkelink 2001: the fields stand on the first three pages
HEAD_LINES = 600  # about what three dense pages hold; bounds a text without form feeds, which is one page


class Box(NamedTuple):
    """Where a line stands on its page, in points from the upper left corner."""

    left: float
    top: float
    right: float
    bottom: float


class Place(NamedTuple):
    """Page, paragraph on it, and line of that, each counted from 1."""

    page: int
    paragraph: int
    line: int


class Line(NamedTuple):
    """A line of text, its white space collapsed; `short` where the converter marked its end, `box` where it knows it."""

    text: str
    place: Place
    short: bool = False
    box: Box | None = None


Paragraph = list[Line]


class Page(NamedTuple):
    """The printed page number, where the converter tells it, and the paragraphs, none of them empty."""

    number: str | None
    paragraphs: list[Paragraph]


Paper = list[Page]

RawLine = tuple[str, bool, Box | None]
RawPage = tuple[str | None, Iterable[Iterable[RawLine]]]


def build_paper(pages: Iterable[RawPage]) -> Paper:
    """A Paper from pages of (printed number, paragraphs of (text, short, box)); lines and paragraphs without text are left out.

    >>> build_paper([(None, [[(" a  b ", False, None)], []])])[0].paragraphs
    [[Line(text='a b', place=Place(page=1, paragraph=1, line=1), short=False, box=None)]]
    """
    paper = []
    for page_number, (printed, raw) in enumerate(pages, 1):
        paragraphs: list[Paragraph] = []
        for lines in raw:
            kept = [(text, short, box) for text, short, box in ((normalise(t), s, b) for t, s, b in lines) if text]
            if kept:
                number = len(paragraphs) + 1
                paragraphs.append([Line(t, Place(page_number, number, n), s, b) for n, (t, s, b) in enumerate(kept, 1)])
        paper.append(Page(printed, paragraphs))
    return paper


def head_paragraphs(paper: Paper) -> list[Paragraph]:
    """The paragraphs of the first HEAD_PAGES pages, up to HEAD_LINES lines."""
    paragraphs, lines = [], 0
    for page in paper[:HEAD_PAGES]:
        for paragraph in page.paragraphs:
            if lines >= HEAD_LINES:
                return paragraphs
            paragraphs.append(paragraph)
            lines += len(paragraph)
    return paragraphs


def has_text(paper: Paper) -> bool:
    """False for what a scanned paper gives: pages without a letter."""
    return any(char.isalpha() for page in paper for paragraph in page.paragraphs for line in paragraph for char in line.text)
