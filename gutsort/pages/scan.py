r"""Tokens of a page: texts and the markup between them, in one pass of one regular expression.

The standard library's html.parser makes the same tokens (tests hold the two against each other), but calls Python for each: with handlers
that do nothing it reads 220 pages of 105 KB a CPU second where `MARKUP.split` reads 2,050, and all of `blocks.parse` 680 (Python 3.11,
same run). There it is also quadratic on what never ends: twice as many `<!--` or `<a b="` take four times as long.

Every repeat is possessive and every open construct ends at the end of the page, as in HTML 5, so no byte is looked at twice.

The page is scanned as latin-1 text: one character is one byte, so offsets are those of the source, and markup is the same bytes in every
charset that holds ASCII (`charset.view` transcodes the few that do not).
"""

from __future__ import annotations

import re

INLINE = frozenset(
    (
        "a abbr acronym b basefont bdi bdo big br cite code data del dfn em font i img ins kbd label mark nobr picture q s samp small source "
        "span strike strong sub sup time tt u var wbr"
    ).split()
)  # HTML 5, phrasing content, less what splits a text as laid out (buttons, fields, media)
RAW = "script style textarea title xmp iframe noembed noframes".split()  # HTML 5, 13.2.5: their content is no markup


def _any_case(name: str) -> str:
    return "".join(f"[{letter}{letter.upper()}]" for letter in name)


_END = r"(?=[\t\n\f\r />]|\Z)"  # what ends a tag's name
# One turn an attribute: up to "=" and its value; a quote that stands elsewhere is a letter.
_ATTRIBUTES = r"""(?:[^>"'=]*+(?:=[\t\n\f\r ]*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z))?+|["']))*+[^>"'=]*+"""
_CLOSE = r"(?:>|\Z)"
_COMMENT = r"!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>|\Z))"
_NAME = r"[a-zA-Z][^\t\n\f\r />]*+"
_BOGUS = rf"(?:[!?]|/(?![a-zA-Z]))[^>]*+{_CLOSE}"  # doctype, CDATA, processing instruction


def _raw(name: str) -> str:
    """An element without markup in it, up to its end tag."""
    letters = _any_case(name)
    content = rf"(?:[^<]++|<(?!/{letters}{_END}))*+"
    return rf"{letters}{_END}{_ATTRIBUTES}(?:>{content}(?:</{letters}{_ATTRIBUTES}{_CLOSE}|\Z)|\Z)"


_RAW = rf"(?=[stxinSTXIN])(?:{'|'.join(map(_raw, RAW))})"  # looking ahead saves eight attempts a tag
# For `split`: text, then for each markup it, the name with "/" for an end tag (None where it is no tag), what follows the name, and text.
MARKUP = re.compile(rf"(<(?:{_RAW}|(/?{_NAME})(>|{_ATTRIBUTES}{_CLOSE})|{_COMMENT}|{_BOGUS}))")
UNSHOWN = re.compile(rf"<(?:{_COMMENT}|{_RAW}|{_BOGUS})")
UNSHOWN_OR_ADDRESS = re.compile(rf"{UNSHOWN.pattern}|<[aA](?=[\t\n\f\r ])({_ATTRIBUTES}){_CLOSE}")  # the group: the attributes of a link
ANY_TAG = re.compile(rf"</?{_NAME}{_ATTRIBUTES}{_CLOSE}")
_TITLE = _any_case("title")
TITLE = re.compile(rf"<{_TITLE}{_END}{_ATTRIBUTES}>([^<]*+(?:<(?!/{_TITLE}{_END})[^<]*+)*+)")
