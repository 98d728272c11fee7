"""Mailboxes (RFC 4155): each message a document, of which the text after the header's first blank line counts.

The header, and the blank line that ends a message, are the format's and always stay, so a cut cannot make a reader see fewer messages;
nor more, for what begins a message is told by that line alone, wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gutsort.extract.names import inside
from gutsort.extract.spool import SPOOL, Spool, copy
from gutsort.extract.stream import Broken, Stream, lines
from gutsort.records import Document, Skipped, Text, Writer

# "From ", who, and asctime's date: "From jane@example.org Thu Jan  1 00:00:00 1970". Lines of text may begin with "From " as well.
_BEGINS = re.compile(rb"From \S.*\d\d:\d\d.*\d{4}")
_BLANK = (b"\n", b"\r\n")


def mbox_texts(document: Document, stream: Stream, target: Writer | None) -> Iterator[Text | Skipped]:
    """Yield the messages; their numbers, from 1, are the members' names.

    Memory: SPOOL bytes; what is longer goes to the temporary folder. Raises Broken where the file is no mailbox, or cannot be read on.
    """
    source = lines(stream, SPOOL)
    line, _ = next(source, (b"", True))
    if line and not _BEGINS.match(line):
        raise Broken("is no mailbox: its first line does not begin a message")
    number = 0
    while line:
        number += 1
        _pass_header(line, source, target)
        with Spool() as body:
            name = inside(document, b"%d" % number)
            try:
                ending, line = _read_body(source, body)
            except Broken as broken:
                yield Skipped(document.path, str(broken), name)
                if target is not None:
                    body.seek(0)
                    copy(body, target)
                return
            size = body.tell()
            body.seek(0)
            yield Text(document._replace(member=name, size=size, open=lambda body=body: body), body, target)
        if target is not None:
            target.write(ending)


def _pass_header(line: bytes, source: Iterator[tuple[bytes, bool]], target: Writer | None) -> None:
    """Hand on a header and its blank line."""
    while line:
        if target is not None:
            target.write(line)
        if line in _BLANK:
            return
        line, _ = next(source, (b"", True))


def _read_body(source: Iterator[tuple[bytes, bool]], body: Spool) -> tuple[bytes, bytes]:
    """Write a message's text to `body`; return the blank line that ends it, if one does, and the line that begins the next message."""
    held = b""
    try:
        for line, begins in source:
            if begins and line.startswith(b"From ") and _BEGINS.match(line):
                return held, line
            body.write(held)
            held = line if line in _BLANK and begins else b""
            body.write(line[len(held) :])
    except Broken:
        body.write(held)
        raise
    return held, b""
