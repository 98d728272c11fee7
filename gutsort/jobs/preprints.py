"""Metadata of many papers: each file, whatever its format, becomes one row."""

from __future__ import annotations

import gzip
import os
import shutil
import tempfile
import zlib
from collections.abc import Container
from typing import Any, BinaryIO, NamedTuple

from gutsort.errors import FormatError, ReadError
from gutsort.formats import escape_name, parse_settings, read_frequent
from gutsort.jobs.convert import to_bbox
from gutsort.metadata.find import Metadata, find_metadata, find_metadata_literally
from gutsort.metadata.paper import Paper, has_text
from gutsort.metadata.read import SNIFFED, guess_format, read_paper

FORMATS = ["auto", "prescript", "bbox", "text", "pdf", "ps"]
READ_MOST = 4 << 20  # bytes of a converted paper that are read: about a hundred pages as bbox, of which three are searched
SPOOL_MOST = 512 << 20  # bytes that a compressed or piped paper may become

_GZIP = b"\x1f\x8b"


class Rules(NamedTuple):
    """How papers are read: the format (or auto), the source's rules or the default ones, and the lines to drop before these."""

    format: str = "auto"
    literal: bool = False
    strict: bool = False
    frequent: Container[bytes] = frozenset()


def read_frequent_lines(file: BinaryIO, name: str) -> frozenset[bytes]:
    """The keys of a plain frequent list. Raises FormatError where the list has marked keys, which are no lines."""
    keys = frozenset(entry.key for entry in read_frequent(file, name))
    if any(parse_settings(key) for key in keys):
        raise FormatError(f"{name}: expected a plain list, as extract --key line makes it")
    return keys


def metadata_row(path: bytes, file: BinaryIO, rules: Rules) -> dict[str, Any]:
    """The row of one paper: path, status, the fields and their places; status skipped and `why` where the paper could not be read."""
    try:
        paper = _read(path, file, rules.format)
    except (ReadError, OSError, EOFError, zlib.error) as error:
        return skipped_row(path, getattr(error, "strerror", None) or str(error))
    if not has_text(paper):
        return skipped_row(path, "no text, or a scan without a text layer")
    if rules.literal:
        return _row(path, find_metadata_literally(paper, strict=rules.strict))
    return _row(path, find_metadata(paper, frequent=rules.frequent))


def _read(path: bytes, file: BinaryIO, format: str) -> Paper:
    if not file.seekable():
        with tempfile.TemporaryFile(prefix=".gutsort-") as spooled:
            _copy(file, spooled)
            return _read(path, spooled, format)
    head = file.read(SNIFFED)
    file.seek(0)
    if head.startswith(_GZIP):
        with gzip.GzipFile(fileobj=file) as unpacked, tempfile.TemporaryFile(prefix=".gutsort-") as spooled:
            _copy(unpacked, spooled)
            return _read(b"-", spooled, format)
    format = guess_format(head) if format == "auto" else format
    if format in ("pdf", "ps"):
        return read_paper(_converted(path, file, format), "bbox")
    return read_paper(file.read(READ_MOST), format)


def _converted(path: bytes, file: BinaryIO, kind: str) -> bytes:
    """What the converters make of a paper: of the file `path`, or, where that is not what is read, of a copy with a name."""
    if path != b"-":
        return to_bbox(path, kind)
    with tempfile.NamedTemporaryFile(prefix=".gutsort-", suffix=f".{kind}") as named:
        shutil.copyfileobj(file, named)
        named.flush()
        return to_bbox(os.fsencode(named.name), kind)


def _copy(source: BinaryIO, target: BinaryIO) -> None:
    size = 0
    while data := source.read(1 << 20):
        size += len(data)
        if size > SPOOL_MOST:
            raise ReadError(f"more than {SPOOL_MOST >> 20} MiB after decompression")
        target.write(data)
    target.seek(0)


def skipped_row(path: bytes, why: str) -> dict[str, Any]:
    """The row of a paper that could not be read."""
    return {"path": escape_name(path), "status": "skipped", "why": why} | _fields(Metadata(None, [], [], None, None, None, None))


def _row(path: bytes, found: Metadata) -> dict[str, Any]:
    return {"path": escape_name(path), "status": "done"} | _fields(found)


def _fields(found: Metadata) -> dict[str, Any]:
    places = {"abstract": found.abstract_place, "keywords": found.keywords_place, "msc": found.msc_place}
    return {
        "abstract": found.abstract,
        "keywords": found.keywords,
        "msc": found.msc,
        "language": found.language,
        "places": {name: place._asdict() if place else None for name, place in places.items()},
    }


TSV_HEADER = ["path", "status", "language", "abstract", "keywords", "msc", "abstract_place", "keywords_place", "msc_place"]


def tsv_fields(row: dict[str, Any]) -> list[str]:
    """A row's fields in the order of TSV_HEADER: keywords parted by `; `, codes by a blank, a place as `page.paragraph.line`."""
    places = [".".join(str(n) for n in place.values()) if place else "" for place in row["places"].values()]
    fields = [row["path"], row["status"], row["language"], row["abstract"], "; ".join(row["keywords"]), " ".join(row["msc"])]
    return [" ".join((field or "").split("\t")) for field in fields] + places
