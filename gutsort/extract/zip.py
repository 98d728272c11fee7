"""zip archives, read by their directory and written again: what did not change is copied as it was, compressed or encrypted.

What could leave the folder it is unpacked to is refused: it is named and not written.
"""

from __future__ import annotations

import lzma
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from gutsort.extract.names import Links, inside, unsafe_link, unsafe_name
from gutsort.extract.pieces import Piece
from gutsort.extract.spool import BLOCK, Spool
from gutsort.extract.stream import Broken
from gutsort.extract.zip_writer import ENCRYPTED, ZipWriter, member_name
from gutsort.records import Document, Skipped, Writer

# What zipfile raises at damage: it checks less than it reads.
FORMATS = zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error
DAMAGE = (*FORMATS, EOFError, OSError, ValueError, RuntimeError, IndexError, OverflowError)
LINK_BYTES = 4096  # of a link's target; more is damage


def zip_pieces(document: Document, file: BinaryIO, target: Writer | None) -> Iterator[Piece | Skipped]:
    """Yield the files of an archive, and those that cannot be; folders and links are handed on.

    Memory: the archive's directory, about 500 bytes a member, and two spools. Raises Broken where the file is no archive.
    """
    try:
        archive = zipfile.ZipFile(file)
    except DAMAGE as error:
        raise Broken(f"is no zip archive, or damaged ({error})") from None
    with archive:
        if any(info.header_offset < 0 for info in archive.infolist()):
            raise Broken("is a damaged zip archive")
        writer = None if target is None else ZipWriter(file, archive, target)
        links = Links()
        for info in archive.infolist():
            yield from _member(document, archive, info, writer, links)
        if writer is not None:
            writer.finish()


def _member(
    document: Document, archive: zipfile.ZipFile, info: zipfile.ZipInfo, writer: ZipWriter | None, links: Links
) -> Iterator[Piece | Skipped]:
    name = member_name(info)
    inner = document._replace(member=inside(document, name), size=info.file_size)
    try:
        if (why := _refused(archive, info, name, links)) is not None:
            yield Skipped(document.path, why, inner.member, "refused")
        elif not name.endswith(b"/") and not _is_link(info):
            yield from _file(inner, archive, info, writer)
        elif writer is not None:
            writer.keep(info)
    except Broken as broken:
        yield Skipped(document.path, str(broken), inner.member)


def _file(inner: Document, archive: zipfile.ZipFile, info: zipfile.ZipInfo, writer: ZipWriter | None) -> Iterator[Piece | Skipped]:
    with Spool() as data, Spool() as kept:
        try:
            _unpack(archive, info, data)
        except Broken as broken:
            yield Skipped(inner.path, str(broken), inner.member)
        else:
            yield Piece(inner._replace(open=lambda: data), data, None if writer is None else kept)
            if writer is not None and not same(data, kept):
                writer.replace(info, kept)
                return
        if writer is not None:
            writer.keep(info)


def _unpack(archive: zipfile.ZipFile, info: zipfile.ZipInfo, data: Spool) -> None:
    if info.flag_bits & ENCRYPTED:
        raise Broken("is encrypted")
    try:
        with archive.open(info) as source:
            while block := source.read(BLOCK):
                data.write(block)
    except DAMAGE as error:
        raise Broken(f"is damaged ({error})" if str(error) else "is damaged") from None
    data.seek(0)


def same(one: Spool, other: Spool) -> bool:
    """Whether two spools hold the same."""
    one.seek(0)
    other.seek(0)
    while (data := one.read(BLOCK)) == other.read(BLOCK):
        if not data:
            return True
    return False


def _is_link(info: zipfile.ZipInfo) -> bool:
    return stat.S_ISLNK(info.external_attr >> 16)


def _refused(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: bytes, links: Links) -> str | None:
    if why := unsafe_name(name):
        return why
    if links.above(name):
        return "lies below a link"
    mode = info.external_attr >> 16
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode) or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
        return "is a device or a pipe"
    if not _is_link(info):
        return None
    links.add(name)
    with Spool() as data:
        if info.file_size > LINK_BYTES:
            return "is a link to no name"
        _unpack(archive, info, data)
        return unsafe_link(name, data.read(LINK_BYTES))
