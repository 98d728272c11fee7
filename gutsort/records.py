"""The types that cross rooms. They have no behaviour and import nothing of gutsort."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO, NamedTuple


class Document(NamedTuple):
    """One document of a collection, not yet read.

    `path` is the operand joined with the path below it, as find prints it; `target` is where its output goes below the
    output directory; `member` names it inside a container (None for a plain file); `size` (bytes) and `mtime_ns` are those
    of the file; `open` gives a seekable binary file of the document's bytes, which the caller closes.
    """

    path: bytes
    target: bytes
    member: bytes | None
    size: int
    mtime_ns: int
    open: Callable[[], BinaryIO]


class Window(NamedTuple):
    """Whole lines read at one place of a document: `data` stands at byte `start`; `inner` is True where the document goes on beyond its inner end."""

    start: int
    data: bytes
    inner: bool


class Unit(NamedTuple):
    """What is counted (`key`, bytes) and where it stands: bytes `start` to `end` of the document, the line's LF included."""

    key: bytes
    start: int
    end: int


class Counted(NamedTuple):
    """A key and how often it was counted."""

    count: int
    key: bytes


class Cut(NamedTuple):
    """Bytes `start` to `end` of a document that go, and why."""

    start: int
    end: int
    reason: str
