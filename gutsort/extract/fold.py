"""One form for the same line in several encodings and typographies (`--fold`).

The form is what a typist without the signs would write, so an ASCII line is its own.
"""

from __future__ import annotations

import unicodedata

_SIGNS = {
    "'": "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4\u2039\u203a",  # single quotes, prime, apostrophe, acute accent
    '"': "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb",  # double quotes and guillemets
    "-": "\u2010\u2011\u2012\u2013\u2212\u2043",  # hyphens, figure and en dash, minus
    "--": "\u2014\u2015\u2e3a",  # em dash and longer ones
    "...": "\u2026",
    " ": "\u00a0\u2002\u2003\u2007\u2009\u202f\u3000",  # no-break and other blanks
    "": "\u00ad\u200b\ufeff",  # soft hyphen, no width
}
_PLAIN = {ord(sign): plain for plain, signs in _SIGNS.items() for sign in signs}


def fold(line: bytes) -> bytes:
    r"""The line in UTF-8, NFC, with ASCII's dashes, quotes and blanks; read as UTF-8, else as Windows-1252, which has Latin-1's characters.

    >>> len({fold(s) for s in ("caf\xe9".encode(), b"caf\xe9", "cafe\u0301".encode())}), fold(b"\x93it\x92s\x94 \x97")
    (1, b'"it\'s" --')
    """
    if line.isascii():
        return line
    try:
        text = line.decode()
    except UnicodeDecodeError:
        text = _windows(line)
    return unicodedata.normalize("NFC", text.translate(_PLAIN)).encode()


def _windows(line: bytes) -> str:
    """Windows-1252, and Latin-1 where that has no character."""
    try:
        return line.decode("cp1252")
    except UnicodeDecodeError:
        pairs = zip(line, line.decode("cp1252", "replace"), strict=True)
        return "".join(chr(byte) if byte in _UNDEFINED else char for byte, char in pairs)


_UNDEFINED = frozenset(b"\x81\x8d\x8f\x90\x9d")  # bytes that Windows-1252 gives no character
