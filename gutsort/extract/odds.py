r"""Keys for the rule `odds`: what may recur of a line, and where in a document it stands.

A record is KEY TAB PLACE. The first byte of a key says what it is: `.` the whole line, `0` the line folded (ASCII lower case, digits and
punctuation evened out), `>` its first three folded words, `:` a field name, `+` two neighbouring folded words. Most boilerplate lines
vary in the middle (a title, a date, a name), so word pairs are what carries the evidence.

The place is `^` in the head, `$` in the tail, `=` in the background: the middle of the document, and what REPEATED or more lines of
one end have in common. A template has a line once; what a document repeats at its ends is its own language: imports, contents, refrains.

A short document, which its windows all but cover, has no middle of its own. Its head and tail are counted from END_SHARE of its lines each, and what stands
between is `~`: background too, but with a weight of its own (see strip.odds), for boilerplate longer than the body comes to lie there.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice

from gutsort.extract.keys import BLANK
from gutsort.records import Line, Window

REPEATED = 3  # times that a key stands in one window and is background
MEMO_LINES = 8192  # lines whose keys are remembered, about 6 MB: what documents share comes again, what they do not share does not
FIELD_WORDS = 3  # words of a field name, at most
END_SHARE = 0.4  # of the lines of a short document, at each end
HEAD, TAIL, BACKGROUND, BETWEEN = b"\t^", b"\t$", b"\t=", b"\t~"

_KEPT = {*b"abcdefghijklmnopqrstuvwxyz\n", *range(128, 256)}
_EVENED = {**{b: b for b in _KEPT}, **{b: b + 32 for b in b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}, **dict.fromkeys(b"0123456789", ord("0"))}
_FOLD = bytes(_EVENED.get(b, 0x20) for b in range(256))
_DIGITS = re.compile(b"0+")
_RULES = re.compile(rb"([*=_-])\1{3,}")
_pair = b"+%b %b".__mod__


def records(head: bytes, tail: bytes, middle: bytes) -> list[bytes]:
    """The records of a document with these windows, each once; equal windows give them in equal order."""
    ends = window_keys(head), window_keys(tail)
    background = dict.fromkeys(chain(*(_repeated(keys) for keys in ends), window_keys(middle)))
    return _marked((ends[0], HEAD), (ends[1], TAIL), (background, BACKGROUND))


def is_short(head: Window, tail: Window, end: int) -> bool:
    """Whether the windows of a text that ends at byte `end` leave less between them than the part of a short document that is neither end."""
    return tail.start - head.start - len(head.data) < (1 - 2 * END_SHARE) * (end - head.start)


def short_records(text: bytes, head: int, tail: int) -> list[bytes]:
    """The records of a short document with this text; `head` and `tail` are the lines of its windows."""
    lines = text.removesuffix(b"\n").split(b"\n")
    share = math.ceil(END_SHARE * len(lines))
    first = min(head, share)
    last = max(first, len(lines) - min(tail, share))
    parts = [window_keys(b"\n".join(some)) for some in (lines[:first], lines[last:], lines[first:last])]
    background = dict.fromkeys(chain(*map(_repeated, parts[:2])))
    return _marked(*zip(parts, (HEAD, TAIL, BETWEEN), strict=True), (background, BACKGROUND))


def _marked(*parts: tuple[Iterable[bytes], bytes]) -> list[bytes]:
    return [key + place for keys, place in parts for key in dict.fromkeys(keys)]


def _repeated(keys: Iterable[bytes]) -> list[bytes]:
    return [key for key, number in Counter(keys).items() if number >= REPEATED]


def window_keys(window: bytes) -> list[bytes]:
    """The keys of all lines of a window, in their order: folded at once, since this is what extracting costs most."""
    keys: list[bytes] = []
    evened = _RULES.sub(rb"\1\1\1", window)
    for line, folded in zip(evened.split(b"\n"), _fold(window).split(b"\n"), strict=True):
        if words := folded.split():
            _add_keys(keys, line.split(), words)
    return keys


@lru_cache(maxsize=MEMO_LINES)
def make_line(raw: bytes) -> Line | None:
    r"""A line as the rule sees it; None for a blank one.

    >>> make_line(b"Title: On  1 Tree\r").keys
    (b'.Title: On 1 Tree', b'0title on 0 tree', b'>title on 0', b':title:', b'+title on', b'+on 0', b'+0 tree')
    """
    words = _fold(raw).split()
    if not words:
        return Line((), 0, b"") if raw.strip(BLANK) else None
    keys: list[bytes] = []
    _add_keys(keys, _RULES.sub(rb"\1\1\1", raw).split(), words)
    return Line(tuple(keys), sum(map(len, words)), words[0])


class Lines(Sequence[Line | None]):
    """Lines that are made when they are looked at: a rule looks at few."""

    def __init__(self, raw: Sequence[bytes]) -> None:
        self._raw = raw

    def __len__(self) -> int:
        return len(self._raw)

    def __getitem__(self, place):
        found = self._raw[place]
        return Lines(found) if isinstance(place, slice) else make_line(found)

    def filled(self) -> Iterator[bool]:
        """For each line whether it is not blank."""
        return (bool(raw.strip(BLANK)) for raw in self._raw)


def _fold(text: bytes) -> bytes:
    return _DIGITS.sub(b"0", text.translate(_FOLD))


def _add_keys(keys: list[bytes], text: list[bytes], words: list[bytes]) -> None:
    keys.append(b"." + b" ".join(text))
    keys.append(b"0" + b" ".join(words))
    if len(words) > 3:
        keys.append(b">%b %b %b" % (words[0], words[1], words[2]))
    for number in range(1, min(FIELD_WORDS, len(text)) + 1):
        if text[number - 1].endswith(b":"):
            keys.append(b":" + b" ".join(text[:number]).lower())
            break
    keys.extend(map(_pair, zip(words, islice(words, 1, None), strict=False)))
