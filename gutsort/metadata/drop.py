"""Lines that are no text of the paper: running heads, page numbers, stamps in the margin, line numbers, frequent lines.

Running heads are found by the project's own means: what recurs at page ends is boilerplate. Digits do not count, so "2 A. AUTHOR"
and "4 A. AUTHOR" are one line; nor does case, so that title and authors on page 1 tell the heads of pages 2 and 3. No line that is
a label of a field is ever dropped: over a collection "Abstract" and "Keywords:" are the most frequent lines of all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container

from gutsort.metadata.labels import is_label
from gutsort.metadata.paper import Line, Page, Paper, Paragraph

END_LINES = 2  # lines at each end of a page that may be running heads or feet: a head and a rule, a foot and a number
TITLE_LINES = 12  # lines of page 1 that may hold title and authors
RECURS = 2  # pages on which a line at a page end has to stand

_STAMP = re.compile(r"arXiv:(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?\b")
_NUMBER = re.compile(r"[-–—\s]*(\d{1,5}|[ivxl]{1,6})[-–—\s]*$")


def drop_noise(paper: Paper, frequent: Container[bytes] = ()) -> Paper:
    """The paper without running heads, page numbers, stamps, columns of line numbers and lines whose bytes are in `frequent`.

    Pages keep their order and lines their places; the number of a page is taken from its ends where the converter gave none.
    """
    ends = [_end_lines(page) for page in paper]
    titles = [line for page in paper[:1] for paragraph in page.paragraphs for line in paragraph][:TITLE_LINES]
    counted = [titles + lines if number == 0 else lines for number, lines in enumerate(ends)]
    recurring = Counter(text for lines in counted for text in {_fold(line.text) for line in lines})
    kept = []
    for page, lines in zip(paper, ends, strict=True):
        numbers = [found[1] for line in lines if (found := _NUMBER.match(line.text))]
        running = {line.place for line in lines if _NUMBER.match(line.text) or (recurring[_fold(line.text)] >= RECURS)}
        paragraphs = [[line for line in p if not _is_noise(line, running, frequent)] for p in page.paragraphs if not _is_numbering(p)]
        number = page.number or (numbers[-1] if numbers else None)
        kept.append(Page(number, [paragraph for paragraph in paragraphs if paragraph]))
    return kept


def _end_lines(page: Page) -> list[Line]:
    lines = [line for paragraph in page.paragraphs for line in paragraph if not _is_upright(line)]
    if all(line.box for line in lines):
        lines.sort(key=lambda line: line.box.top)
    return lines[:END_LINES] + lines[max(END_LINES, len(lines) - END_LINES) :]


def _fold(text: str) -> str:
    return re.sub(r"[\W\d_]+", "", text).casefold() or text


def _is_noise(line: Line, running: Container[object], frequent: Container[bytes]) -> bool:
    noise = line.place in running or _STAMP.match(line.text) or _is_upright(line) or line.text.encode("utf-8", "replace") in frequent
    return bool(noise) and not is_label(line.text)


def _is_upright(line: Line) -> bool:
    """Text set along the margin, such as a repository's stamp."""
    box = line.box
    return box is not None and len(line.text) > 3 and box.bottom - box.top > 3 * max(1.0, box.right - box.left)


def _is_numbering(paragraph: Paragraph) -> bool:
    """The line numbers that journals print beside a submission."""
    return len(paragraph) >= 3 and all(line.text.isdigit() for line in paragraph)
