"""CRC-64 of many lines at once: the checksum of Kaser & Lemire 2007.

Polynomial x^64 + x^4 + x^3 + x + 1 (ISO 3309), bits reflected, initial value and final xor 0. The polynomial is so sparse that no table is
needed: x^64 = x^4 + x^3 + x + 1 = (x + 1)(x^3 + 1), so 64 bits are folded into the rest by two shifts and two xors. Python does these
on integers of any length, so one statement folds the words of a thousand lines. A line then costs what a 64-bit digest of hashlib
does, and an eighth of a loop over slicing tables (scripts/measure_checksums.py), so that there is no need for another checksum.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from itertools import repeat

WORD = 64  # bits folded at once
LANE_WORDS = 15  # words that a lane of two words can take before the bits that stick out of it would be lost
GROUP = 1024  # lines folded at once: the integers stay in the processor's cache
SHORT, MIDDLING = 64, 8 * LANE_WORDS  # lines are folded with others of their size, so that few bytes are padding


def crc64(data: bytes) -> int:
    """CRC-64 of one byte string of any length.

    Time: linear but for a factor log n: x^64 to the power 2^k is (x^4 + x^3 + x + 1) to the power 2^k, whose terms are as few,
    so each step halves what is left.

    >>> f"{crc64(b'123456789'):016X} {crc64(b'IHATEMATH'):016X} {crc64(b''):X}"
    '46A5A9388A5BEFFE E3DCADD69B01ADD1 0'
    """
    power = max(len(data) - 1, 0).bit_length()
    size = 8 << power  # bits; leading zeros do not change a CRC that starts with 0
    value = int.from_bytes(data.rjust(size // 8, b"\0"), "little")
    while size > WORD:  # the lower half of a reflected polynomial is its higher one
        size //= 2
        value = value >> size ^ _folded(value & (1 << size) - 1, size, size // WORD)
    return _folded(value << WORD - size, WORD, 1) & (1 << WORD) - 1


def _folded(high: int, size: int, step: int) -> int:
    """`high` times x^(64 step), reflected in `size` bits; what sticks out is folded once more."""
    wide = high << size
    wide ^= wide >> step
    wide ^= wide >> 3 * step
    out = (wide & (1 << size) - 1) << size
    out ^= out >> step
    out ^= out >> 3 * step
    return (wide ^ out) >> size


def crc64_many(lines: Sequence[bytes]) -> list[int]:
    """CRC-64 of each line, in their order.

    Memory: 200 KB, whatever the number of lines, and the result. Time: linear.

    >>> crc64_many([b"a", b"", b"b" * 500]) == [crc64(b"a"), 0, crc64(b"b" * 500)]
    True
    """
    sums: list[int] = []
    for start in range(0, len(lines), GROUP):
        sums += _crc64_group(lines[start : start + GROUP])
    return sums


def _crc64_group(lines: Sequence[bytes]) -> Sequence[int]:
    longest = max(map(len, lines))
    if longest <= SHORT:
        return _fold_lanes(lines, longest)
    size_of = [len(line) for line in lines]
    sums = [0] * len(lines)
    for least, most in ((0, SHORT), (SHORT + 1, MIDDLING)):
        places = [place for place, size in enumerate(size_of) if least <= size <= most]
        for place, value in zip(places, _fold_lanes([lines[place] for place in places], most), strict=True):
            sums[place] = value
    for place, size in enumerate(size_of):
        if size > MIDDLING:
            sums[place] = crc64(lines[place])
    return sums


def _fold_lanes(lines: Sequence[bytes], longest: int) -> Sequence[int]:
    """The checksums of lines of up to `longest` bytes, one lane of two words each: above the sum, below what sticks out of it."""
    count, words = len(lines), -(-longest // 8)
    if not words:
        return (0,) * count
    columns = array("Q", b"".join(map(bytes.rjust, lines, repeat(8 * words), repeat(b"\0"))))
    column = array("Q", bytes(16 * count))
    value = 0
    for number in range(words):
        column[1::2] = columns[number::words]
        value ^= int.from_bytes(column, "little")
        value ^= value >> 1
        value ^= value >> 3
    out = (value & int.from_bytes((b"\xff" * 8 + b"\0" * 8) * count, "little")) << WORD
    out ^= out >> 1
    out ^= out >> 3
    return struct.unpack(f"<{2 * count}Q", (value ^ out).to_bytes(16 * count, "little"))[1::2]
