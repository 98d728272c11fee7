"""The metadata of a paper: the rules, literal or default, in one call."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import NamedTuple

from gutsort.metadata.abstract import find_abstract
from gutsort.metadata.drop import drop_noise
from gutsort.metadata.keywords import find_keywords
from gutsort.metadata.language import guess_language
from gutsort.metadata.literal import literal_abstract, literal_keywords, literal_msc
from gutsort.metadata.msc import STRICT, find_msc
from gutsort.metadata.paper import Paper, Place, head_paragraphs
from gutsort.metadata.words import Vocabulary

SEEN_PAGES = 12  # pages whose ends are compared: enough for the running heads of left and right pages to recur


class Metadata(NamedTuple):
    """What a paper says of itself: None and empty lists where it does not; a place is that of the line with the field's label."""

    abstract: str | None
    keywords: list[str]
    msc: list[str]
    language: str | None
    abstract_place: Place | None
    keywords_place: Place | None
    msc_place: Place | None


def find_metadata(paper: Paper, *, frequent: Container[bytes] = ()) -> Metadata:
    """Abstract, keywords, MSC codes and language by the default rules.

    `frequent` holds lines, white space collapsed, that recur over the papers of a collection; they are dropped before the rules run,
    as are running heads and stamps (drop.py). Memory: that of the paper. Time: linear in it.
    """
    paragraphs = head_paragraphs(drop_noise(paper[:SEEN_PAGES], frequent))
    vocabulary = Vocabulary(line.text for paragraph in paragraphs for line in paragraph)
    abstract = find_abstract(paragraphs, vocabulary)
    keywords = find_keywords(paragraphs, vocabulary)
    msc = find_msc(paragraphs)
    label = abstract or keywords
    language = guess_language(abstract.text if abstract else None, label.language if label else None)
    return Metadata(
        abstract.text if abstract else None,
        keywords.text.split("; ") if keywords else [],
        msc.codes if msc else [],
        language,
        abstract.place if abstract else None,
        keywords.place if keywords else None,
        msc.place if msc else None,
    )


def find_metadata_literally(paper: Paper, *, strict: bool = False) -> Metadata:
    """The same by the source's rules to the letter (literal.py); with `strict`, codes are those of a strict pattern."""
    paragraphs = head_paragraphs(paper)
    abstract, abstract_place = literal_abstract(paragraphs) or (None, None)
    keywords, keywords_place = literal_keywords(paragraphs) or ("", None)
    msc, msc_place = (literal_msc(paragraphs, STRICT) if strict else literal_msc(paragraphs)) or ([], None)
    items = [item for part in re.split(r"[,;]", keywords) if (item := part.strip())]
    return Metadata(abstract, items, msc, guess_language(abstract), abstract_place, keywords_place, msc_place)
