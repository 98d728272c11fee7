"""Put a document together again from what was kept and what was cut of it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import BinaryIO

from gutsort.records import Cut
from gutsort.strip.rewrite import pieces

BLOCK = 1 << 18


def write_cuts(source: BinaryIO, target: BinaryIO, cuts: Sequence[Cut]) -> None:
    """Write the bytes of `cuts`, and nothing else of `source`, to `target`. Memory: one block."""
    for data, keep in pieces(source, cuts):
        if not keep:
            target.write(data)


def restore(kept: BinaryIO, cut: BinaryIO, target: BinaryIO, cuts: Sequence[Cut]) -> str:
    """Write the whole document to `target` and return its SHA-256.

    `kept` is the stripped document, `cut` what `write_cuts` wrote; `cuts` are spans of the whole, in order. Where one of the two is too
    short, so is the result, and its digest is not the document's. Memory: one block.
    """
    digest = hashlib.sha256()
    position = 0
    for span in cuts:
        _copy(kept, target, span.start - position, digest)
        _copy(cut, target, span.end - span.start, digest)
        position = span.end
    _copy(kept, target, None, digest)
    _copy(cut, target, None, digest)  # more than was cut: nothing that belongs here, as the digest will say
    return digest.hexdigest()


def _copy(source: BinaryIO, target: BinaryIO, length: int | None, digest: hashlib._Hash) -> None:
    while (length is None or length > 0) and (data := source.read(BLOCK if length is None else min(BLOCK, length))):
        target.write(data)
        digest.update(data)
        length = None if length is None else length - len(data)
