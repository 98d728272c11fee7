"""Undo a run: the documents as they were, from its report, what it cut and what it kept."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from itertools import groupby
from typing import Any, BinaryIO, NamedTuple

from gutsort.extract.compressed import codec_of
from gutsort.formats import escape_name, read_report, unescape_name
from gutsort.jobs.report import DONE
from gutsort.jobs.target import make_folder, whole_file
from gutsort.records import Cut
from gutsort.strip.restore import restore

HEAD = 16  # bytes that tell a compressed file
IN_CONTAINER = "is a container; of its documents the cuts are not kept"
COMPRESSED = "is compressed, and other bytes may unpack to the same document"


class Restored(NamedTuple):
    """What became of one document of a report: `why` is None where it is restored."""

    path: str
    why: str | None


def restore_tree(report: BinaryIO, name: str, cuts: bytes, clean: bytes, target: bytes) -> Iterator[Restored]:
    """Write the documents of `report` below `target`, each byte for byte as it was, or not at all; yield what became of each.

    `cuts` is the directory of --keep-cuts, `clean` that of the stripped documents; both are laid out as `target` will be. The digest of
    each document is checked before it appears. What was not stripped as a file of its own is not restored, and said once a file.
    Raises FormatError, SpaceError. Memory: constant.
    """
    rows = (row for row in read_report(report, name) if "path" in row)
    for path, of_file in groupby(rows, key=lambda row: row["path"]):
        yield Restored(path, _restore_file(of_file, cuts, clean, target))


def _restore_file(rows: Iterator[dict[str, Any]], cuts: bytes, clean: bytes, target: bytes) -> str | None:
    """Restore the file that `rows` are about, or say why not."""
    row = next(rows)
    if row["member"] is not None or any(other["member"] is not None for other in rows):
        return IN_CONTAINER
    if row["status"] != DONE:
        return f"was {row['status']} by the run of the report ({row['why']})"
    return _restore_one(row, cuts, clean, target)


def _restore_one(row: dict[str, Any], cuts: bytes, clean: bytes, target: bytes) -> str | None:
    """Restore a document that is a file of its own, or say why not."""
    below = unescape_name(row["target"])
    if below.startswith(b"/") or b".." in below.split(b"/"):
        return "has a target that leads elsewhere"
    spans = [Cut(*cut) for cut in row["cuts"]]
    path = os.path.join(target, below)
    try:
        with open(os.path.join(clean, below), "rb") as kept, open(os.path.join(cuts, below), "rb") if spans else io.BytesIO() as cut:
            if codec_of(kept.read(HEAD)) is not None:
                return COMPRESSED
            kept.seek(0)
            make_folder(os.path.dirname(path))
            with whole_file(path, sync=False) as file:
                if restore(kept, cut, file, spans) != row["sha256"]["input"]:
                    raise _Differs  # so that the file does not appear
    except _Differs:
        return "what is there does not make up the document of the report"
    except OSError as error:
        return f"{escape_name(os.fsencode(error.filename or b''))}: {error.strerror}"
    return None


class _Differs(Exception):
    """A document whose digest is not that of the report."""
