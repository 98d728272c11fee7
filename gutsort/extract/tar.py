"""tar archives, read front to back and written again: headers stay byte for byte, but for the size of what was cut.

Each header is kept as it was read, with the extended headers before it. The archive is never unpacked by name. What could leave the folder
that an archive is unpacked to, or is a device, is refused: it is named and not written.
"""

from __future__ import annotations

from collections.abc import Iterator

from gutsort.extract.names import Links, inside, unsafe_link, unsafe_name
from gutsort.extract.pieces import Piece
from gutsort.extract.spool import BLOCK, Spool, copy
from gutsort.extract.stream import Broken, Stream, read_exactly
from gutsort.extract.tar_headers import DEVICES, FILES, HARD_LINK, SECTOR, SYMBOLIC_LINK, TORN, Entry, entries, resized
from gutsort.formats import escape_name
from gutsort.records import Document, Skipped, Writer

RECORD = 20 * SECTOR  # tar fills the last one with zeros


def tar_pieces(document: Document, stream: Stream, target: Writer | None) -> Iterator[Piece | Skipped]:
    """Yield the regular files of an archive, and the entries that cannot be; what is neither is handed on.

    Memory: two spools. Raises Broken where the file is no archive. A break further on is a Skipped, and the end of the archive.
    """
    links, begun = Links(), False
    out = None if target is None else _Counted(target)
    try:
        for entry in entries(stream):
            yield from _entry(document, entry, stream, out, links)
            begun = True
    except Broken as broken:
        if not begun and not (out and out.size):
            raise
        yield Skipped(document.path, str(broken), document.member)
    if out is not None:
        out.write(bytes(2 * SECTOR))
        out.write(bytes(-out.size % RECORD))


class _Counted:
    """Counts the bytes that are written."""

    def __init__(self, target: Writer) -> None:
        self.target, self.size = target, 0

    def write(self, data: bytes) -> None:
        self.target.write(data)
        self.size += len(data)


def _entry(document: Document, entry: Entry, stream: Stream, target: Writer | None, links: Links) -> Iterator[Piece | Skipped]:
    member = inside(document, entry.name)
    why = _refused(entry, links)
    if why is not None:
        yield Skipped(document.path, why, member, "refused")
        _pass_data(stream, entry.size, None)
        return
    if entry.kind == SYMBOLIC_LINK:
        links.add(entry.name)
    if entry.kind not in FILES or entry.sparse or entry.name.endswith(b"/"):
        if entry.sparse:
            yield Skipped(document.path, "is a sparse file", member)
        _write(target, *entry.headers)
        _pass_data(stream, entry.size, target)
        return
    with Spool() as data, Spool() as kept:
        try:
            _pass_data(stream, entry.size, data, padded=False)
        except Broken as broken:
            raise Broken(f"{broken} within {escape_name(entry.name)}") from None
        data.seek(0)
        inner = document._replace(member=member, size=entry.size, open=lambda: data)
        yield Piece(inner, data, None if target is None else kept)
        if target is not None:
            size = kept.tell()
            kept.seek(0)
            _write(target, *(entry.headers if size == entry.size else resized(entry.headers, size)))
            copy(kept, target)
            target.write(bytes(-size % SECTOR))


def _refused(entry: Entry, links: Links) -> str | None:
    if why := unsafe_name(entry.name):
        return why
    if entry.kind in DEVICES:
        return "is a device or a pipe"
    if links.above(entry.name):
        return "lies below a link"
    if entry.kind == SYMBOLIC_LINK:
        return unsafe_link(entry.name, entry.link)
    return (unsafe_name(entry.link) and "is a link that leads outside the archive") if entry.kind == HARD_LINK else None


def _pass_data(stream: Stream, size: int, target: Writer | None, *, padded: bool = True) -> None:
    """Read an entry's data and what fills its last sector, and hand it on, with the filling where `padded`. Raises Broken."""
    left = size
    while left:
        data = stream.read(min(BLOCK, left))
        if not data:
            raise Broken(TORN)
        left -= len(data)
        _write(target, data)
    filling = read_exactly(stream, -size % SECTOR, TORN)
    if padded:
        _write(target, filling)


def _write(target: Writer | None, *pieces: bytes) -> None:
    if target is not None:
        for piece in pieces:
            target.write(piece)
