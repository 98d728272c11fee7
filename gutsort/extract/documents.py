"""Walk files and trees: every document once, in byte order of names, and everything else named.

Names are bytes throughout, for a file name need not be text. Links to files are followed; links to directories are not, which is
what keeps a loop of links from being walked forever.
"""

from __future__ import annotations

import fnmatch
import functools
import io
import os
import re
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, BinaryIO

from gutsort.errors import UsageError
from gutsort.extract.spool import spooled
from gutsort.formats import escape_name
from gutsort.records import Document, Skipped

Sort = Callable[[Iterator[bytes]], Iterable[bytes]]

KINDS = {stat.S_IFDIR: "a directory", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}


class Choice:
    """Which files are documents: those that fit one of `include`, or all where there is none, and none of `exclude`.

    Patterns are the shell's (fnmatch, where `*` goes past `/`) and have to fit the path below the operand, or the name alone. Nothing
    below a directory that fits one of `exclude` is looked at.
    """

    def __init__(self, include: Sequence[bytes] = (), exclude: Sequence[bytes] = ()) -> None:
        self._include, self._exclude = _either(include), _either(exclude)

    def takes(self, below: bytes) -> bool:
        """Whether a file is a document."""
        return not self.leaves_out(below) and (self._include is None or _fits(self._include, below))

    def leaves_out(self, below: bytes) -> bool:
        """Whether a file or directory fits one of `exclude`."""
        return self._exclude is not None and _fits(self._exclude, below)


def _either(patterns: Sequence[bytes]) -> re.Pattern[bytes] | None:
    """One pattern for all, or None for none; byte for byte, so that names in any encoding can be named."""
    texts = [fnmatch.translate(pattern.decode("latin-1")) for pattern in patterns]
    return re.compile("|".join(texts).encode("latin-1")) if texts else None


def _fits(pattern: re.Pattern[bytes], below: bytes) -> bool:
    return bool(pattern.match(below) or pattern.match(os.path.basename(below)))


def walk(
    operands: Iterable[bytes],
    *,
    stdin: BinaryIO | None = None,
    prefixes: Layout | None = None,
    choice: Choice | None = None,
) -> Iterator[Document | Skipped]:
    """Yield the documents of all operands, trees in byte order of names below each directory, and what is none with its reason.

    `-` is `stdin`, one document, and empty when it is named again. The `target` of a document is its path below the operand, below the operand's prefix (see
    `lay_out`). What `choice` does not take is passed over.
    Memory: the names of one directory at each depth.
    """
    for operand in operands:
        prefix = prefixes[operand] if prefixes else b""
        if operand == b"-" and stdin is not None:
            yield Document(operand, operand, None, 0, 0, _Kept(stdin).open)
            stdin = io.BytesIO()  # there is no more of it
        elif os.path.isdir(operand):
            yield from _walk_tree(operand, prefix, len(os.path.join(prefix, b"")), choice)
        elif choice is None or choice.takes(os.path.basename(operand)):
            yield from _file_document(operand, os.path.join(prefix, os.path.basename(operand)))


class Layout:
    """Where each operand's documents go below the output directory: `layout[operand]` is what stands before their names there.

    One directory: its content; one file: its name; several operands: each below its own last component.
    """

    def __init__(self, *, single: bool) -> None:
        self._single = single

    def __getitem__(self, operand: bytes) -> bytes:
        return b"" if self._single or not os.path.isdir(operand) else _last(operand)


def lay_out(operands: Collection[bytes], sort: Sort = sorted) -> Layout:
    """The layout of all operands. Raises UsageError where two would write the same file.

    `sort` gives byte strings back in byte order. Memory and time: those of `sort`.
    """
    layout = Layout(single=len(operands) == 1)
    before: tuple[bytes, bytes] | None = None
    for record in sort(_last(operand) + b"/" + operand for operand in operands):  # no last component has a slash
        last, _, operand = record.partition(b"/")
        if before and before[0] == last:
            raise UsageError(f"{escape_name(before[1])} and {escape_name(operand)} would both be written as {escape_name(last)}")
        before = last, operand
    return layout


def _last(operand: bytes) -> bytes:
    return os.path.basename(os.path.abspath(operand))


def _walk_tree(directory: bytes, below: bytes, top: int, choice: Choice | None) -> Iterator[Document | Skipped]:
    """The documents below a directory, whose targets begin with `below`; `top`: how much of a target is not below the operand."""
    try:
        with os.scandir(directory) as entries:
            names = sorted((entry.name, entry.is_dir(follow_symlinks=False), entry.is_symlink()) for entry in entries)
    except OSError as error:
        yield Skipped(directory, error.strerror or str(error))
        return
    for name, is_directory, is_link in names:
        path, target = os.path.join(directory, name), os.path.join(below, name)
        if is_directory:
            if choice is None or not choice.leaves_out(target[top:]):
                yield from _walk_tree(path, target, top, choice)
        elif not (is_link and os.path.isdir(path)) and (choice is None or choice.takes(target[top:])):
            yield from _file_document(path, target)


def _file_document(path: bytes, target: bytes) -> Iterator[Document | Skipped]:
    try:
        status = os.stat(path)
    except OSError as error:
        yield Skipped(path, error.strerror or str(error))
        return
    if (what := no_file(path, status.st_mode)) is not None:
        yield Skipped(path, f"is {what}")
        return
    yield Document(path, target, None, status.st_size, status.st_mtime_ns, functools.partial(open_file, path))


def no_file(path: bytes, mode: int) -> str | None:
    """What a path of this `st_mode` names that is no file, such as "a pipe", which might be waited for without end; None for a file."""
    kind = stat.S_IFMT(mode)
    return None if kind == stat.S_IFREG or _is_descriptor(path) else KINDS.get(kind, "no file")


def _is_descriptor(path: bytes) -> bool:
    """A name such as /dev/fd/63 or /dev/stdin, as a shell's <(...) gives: a pipe that is meant to be read."""
    return path.startswith((b"/dev/fd/", b"/dev/stdin", b"/proc/self/fd/"))


def open_file(path: bytes) -> BinaryIO:
    """The file as a document wants it: seekable. Raises OSError."""
    return _seekable(open(path, "rb", buffering=0))


def _seekable(file: BinaryIO) -> BinaryIO:
    """The file itself where it can be seeked, else a spooled copy."""
    return file if file.seekable() and file.tell() == 0 else spooled(file)  # type: ignore[return-value]


class _Kept:
    """Standard input, which can be read once, as a file that can be opened, read and closed again and again."""

    def __init__(self, stdin: BinaryIO) -> None:
        self._stdin, self._file = stdin, None

    def open(self) -> BinaryIO:
        """The file, at its start."""
        self._file = self._file or _seekable(self._stdin)
        self._file.seek(0)
        return self  # type: ignore[return-value]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> _Kept:
        return self

    def __exit__(self, *_: object) -> None:
        """Standard input stays open."""

    close = __exit__


def document_of_bytes(data: bytes, path: bytes = b"-") -> Document:
    """A document that is already in memory, for callers of the library."""
    return Document(path, path, None, len(data), 0, lambda: io.BytesIO(data))
