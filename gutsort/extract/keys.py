r"""What of a line is counted: the key functions and their registry.

A key function takes a line (bytes, no LF) and gives its key, or None for a line that says nothing: such a line is not counted,
and is no part of a gap.
"""

from __future__ import annotations

import re
from collections.abc import Callable

KeyFunction = Callable[[bytes], bytes | None]

BLANK = bytes(range(0x21))  # what is white at the ends of a line
PAPER_SHORTEST = 30  # chars; Kaser & Lemire 2007, sec. 3.1, as their released program does it

_ALNUM = re.compile(rb"[0-9A-Za-z]")
_LETTER = re.compile(rb"[A-Za-z]")
_STARS = re.compile(rb"\*{3,}")
_DASHES = re.compile(rb"-{3,}")


def raw_key(line: bytes) -> bytes:
    """The line itself."""
    return line


def line_key(line: bytes) -> bytes | None:
    r"""The line without white space and byte order mark at its ends, runs of white space one blank; None without letter or digit.

    >>> line_key(b"\xef\xbb\xbf  The\tEnd \r"), line_key(b"* * *"), line_key("été".encode()), line_key("—".encode())
    (b'The End', None, b'\xc3\xa9t\xc3\xa9', None)
    """
    key = b" ".join(line.removeprefix(b"\xef\xbb\xbf").strip(BLANK).split())
    return key if _ALNUM.search(key) or (not key.isascii() and _any_alnum(key)) else None


def paper_key(line: bytes) -> bytes | None:
    """The paper's key of a line: None below 30 chars or without an ASCII letter (section 3.1, and the authors' program).

    >>> paper_key(b"  *****  The   END of this Etext **  ") , paper_key(b"too short"), paper_key(b"=" * 40)
    (b'*** The END of this Etext **', None, None)
    """
    key = line.strip(BLANK)
    if len(key) < PAPER_SHORTEST:
        return None
    if b"***" in key:
        key = _STARS.sub(b"***", key)
    if b"---" in key:
        key = _DASHES.sub(b"---", key)
    return b" ".join(key.split()) if _LETTER.search(key) else None


def _any_alnum(key: bytes) -> bool:
    """Whether a line beyond ASCII has a letter or digit of any script, read as UTF-8 or else as Latin-1."""
    try:
        text = key.decode()
    except UnicodeDecodeError:
        text = key.decode("latin-1")
    return any(map(str.isalnum, text))


KEYS: dict[str, KeyFunction] = {"raw": raw_key, "line": line_key, "paper": paper_key}
EVERY_OCCURRENCE = {"raw", "paper"}  # the others count documents: each key once a document
