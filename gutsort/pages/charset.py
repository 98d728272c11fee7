r"""Which charset the bytes of a page are in, and the view of them that is parsed.

By BOM, then what the page declares, then UTF-8 where the bytes are that, then windows-1252 (methods/web-pages.md). A page is parsed as
latin-1 text, one
character a byte, so that places in it are places in its bytes; texts are decoded one by one.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gutsort.records import Cut

_BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_DECLARED = re.compile(rb"""<(?:meta|\?xml)\b[^>]{0,400}?(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_:.-]{2,40})""", re.IGNORECASE)
_HEAD = 4096  # bytes; HTML 5 asks for the declaration in the first 1,024, pages with long scripts before it exist
_WHATWG = {  # Encoding Standard: what a browser reads for a name
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "big5": "big5hkscs",
}
_SIXTEEN = ("utf-16", "utf-32")
_MARKUP_DIFFERS = (*_SIXTEEN, "iso2022", "hz", "utf-7")  # "<" is not always the byte 3C
_NO_CHARSETS = frozenset("idna punycode unicode_escape raw_unicode_escape undefined mbcs oem".split())


class View(NamedTuple):
    """A page to be parsed: `source`, latin-1 text; `charset`, that of its bytes; `declared`, that of the page's own bytes, which is
    another one where
    `source` was transcoded to UTF-8 so that markup is ASCII."""

    source: str
    charset: str
    declared: str


def view(data: bytes) -> View:
    """The view of a page's bytes that `blocks.parse` takes. No bytes are an error."""
    charset = charset_of(data)
    if charset.startswith(_MARKUP_DIFFERS):
        return View(data.decode(charset, "replace").encode("utf-8", "replace").decode("latin-1"), "utf-8", charset)
    return View(data.decode("latin-1"), charset, charset)


def cuts_of_bytes(cuts: Iterable[Cut], seen: View) -> Iterator[Cut]:
    """Cuts of `source` as cuts of the page's own bytes; the same, but where the page was transcoded. Cuts are in order.

    A transcoded page with bytes that are no text cannot be mapped; what is no text counts as one replacement character.
    """
    if seen.charset == seen.declared:
        yield from cuts
        return
    at = there = 0
    source = seen.source.encode("latin-1")
    for cut in cuts:
        start = there + len(source[at : cut.start].decode("utf-8").encode(seen.declared, "replace"))
        at, there = cut.end, start + len(source[cut.start : cut.end].decode("utf-8").encode(seen.declared, "replace"))
        yield Cut(start, there, cut.reason)


def charset_of(data: bytes) -> str:
    """The name of the charset of a page, as Python's codecs know it.

    A declared name is read as browsers read it: latin-1 is windows-1252, GB 2312 is GB 18030. UTF-8 that is declared and is not there
    loses to windows-1252.

    >>> charset_of(b'<meta charset="iso-8859-1">caf\\xe9')
    'cp1252'
    """
    for mark, name in _BOMS:
        if data.startswith(mark):
            return name
    found = _DECLARED.search(data[:_HEAD])
    name = _known(found[1]) if found else None
    if name and name != "utf-8" and not name.startswith(_SIXTEEN):  # a declaration that could be read is in ASCII
        return name
    return "utf-8" if _mostly_utf8(data) else "cp1252"


def _known(name: bytes) -> str | None:
    """A declared name as a charset of Python's, or None."""
    try:
        codec = codecs.lookup(name.decode("ascii")).name
        "".encode(codec)
    except (LookupError, ValueError):
        return None
    return None if codec in _NO_CHARSETS else _WHATWG.get(codec, codec)


def _mostly_utf8(data: bytes) -> bool:
    """Whether less than a tenth of the characters above ASCII are broken: one torn character does not make a page windows-1252."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
        return text.count("\ufffd") * 10 < sum(len(run) for run in re.findall("[^\x00-\x7f]+", text))
    return True
