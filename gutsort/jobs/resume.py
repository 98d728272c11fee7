"""What an unfinished run leaves behind, and how the next one takes it up.

The report is the manifest: a row is written when its document is in place, in the order of the walk. Until a run is done the report
stands as `report.jsonl.new`. A next run with the same options and the same list reads it beside its own walk, in constant memory, and
does again only what comes after the first document that does not match. `state.json` says for which walk the frequent list was counted.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from gutsort.errors import FormatError, UsageError
from gutsort.formats import escape_name, read_report, report_header, write_report_row
from gutsort.jobs.report import DONE
from gutsort.jobs.target import TEMPORARY, whole_file
from gutsort.records import Document, Skipped
from gutsort.version import __version__

Item = Document | Skipped
Row = dict[str, Any]

_LEFTOVER = re.compile(re.escape(TEMPORARY.encode()) + rb"[a-z0-9_]{8}")


class Walked:
    """Passes on the items of a walk and keeps their number, their bytes and a digest of paths, sizes and times."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = items
        self._digest = hashlib.sha256()
        self.documents = self.bytes = self.copies = 0

    def __iter__(self) -> Iterator[Item]:
        for item in self._items:
            if isinstance(item, Document):
                self._digest.update(b"%d %d %b\0" % (item.size, item.mtime_ns, item.path))
                self.bytes += item.size
            self.documents += 1
            yield item

    def exhaust(self) -> None:
        """Walk to the end."""
        for _ in self:
            pass

    @property
    def digest(self) -> str:
        """Of what was passed on so far."""
        return self._digest.hexdigest()


def read_state(path: bytes) -> Row | None:
    """The state that `write_state` left, or None."""
    with contextlib.suppress(OSError, ValueError), open(path, "rb") as file:
        state = json.loads(file.read())
        return state if isinstance(state, dict) and {"walk", "options", "copies"} <= set(state) else None
    return None


def write_state(path: bytes, options: Mapping[str, Any], walked: Walked) -> None:
    """Say that the frequent list is whole, and what it was counted of."""
    state = {"options": options, "walk": walked.digest, "copies": walked.copies}
    with whole_file(path) as file:
        file.write(json.dumps(state).encode() + b"\n")


class Manifest(NamedTuple):
    """The report of an earlier run: its path, its header, and whether that run came to its end."""

    path: bytes
    header: Row
    whole: bool


def find_manifest(report: bytes) -> Manifest | None:
    """The earlier report that goes furthest of those an unfinished run may leave; all of them begin alike."""
    found = []
    for path in (report + b".new", report + b".old", report):
        with contextlib.suppress(OSError, FormatError, StopIteration), open(path, "rb") as file:
            header = next(read_report(file, "report"))
            found.append((os.fstat(file.fileno()).st_size, Manifest(path, header, path == report)))
    return max(found, default=(0, None), key=lambda pair: pair[0])[1]


def check_same(manifest: Manifest | None, options: Mapping[str, Any], list_sha256: str | None, target: bytes) -> None:
    """Raise UsageError, naming the difference, where a filled target is not that of a run with these options and this list."""
    name = escape_name(target)
    if manifest is None:
        raise UsageError(f"{name} is not empty, and there is no report of a run that could be taken up")
    earlier = manifest.header["options"]
    for key in [*options, *earlier]:
        if earlier.get(key) != options.get(key):
            raise UsageError(f"{name} is of a run with {key}={earlier.get(key)}, not {options.get(key)}: use another directory")
    if list_sha256 is not None and manifest.header["list_sha256"] != list_sha256:
        raise UsageError(f"{name} is of a run with another frequent list (the documents have changed?): use another directory")


def reusable(manifest: Manifest | None, items: Iterator[Item], target: bytes, rest: list[Item]) -> Iterator[Row]:
    """Yield the rows of the documents at the start of the walk that are done; put the first item that is not into `rest`.

    The last document of a run that did not end is taken for undone, since a container's later rows may be missing.
    """
    groups = _groups(manifest) if manifest else iter(())
    for item in items:
        rows = next(groups, [])
        if not rows or not _matches(rows, item, target):
            rest.append(item)
            return
        yield from rows


def _groups(manifest: Manifest) -> Iterator[list[Row]]:
    """The rows of each file of a manifest, up to the first line that is torn."""

    def rows() -> Iterator[Row]:
        with open(manifest.path, "rb") as file, contextlib.suppress(FormatError):
            found = read_report(file, "report")
            next(found, None)
            yield from found

    last: list[Row] = []
    for _, group in groupby(rows(), key=lambda row: row.get("path")):
        if last:
            yield last
        last = list(group)
    if last and manifest.whole:
        yield last


def _matches(rows: list[Row], item: Item, target: bytes) -> bool:
    """Whether the rows are of this item as it is now, and its output is there."""
    if rows[0]["path"] != escape_name(item.path):
        return False
    if isinstance(item, Skipped):
        return rows[0]["status"] != DONE and len(rows) == 1 and rows[0]["member"] is None
    row = rows[0]
    if row["status"] != DONE or row["mtime_ns"] != item.mtime_ns:
        return False
    try:
        size = os.lstat(os.path.join(target, item.target)).st_size
    except OSError:
        return False
    return row["member"] is not None or (row["size"] == item.size and size == item.size - sum(b - a for a, b, _ in row["cuts"]))


@contextlib.contextmanager
def continued_report(
    report: bytes, manifest: Manifest | None, options: Mapping[str, Any], list_sha256: str
) -> Iterator[tuple[Callable[[Row], None], Manifest | None]]:
    """A function that adds rows to `report`.new, which becomes `report` when the block ends; and the manifest, moved out of its way."""
    new, old = report + b".new", report + b".old"
    if manifest is not None and manifest.path != old:
        os.rename(manifest.path, old)
        manifest = manifest._replace(path=old)
    with open(new, "wb", buffering=1 << 14) as file:
        write_report_row(file, report_header(__version__, options, list_sha256))
        file.flush()  # before the first document is in place, for a filled target without a report is refused
        yield functools.partial(write_report_row, file), manifest
        file.flush()
        os.fsync(file.fileno())
    os.rename(new, report)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(old)


def sweep_leftovers(target: bytes) -> None:
    """Remove the unfinished files that a killed run left in an output tree."""
    for folder, _, names in os.walk(target):
        for name in filter(_LEFTOVER.fullmatch, names):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(folder, name))
