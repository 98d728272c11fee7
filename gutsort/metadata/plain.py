"""Reader of plain text as pdftotext and ps2ascii write it: a form feed ends a page, a blank line a paragraph."""

from __future__ import annotations

from gutsort.metadata.paper import Paper, RawLine, build_paper


def read_plain(source: str) -> Paper:
    """The paper in plain text; a text that ends with a form feed has no page after it.

    >>> [[line.text for line in p] for p in read_plain("a\\nb\\n\\nc\\f")[0].paragraphs]
    [['a', 'b'], ['c']]
    """
    pages = source.replace("\r\n", "\n").replace("\r", "\n").split("\f")
    if len(pages) > 1 and not pages[-1].strip():
        pages.pop()
    return build_paper((None, _paragraphs(page)) for page in pages)


def _paragraphs(page: str) -> list[list[RawLine]]:
    paragraphs: list[list[RawLine]] = [[]]
    for line in page.split("\n"):
        if line.strip():
            paragraphs[-1].append((line, False, None))
        elif paragraphs[-1]:
            paragraphs.append([])
    return paragraphs
