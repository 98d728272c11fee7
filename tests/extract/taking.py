"""Take a container apart and write it again, as the jobs do: what tests of containers need."""

from __future__ import annotations

import io
from collections.abc import Callable

from gutsort.extract.containers import texts
from gutsort.extract.documents import document_of_bytes
from gutsort.records import Cut, Skipped

Choose = Callable[[bytes], list[tuple[int, int]]]


def nothing(data: bytes) -> list[tuple[int, int]]:
    """Cut nothing."""
    return []


def first_line(data: bytes) -> list[tuple[int, int]]:
    """Cut the first line."""
    return [(0, data.find(b"\n") + 1)] if b"\n" in data else []


def take(name: str, data: bytes, choose: Choose = nothing, *, whole: bool = True, **kwargs):
    """The documents of a file called `name`, what is none as (member, why), and the file without the cuts that `choose` wants.

    When it is only read the same is found; not so (`whole`) where damage shows in what is handed on unread.
    """
    documents, skipped, target, names = {}, [], io.BytesIO(), []
    for text in texts(document_of_bytes(data, name.encode()), io.BytesIO(data), target, **kwargs):
        if isinstance(text, Skipped):
            skipped.append((text.member, text.why))
            continue
        text.file.seek(0)
        body = text.file.read()
        documents[text.document.member] = body
        names.append(text.document.member)
        text.cuts = [Cut(start, end, "") for start, end in choose(body)]
        if text.target is not None:
            position = 0
            for start, end, _ in text.cuts:
                text.target.write(body[position:start])
                position = end
            text.target.write(body[position:])
    only_read = list(texts(document_of_bytes(data, name.encode()), io.BytesIO(data), **kwargs))
    assert [t.document.member for t in only_read if not isinstance(t, Skipped)] == names
    assert not whole or [(t.member, t.why) for t in only_read if isinstance(t, Skipped)] == skipped
    return documents, skipped, target.getvalue()
