"""Words as they were before typesetting: ligatures, loose accents and hyphenation at line ends undone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

LONGEST_LINE = 8000  # characters: an abstract that is one line of HTML is shorter, and rules stay fast on a file without line ends
LONGEST_WORD = 100  # characters looked at on either side of a hyphen
LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "ft", 0xFB06: "st"}
_COMBINING = {"¨": "\u0308", "´": "\u0301", "ˆ": "\u0302", "¸": "\u0327"}  # the accents that TeX's OT1 fonts print beside the letter
_BEFORE = re.compile(r"([¨´ˆ]) ?([aeiouAEIOUı])")
_AFTER = re.compile(r"([aeouAEOUcC])([¨´ˆ¸])")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ufeff\ufffe\uffff]")
_LATEX = re.compile(r"\bL A T ?E ?X\b|-L A T ?E ?X\b")
_FIRST_WORD = re.compile(r"[^\W\d_]*")
_LAST_WORD = re.compile(r"[^\W\d_]*\Z")
_HYPHENATED = re.compile(r"(?<![^\W\d_])[^\W\d_]++(?:-[^\W\d_]++)+")  # possessive: linear on a line that is one endless word
_WORD = re.compile(r"[^\W\d_]+")


def normalise(text: str) -> str:
    r"""One line of text: ligatures resolved, accents put on their letters (NFC), controls removed, white space collapsed.

    A line is cut after LONGEST_LINE characters.

    >>> normalise("Schl¨ usselw¨orter  of a \ufb01eld")
    'Schlüsselwörter of a field'
    """
    text = _CONTROL.sub("", text[:LONGEST_LINE].translate(LIGATURES))
    if any(accent in text for accent in _COMBINING):
        text = _BEFORE.sub(lambda m: _compose(m[2].replace("ı", "i"), m[1]), text)
        text = _AFTER.sub(lambda m: _compose(m[1], m[2]), text)
    text = _LATEX.sub(lambda m: m[0].replace(" ", ""), text)
    return unicodedata.normalize("NFC", " ".join(text.split()))


def _compose(letter: str, accent: str) -> str:
    return unicodedata.normalize("NFC", letter + _COMBINING[accent])


class Vocabulary:
    """The words of a paper that stand inside lines: they tell a hyphen of the language from one of the typesetter."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.hyphenated: set[str] = set()
        self.plain: set[str] = set()
        for line in lines:
            text = line.casefold()
            self.hyphenated.update(_HYPHENATED.findall(text))
            self.plain.update(_WORD.findall(text))

    def keeps_hyphen(self, before: str, after: str) -> bool:
        """Whether `before-after` is a compound of this paper and `beforeafter` is no word of it."""
        return f"{before}-{after}".casefold() in self.hyphenated and (before + after).casefold() not in self.plain


def join_lines(lines: Iterable[str], vocabulary: Vocabulary | None = None) -> str:
    """Lines as one text: a hyphen between a line's end and a small letter goes, unless `vocabulary` knows the compound.

    >>> join_lines(["a trans-", "formation of the m-", "vectors, Non-", "Uniform"])
    'a transformation of the m-vectors, Non-Uniform'
    """
    text = ""
    for line in lines:
        if not text or not line:
            text += line
        elif not text.endswith(("-", "\u2010", "\u00ad")):
            text += " " + line
        else:
            text = _join_hyphen(text, line, vocabulary)
    return text


def _join_hyphen(text: str, line: str, vocabulary: Vocabulary | None) -> str:
    before = _LAST_WORD.search(text[-LONGEST_WORD:-1])[0]
    after = _FIRST_WORD.match(line)[0]
    if not before or not after:
        return text + (" " if text[-2:-1] in ("", " ") else "") + line
    if len(before) < 2 or not after[0].islower() or (vocabulary and vocabulary.keeps_hyphen(before, after)):
        return text + line
    return text[:-1] + line
