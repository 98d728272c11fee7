r"""The pipe formats: this module is their specification, with one reader and one writer for each.

**Line stream.** Bytes; every line ends with LF (NUL under -z); the order, where there is one, is byte order, that of
`LC_ALL=C sort`. A missing last LF is supplied. Only LF ends a line: CR, FF, VT, NEL, U+2028 are data.

**Frequent list.** `COUNT TAB KEY` a line, or what `uniq -c` prints: blanks, COUNT, one blank, KEY. The byte after the first
number tells which; every line is held to it. A COUNT has at most 19 digits. Plain text: a user may delete lines, and add them in any order.

**Settings record.** Where keys are marked, each document adds `#gutsort 1 key=odds head=500 tail=600` to the line stream; its
count is the number of documents, and it sorts before all keys. A list without one is plain.

**Names.** In messages and reports a name is one line of text: bytes that are not UTF-8, control characters and the
backslash are written `\xHH`; `unescape_name` gives the bytes back.

**Cut report.** JSON Lines: a header object, then one object a document (see `write_report_header` and `report_row`).

**Model.** A frequent list without its text: lines `#gutsort model 1` and `NAME VALUE` (UTF-8), a blank line, then `entries` checksums of 64
bits in ascending order and as many counts of 32 bits, little-endian; `sha256` is that of these bytes.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO

from gutsort.errors import FormatError
from gutsort.records import Counted

BLOCK = 1 << 20  # bytes read at once: large enough that Python's work a block does not show, small enough for the L2 cache
SETTINGS_MARK = b"#gutsort 1 "
REPORT_VERSION = 1
MODEL_MARK, MODEL_VERSION = "#gutsort model ", "1"
MODEL_HEADER = 4096  # bytes of a line of its header
COUNT_MAX = (1 << 32) - 1

_UNIQ = re.compile(rb" *([0-9]{1,19}) ", re.ASCII)  # what fits 64 bits, as GNU's counts do
_TSV = re.compile(rb"([0-9]{1,19})\t", re.ASCII)
_STYLES = {_TSV: '"COUNT TAB KEY"', _UNIQ: '"COUNT KEY" as uniq -c prints it'}
_ESCAPED = re.compile(rb"\\x([0-9a-f]{2})")
_NO_NAME = re.compile(r"\\x00|[\0\ud800-\udfff]")


# -- line stream ---------------------------------------------------------------------------------------------------------------


def read_line_blocks(file: BinaryIO, separator: bytes = b"\n", block: int = BLOCK) -> Iterator[list[bytes]]:
    r"""Yield the lines of `file`, without their separator, in lists of about `block` bytes.

    Memory: one block, or the longest line. Time: linear, for lines of any length.

    >>> import io
    >>> list(read_line_blocks(io.BytesIO(b"a\r\n\nb"), block=4))
    [[b'a\r', b''], [b'b']]
    """
    carry: list[bytes] = []
    while data := read_block(file, block):
        end = data.rfind(separator)
        if end < 0:
            carry.append(data)
            continue
        carry.append(data[:end])
        yield b"".join(carry).split(separator)
        carry = [data[end + 1 :]]
    if rest := b"".join(carry):
        yield [rest]


def read_block(file: BinaryIO, size: int) -> bytes:
    """Up to `size` bytes, fewer only at the end of the file.

    As `file.read(size)`, but Python looks for signals between the pieces that a pipe gives: a buffered read of many pieces does
    not, and a signal that comes while it copies one would wait for the next.
    """
    read = file.read1 if isinstance(file, io.BufferedReader) else file.read
    data = read(size)
    if not data or len(data) == size:
        return data
    parts = [data]
    left = size - len(data)
    while left and (data := read(left)):
        parts.append(data)
        left -= len(data)
    return b"".join(parts)


def read_lines(file: BinaryIO, separator: bytes = b"\n") -> Iterator[bytes]:
    """Yield the lines of `file` one by one, without their separator."""
    for lines in read_line_blocks(file, separator):
        yield from lines


def write_lines(file: BinaryIO, lines: list[bytes], separator: bytes = b"\n") -> None:
    """Write `lines`, each ended by `separator`."""
    if lines:
        file.write(separator.join(lines) + separator)


# -- frequent list -------------------------------------------------------------------------------------------------------------


def read_frequent(file: BinaryIO, name: str, separator: bytes = b"\n") -> Iterator[Counted]:
    """Yield the entries of a frequent list in either style, in the order of the file.

    `name` is what messages call the file. Raises FormatError at the first line that is not in the style of the first.
    """
    style = None
    for number, line in enumerate(read_lines(file, separator), 1):
        style = style or next((s for s in _STYLES if s.match(line)), _TSV)
        found = style.match(line)
        if not found:
            raise FormatError(f"{name}:{number}: expected {_STYLES[style]}")
        yield Counted(int(found[1]), line[found.end() :])


def format_tsv(counts: Iterable[int], keys: Iterable[bytes]) -> list[bytes]:
    r"""The lines of a frequent list as `COUNT TAB KEY`.

    >>> format_tsv([3], [b"a\tb"])
    [b'3\ta\tb']
    """
    return [b"%d\t%b" % pair for pair in zip(counts, keys, strict=True)]


def format_uniq(counts: Iterable[int], keys: Iterable[bytes]) -> list[bytes]:
    """The lines of a frequent list as `uniq -c` prints them.

    >>> format_uniq([3], [b" a"])
    [b'      3  a']
    """
    return [b"%7d %b" % pair for pair in zip(counts, keys, strict=True)]


def format_bounds(bounds: Iterable[tuple[int, int]], keys: Iterable[bytes]) -> list[bytes]:
    r"""`LOW-HIGH TAB KEY` lines: certain intervals in place of counts. For people: no reader takes them for a frequent list.

    >>> format_bounds([(3, 5)], [b"a"])
    [b'3-5\ta']
    """
    return [b"%d-%d\t%b" % (low, high, key) for (low, high), key in zip(bounds, keys, strict=True)]


FREQUENT_STYLES = {"tsv": format_tsv, "uniq": format_uniq}


# -- settings record -----------------------------------------------------------------------------------------------------------


def settings_record(settings: Mapping[str, object]) -> bytes:
    """The record that extract writes once a document, the same for all documents of a run.

    >>> settings_record({"key": "odds", "head": 500})
    b'#gutsort 1 key=odds head=500'
    """
    return SETTINGS_MARK + " ".join(f"{name}={value}" for name, value in settings.items()).encode()


def parse_settings(record: bytes) -> dict[str, str] | None:
    """The settings in a record, or None where the line is no settings record.

    >>> parse_settings(b'#gutsort 1 key=odds head=500')
    {'key': 'odds', 'head': '500'}
    """
    if not record.startswith(SETTINGS_MARK):
        return None
    pairs = [item.partition("=") for item in record[len(SETTINGS_MARK) :].decode("ascii", "replace").split(" ")]
    return {name: value for name, equals, value in pairs} if all(equals for _, equals, _ in pairs) else None


# -- model ---------------------------------------------------------------------------------------------------------------------


def write_model(file: BinaryIO, header: Mapping[str, object], checksums: Sequence[int], counts: Sequence[int]) -> None:
    """Write a model: what it says of itself, checksums in ascending order, and the count of each, at most COUNT_MAX."""
    import hashlib  # late, as json below: filters start without it
    import struct

    body = struct.pack(f"<{len(checksums)}Q", *checksums) + struct.pack(f"<{len(counts)}I", *counts)
    said = {**header, "entries": len(checksums), "sha256": hashlib.sha256(body).hexdigest()}
    lines = [f"{name} {value}" for name, value in said.items()]
    file.write("\n".join([MODEL_MARK + MODEL_VERSION, *lines, "", ""]).encode() + body)


def read_model(file: BinaryIO, name: str) -> tuple[dict[str, str], tuple[int, ...], tuple[int, ...]]:
    """What a model says of itself, its checksums and their counts. Raises FormatError where it is none, of another version, or damaged."""
    import hashlib
    import struct

    first = file.readline(MODEL_HEADER).decode("utf-8", "replace").rstrip("\n")
    if not first.startswith(MODEL_MARK):
        raise FormatError(f"{name}: expected a model, which begins with {MODEL_MARK + MODEL_VERSION!r}")
    if first != MODEL_MARK + MODEL_VERSION:
        raise FormatError(f"{name}: expected a model of version {MODEL_VERSION}, found {escape_name(first.removeprefix(MODEL_MARK).encode())}")
    header: dict[str, str] = {}
    while (line := file.readline(MODEL_HEADER).decode("utf-8", "replace")) not in ("\n", ""):
        key, _, value = line.rstrip("\n").partition(" ")
        header[key] = value
    body = file.read()
    size, rest = divmod(len(body), 12)
    if rest or header.get("entries") != str(size) or header.get("sha256") != hashlib.sha256(body).hexdigest():
        raise FormatError(f"{name}: the model is damaged: its digest is not that of its header")
    return header, struct.unpack(f"<{size}Q", body[: 8 * size]), struct.unpack(f"<{size}I", body[8 * size :])


# -- names ---------------------------------------------------------------------------------------------------------------------


def escape_name(name: bytes) -> str:
    r"""A file name as one line of text, reversibly.

    >>> escape_name(b'caf\xc3\xa9 \xff\n\\')
    'café \\xff\\x0a\\x5c'
    """
    return "".join(
        char if char.isprintable() and char != "\\" else "".join(f"\\x{b:02x}" for b in char.encode("utf-8", "surrogateescape"))
        for char in name.decode("utf-8", "surrogateescape")
    )


def unescape_name(text: str) -> bytes:
    r"""The bytes that `escape_name` was given.

    >>> unescape_name('a\\x0a')
    b'a\n'
    """
    return _ESCAPED.sub(lambda found: bytes([int(found[1], 16)]), text.encode())


# -- cut report ----------------------------------------------------------------------------------------------------------------


def report_header(version: str, options: Mapping[str, Any], list_sha256: str) -> dict[str, Any]:
    """The first object of a report: what was run, and the digest of the list that was used."""
    return {"gutsort_report": REPORT_VERSION, "version": version, "options": dict(options), "list_sha256": list_sha256}


def write_report_row(file: BinaryIO, row: Mapping[str, Any]) -> None:
    """Write one object of a report."""
    import json

    file.write(json.dumps(row, ensure_ascii=False, separators=(", ", ": ")).encode() + b"\n")


def read_report(file: BinaryIO, name: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a report, the header first. Raises FormatError where a line is not one, or lacks a field that readers rely on."""
    import json  # late: filters start without it

    for number, line in enumerate(read_lines(file), 1):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict) or not (_is_header if number == 1 else _is_document)(row):
            expected = "a report header" if number == 1 else "an object about a document"
            raise FormatError(f"{name}:{number}: expected {expected}")
        yield row


def _is_header(row: Mapping[str, Any]) -> bool:
    return "gutsort_report" in row and isinstance(row.get("options"), dict) and isinstance(row.get("list_sha256"), str)


def _is_document(row: Mapping[str, Any]) -> bool:
    """Whether a row has what every row has, and what each of a document that was done has."""
    member = row.get("member", 0)
    if not (_is_name(row.get("path")) and isinstance(row.get("status"), str) and (member is None or _is_name(member))):
        return False
    if row["status"] != "done":
        return isinstance(row.get("why"), str)
    digests, numbers = row.get("sha256"), (row.get("size"), row.get("mtime_ns"))
    whole = isinstance(digests, dict) and all(isinstance(digests.get(side), str) for side in ("input", "output"))
    return whole and _is_name(row.get("target")) and all(type(n) is int for n in numbers) and _are_cuts(row.get("cuts"))


def _is_name(value: object) -> bool:
    """Whether a value can be what `escape_name` wrote: text without a lone half of a pair, of a name without NUL."""
    return isinstance(value, str) and not _NO_NAME.search(value)


def _are_cuts(value: object) -> bool:
    """Whether a value is a list of spans in order, each with its reason."""
    place = 0
    for cut in value if isinstance(value, list) else [None]:
        if not (isinstance(cut, list) and list(map(type, cut)) == [int, int, str] and place <= cut[0] <= cut[1]):
            return False
        place = cut[1]
    return True
