"""The documents inside a file: one code path for counting, where they are only read, and for stripping, where what is kept is written.

A file is, from the outside in: compressed, as its first bytes say; a container, as its name says (tar, zip, JSON Lines, mbox); a text, or
binary. Members of archives may be any of these again. All is streamed: nothing is unpacked by name, and no more than one document is held.

What is written is the same container: format, order and metadata stay. What cannot be read is named, and copied as it is where it
can be: a binary file, a damaged one whole, a line that is no JSON. An archive that breaks off ends with its last whole member.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import BinaryIO

from gutsort.extract.compressed import Codec, Compressed, codec_of, decompressed
from gutsort.extract.encodings import encoding_of
from gutsort.extract.names import kind_of
from gutsort.extract.spool import copy, spooled
from gutsort.extract.stream import Broken, Stream, file_blocks
from gutsort.records import Document, Skipped, Text, Writer

SNIFF = 8 << 10  # bytes that are looked at for a NUL, which no text has but in UTF-16 and UTF-32
DEPTH = 5  # containers within one another; a forged file could go on for ever
STDIN = b"-"


def texts(document: Document, file: BinaryIO, target: Writer | None = None, *, jsonl_field: str | None = None) -> Iterator[Text | Skipped]:
    """Yield the documents in `file`, which is that of `document`, and what is none, in their order.

    Where `target` is given, the file is written to it with each text's kept bytes: see `Text` for what the caller has to do. With
    `jsonl_field`, standard input and any file that begins with `{` is JSON Lines, not only those so named.
    Memory: a few blocks, whatever the file; the directory of a zip archive; the longest line of JSON Lines.
    """
    with contextlib.suppress(Broken):  # which is found again, and said, below
        head = _head(file)
        if jsonl_field is None and b"\0" not in head and codec_of(head) is None and kind_of(document) is None:
            whole = len(head) == document.size  # then there is no more to read, and each call of the system is saved
            yield Text(document, io.BytesIO(head) if whole else file, target, head)  # nearly all files: no layers
            return
    yield from _Layers(document, jsonl_field).outer(document, file, target, 0)


class _Written:
    """Notes whether anything has been written."""

    def __init__(self, target: Writer) -> None:
        self.target, self.any = target, False

    def write(self, data: bytes) -> None:
        self.any = self.any or bool(data)
        self.target.write(data)


class _Layers:
    """The layers of one file, from the outside in. `field`: that of JSON Lines, None where only names tell."""

    def __init__(self, document: Document, field: str | None) -> None:
        self.field = field
        self.options = {} if field is None else {"field": field}
        self.from_stdin = document.path == STDIN

    def outer(self, document: Document, file: BinaryIO, target: Writer | None, depth: int) -> Iterator[Text | Skipped]:
        """A whole file, or an archive's member: what cannot be read at all is copied as it is. Raises Broken where it cannot be copied."""
        written = None if target is None else _Written(target)
        try:
            yield from self._inner(document, file, written, depth)
        except Broken as broken:
            yield Skipped(document.path, str(broken), document.member)
            if written is not None and not written.any:
                copy(Stream(file_blocks(file)), written)

    def _inner(self, document: Document, file: BinaryIO, target: Writer | None, depth: int) -> Iterator[Text | Skipped]:
        """A seekable file. Raises Broken where it cannot be read; nothing is written then."""
        head = _head(file)
        kind = self._kind(document, head)
        if depth == DEPTH:
            raise Broken(f"has more than {DEPTH} containers within one another")
        if codec_of(head) is not None:
            yield from self._compressed(document, file, head, target, depth)
        elif not head:
            yield Text(document, file, target, head)  # an empty file stays one, whatever its name says
        elif kind == "zip":
            from gutsort.extract.zip import zip_pieces

            yield from self._pieces(zip_pieces(document, file, target), depth)
        elif kind is not None:
            yield from self._streamed(kind, document, Stream(file_blocks(file)), target, depth)
        elif b"\0" in head and encoding_of(head) is None and not self._is_stdin(document):
            raise Broken("is binary")
        else:
            yield Text(document, file, target, head)

    def _compressed(self, document: Document, file: BinaryIO, head: bytes, target: Writer | None, depth: int) -> Iterator[Text | Skipped]:
        codec: Codec = codec_of(head)  # type: ignore[assignment]
        stream = Stream(decompressed(file_blocks(file), codec))
        out = None if target is None else Compressed(target, codec, head)
        kind = self._kind(document, b"")
        if kind in (None, "zip"):
            with spooled(stream) as plain:
                yield from self._inner(document, plain, out, depth + 1)
        else:
            yield from self._streamed(kind, document, stream, out, depth)
        if out is not None:
            out.finish()

    def _streamed(self, kind: str, document: Document, stream: Stream, target: Writer | None, depth: int) -> Iterator[Text | Skipped]:
        """A container that is read front to back. A break is raised where nothing is written yet, else it is the end."""
        written = None if target is None else _Written(target)
        try:
            if kind == "tar":
                from gutsort.extract.tar import tar_pieces

                yield from self._pieces(tar_pieces(document, stream, written), depth)
            elif kind == "mbox":
                from gutsort.extract.mbox import mbox_texts

                yield from mbox_texts(document, stream, written)
            else:
                from gutsort.extract.jsonl import jsonl_texts

                yield from jsonl_texts(document, stream, written, **self.options)
        except Broken as broken:
            if written is None or not written.any:
                raise
            yield Skipped(document.path, str(broken), document.member)

    def _pieces(self, pieces: Iterator, depth: int) -> Iterator[Text | Skipped]:
        for piece in pieces:
            if isinstance(piece, Skipped):
                yield piece
            else:
                yield from self.outer(piece.document, piece.file, piece.kept, depth + 1)

    def _kind(self, document: Document, head: bytes) -> str | None:
        if self._is_stdin(document):
            return None if self.field is None else "jsonl"
        kind = kind_of(document)
        return "jsonl" if kind is None and self.field is not None and head.lstrip()[:1] == b"{" else kind

    def _is_stdin(self, document: Document) -> bool:
        return self.from_stdin and document.member is None


def _head(file: BinaryIO) -> bytes:
    try:
        file.seek(0)
        return file.read(SNIFF)
    except OSError as error:
        raise Broken(error.strerror or str(error)) from None
