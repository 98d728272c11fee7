"""What announces a field at the head of a paper, and what ends one: labels and headings in English, German and French.

A word alone is no label: "abstract algebra is", "in other words, the key" and "Abstract . . . . 5" in a table of contents are
none. A label stands at the start of a line, begins with a capital letter, and is alone or followed by punctuation; one that is
followed by a sentence ("Abstract We show") is a weak label, believed where no firm one is found. Letters may be spaced out.
"""

from __future__ import annotations

import re
from typing import NamedTuple

LONGEST_LEAD = 20  # characters that are no letters before a label: a section's number, a footnote's mark


class Label(NamedTuple):
    """A label found in a line: where it starts, where the text after it starts, its language, and whether it is beyond doubt."""

    start: int
    end: int
    language: str
    firm: bool


def _spaced(*words: str) -> str:
    """A pattern for any of `words` whose letters may stand apart, a blank in them standing for any blanks or hyphen."""
    return "|".join("".join(r"[\s-]*" if char == " " else re.escape(char) + r"\s?" for char in word)[:-3] for word in words)


ABSTRACT_WORDS = {
    "en": _spaced("abstract", "summary"),
    "de": _spaced("zusammenfassung", "kurzfassung"),
    "fr": _spaced("résumé", "resumé", "résume"),
}
KEYWORD_WORDS = {
    "en": rf"(?:{_spaced('key words', 'key word')})(?:\s*(?:and|&|/|,)\s*(?:key\s*)?phrases)?|index\s+terms",
    "de": _spaced("schlüsselwörter", "schluesselwoerter", "schlüsselwoerter", "schlüsselworte", "schlagwörter", "schlagworte"),
    "fr": _spaced("mots clés", "mots clé", "mots clefs", "mots cles"),
}
_YEAR = r"\(?(?:19|20)\d\d(?:/(?:19|20)?\d\d)?\)?"
_SOCIETY = r"(?:mathematics|mathematical|ams|a\.\s?m\.\s?s\.?|msc)[\s-]*(?:\(mos\)\s*)?"
MSC_WORDS = (
    rf"(?:{_YEAR}\s*)?(?:"
    + "|".join(
        [
            r"(?:(?:mathematics?|mathematical|math\.?|ams|msc|a\.\s?m\.\s?s\.?|primary)[\s-]*)*(?:\(mos\)\s*)?"
            r"(?:subject|subj\.?)s?[\s-]*class(?:ifications?|\.|if\.)?(?:\s*(?:numbers?|codes?|scheme))?",
            rf"{_SOCIETY}(?:classifications?|klassifi[kz]ation(?:en)?|class\.|codes?|numbers?|primary|subjects?)",
            r"classification\s+(?:ams|msc|math[ée]matique)\w*(?:\s+par\s+(?:sujets?|mati[èe]res?))?",
            rf"(?:ams|msc)(?=\s*[-:]?\s*{_YEAR}|\s*[:.—–])",
            r"math(?:ematics)?\s*subject\b(?=\s*:)",
            r"msc\b(?=\s+\d\d)",
        ]
    )
    + ")"
)

_FOOTMARK = r"[\s*∗†‡§¶]*"
_AFTER = re.compile(rf"{_FOOTMARK}(?:[.:]+|[—–−]+|-+(?=\s|[A-Z]|$))[\s.:—–−-]*")
_LEADERS = re.compile(r"\s*(?:[.…·]\s*){3,}.*$|\s*[.…·\s]*(?:\d+|[ivxlc]+)\s*$")
OPENERS = frozenset(  # words that begin the first sentence of an abstract that nothing parts from its label
    "a an as based by for given i if in it it's let motivated on our recently some the there these this to under using we "  # noqa: SIM905
    "das der die ein eine es in wir ce cet cette dans il la le les nous on soit un une".split()
)


def _labelled(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<lead>[\W\d_]{{0,{LONGEST_LEAD}}})(?P<word>{words})(?!\w)(?P<rest>.*)", re.I | re.S)


_ABSTRACT = {language: _labelled(words) for language, words in ABSTRACT_WORDS.items()}
_KEYWORDS = {language: _labelled(words) for language, words in KEYWORD_WORDS.items()}
_BESIDE = re.compile(rf"(?P<lead>{_spaced('article info', 'articleinfo')}\s+)(?P<word>{_spaced('abstract')})(?P<rest>)$", re.I)
_MSC = re.compile(rf"[\W_]{{0,5}}(?:\d{{1,2}}\s+)?[\W_]{{0,5}}(?P<word>{MSC_WORDS})", re.I)
_INLINE_KEYWORDS = re.compile(
    r"(?<=[.;,)\d•·] )(?:K(?:EY|ey)[\s-]?[Ww](?:ORDS|ords)(?: (?:and|AND|&) [Pp](?:hrases|HRASES))?|Index Terms|Schlüsselwörter"
    r"|Mots[- ]cl[ée]f?s)\s*[.:—–]"
)
_INLINE_MSC = re.compile(
    r"(?<=[.;,)•·] )(?:(?:19|20)\d\d )?(?:Mathematics Subject Classification|AMS [Ss]ubject|AMS [Cc]lass|MSC)\b(?! (?:is|of|in)\b)"
)
_OTHER = re.compile(  # what stands on a first page beside the fields
    r"[\W_]{0,5}(?:"
    + "|".join(
        [
            r"(?:table of )?contents\.?$|inhalt(?:sverzeichnis|sübersicht)?\.?$|table des mati[èe]res\.?$",
            r"dates?\s*:|(?:received|accepted|revised)\b(?=[:,]? .*\d|:)|submitted (?:to|on)\b|to appear in",
            r"preprint submitted|dedicated to",
            r"corresponding author|e-?mail\b|(?:current )?address\s*:|article history|article info",
            r"pacs\b|jel\b|acm\b|ccs concepts|arxiv:|typeset (?:by|using)",
            r"©|c? ?copyright\b|c (?:19|20|xx)\w\w ",
            r"funding\b|acknowledge?ments?\b|(?:partially |partly )?supported (?:by|in part)",
            r"(?:the )?(?:first |second |third |last |two |three )?authors? (?:was|were|is|are|would|wish|thanks?|gratefully)\b",
            r"this (?:work|research) (?:was|is|has been) (?:partially |partly )?(?:supported|funded)",
        ]
    )
    + ")",
    re.I,
)
_INTRODUCTION = re.compile(
    r"(?:§\s*)?(?:(?:[01]|I)\s?[.:)]?\s*[-–—]?\s*)?"
    r"(?:Introduction|Einleitung|EINLEITUNG|Einführung|EINFÜHRUNG|I ?N ?T ?R ?O ?D ?U ?C ?T ?I ?O ?N)\b(?!\s+(?:of|to the [a-z]+ of)\b)"
)
_FIRST_SECTION = re.compile(r"(?:§\s*)?(?:[01](?:\.|\s)|I\.|[01]\.\s)\s*[A-ZÄÖÜÉ][^=<>]{2,70}$|(?:§\s*)?[01]\.?$|I\.$")


def abstract_label(text: str, *, starts_paragraph: bool = False) -> Label | None:
    """The label of an abstract at the start of a line, or None.

    >>> abstract_label("1. Abstract. We show"), abstract_label("abstract algebra is")
    (Label(start=3, end=13, language='en', firm=True), None)
    """
    beside = _BESIDE.match(text)
    if beside:
        return Label(beside.start("word"), len(text), "en", True)
    for language, pattern in _ABSTRACT.items():
        found = pattern.match(text)
        if found:
            return _judge(found, language, starts_paragraph)
    return None


def _judge(found: re.Match[str], language: str, starts_paragraph: bool) -> Label | None:
    word, rest = found["word"], found["rest"]
    if not (word[0].isupper() or " " in word or starts_paragraph) or _LEADERS.match(rest):
        return None
    numbered = any(char.isdigit() for char in found["lead"]) and language + word[0].lower() == "ens"  # "5. Summary" is a section
    mark = re.match(_FOOTMARK, rest)
    if mark.end() == len(rest):
        return Label(found.start("word"), len(found[0]), language, not numbered and (word[0].isupper() or " " in word))
    after = _AFTER.match(rest)
    if after:
        return Label(found.start("word"), found.start("rest") + after.end(), language, not numbered)
    first = re.match(r"\s+([^\W\d_]+(?:'s)?)", rest)
    if first and first[1][0].isupper() and (first[1].casefold() in OPENERS or (word.isupper() and not first[1].isupper())):
        return Label(found.start("word"), found.start("rest") + first.start(1), language, False)
    return None


def keywords_label(text: str, *, starts_paragraph: bool = False) -> Label | None:
    """The label of a keyword list at the start of a line, or None.

    >>> keywords_label("Key words and phrases. operad").end, keywords_label("key words are not listed")
    (23, None)
    """
    for language, pattern in _KEYWORDS.items():
        found = pattern.match(text)
        if not found:
            continue
        word, rest = found["word"], found["rest"]
        if not (word[0].isupper() or " " in word.split("ey")[0] or starts_paragraph) or _LEADERS.match(rest):
            return None
        if not re.sub(_FOOTMARK, "", rest):
            return Label(found.start("word"), len(text), language, True)
        after = _AFTER.match(rest)
        if after:
            return Label(found.start("word"), found.start("rest") + after.end(), language, True)
        if word[0].isupper() and re.match(r"\s+(?!are\b|is\b|were\b|can\b|and\b|in\b|of\b)[^\s,;]+(?: [^\s,;]+){0,4}(?:[,;·•]|$)", rest):
            return Label(found.start("word"), found.start("rest") + 1, language, False)
        return None
    return None


def msc_label(text: str) -> Label | None:
    """The label of a subject classification at the start of a line, or None.

    >>> msc_label("2010 Mathematics Subject Classification. Primary 55P48").end, msc_label("subject to a class")
    (39, None)
    """
    found = _MSC.match(text)
    return Label(found.start("word"), found.end(), "en", True) if found else None


def inline_labels(text: str) -> list[int]:
    """Where in a text, behind punctuation, the label of a keyword list or a classification starts.

    >>> inline_labels("We show. Keywords: operad. MSC 55P48")
    [9, 27]
    """
    return sorted(found.start() for pattern in (_INLINE_KEYWORDS, _INLINE_MSC) for found in pattern.finditer(text))


def inline_keywords(text: str) -> Label | None:
    """The label of a keyword list that stands inside a line, behind punctuation."""
    found = _INLINE_KEYWORDS.search(text)
    if found is None or _LEADERS.match(text[found.end() :].lstrip(" .")):  # a line of a table of contents
        return None
    return Label(found.start(), found.end(), "en", True)


def inline_msc(text: str) -> Label | None:
    """The label of a classification that stands inside a line, behind punctuation."""
    found = _INLINE_MSC.search(text)
    return Label(found.start(), found.end(), "en", True) if found else None


def is_introduction(text: str) -> bool:
    """Whether a line is the heading of an introduction.

    >>> is_introduction("1. Introduction and results"), is_introduction("Introduction of a new term")
    (True, False)
    """
    return bool(_INTRODUCTION.match(text)) and len(text) < 100


def ends_field(text: str) -> bool:
    """Whether a line begins something else than the text of an abstract or a keyword list: a label, an introduction, a thanks."""
    if abstract_label(text) or keywords_label(text) or msc_label(text):
        return True
    return is_introduction(text) or bool(_OTHER.match(text))


def is_heading(text: str, before: str) -> bool:
    """Whether a line is the heading of a first section; `before` is the text before it, and a heading follows a whole sentence."""
    return (not before or before.rstrip().endswith((".", "!", "?", ")", "”", '"'))) and bool(_FIRST_SECTION.match(text))


def is_label(text: str) -> bool:
    """Whether a line is, or begins with, the label of one of the fields."""
    return bool(abstract_label(text, starts_paragraph=True) or keywords_label(text, starts_paragraph=True) or msc_label(text))
