"""Writing a zip archive from another (APPNOTE.TXT 6.3): members as they are or with another content, all else of each as it was."""

from __future__ import annotations

import bz2
import lzma
import os
import struct
import zipfile
import zlib
from typing import Any, BinaryIO

from gutsort.extract.spool import BLOCK, Spool
from gutsort.extract.stream import Broken
from gutsort.records import Writer

LOCAL, CENTRAL, END = struct.Struct("<4s5H3L2H"), struct.Struct("<4s6H3L5H2L"), struct.Struct("<4s4H2LH")
END64, LOCATOR = struct.Struct("<4sQ2H2L4Q"), struct.Struct("<4sLQL")
LIMIT, MANY = 0xFFFFFFFF, 0xFFFF  # from here on a number is in a field of zip64
ZIP64 = 1  # the field's number
ENCRYPTED, LZMA_END, DESCRIPTOR = 1, 2, 8  # flags: the data ends with a mark (LZMA), is followed by its sizes


def member_name(info: zipfile.ZipInfo) -> bytes:
    """A member's name as its bytes in the archive."""
    return info.orig_filename.encode("utf-8" if info.flag_bits & 0x800 else "cp437", "surrogateescape")


class ZipWriter:
    """Writes members of `archive`, which stands in `file`, to `target`, which need not be seekable.

    Memory: a directory entry a member.
    """

    def __init__(self, file: BinaryIO, archive: zipfile.ZipFile, target: Writer) -> None:
        self._file, self._target = file, target
        self._directory: list[bytes] = []
        self._comment = archive.comment
        self._offset = 0
        self._size = file.seek(0, os.SEEK_END)
        first = min((info.header_offset for info in archive.infolist()), default=0)
        self._copy(0, first)  # a program before the archive, which unpacks it

    def keep(self, info: zipfile.ZipInfo) -> None:
        """Write a member as it is. Raises Broken, with nothing written, where it is not where the directory says."""
        header = self._local_header(info)
        begin = info.header_offset + len(header)
        if begin + info.compress_size > self._size:
            raise Broken("breaks off")
        follow = info.flag_bits & (ENCRYPTED | DESCRIPTOR) == ENCRYPTED | DESCRIPTOR  # that flag tells how the key is checked
        flags = info.flag_bits if follow else info.flag_bits & ~DESCRIPTOR
        self._add(info, header, info.CRC, [info.compress_size, info.file_size], flags)
        self._copy(begin, begin + info.compress_size)
        if follow:
            wide = max(info.compress_size, info.file_size) >= LIMIT
            self._write(struct.pack("<4sL2Q" if wide else "<4s3L", b"PK\x07\x08", info.CRC, info.compress_size, info.file_size))

    def replace(self, info: zipfile.ZipInfo, content: Spool) -> None:
        """Write a member with another content, compressed as the old one was. Raises Broken as `keep` does."""
        header = self._local_header(info)
        flags = info.flag_bits & ~DESCRIPTOR | (LZMA_END if info.compress_type == zipfile.ZIP_LZMA else 0)
        compressor = _compressor(info)
        with Spool() as packed:
            crc = size = 0
            content.seek(0)
            while data := content.read(BLOCK):
                crc, size = zlib.crc32(data, crc), size + len(data)
                packed.write(compressor.compress(data))
            packed.write(compressor.flush())
            self._add(info, header, crc, [packed.tell(), size], flags)
            packed.seek(0)
            while data := packed.read(BLOCK):
                self._write(data)

    def finish(self) -> None:
        """Write the directory."""
        start, count = self._offset, len(self._directory)
        for entry in self._directory:
            self._write(entry)
        size = self._offset - start
        if count >= MANY or max(start, size) >= LIMIT:
            end = self._offset
            self._write(END64.pack(b"PK\x06\x06", END64.size - 12, 45, 45, 0, 0, count, count, size, start))
            self._write(LOCATOR.pack(b"PK\x06\x07", 0, end, 1))
        small = min(count, MANY)
        self._write(END.pack(b"PK\x05\x06", 0, 0, small, small, min(size, LIMIT), min(start, LIMIT), len(self._comment)) + self._comment)

    def _local_header(self, info: zipfile.ZipInfo) -> bytes:
        self._file.seek(info.header_offset)
        fixed = self._file.read(LOCAL.size)
        if len(fixed) < LOCAL.size or not fixed.startswith(b"PK\x03\x04"):
            raise Broken("is not where the archive's directory says")
        names = sum(struct.unpack_from("<2H", fixed, 26))
        return fixed + self._file.read(names)

    def _add(self, info: zipfile.ZipInfo, header: bytes, crc: int, sizes: list[int], flags: int) -> None:
        """Write a local header with these numbers, and note the directory's entry. `sizes`: compressed, and not."""
        _, needs, _, method, time, date, *_, name_size, _ = LOCAL.unpack_from(header)
        name, extra = member_name(info), _without_zip64(header[LOCAL.size + name_size :])
        self._directory.append(_central(info, crc, [*sizes, self._offset], flags))
        sizes, field, needs = _zip64(sizes, needs)
        fixed = LOCAL.pack(b"PK\x03\x04", needs, flags, method, time, date, crc, *sizes, len(name), len(field + extra))
        self._write(fixed + name + field + extra)

    def _copy(self, start: int, end: int) -> None:
        self._file.seek(start)
        while start < end:
            data = self._file.read(min(BLOCK, end - start))
            if not data:
                raise Broken("breaks off")
            start += len(data)
            self._write(data)

    def _write(self, data: bytes) -> None:
        self._target.write(data)
        self._offset += len(data)


def _central(info: zipfile.ZipInfo, crc: int, numbers: list[int], flags: int) -> bytes:
    """A member's entry of the directory, as it was but for these numbers: compressed size, size, place."""
    (packed, size, offset), field, needs = _zip64(numbers, info.extract_version)
    year, month, day, hour, minute, second = info.date_time
    date, time = (year - 1980) << 9 | month << 5 | day, hour << 11 | minute << 5 | second // 2
    name, extra, comment = member_name(info), field + _without_zip64(info.extra), info.comment
    first = b"PK\x01\x02", info.create_version | info.create_system << 8, needs, flags, info.compress_type, time, date, crc, packed, size
    lengths = len(name), len(extra), len(comment), 0
    return CENTRAL.pack(*first, *lengths, info.internal_attr, info.external_attr, offset) + name + extra + comment


def _zip64(numbers: list[int], needs: int) -> tuple[list[int], bytes, int]:
    """Numbers as they stand in a header, the field for those that are too large for it, and the version that is needed to read it.

    The field has the size before the compressed one; that of a local header, which has no third number, both or none.
    """
    ordered = [numbers[1], numbers[0], *numbers[2:]]
    large = [n for n in ordered if n >= LIMIT]
    if not large:
        return numbers, b"", needs
    if len(numbers) == 2:
        return [LIMIT, LIMIT], struct.pack("<2H2Q", ZIP64, 16, *ordered), max(needs, 45)
    return [min(n, LIMIT) for n in numbers], struct.pack(f"<2H{len(large)}Q", ZIP64, 8 * len(large), *large), max(needs, 45)


def _without_zip64(extra: bytes) -> bytes:
    """Extra fields but for that of zip64; what is no field is kept."""
    kept, position = b"", 0
    while position + 4 <= len(extra):
        number, size = struct.unpack_from("<2H", extra, position)
        kept += b"" if number == ZIP64 else extra[position : position + 4 + size]
        position += 4 + size
    return kept + extra[position:]


def _compressor(info: zipfile.ZipInfo) -> Any:
    if info.compress_type == zipfile.ZIP_STORED:
        return _Stored()
    if info.compress_type == zipfile.ZIP_BZIP2:
        return bz2.BZ2Compressor()
    if info.compress_type == zipfile.ZIP_LZMA:
        return _Lzma()
    level = {2: 9, 4: 1, 6: 1}.get(info.flag_bits & 6, 6)  # the flags say: smallest, fast, fastest
    return zlib.compressobj(level, zlib.DEFLATED, -15)


class _Stored:
    """A compressor that does nothing."""

    def compress(self, data: bytes) -> bytes:
        return data

    def flush(self) -> bytes:
        return b""


class _Lzma:
    """LZMA with the header that zip gives it (APPNOTE.TXT 5.8.8); its end is marked, as the member's flags then have to say."""

    def __init__(self) -> None:
        lc, lp, pb, window = 3, 0, 2, 8 << 20
        self._header = struct.pack("<BBHBL", 9, 4, 5, (pb * 5 + lp) * 9 + lc, window)
        filters = [{"id": lzma.FILTER_LZMA1, "dict_size": window, "lc": lc, "lp": lp, "pb": pb}]
        self._lzma = lzma.LZMACompressor(lzma.FORMAT_RAW, filters=filters)

    def compress(self, data: bytes) -> bytes:
        header, self._header = self._header, b""
        return header + self._lzma.compress(data)

    def flush(self) -> bytes:
        return self._header + self._lzma.flush()
