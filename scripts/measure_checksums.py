#!/usr/bin/env python3
"""Say what a 64-bit checksum of a line costs: CRC-64 folded for many lines at once, by slicing tables, and a digest of hashlib.

usage: measure_checksums.py FILE

The lines of FILE (the first 200,000) are the input; times are processor time in nanoseconds a line, the best of three.
"""

from __future__ import annotations

import functools
import hashlib
import operator
import sys
import time
from itertools import islice

from gutsort.count.crc64 import crc64_many

LINES = 200_000
LONGEST = 256  # bytes of a line that the tables reach
POLYNOMIAL = 0xD800000000000000


def slicing_tables() -> list[list[int]]:
    """For each distance from the end of a line, what each byte adds there."""
    first = list(range(256))
    for _ in range(8):
        first = [value >> 1 ^ POLYNOMIAL * (value & 1) for value in first]
    tables = [first]
    while len(tables) < LONGEST:
        tables.append([first[value & 255] ^ value >> 8 for value in tables[-1]])
    return tables[::-1]


def main(path: str) -> None:
    """Print the three times."""
    with open(path, "rb") as file:
        lines = [line.rstrip(b"\n")[:LONGEST] for line in islice(file, LINES)]
    tables = slicing_tables()
    ways = {
        "CRC-64, folded": lambda: crc64_many(lines),
        "CRC-64, slicing tables": lambda: [functools.reduce(operator.xor, map(operator.getitem, tables[-len(d) :], d), 0) for d in lines],
        "blake2b, 64 bits": lambda: [int.from_bytes(hashlib.blake2b(d, digest_size=8).digest(), "little") for d in lines],
    }
    for name, way in ways.items():
        times = []
        for _ in range(3):
            start = time.process_time()
            way()
            times.append(time.process_time() - start)
        print(f"{name:<24} {min(times) / len(lines) * 1e9:8.0f} ns a line")
    agree = ways["CRC-64, folded"]() == ways["CRC-64, slicing tables"]()
    print(f"{len(lines)} lines of {sum(map(len, lines)) / len(lines):.0f} bytes; the two CRCs agree: {agree}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__)
