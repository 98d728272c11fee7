"""Whether lines are in order, at the speed of C."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress, count, islice
from operator import ge, gt, le, lt


def first_disorder(lines: list, *, reverse: bool = False, strict: bool = False) -> int | None:
    """The place, from 0, of the first line that should not follow the one before it; None where all are in order.

    `strict` means that equal lines are out of order too. Time: one comparison a line, in C.

    >>> first_disorder([b"a", b"b", b"a"])
    2
    """
    wrong = (gt if strict else ge) if reverse else (lt if strict else le)
    right = map(wrong, lines, islice(lines, 1, None))
    if all(right):
        return None
    right = map(wrong, lines, islice(lines, 1, None))
    return next(compress(count(1), map(False.__eq__, right)))


def find_disorder(blocks: Iterable[list], *, reverse: bool = False, strict: bool = False) -> tuple[int, bytes] | None:
    """The number, from 1, and the text of the first line of a stream that is out of order; None where all are in order."""
    before: list = []
    seen = 0
    for lines in blocks:
        place = first_disorder(before + lines, reverse=reverse, strict=strict)
        if place is not None:
            return seen + place + 1 - len(before), (before + lines)[place]
        seen += len(lines)
        before = lines[-1:]
    return None
