"""The types that cross rooms. They have no behaviour and import nothing of gutsort."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import BinaryIO, NamedTuple, Protocol


class Writer(Protocol):
    """What takes bytes."""

    def write(self, data: bytes, /) -> object: ...


class Document(NamedTuple):
    """One document of a collection, not yet read.

    `path` is the operand joined with the path below it, as find prints it; `target` is where its output goes below the
    output directory; `member` names it inside a container (None for a plain file); `size` (bytes) and `mtime_ns` are those
    of the file; `open` gives a seekable binary file of the document's bytes, which the caller closes, and raises OSError.
    """

    path: bytes
    target: bytes
    member: bytes | None
    size: int
    mtime_ns: int
    open: Callable[[], BinaryIO]


class Skipped(NamedTuple):
    """What is no document that can be read, and why.

    `member` names it inside a container; `status` is `refused` for what may not be written, such as an archive's member with an unsafe
    name, or is no part of its format, such as a broken line of JSON Lines: `raw` are the bytes of such a line.
    """

    path: bytes
    why: str
    member: bytes | None = None
    status: str = "skipped"
    raw: bytes | None = None


@dataclasses.dataclass(slots=True)
class Text:
    """A document that is open: one file, or one of the documents in a container.

    `file` is seekable and valid until the next one is asked for; `head` are its first bytes where they have been read. Where `target` is
    not None, what is kept of the document has to be written to it, and `cuts` set to what was cut, before the next one is asked for.
    """

    document: Document
    file: BinaryIO
    target: Writer | None
    head: bytes | None = None
    cuts: Sequence[Cut] = ()


class Window(NamedTuple):
    """Whole lines at one end of a document: `data` stands at byte `start`; `inner`: the document goes on beyond its inner end."""

    start: int
    data: bytes
    inner: bool


class Unit(NamedTuple):
    """What is counted (`key`, bytes) and where it stands: bytes `start` to `end` of the document, the line's LF included."""

    key: bytes
    start: int
    end: int


class Line(NamedTuple):
    """What the rule `odds` needs of a line that is not blank.

    `keys` are its keys without their place, the whole line's first, none for a line without letter or digit; `letters` how many
    letters and digits it has; `first` its first word, folded.
    """

    keys: tuple[bytes, ...]
    letters: int
    first: bytes


class LineEnds(NamedTuple):
    """What the rule `odds` sees of a document: as `Ends`, but all lines of the windows (None for a blank one), and where they start.

    `head_filled` and `tail_filled` say which lines are not blank; `head_starts` and `tail_starts` have one place more than lines: where
    the last line ends. `between` is about how many lines stand between the windows, negative where they overlap: by so many lines.
    """

    start: int
    end: int
    head: Sequence[Line | None]
    tail: Sequence[Line | None]
    head_filled: list[bool]
    tail_filled: list[bool]
    head_inner: int
    tail_inner: int
    head_starts: list[int]
    tail_starts: list[int]
    between: int


class Ends(NamedTuple):
    """What a rule sees of a document: its extent in bytes, the units of its head and tail windows, the inner ends of those.

    Where a window holds the whole document, its inner end is `end` (head) or `start` (tail).
    """

    start: int
    end: int
    head: list[Unit]
    tail: list[Unit]
    head_inner: int
    tail_inner: int


class Page(NamedTuple):
    """What the rule for pages sees of one, from byte `start` to `end`, where a form feed or the document ends.

    Its lines that have a key, in their order: the first ones, those inside, the last ones.
    """

    start: int
    end: int
    head: list[Unit]
    inner: list[Unit]
    tail: list[Unit]


class Counted(NamedTuple):
    """A key and how often it was counted."""

    count: int
    key: bytes


class Proposal(NamedTuple):
    """What a rule would cut: all before byte `head_end`, all from byte `tail_start` on (None: nothing), each with its evidence in words."""

    head_end: int | None
    tail_start: int | None
    head_reason: str = ""
    tail_reason: str = ""


class Cut(NamedTuple):
    """Bytes `start` to `end` of a document that go, and why: the place (`head`, `tail`, `interior`), a colon, the evidence."""

    start: int
    end: int
    reason: str
