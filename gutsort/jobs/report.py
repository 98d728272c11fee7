"""The cut report: its rows, its file, and the sums over them."""

from __future__ import annotations

import contextlib
import functools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO

from gutsort.formats import escape_name, report_header, write_report_row
from gutsort.jobs.target import whole_file
from gutsort.records import Document, Skipped
from gutsort.strip.guard import Verdict
from gutsort.strip.rewrite import Rewritten
from gutsort.version import __version__

DONE, SKIPPED, REFUSED = "done", "skipped", "refused"  # a row's status


class Summary:
    """Sums over the documents of a run; `text()` is what a user reads at its end."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.copies = 0
        self.bytes_read = 0
        self.bytes_cut = 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Count one row of a report."""
        self.counts[row["status"]] += 1
        if row["status"] != DONE:
            return
        self.bytes_read += row["size"]
        self.bytes_cut += sum(end - start for start, end, _ in row["cuts"])
        self.counts.update({reason.partition(":")[0] for _, _, reason in row["cuts"]} or {"untouched"})
        self.counts["suspects"] += bool(row["suspect"])

    @property
    def unread(self) -> int:
        """Documents that were not read or not written."""
        return self.counts[SKIPPED] + self.counts[REFUSED]

    @property
    def changed(self) -> int:
        """Documents of which something was cut."""
        return self.counts[DONE] - self.counts["untouched"]

    def text(self) -> str:
        """One line of figures."""
        c, share = self.counts, 100 * self.bytes_cut / max(1, self.bytes_read)
        copies = f" ({self.copies} with the ends of another, counted once)" if self.copies else ""
        inside = f"{c['interior']} inside, " if c["interior"] else ""
        return (
            f"{c[DONE]} documents{copies}, {c['head']} cut at the head, {c['tail']} at the tail, {inside}{c['untouched']} untouched, "
            f"{self.unread} skipped, {share:.1f} % of the bytes cut, {c['suspects']} suspects"
        )


def done_row(document: Document, verdict: Verdict, written: Rewritten) -> dict[str, Any]:
    """The report's row of a document that was stripped."""
    cut = sum(end - start for start, end, _ in verdict.cuts)
    return _row(document.path, document.member) | {
        "target": escape_name(document.target),
        "size": written.size,
        "mtime_ns": document.mtime_ns,
        "lines": written.lines,
        "first_line": written.first_line,
        "last_line": written.last_line,
        "cuts": [list(cut) for cut in verdict.cuts],
        "share": round(cut / max(1, written.size), 6),
        "suspect": verdict.suspect,
        "sha256": {"input": written.sha256_in, "output": written.sha256_out},
        "status": DONE,
    }


def skipped_row(skipped: Skipped) -> dict[str, Any]:
    """The report's row of what could not be stripped."""
    return _row(skipped.path, skipped.member) | {"status": skipped.status, "why": skipped.why}


def row_name(row: Mapping[str, Any]) -> str:
    """What messages call the document of a row: its path and, after a colon, the member.

    >>> row_name({"path": "a.jsonl", "member": "3"})
    'a.jsonl:3'
    """
    return row["path"] if row["member"] is None else f"{row['path']}:{row['member']}"


def _row(path: bytes, member: bytes | None) -> dict[str, Any]:
    return {"path": escape_name(path), "member": None if member is None else escape_name(member)}


@contextlib.contextmanager
def open_report(path: bytes | None, options: Mapping[str, Any], list_sha256: str) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """A function that writes one row to the report `path` (whole when the block ends), or none where `path` is None."""
    if path is None:
        yield lambda row: None
        return
    with whole_file(path) as file:
        write_report_row(file, report_header(__version__, options, list_sha256))
        yield functools.partial(write_report_row, file)


def write_suspect(file: BinaryIO, row: Mapping[str, Any]) -> None:
    """Write one line of the list of documents to look at, `PATH TAB REASONS`, where the row is of a suspect."""
    if row.get("suspect"):
        file.write(f"{row_name(row)}\t{', '.join(row['suspect'])}\n".encode())
