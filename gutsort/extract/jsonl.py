"""JSON Lines: each line an object, one of its fields a document.

The field's JSON string is sliced, never written anew: a cut of the decoded text is carried over to the string as it is spelled, so other
fields, their order, numbers and escapes stay as they were, and so does every character that is kept. A line that is no object with
such a field is refused: it stays where it was, byte for byte, so that nothing is lost and lines keep their numbers, and a copy of it is
handed over, for a file of refused lines. A blank line is neither.
"""

from __future__ import annotations

import functools
import io
import json
import re
from collections.abc import Iterator, Sequence

from gutsort.extract.names import inside
from gutsort.extract.stream import Broken, Stream, lines
from gutsort.records import Cut, Document, Skipped, Text, Writer

FIELD = "text"  # the field of most collections
LINE_BYTES = 64 << 20  # a longer line is refused, which bounds the memory

_BOM = b"\xef\xbb\xbf"
_WHITE = re.compile(r"[ \t\n\r]*")
_ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)")
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)  # numbers are not looked at


def jsonl_texts(document: Document, stream: Stream, target: Writer | None, field: str = FIELD) -> Iterator[Text | Skipped]:
    """Yield the field's text of each line, and each line that has none; the line's number, from 1, is the member's name.

    Memory: the longest line, up to LINE_BYTES. Raises Broken, when all lines before it are done, where the stream cannot be read on.
    """
    number, refused = 0, False
    for line, begins in lines(stream, LINE_BYTES):
        number += begins
        if begins and line.strip():
            result = _line_text(document, number, line, field)
            yield result
            refused = isinstance(result, Skipped)
            if target is not None:
                target.write(line if refused else _cut_line(line, field, result.cuts))
        elif target is not None:
            target.write(line)


def _line_text(document: Document, number: int, line: bytes, field: str) -> Text | Skipped:
    name = inside(document, b"%d" % number)
    if len(line) == LINE_BYTES and not line.endswith(b"\n"):
        return Skipped(document.path, f"is longer than {LINE_BYTES >> 20} MiB", name, "refused")
    try:
        text, start, end = field_span(_decoded(line), field)
    except Broken as broken:
        return Skipped(document.path, str(broken), name, "refused", line)
    data = text.encode("utf-8", "surrogatepass")
    member = document._replace(member=name, size=len(data), open=functools.partial(io.BytesIO, data))
    return Text(member, io.BytesIO(data), None)


def _decoded(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise Broken("is not UTF-8") from None


def field_span(line: str, field: str) -> tuple[str, int, int]:
    r"""The text of a line's field, the last of that name, and where its string stands in the line, without its quotes.

    Raises Broken where the line is no JSON object or has no such field, or where that is no string.

    >>> field_span('{"n": 1.0, "text": "a\\u00e9"}', "text")
    ('aé', 20, 27)
    """
    found = None
    try:
        for name, start, end, value in _fields(line):
            if name == field:
                found = value, start, end
    except (ValueError, RecursionError):
        raise Broken("is no JSON object") from None
    if found is None:
        raise Broken(f"has no field {field!r}")
    value, start, end = found
    if line[start] != '"':
        raise Broken(f"has a field {field!r} that is no string")
    return value, start + 1, end - 1


def _fields(line: str) -> Iterator[tuple[object, int, int, object]]:
    """The fields of an object: name, first and last character of the value, and the value. Raises ValueError where it is none."""
    position = _after(line, _skip(line, int(line.startswith("\ufeff"))), "{")
    while not line.startswith("}", position):
        if not line.startswith('"', position):
            raise ValueError
        name, position = _DECODER.raw_decode(line, position)
        start = _after(line, _skip(line, position), ":")
        value, end = _DECODER.raw_decode(line, start)
        yield name, start, end, value
        position = _skip(line, end)
        if not line.startswith("}", position):
            position = _after(line, position, ",")
            if line.startswith("}", position):
                raise ValueError
    if _skip(line, position + 1) < len(line):
        raise ValueError


def _skip(line: str, position: int) -> int:
    return _WHITE.match(line, position).end()  # type: ignore[union-attr]


def _after(line: str, position: int, sign: str) -> int:
    if not line.startswith(sign, position):
        raise ValueError
    return _skip(line, position + 1)


def _cut_line(line: bytes, field: str, cuts: Sequence[Cut]) -> bytes:
    """The line without the cut parts of its field's text."""
    if not cuts:
        return line
    whole = line.decode()
    text, start, end = field_span(whole, field)
    places = string_places(whole[start:end], text.encode("utf-8", "surrogatepass"), [place for cut in cuts for place in cut[:2]])
    parts, position = [], 0
    for cut_start, cut_end in zip(places[::2], places[1::2], strict=True):
        parts.append(whole[position : start + cut_start])
        position = start + cut_end
    return "".join([*parts, whole[position:]]).encode()


def string_places(string: str, data: bytes, offsets: Sequence[int]) -> list[int]:
    r"""Where ascending byte offsets of a text, each at the start of a character, are in its JSON string as spelled.

    >>> string_places(r'\u00e9\n\ud83d\ude00x', "é\n😀x".encode(), [0, 2, 3, 7, 8])
    [0, 6, 8, 20, 21]
    """
    places, escapes = [], _ESCAPE.finditer(string)
    escape = next(escapes, None)
    chars = position = begin = 0  # of the text and of the string; the bytes of the text that `chars` has counted
    for offset in offsets:
        wanted = chars + len(data[begin:offset].decode("utf-8", "surrogatepass"))
        while escape is not None and chars + escape.start() - position < wanted:
            chars += escape.start() - position + 1
            position, escape = escape.end(), next(escapes, None)
        position, chars, begin = position + wanted - chars, wanted, offset
        places.append(position)
    return places
