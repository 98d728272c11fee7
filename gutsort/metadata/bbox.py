"""Reader of the XHTML of `pdftotext -bbox-layout`: page, block (a paragraph), line, word, each but the page with its box."""

from __future__ import annotations

from collections.abc import Iterator

from gutsort.metadata.markup import attributes, tokens
from gutsort.metadata.paper import Box, Paper, RawLine, RawPage, build_paper


def read_bbox(source: str) -> Paper:
    """The paper in poppler's bounding-box layout; blocks are paragraphs, in poppler's reading order."""
    return build_paper(_pages(source))


def _pages(source: str) -> Iterator[RawPage]:
    blocks: list[list[RawLine]] | None = None
    words: list[str] = []
    box, in_word = None, False
    for name, text in tokens(source):
        if name == "page":
            if blocks is not None:
                yield None, blocks
            blocks = []
        elif blocks is None:
            continue
        elif name == "block":
            blocks.append([])
        elif name == "line":
            words, box = [], _box(text)
        elif name == "/line":
            (blocks or _opened(blocks))[-1].append((" ".join(words), False, box))
            words = []
        elif name in ("word", "/word"):
            in_word = name == "word"
        elif name == "" and in_word:
            words.append(text)
    if blocks is not None:
        if words:  # a truncated file: its last line was not closed
            (blocks or _opened(blocks))[-1].append((" ".join(words), False, box))
        yield None, blocks


def _opened(blocks: list[list[RawLine]]) -> list[list[RawLine]]:
    blocks.append([])
    return blocks


def _box(text: str) -> Box | None:
    values = attributes(text)
    try:
        box = Box(*(float(values[name]) for name in ("xmin", "ymin", "xmax", "ymax")))
    except (KeyError, ValueError):
        return None
    return box if all(abs(value) < 1e6 for value in box) else None  # NaN and infinity fail this too
