r"""Tokens of a page: runs of text with their inline tags, and the block tags between them, in one pass of one regular expression.

The standard library's html.parser makes the same tokens (tests hold the two against each other), but spends its time in Python
code a tag: 63 pages of 105 KB a CPU second where this takes 400, and before Python 3.13.6 it is quadratic on unterminated
constructs. Here every repeat is possessive and every open construct ends at the end of the page, as in HTML 5, so no byte is
looked at twice.

The page is scanned as latin-1 text with ASCII in lower case: one character is one byte, so offsets are those of the source, and
markup is the same bytes in every charset that holds ASCII (`charset.view` transcodes the few that do not).
"""

from __future__ import annotations

import re

INLINE = (
    "a abbr acronym b basefont bdi bdo big br cite code data del dfn em font i img ins kbd label mark nobr picture q s samp small source "
    "span strike strong sub sup time tt u var wbr"
).split()  # HTML 5, phrasing content, less what splits a text as laid out (buttons, fields, media)
RAW = "script style textarea title xmp iframe noembed noframes".split()  # HTML 5, 13.2.5: their content is no markup

_END = r"(?=[\t\n\f\r />]|\Z)"  # what ends a tag's name
_ATTRIBUTES = r"""(?:[^>"'=]++|=[\t\n\f\r ]*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z))?|["'])*+"""
_CLOSE = r"(?:>|\Z)"
# What may follow "<" inside a run of text. Groups inside a possessive repeat are broken in Python 3.11, so none here has one.
_INLINE = rf"/?(?:(?:{'|'.join(INLINE)}){_END}|[a-z]++:){_ATTRIBUTES}{_CLOSE}"
_COMMENT = r"!--(?:-?>|(?:[^-]++|-(?!-!?>))*+(?:--!?>|\Z))"
_RAW = "|".join(rf"{name}{_END}{_ATTRIBUTES}(?:>(?:[^<]++|<(?!/{name}{_END}))*+(?:</{name}{_ATTRIBUTES}{_CLOSE}|\Z)|\Z)" for name in RAW)
_BOGUS = rf"(?:[!?]|/(?![a-z]))[^>]*+{_CLOSE}"  # doctype, CDATA, processing instruction
_LONE = r"(?![a-z/!?])"
_NAME = r"[a-z][^\t\n\f\r />]*+"

_IN_RUN = rf"<(?:{_INLINE}|{_COMMENT}|{_RAW}|{_BOGUS})"
TOKEN = re.compile(  # groups: what is before the first text of a run, the rest of the run, "/" of an end tag, name, attributes
    rf"[\t\n\f\r ]*+((?:{_IN_RUN}|[\t\n\f\r ]++)*+)((?:[^<]++|{_IN_RUN}|<{_LONE})*+)(?:<(/?)({_NAME})({_ATTRIBUTES}){_CLOSE})?"
)
INLINE_MARKUP = re.compile(_IN_RUN, re.IGNORECASE)
UNSHOWN = re.compile(rf"<(?:{_COMMENT}|{_RAW}|{_BOGUS})", re.IGNORECASE)
LINK = re.compile(rf"<(/?)a{_END}{_ATTRIBUTES}{_CLOSE}", re.IGNORECASE)
UNSHOWN_OR_ADDRESS = re.compile(
    rf"{UNSHOWN.pattern}|<a(?=[\t\n\f\r ])({_ATTRIBUTES}){_CLOSE}", re.IGNORECASE
)  # the group: the attributes of a link
ANY_TAG = re.compile(rf"</?{_NAME}{_ATTRIBUTES}{_CLOSE}", re.IGNORECASE)
TITLE = re.compile(rf"<title{_END}{_ATTRIBUTES}>([^<]*+(?:<(?!/title{_END})[^<]*+)*+)", re.IGNORECASE)
