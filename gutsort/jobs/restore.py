"""Undo a run: the documents as they were, from its report, what it cut and what it kept."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from gutsort.formats import escape_name, read_report, unescape_name
from gutsort.jobs.report import DONE
from gutsort.jobs.target import make_folder, whole_file
from gutsort.records import Cut
from gutsort.strip.restore import restore


class Restored(NamedTuple):
    """What became of one document of a report: `why` is None where it is restored."""

    path: str
    why: str | None


def restore_tree(report: BinaryIO, name: str, cuts: bytes, clean: bytes, target: bytes) -> Iterator[Restored]:
    """Write the documents of `report` below `target`, each byte for byte as it was, or not at all; yield what became of each.

    `cuts` is the directory of --keep-cuts, `clean` that of the stripped documents; both are laid out as `target` will be. The digest of
    each document is checked before it appears. Raises FormatError, SpaceError. Memory: constant.
    """
    for row in read_report(report, name):
        if "path" in row and row["status"] == DONE:
            yield Restored(row["path"], _restore_one(row, cuts, clean, target))


def _restore_one(row: dict[str, Any], cuts: bytes, clean: bytes, target: bytes) -> str | None:
    if row["member"] is not None:
        return "is in a container, which can only be restored as a whole"
    below = unescape_name(row["target"])
    spans = [Cut(*cut) for cut in row["cuts"]]
    path = os.path.join(target, below)
    make_folder(os.path.dirname(path))
    try:
        with (
            open(os.path.join(clean, below), "rb") as kept,
            open(os.path.join(cuts, below), "rb") if spans else io.BytesIO() as cut,
            whole_file(path, sync=False) as file,
        ):
            if restore(kept, cut, file, spans) != row["sha256"]["input"]:
                raise _Differs  # so that the file does not appear
    except _Differs:
        return "what is there does not make up the document of the report"
    except OSError as error:
        return f"{escape_name(os.fsencode(error.filename or b''))}: {error.strerror}"
    return None


class _Differs(Exception):
    """A document whose digest is not that of the report."""
