"""The default rule for codes of the Mathematics Subject Classification. It differs from the source's (literal.py) in this:

- codes are read behind a label only ("2010 Mathematics Subject Classification", "AMS classification", "MSC"), up to the first line
  that is no list of codes, not in a whole paragraph that happens to have two of its words;
- a code is `14J70`, `00-01`, `11-XX` or `20Fxx` of an area that the classification has or had, so that 1.1 and 1/2 are none;
  `14 J 70` and `14j70` are read as they were meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gutsort.metadata.labels import Label, abstract_label, inline_msc, keywords_label, msc_label
from gutsort.metadata.paper import Line, Paragraph, Place

AREAS = frozenset(  # MSC 1970 to 2020: two digits of every area
    "00 01 02 03 04 05 06 08 10 11 12 13 14 15 16 17 18 19 20 22 26 28 30 31 32 33 34 35 37 39 40 41 42 43 44 45 46 47 49 50 51 52 "  # noqa: SIM905
    "53 54 55 57 58 60 62 65 68 70 73 74 76 78 80 81 82 83 85 86 90 91 92 93 94 96 97".split()
)
GENERAL = 11  # the highest number after a hyphen: 00-11 to 97-11, MSC 2020
STRICT = re.compile(r"(?<!\w)(?:\d\d(?:[A-Z]\d\d|-\d\d|-XX|[A-Z]xx))(?!\w)")

_CODE = re.compile(
    r"(?<![\w.-])(?P<area>\d\d)(?:(?P<letter>[A-Za-z])(?P<number>\d\d|xx|XX)|\s(?P<free>[A-Z])\s?(?P<freed>\d\d)|\s?[-–](?P<general>\d\d|xx|XX))(?![\w-])"
)
_LIST_START = re.compile(r"[\W_]*(?:\d\d(?:[A-Za-z]|\s?[-–]|\s[A-Z]\s?\d)|primary\b|secondary\b|primär|sekundär)", re.I)
_OPEN = re.compile(r"(?:[,;:&-]|\b(?:and|primary|secondary|und|et))\.?$|^\W*$", re.I)
_KEYWORDS = re.compile(r"\b(?:key\s?words|mots[- ]cl|schlüsselw|abstract)\b", re.I)


class Codes(NamedTuple):
    """The codes in their order, each once, and the place of the label's line."""

    codes: list[str]
    place: Place


def find_msc(paragraphs: Sequence[Paragraph]) -> Codes | None:
    """The codes behind the first label that has any, or None: a label without codes is nothing."""
    for index, number, label in _labels(paragraphs):
        paragraph = paragraphs[index]
        texts = [paragraph[number].text[label.end :], *_listed(paragraph[number + 1 :], paragraph[number].text[label.end :])]
        if len(texts) == len(paragraph) - number:
            for following in paragraphs[index + 1 : index + 3]:
                if not _goes_on(texts, following[0].text):
                    break
                texts += [following[0].text, *_listed(following[1:], following[0].text)]
        codes = read_codes(" ".join(texts))
        if codes:
            return Codes(codes, paragraph[number].place)
    return None


def _goes_on(texts: list[str], following: str) -> bool:
    """Whether a paragraph goes on with the list of codes: where that is open or has not begun, or with the secondary ones."""
    secondary = re.match(r"\W*(?:secondary|sekundär)", following, re.I)
    return bool(secondary or (_LIST_START.match(following) and (_OPEN.search(texts[-1]) or not read_codes(" ".join(texts)))))


def _labels(paragraphs: Sequence[Paragraph]) -> Iterator[tuple[int, int, Label]]:
    for index, paragraph in enumerate(paragraphs):
        for number, line in enumerate(paragraph):
            label = msc_label(line.text) or inline_msc(line.text)
            if label:
                yield index, number, label


def _listed(lines: Sequence[Line], before: str) -> Iterator[str]:
    """The lines that go on with a list of codes whose last line is `before`."""
    for line in lines:
        if keywords_label(line.text) or abstract_label(line.text) or not (_LIST_START.match(line.text) or _OPEN.search(before)):
            return
        yield line.text
        before = line.text


def read_codes(text: str) -> list[str]:
    """The codes in a list, in their order, each once, up to a label of another field.

    >>> read_codes("Primary 55P48, 18 D 50; Secondary 00-01, 11-xx, 20Fxx, 55P48. Key words 14J70")
    ['55P48', '18D50', '00-01', '11-XX', '20Fxx']
    """
    text = re.sub(r"(?i)primary|secondary", " ", _KEYWORDS.split(text)[0])
    return list(dict.fromkeys(code for found in _CODE.finditer(text) if (code := _code(found))))


def _code(found: re.Match[str]) -> str | None:
    area, general = found["area"], found["general"]
    if area not in AREAS:
        return None
    if general:
        return f"{area}-{general.upper()}" if not general.isdigit() or int(general) <= GENERAL else None
    letter, number = found["letter"] or found["free"], found["number"] or found["freed"]
    return area + letter.upper() + number.lower()
