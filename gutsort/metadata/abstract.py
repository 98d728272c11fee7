"""The default rule for abstracts. It differs from the source's (literal.py) in this:

- the label may stand in any line, not only at a paragraph's start: plain text often has no blank line before it; it has to look
  like a label (labels.py), so that a table of contents and "abstract algebra" are none; French and spaced-out labels count;
- where the label stands alone, the text is the next paragraph of more than ten words in its column, not across an introduction;
- the text ends where another field, a heading or a footnote begins, also inside a paragraph or a line;
- it goes on over displayed formulas and page ends while its sentence is open, over paragraphs set alike where an abstract is set
  apart from the running text, and up to an introduction or keyword list that follows on the page;
- a short text that speaks of abstracts ("Abstract goes here...") is a placeholder, and then there is no abstract.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gutsort.metadata.labels import Label, abstract_label, ends_field, inline_labels, is_heading, is_introduction, keywords_label, msc_label
from gutsort.metadata.layout import Layout, body_layout, has_margin_of, is_set_alike, is_set_apart, layout_of, overlaps
from gutsort.metadata.paper import Line, Paragraph, Place
from gutsort.metadata.words import Vocabulary, join_lines

FEW_WORDS = 10  # Kokkelink 2001: a paragraph of up to so many words is a heading
LEAST_WORDS = 4  # "We prove Fermat's theorem." is an abstract; "Blah." is none
MOST_WORDS = 800  # no journal allows a longer abstract: a text that goes on has lost its end
STEPS = 6  # paragraphs from a label that stands alone to its text: authors, dates, an article's history
FORMULA_LINES = 12  # lines that a converter breaks a displayed formula into: more is a table
PIECE = 4  # signs of a piece of a formula, such as the bound of a sum, that a converter sets apart
TOP = 3  # paragraphs on top of a page that may be a running head or a number
MORE = 4  # paragraphs that an abstract may go on for before the introduction: longer ones are rare

_NUMBERED = re.compile(r"\s*\(\s*(?:\d+(?:\.\d+)*[a-z]?|∗+|\*+)\s*\)\s*$")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*$")
_PLACEHOLDER = re.compile(
    r"\babstract\b(?! nonsense)|\bsummary\b|goes here|\bblah|\binsert\b|to be (?:written|added|done)|\btbd\b|\btodo\b"
    r"|type (?:your|the)|\bx{3,}\b",
    re.I,
)
_FORMULA_SIGN = re.compile(r"[=<>≤≥∈→∑∫∏⊂⊗⊕×∼≅≡∞+|^{}\[\]]")


class Found(NamedTuple):
    """A field's text, the place of its label's line, and the language of the label."""

    text: str
    place: Place
    language: str


def find_abstract(paragraphs: Sequence[Paragraph], vocabulary: Vocabulary | None = None) -> Found | None:
    """The abstract in the paragraphs of a paper's head, or None. `vocabulary` decides about hyphens at line ends."""
    body = body_layout(paragraphs)
    for index, number, label in _labels(paragraphs):
        line = paragraphs[index][number]
        lines = _collect(paragraphs, index, number, label, body)
        text = _cut_inline(join_lines((part.text for part in lines if not _NUMBERED.fullmatch(part.text)), vocabulary))
        words = len(text.split())
        if words <= FEW_WORDS and _PLACEHOLDER.search(text):
            return None
        if words > FEW_WORDS or (words >= LEAST_WORDS and not text.isupper()):  # capitals alone are the next heading
            return Found(text, line.place, label.language)
    return None


def _labels(paragraphs: Sequence[Paragraph]) -> Iterator[tuple[int, int, Label]]:
    """The labels in their order, on each page the firm ones first."""
    found = [
        (index, number, label)
        for index, paragraph in enumerate(paragraphs)
        for number, line in enumerate(paragraph)
        if (label := abstract_label(line.text, starts_paragraph=number == 0))
    ]
    return iter(sorted(found, key=lambda each: (paragraphs[each[0]][0].place.page, not each[2].firm)))


def _collect(paragraphs: Sequence[Paragraph], index: int, number: int, label: Label, body: Layout | None) -> list[Line]:
    """The lines of the abstract whose label is in line `number` of paragraph `index`."""
    paragraph = paragraphs[index]
    rest = paragraph[number].text[label.end :]
    inside = ([paragraph[number]._replace(text=rest)] if rest else []) + paragraph[number + 1 :]
    lines, stopped = _until_end(inside, "")
    if not inside:
        start = _first_text(paragraphs, index)
        if start is None:
            return []
        index = start
        lines, stopped = _until_end(paragraphs[index], "")
    prose = lines
    while lines and not stopped and sum(len(line.text.split()) for line in lines) < MOST_WORDS:
        following = _next(paragraphs, index, lines, prose, body)
        if following is None:
            break
        more, stopped = _until_end(paragraphs[following], lines[-1].text)
        lines, index = lines + more, following
        prose = prose if _is_formula(more) or not more else more
    return lines


def _until_end(lines: Sequence[Line], before: str) -> tuple[list[Line], bool]:
    """The lines up to one that begins something else, and whether there is such a one."""
    for number, line in enumerate(lines):
        if ends_field(line.text) or is_heading(line.text, before):
            return list(lines[:number]), True
        before = line.text
    return list(lines), False


def _first_text(paragraphs: Sequence[Paragraph], index: int) -> int | None:
    """Which paragraph begins the text of a label that stands alone in paragraph `index`."""
    label = layout_of(paragraphs[index][-1:])
    candidates = []
    for number in range(index + 1, min(index + 1 + STEPS, len(paragraphs))):
        paragraph = paragraphs[number]
        first = paragraph[0]
        if is_introduction(first.text) or is_heading(first.text, "") or first.place.page > paragraphs[index][0].place.page + 1:
            break
        words = sum(len(line.text.split()) for line in paragraph)
        short = number == index + 1 and (words >= LEAST_WORDS and _is_whole(paragraph) or _is_formula(_at(paragraphs, number + 1)))
        if (words > FEW_WORDS or short) and not ends_field(first.text):
            candidates.append(number)
    below = (n for n in candidates if label and (layout := layout_of(paragraphs[n])) and overlaps(label, layout))
    return next(below, candidates[0] if candidates else None)


def _next(paragraphs: Sequence[Paragraph], index: int, lines: list[Line], prose: list[Line], body: Layout | None) -> int | None:
    """Which paragraph the abstract that has `lines` up to paragraph `index` goes on with."""
    if index + 1 < len(paragraphs) and _goes_on(lines, prose, paragraphs[index + 1], body):
        return index + 1
    if _is_whole(lines):
        return index + 1 if _runs_to_label(paragraphs, index, prose) else None
    page = lines[-1].place.page
    over = [n for n in range(index + 1, min(index + 1 + 2 * STEPS, len(paragraphs))) if paragraphs[n][0].place.page == page + 1]
    return next((n for n in over[:TOP] if paragraphs[n][0].text[0].islower()), None)


def _at(paragraphs: Sequence[Paragraph], index: int) -> Paragraph:
    return paragraphs[index] if index < len(paragraphs) else []


def _goes_on(lines: list[Line], prose: list[Line], after: Paragraph, body: Layout | None) -> bool:
    first = after[0].text
    if ends_field(first) or is_heading(first, lines[-1].text) or after[0].place.page != lines[-1].place.page:
        return False
    upper, lower = layout_of(prose), layout_of(after)
    alike = upper is not None and lower is not None and is_set_alike(upper._replace(bottom=max(upper.bottom, _bottom(lines))), lower)
    if alike and is_set_apart(upper, body):
        return True
    if _is_whole(lines):
        return False
    if _is_formula(after) or (first[0].islower() and (upper is None or lower is None or has_margin_of(upper, lower))):
        return True
    return _is_formula(lines[-1:]) and (alike or upper is None)


def _bottom(lines: list[Line]) -> float:
    return max((line.box.bottom for line in lines if line.box), default=0.0)


def _is_whole(lines: Sequence[Line]) -> bool:
    """Whether the text ends with a sentence; a formula's number after it does not count."""
    texts = [text for line in lines if (text := _NUMBERED.sub("", line.text))]
    return bool(texts) and bool(_SENTENCE_END.search(texts[-1])) and not texts[-1].endswith((". . .", "..."))


def _is_formula(lines: Sequence[Line]) -> bool:
    """Whether lines are a displayed formula or a piece of one: signs, and hardly a word."""
    text = " ".join(line.text for line in lines)
    words, tokens = len(re.findall(r"[^\W\d_]{3,}", text)), len(text.split())
    if words == 0 and 0 < tokens <= PIECE:
        return True
    return words <= max(1, tokens // 4) and len(lines) < FORMULA_LINES and bool(_NUMBERED.search(text) or _FORMULA_SIGN.search(text))


def _runs_to_label(paragraphs: Sequence[Paragraph], index: int, prose: list[Line]) -> bool:
    """Whether only prose, set as `prose` is, stands between paragraph `index` and an introduction, keyword list or classification."""
    upper = layout_of(prose)
    for number in range(index + 1, min(index + 2 + MORE, len(paragraphs))):
        paragraph = paragraphs[number]
        first = paragraph[0]
        if first.place.page != prose[0].place.page:
            return False
        if is_introduction(first.text) or keywords_label(first.text) or msc_label(first.text):
            return number > index + 1
        lower = layout_of(paragraph)
        if ends_field(first.text) or is_heading(first.text, "") or not _is_prose(paragraph):
            return False
        if upper and lower and (abs(upper.height - lower.height) > 1 or not overlaps(upper, lower)):
            return False
    return False


def _is_prose(paragraph: Paragraph) -> bool:
    text = " ".join(line.text for line in paragraph)
    return len(re.findall(r"[^\W\d_]{2,}", text)) > FEW_WORDS and _is_whole(paragraph)


def _cut_inline(text: str) -> str:
    """The text up to a label of keywords or a classification inside it."""
    return text[: next(iter(inline_labels(text)), None)].strip()
