"""The three rules of Kokkelink 2001 to the letter, on the first three pages.

Where the source leaves a choice: "as a word" is up to a non-word character; a paragraph's words are what blanks part; a paragraph
ends with its last line's last character; and the token (D)DCD(D), one or two digits, one non-digit, one or two digits, is not part
of a longer word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gutsort.metadata.paper import Line, Paragraph, Place
from gutsort.metadata.words import join_lines

FEW_WORDS = 10  # a paragraph of up to so many is a heading, Kokkelink 2001
FALLBACK_LINES = 5  # lines after one that begins with "Key", Kokkelink 2001
MSC_WORDS = frozenset({"ams", "msc", "classification", "subject", "mathematics"})

_ABSTRACT = re.compile(r"[\W\d_]*(?:abstract|summary|zusammenfassung)\b", re.I)
_ABSTRACT_LABEL = re.compile(r"[\W\d_]*(?:abstract|summary|zusammenfassung)\b[\s.:,;—–-]*", re.I)
_GERMAN_KEYWORDS = re.compile(r"schl(?:ü|ue)sselw(?:ö|oe)rter")
_TOKEN = re.compile(r"(?<!\w)\d?\d\D\d\d?(?!\w)")


def literal_abstract(paragraphs: Sequence[Paragraph]) -> tuple[str, Place] | None:
    """The abstract and the place of its label's line, or None."""
    texts = [_text(paragraph) for paragraph in paragraphs]
    first = next((i for i, text in enumerate(texts) if _ABSTRACT.match(text)), None)
    if first is None:
        return None
    start = next((i for i in range(first, len(texts)) if len(texts[i].split()) > FEW_WORDS), None)
    if start is None:
        return None
    end = start + 1
    while end < len(texts) and not texts[end - 1].endswith(".") and len(paragraphs[end - 1]) == 1:
        end += 1
    text = _ABSTRACT_LABEL.sub("", " ".join(texts[start:end]), count=1) if start == first else " ".join(texts[start:end])
    return (text, paragraphs[first][0].place) if text else None


def literal_keywords(paragraphs: Sequence[Paragraph]) -> tuple[str, Place] | None:
    """The keyword list as one text and the place of its first line, or None."""
    for paragraph in paragraphs:
        for number, line in enumerate(paragraph):
            if _has_keywords(line.text.casefold()):
                lines = [line.text]
                for following in paragraph[number + 1 :]:
                    if lines[-1].endswith("."):
                        break
                    lines.append(following.text)
                return _found(re.sub(r"^[^.:]*[.:]", "", join_lines(lines), count=1), line)
    return _fallback(paragraphs)


def _has_keywords(text: str) -> bool:
    return ("key" in text and "words" in text) or bool(_GERMAN_KEYWORDS.search(text))


def _fallback(paragraphs: Sequence[Paragraph]) -> tuple[str, Place] | None:
    """No line has the words: a line that begins with "Key" and the next five, up to a short line's end, a paragraph's, or a full stop."""
    for paragraph in paragraphs:
        for number, line in enumerate(paragraph):
            if line.text.startswith("Key"):
                lines = paragraph[number : number + 1 + FALLBACK_LINES]
                short = next((i for i, each in enumerate(lines) if each.short), len(lines))
                return _found(join_lines(each.text for each in lines[: short + 1]).partition(".")[0], line)
    return None


def _found(text: str, line: Line) -> tuple[str, Place] | None:
    text = text.strip(" .:")
    return (text, line.place) if text else None


def literal_msc(paragraphs: Sequence[Paragraph], token: re.Pattern[str] = _TOKEN) -> tuple[list[str], Place] | None:
    """The codes in all paragraphs that have two of the words of a classification, and the place of the first such, or None."""
    codes: dict[str, Place] = {}
    for paragraph in paragraphs:
        text = _text(paragraph)
        if len(MSC_WORDS & set(re.findall(r"\w+", text.casefold()))) >= 2:
            for code in token.findall(text):
                codes.setdefault(code, paragraph[0].place)
    return (list(codes), next(iter(codes.values()))) if codes else None


def _text(paragraph: Paragraph) -> str:
    return join_lines(line.text for line in paragraph)
