"""The headers of tar archives: ustar, pax and GNU's, read as they are and given another size.

An entry may have extended headers before its own, each with data of its own: longer names, or any value of the entry in a pax header.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gutsort.extract.spool import BLOCK
from gutsort.extract.stream import Broken, Stream, read_exactly

SECTOR = 512
EXTENDED_BYTES = 1 << 20  # of an extended header; more is damage
TORN = "the archive breaks off"
FILES, EXTENDED, DEVICES = b"07\0", b"xgXLK", b"346"  # type bytes: regular files; headers of the entry to come; devices and pipes
HARD_LINK, SYMBOLIC_LINK, FOLDER, SPARSE = b"1", b"2", b"5", b"S"
DAMAGED = "has a damaged header"


class Entry(NamedTuple):
    """An entry of an archive: its headers as read, the last of them its own, and what they say."""

    headers: list[bytes]
    name: bytes
    kind: bytes
    size: int
    link: bytes
    sparse: bool


def entries(stream: Stream) -> Iterator[Entry]:
    """The entries up to the end mark; the caller reads the data of each. Raises Broken."""
    while (headers := _headers(stream)) is not None:
        yield _parse(headers)
    while data := stream.read(BLOCK):
        if data.strip(b"\0"):
            raise Broken("goes on after the end of the archive")


def _headers(stream: Stream) -> list[bytes] | None:
    """The header of the next entry, and before it the extended headers with their data; None at the end mark."""
    headers: list[bytes] = []
    while True:
        block = stream.read(SECTOR)
        if not headers and block == bytes(SECTOR):
            return None
        if not headers and not block:
            raise Broken("has no end mark, so it may have been cut short")
        if len(block) < SECTOR:
            raise Broken(TORN if headers or is_header(block + bytes(SECTOR - len(block))) else "is no tar archive, or breaks off")
        if not is_header(block):
            raise Broken(DAMAGED)
        headers.append(block)
        if block[156:157] not in EXTENDED:
            return _with_sparse_map(headers, stream)
        size = number(block[124:136])
        if size > EXTENDED_BYTES:
            raise Broken("has an extended header of more than 1 MiB")
        headers.append(read_exactly(stream, size + -size % SECTOR, TORN))


def _with_sparse_map(headers: list[bytes], stream: Stream) -> list[bytes]:
    """GNU's sparse files have blocks of their map after the header."""
    if headers[-1][156:157] == SPARSE and headers[-1][482]:
        block = read_exactly(stream, SECTOR, TORN)
        blocks = [block]
        while block[504] and len(blocks) < EXTENDED_BYTES // SECTOR:
            block = read_exactly(stream, SECTOR, TORN)
            blocks.append(block)
        headers[-1] += b"".join(blocks)
    return headers


def is_header(block: bytes) -> bool:
    """Whether a block's check sum is right, over signed bytes as some old programs take them or unsigned ones."""
    try:
        stated = number(block[148:156])
    except Broken:
        return False
    rest = block[:148] + b" " * 8 + block[156:]
    total = sum(rest)
    return stated == total or stated == total - 256 * sum(byte > 127 for byte in rest)


def number(field: bytes) -> int:
    r"""A number of a header, in octal digits or, where the first bit is set, in binary. Raises Broken where it is none.

    >>> number(b"0000017 "), number(b"\x80\0\0\1")
    (15, 1)
    """
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    digits = field.split(b"\0")[0].strip()
    if digits.strip(b"01234567"):
        raise Broken(DAMAGED)
    return int(digits or b"0", 8)


def _parse(headers: list[bytes]) -> Entry:
    block = headers[-1]
    name, kind = block[:100].split(b"\0")[0], block[156:157]
    prefix = block[345:500].split(b"\0")[0]
    if prefix and block[257:263] == b"ustar\0":
        name = prefix + b"/" + name
    said = {b"path": name, b"linkpath": block[157:257].split(b"\0")[0], b"size": b"%d" % number(block[124:136])}
    for header, data in zip(headers[:-1:2], headers[1:-1:2], strict=True):
        said |= _extended(header, data)
    if not said[b"size"].isdigit() or len(said[b"size"]) > 20:
        raise Broken(DAMAGED)
    size = int(said[b"size"])
    has_data = kind not in (HARD_LINK, SYMBOLIC_LINK, FOLDER) and kind not in DEVICES
    sparse = kind == SPARSE or any(key.startswith(b"GNU.sparse.") for key in said)
    return Entry(headers, said[b"path"], kind, size if has_data else 0, said[b"linkpath"], sparse)


def _extended(header: bytes, data: bytes) -> dict[bytes, bytes]:
    """What an extended header says of the entry after it."""
    size, kind = number(header[124:136]), header[156:157]
    if kind in b"LK":
        return {b"path" if kind == b"L" else b"linkpath": data[:size].split(b"\0")[0]}
    return {} if kind == b"g" else {key: value for key, value, _, _ in _records(data[:size])}


def _records(data: bytes) -> Iterator[tuple[bytes, bytes, int, int]]:
    """The records of a pax header: key, value, first and last byte. Raises Broken where it is none."""
    position = 0
    while position < len(data):
        length, blank, _ = data[position : position + 20].partition(b" ")
        if not (blank and length.isdigit() and int(length) > len(length) + 2):
            raise Broken(DAMAGED)
        end = position + int(length)
        key, equals, value = data[position + len(length) + 1 : end - 1].partition(b"=")
        if not equals or end > len(data):
            raise Broken(DAMAGED)
        yield key, value, position, end
        position = end


def resized(headers: list[bytes], size: int) -> list[bytes]:
    """The headers of an entry with another size, all else as it was."""
    changed = list(headers)
    for place in range(0, len(headers) - 1, 2):
        if headers[place][156:157] in (b"x", b"X"):
            changed[place : place + 2] = _resized_pax(headers[place], headers[place + 1], size)
    changed[-1] = _sized(headers[-1], size)
    return changed


def _resized_pax(header: bytes, data: bytes, size: int) -> list[bytes]:
    whole = data[: number(header[124:136])]
    records = [(key, whole[start:end]) for key, _, start, end in _records(whole)]
    whole = b"".join(_record(b"size", b"%d" % size) if key == b"size" else record for key, record in records)
    return [_sized(header, len(whole)), whole + bytes(-len(whole) % SECTOR)]


def _record(key: bytes, value: bytes) -> bytes:
    """A record of a pax header, which begins with its own length."""
    rest = b" " + key + b"=" + value + b"\n"
    length = len(rest) + len(b"%d" % len(rest))
    length = len(rest) + len(b"%d" % length)
    return b"%d" % length + rest


def _sized(block: bytes, size: int) -> bytes:
    field = b"%011o\0" % size if size < 8**11 else b"\x80" + size.to_bytes(11, "big")
    block = block[:124] + field + block[136:148] + b" " * 8 + block[156:]
    return block[:148] + b"%06o\0 " % sum(block[:SECTOR]) + block[156:]
