"""Compressed files, known by their first bytes: read whole, all members and streams of them, and written again in the same format.

What is written is one member or stream with the settings that the first one of the input shows: a gzip header as it was, with name and
time; the block size of bzip2; the check of xz. So the same input always gives the same bytes.
"""

from __future__ import annotations

import bz2
import lzma
import re
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from gutsort.extract.spool import BLOCK
from gutsort.extract.stream import Broken
from gutsort.extract.zstd import program_blocks, zstd_compressor, zstd_module
from gutsort.records import Writer

XZ_MEMORY = 1 << 30  # bytes a decompressor may take; xz -9 takes 65 MiB, a forged header could ask for 4 GiB
TOO_LARGE = f"xz data that needs more than {XZ_MEMORY >> 20} MiB to be read"
GZIP_PLAIN = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"  # a header without name and time
_ERRORS = (zlib.error, lzma.LZMAError, EOFError, OSError, ValueError)


class Codec(NamedTuple):
    """A format: its name, its first bytes, a decompressor (None: see `_zstd_blocks`), a compressor for a file that began so."""

    name: str
    magic: re.Pattern[bytes]
    decompressor: Callable[[], Any] | None
    compressor: Callable[[bytes], Any]


def codec_of(head: bytes) -> Codec | None:
    """The format of a file that begins with `head`, or None where it is none of these."""
    if head[:2] not in _FIRST_BYTES:
        return None
    return next((codec for codec in CODECS if codec.magic.match(head)), None)


def decompressed(blocks: Iterable[bytes], codec: Codec) -> Iterator[bytes]:
    """The content in blocks of up to BLOCK bytes.

    Raises Broken, after all that could be read, where the data breaks off, is damaged or goes on as something else.
    Memory: a block, and what the format needs.
    """
    return _zstd_blocks(blocks) if codec.decompressor is None else _blocks(blocks, codec.name, codec.decompressor, _ERRORS)


def _zstd_blocks(blocks: Iterable[bytes]) -> Iterator[bytes]:
    if (module := zstd_module()) is None:
        return program_blocks(blocks)
    return _blocks(blocks, "zstd", module.ZstdDecompressor, (module.ZstdError, EOFError, ValueError))


def _blocks(blocks: Iterable[bytes], name: str, new: Callable[[], Any], errors: tuple[type[Exception], ...]) -> Iterator[bytes]:
    decompressor, fresh = new(), True
    for block in blocks:
        data = block
        while True:
            if fresh and not (data := data.lstrip(b"\0")):
                break  # zeros between streams are padding
            try:
                out = decompressor.decompress(data, BLOCK)
            except lzma.LZMAError as error:
                raise Broken(TOO_LARGE if "memory" in str(error).lower() else f"damaged {name} data") from None
            except errors:
                raise Broken(f"damaged {name} data") from None
            fresh = False
            if out:
                yield out
            if decompressor.eof:
                data, decompressor, fresh = decompressor.unused_data, new(), True
            elif decompressor.needs_input:
                break
            else:
                data = b""
    if not fresh:
        raise Broken(f"{name} data breaks off")


class Compressed:
    """Compresses what is written to it into `target`; nothing of it is there before the first byte."""

    def __init__(self, target: Writer, codec: Codec, head: bytes) -> None:
        self._target = target
        self._start = lambda: codec.compressor(head)
        self._compressor: Any = None

    def write(self, data: bytes) -> int:
        """Take more bytes."""
        if self._compressor is None:
            self._compressor = self._start()
        self._target.write(self._compressor.compress(data))
        return len(data)

    def finish(self) -> None:
        """Write the end of the stream."""
        self.write(b"")
        self._target.write(self._compressor.flush())


class _Inflate:
    """zlib's decompressor of one gzip member, with the interface of the others."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(wbits=31)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        out = self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)
        self.needs_input = len(out) < max_length and not self._zlib.unconsumed_tail
        return out


class _Deflate:
    """Compressor of one gzip member under the header of another."""

    def __init__(self, head: bytes) -> None:
        self._header = gzip_header(head) or GZIP_PLAIN
        level = {2: 9, 4: 1}.get(self._header[8], 6)  # the header says: smallest, fastest
        self._zlib = zlib.compressobj(level, zlib.DEFLATED, -15)
        self._crc = self._size = 0

    def compress(self, data: bytes) -> bytes:
        self._crc, self._size = zlib.crc32(data, self._crc), self._size + len(data)
        header, self._header = self._header, b""
        return header + self._zlib.compress(data)

    def flush(self) -> bytes:
        return self._zlib.flush() + struct.pack("<LL", self._crc, self._size & 0xFFFFFFFF)


def gzip_header(head: bytes) -> bytes | None:
    """The header of a gzip member (RFC 1952) at the start of `head`, or None where it is not whole."""
    flags, end = head[3] if len(head) > 9 else 0xFF, 10
    if flags & 0xE0:
        return None
    if flags & 4:  # an extra field
        end += 2 + int.from_bytes(head[end : end + 2], "little")
    for flag in (8, 16):  # a name, a comment
        if flags & flag:
            end = head.find(b"\0", end) + 1 or len(head) + 1
    end += flags & 2  # a check sum of the header
    return head[:end] if end <= len(head) else None


def _xz_compressor(head: bytes) -> lzma.LZMACompressor:
    check = head[7] & 15
    known = check in (lzma.CHECK_NONE, lzma.CHECK_CRC32, lzma.CHECK_CRC64, lzma.CHECK_SHA256)
    return lzma.LZMACompressor(lzma.FORMAT_XZ, check=check if known else -1)


def _xz_decompressor() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY)


CODECS = (
    Codec("gzip", re.compile(rb"\x1f\x8b\x08"), _Inflate, _Deflate),
    Codec("bzip2", re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), bz2.BZ2Decompressor, lambda head: bz2.BZ2Compressor(head[3] - 48)),
    Codec("xz", re.compile(rb"\xfd7zXZ\0..", re.DOTALL), _xz_decompressor, _xz_compressor),
    Codec("zstd", re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", re.DOTALL), None, zstd_compressor),
)
_FIRST_BYTES = {b"\x1f\x8b", b"BZ", b"\xfd7", b"\x28\xb5", *(bytes([n, 0x2A]) for n in range(0x50, 0x60))}
