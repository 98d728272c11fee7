"""The default rule for keywords. It differs from the source's (literal.py) in this:

- the label has to look like one (labels.py): "in other words, the key" is none; French, "Index Terms" and spaced-out labels count;
- a list without a full stop ends where another field, a heading or a thanks begins, with a line that stops short of the margin, or
  with its paragraph, unless that ends with a comma;
- a list that begins below its label is found, also one keyword a line;
- what follows the list in its line ("operad, tree. The author was supported", "MSC: 55P48") is not taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from gutsort.metadata.abstract import Found
from gutsort.metadata.labels import Label, ends_field, inline_keywords, inline_labels, is_heading, is_introduction, keywords_label
from gutsort.metadata.layout import layout_of, overlaps
from gutsort.metadata.paper import Line, Paragraph
from gutsort.metadata.words import Vocabulary, join_lines

SHORT = 0.75  # share of the paragraph's width that a last line stays under: a broken line is fuller, or its next word is long
STEPS = 3  # paragraphs from a label that stands alone to its list
MOST_WORDS = 100  # a list that is longer has lost its end

_OPEN = re.compile(r"(?:[,;:·•&-]|\b(?:and|und|et))$")
_SENTENCE = re.compile(r"(?<=[^\W\d_A-Z][^\W_A-Z])\.\s+(?=[A-Z(])|(?<=[a-z)\d]{2})\.\s+(?=[A-Z(])")
_NO_END = re.compile(r"(?:\b(?:[A-Z]|St|Dr|vs|resp|etc|cf|eq|no)|\.\.)\.$")


def find_keywords(paragraphs: Sequence[Paragraph], vocabulary: Vocabulary | None = None) -> Found | None:
    """The keyword list in the paragraphs of a paper's head as one text with its items parted by "; ", or None."""
    for index, number, label in _labels(paragraphs):
        paragraph = paragraphs[index]
        rest = paragraph[number].text[label.end :]
        lines = [paragraph[number]._replace(text=rest)] if rest else []
        lines += paragraph[number + 1 :]
        alone = not rest
        last = index if lines else _list_below(paragraphs, index)
        lines = _until_end(lines or _at(paragraphs, last), alone=alone)
        if lines and lines[-1].place == paragraphs[last][-1].place and _OPEN.search(lines[-1].text):
            lines += _until_end(_at(paragraphs, last + 1), alone=False)
        items = _items([line.text for line in lines], vocabulary, alone)
        if items:
            return Found("; ".join(items), paragraph[number].place, label.language)
    return None


def _labels(paragraphs: Sequence[Paragraph]) -> Iterator[tuple[int, int, Label]]:
    """The labels that are beyond doubt, then those inside a line, then the weak ones."""
    later = []
    for index, paragraph in enumerate(paragraphs):
        for number, line in enumerate(paragraph):
            label = keywords_label(line.text, starts_paragraph=number == 0)
            if label and label.firm:
                yield index, number, label
            elif inside := inline_keywords(line.text):
                later.append((index, number, inside))
            elif label:
                later.append((index, number, label))
    yield from sorted(later, key=lambda each: not each[2].firm)


def _at(paragraphs: Sequence[Paragraph], index: int | None) -> Paragraph:
    return paragraphs[index] if index is not None and index < len(paragraphs) else []


def _list_below(paragraphs: Sequence[Paragraph], index: int) -> int | None:
    label = layout_of(paragraphs[index][-1:])
    for number in range(index + 1, min(index + 1 + STEPS, len(paragraphs))):
        first = paragraphs[number][0].text
        if ends_field(first) or is_introduction(first) or is_heading(first, ""):
            return None
        layout = layout_of(paragraphs[number])
        if label is None or layout is None or overlaps(label, layout):
            return number
    return None


def _until_end(lines: Sequence[Line], *, alone: bool) -> list[Line]:
    """The lines of a list: up to one that ends with a full stop, stops short, or has something else after it."""
    widths = [line.box.right for line in lines if line.box] or [float(len(line.text)) for line in lines]
    left = min((line.box.left for line in lines if line.box), default=0.0)
    kept: list[Line] = []
    for line, following in zip_longest(lines, lines[1:]):
        if kept and (ends_field(line.text) or is_heading(line.text, kept[-1].text + ".")):
            break  # not in the first: "Keywords. Key words go here..."
        kept.append(line)
        if line.text.endswith(".") and not _NO_END.search(line.text):
            break
        width = (line.box.right if line.box else float(len(line.text))) - left
        short = width < SHORT * (max(widths) - left) and not _OPEN.search(line.text)
        if short and not alone and following is not None and not following.text[0].islower():
            break
    return kept


def _items(lines: list[str], vocabulary: Vocabulary | None, alone: bool) -> list[str]:
    """The keywords in the lines of a list."""
    text = join_lines(lines, vocabulary)
    text = text[: next(iter(cut for cut in inline_labels(text) if cut > 0), None)]
    sentences = _SENTENCE.split(text)
    if len(sentences) > 1:
        listed = len(sentences) > 2 and not re.search(r"[,;·•]", text) and all(len(part.split()) < 6 for part in sentences)
        text = ";".join(sentences) if listed else sentences[0]
    text = " ".join(text.split()[:MOST_WORDS])
    if alone and len(lines) > 1 and not re.search(r"[,;·•]", text):
        return _tidy(lines)
    return _tidy(_split(text))


def _split(text: str) -> list[str]:
    """The parts of a list between semicolons, or else between commas, or dots and dashes that stand free; none inside brackets."""
    signs = ";" if ";" in text else r",·•|"
    return re.split(rf"[{signs}](?![^(\[]*[)\]])|\s[—–]\s", text)


def _tidy(parts: Sequence[str]) -> list[str]:
    cleaned = (part.strip(" ,;:·•") for part in parts)
    cleaned = (part if part.endswith("..") or re.search(r"\b[A-Z]\.$", part) else part.rstrip(".").rstrip() for part in cleaned)
    return [re.sub(r"^(?:and|und|et)\s+", "", part) for part in cleaned if re.search(r"\w", part)]
