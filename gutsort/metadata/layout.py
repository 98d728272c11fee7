"""How a paragraph is set: its margins and the height of its lines, where the converter knows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from statistics import median_low
from typing import NamedTuple

from gutsort.metadata.paper import Paragraph

MARGIN = 5.0  # points by which margins may differ and be one margin: less than any indentation of an abstract
HEIGHT = 0.9  # points by which line heights may differ and be one size: TeX's sizes are a point apart, superscripts less
CLOSE = 4.0  # line heights that may part paragraphs of one text: a displayed formula's space


class Layout(NamedTuple):
    """Page, margins, upper and lower edge of a paragraph in points, and the height of its lines."""

    page: int
    left: float
    right: float
    top: float
    bottom: float
    height: float


def layout_of(paragraph: Paragraph) -> Layout | None:
    """The layout of a paragraph, or None where a line has no box."""
    boxes = [line.box for line in paragraph if line.box is not None]
    if not paragraph or len(boxes) < len(paragraph):
        return None
    height = median_low(box.bottom - box.top for box in boxes)
    edges = min(b.left for b in boxes), max(b.right for b in boxes), min(b.top for b in boxes), max(b.bottom for b in boxes)
    return Layout(paragraph[0].place.page, *edges, height)


def is_set_alike(upper: Layout, lower: Layout) -> bool:
    """Whether `lower` goes on close below `upper` with the same left margin and size."""
    return (
        upper.page == lower.page
        and has_margin_of(upper, lower)
        and abs(upper.height - lower.height) <= HEIGHT
        and -upper.height <= lower.top - upper.bottom <= CLOSE * upper.height
    )


def has_margin_of(upper: Layout, lower: Layout) -> bool:
    """Whether two paragraphs have the same left margin. One line alone tells no size: small capitals or a bold label make it higher."""
    return abs(upper.left - lower.left) <= MARGIN


def overlaps(upper: Layout, lower: Layout) -> bool:
    """Whether two paragraphs share a column: `lower` is on another page, or their horizontal extents meet."""
    return upper.page != lower.page or (upper.left <= lower.right and lower.left <= upper.right)


def body_layout(paragraphs: Iterable[Paragraph]) -> Layout | None:
    """The layout of the paper's running text: that in which most lines are set, or None without boxes.

    Left margin and height are rounded to MARGIN and HEIGHT to count them.
    """
    lines: Counter[tuple[int, int]] = Counter()
    example = {}
    for layout, paragraph in ((layout_of(p), p) for p in paragraphs):
        if layout is not None and len(paragraph) > 2:
            key = round(layout.left / MARGIN), round(layout.height / HEIGHT)
            lines[key] += len(paragraph)
            example.setdefault(key, layout)
    return example[lines.most_common(1)[0][0]] if lines else None


def is_set_apart(layout: Layout, body: Layout | None) -> bool:
    """Whether a paragraph is set in another margin or size than the running text, as an abstract mostly is."""
    return body is not None and (abs(layout.left - body.left) > MARGIN or abs(layout.height - body.height) > HEIGHT)
