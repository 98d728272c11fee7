"""Documents in UTF-16 and UTF-32, as their byte order mark says, read as UTF-8.

Everything that looks at such a document sees its UTF-8 form, byte order mark included, so it has the same keys, windows and cuts as if it
were UTF-8; then the cuts are carried over to its own bytes, which are written as they were.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from typing import BinaryIO

from gutsort.extract.spool import BLOCK, Spool

# The longer mark first: that of UTF-32, little end first, begins with that of UTF-16.
_MARKS = {
    codecs.BOM_UTF32_LE: ("utf-32-le", 4),
    codecs.BOM_UTF32_BE: ("utf-32-be", 4),
    codecs.BOM_UTF16_LE: ("utf-16-le", 2),
    codecs.BOM_UTF16_BE: ("utf-16-be", 2),
}
MARK_BYTES = 4  # of the longest mark
_FIRST_BYTES = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")
_CONTINUATION = bytes(range(0x80, 0xC0))  # the bytes of a UTF-8 character after its first
_FOUR = bytes(range(0xF0, 0xF8))  # the first byte of a character that takes two units in UTF-16


def encoding_of(head: bytes) -> str | None:
    """The encoding that a byte order mark of UTF-16 or UTF-32 at the start of a document names, else None."""
    if not head.startswith(_FIRST_BYTES):
        return None
    return next(encoding for mark, (encoding, _) in _MARKS.items() if head.startswith(mark))


def utf8_view(file: BinaryIO, encoding: str) -> BinaryIO:
    """All of `file` in UTF-8, to be closed by the caller.

    No input is an error: a lone surrogate is written as UTF-8 would, what is no character of UTF-32 becomes U+FFFD, and bytes
    at the end that are no whole unit are left out.
    """
    width, wide = _width(encoding), encoding.startswith("utf-32")
    decoder = codecs.getincrementaldecoder(encoding)("replace" if wide else "surrogatepass")
    view = Spool()
    file.seek(0)
    rest = b""
    while data := file.read(BLOCK):
        data = rest + data
        whole = len(data) - len(data) % width
        rest = data[whole:]
        view.write(decoder.decode(data[:whole]).encode("utf-8", "surrogatepass"))
    pending = decoder.getstate()[0]  # a first half of a pair without its second
    view.write(pending.decode(encoding, "surrogatepass").encode("utf-8", "surrogatepass"))
    view.seek(0)
    return view  # type: ignore[return-value]


def raw_offsets(view: BinaryIO, encoding: str, offsets: Sequence[int], size: int) -> list[int]:
    """Where ascending byte offsets of `view`, each at the start of a character, are in the document itself, of `size` bytes.

    Time: linear in the last offset. Memory: a block.
    """
    width, wide = _width(encoding), encoding.startswith("utf-32")
    end = view.seek(0, 2)
    view.seek(0)
    found, position, units = [], 0, 0
    for offset in offsets:
        while position < offset and (data := view.read(min(BLOCK, offset - position))):
            position += len(data)
            units += len(data.translate(None, _CONTINUATION))
            units += 0 if wide else len(data) - len(data.translate(None, _FOUR))
        found.append(size if offset == end else width * units)
    return found


def _width(encoding: str) -> int:
    return 4 if encoding.startswith("utf-32") else 2
