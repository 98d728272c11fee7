"""The tags and texts of HTML or XHTML, one after the other.

Converters write markup that is not well formed (poppler leaves control characters in), and files are truncated; a scanner for
tags reads all of that, where an XML parser stops and html.parser may raise.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(r"<!--.*?(?:-->|\Z)|<[!?][^<>]*>|<(/?)([A-Za-z][A-Za-z0-9]*)([^<>]*)>", re.DOTALL)
_ATTRIBUTE = re.compile(r"([A-Za-z]+)\s*=\s*[\"']?([^\"'\s>]*)")


class Token(NamedTuple):
    """A tag (`name` in small letters, with `/` before it where it closes) with its attributes as text, or a text (`name` is "")."""

    name: str
    text: str


def tokens(source: str) -> Iterator[Token]:
    """Yield the tags and the texts between them, character references resolved; comments and declarations are left out.

    >>> list(tokens("<P>a &amp; b</p>"))
    [Token(name='p', text=''), Token(name='', text='a & b'), Token(name='/p', text='')]
    """
    position = 0
    for found in _TOKEN.finditer(source):
        if found.start() > position:
            yield Token("", html.unescape(source[position : found.start()]))
        if found[2]:
            yield Token(found[1] + found[2].lower(), found[3])
        position = found.end()
    if position < len(source):
        yield Token("", html.unescape(source[position:]))


def attributes(text: str) -> dict[str, str]:
    """The attributes of a tag, names in small letters.

    >>> attributes(' xMin="1.5" yMin="2"')
    {'xmin': '1.5', 'ymin': '2'}
    """
    return {name.lower(): value for name, value in _ATTRIBUTE.findall(text)}
