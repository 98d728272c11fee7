#!/usr/bin/env python3
"""Compare gutsort's paper mode with the cuts of the 2007 authors' own program.

usage: compare_oracle.py [--structures] PG ORACLE.tsv

PG is the directory of the books, its last component the first one of the oracle's paths; a CR before LF is taken off first, as it was
for the authors' program. Counts are exact, support 11; header_end = last line of the preamble, footer_start = first line of the epilogue.
Prints, without (`exact`) and with (`exact_h`) the Gutenberg heuristics, how many ends agree, then each that does not.

With --structures, the same for the paper's other counting structures, with heuristics: CRC-64 (`crc64_h`), 23-bit hash (`hash23_h`) and
generalised majority (`gm_h`). Each is asked twice: for the count of each line, as the authors' program does, and for its frequent list,
which holds a line only if its count had reached the support when it occurred. The books are counted in byte order of their paths.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping

from gutsort.count.approximate import least_support, new_counter
from gutsort.extract.paper import paper_units
from gutsort.records import Unit
from gutsort.strip.gap import epilogue_start, preamble_end

SUPPORT = 11
STRUCTURES = {"crc64_h": "checksum", "hash23_h": "hashed", "gm_h": "majority"}
SIDES = ("header_end", "footer_start")


def books(folder: str) -> Iterator[tuple[str, bytes]]:
    """Every book below `folder` with the oracle's name for it, CRLF made LF."""
    base = os.path.dirname(os.path.abspath(folder))
    for directory, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(directory, name)
            with open(path, "rb") as file:
                yield os.path.relpath(os.path.abspath(path), base), file.read().replace(b"\r\n", b"\n")


def units(data: bytes) -> tuple[list[Unit], list[Unit]]:
    """Head and tail units of one book."""
    return paper_units(io.BytesIO(data), 0, len(data))


def cut_lines(data: bytes, frequent: Mapping[bytes, int], *, heuristics: bool) -> tuple[str, str]:
    """The oracle's two columns for one book."""
    head, tail = units(data)
    end = preamble_end(head, frequent, heuristics=heuristics)
    start = epilogue_start(tail, frequent, heuristics=heuristics)
    return str(data.count(b"\n", 0, end or 0)), "-" if start is None else str(data.count(b"\n", 0, start) + 1)


class Asked(dict):
    """The frequent lines of a counting structure, which is asked for each line that is looked up."""

    def __init__(self, counter, support: int) -> None:
        super().__init__()
        self.counter, self.support = counter, support

    def __missing__(self, line: bytes) -> int:
        count = self.counter[line]
        self[line] = count if count >= self.support else 0
        return self[line]


def exact_lists(folder: str) -> Iterator[tuple[str, str, Mapping[bytes, int], bool]]:
    """Exact counts, without and with heuristics: what they are called, the oracle's columns, frequent lines, heuristics."""
    counts: Counter[bytes] = Counter()
    for _, data in books(folder):
        counts.update(unit.key for side in units(data) for unit in side)
    frequent = Counter({key: count for key, count in counts.items() if count >= SUPPORT})
    yield "exact", "exact", frequent, False
    yield "exact_h", "exact_h", frequent, True


def structure_lists(folder: str) -> Iterator[tuple[str, str, Mapping[bytes, int], bool]]:
    """The same for the other structures."""
    ordered = sorted(books(folder))
    for column, method in STRUCTURES.items():
        support = least_support(method, None, marked=False, paper=True)
        counter = new_counter(method, support, paper=True)
        for _, data in ordered:
            counter.add_many(unit.key for side in units(data) for unit in side)
        yield f"{column}, asked", column, Asked(counter, support), True
        yield f"{column}, list", column, Counter(dict(zip(*counter.frequent(support), strict=True))), True


def main(folder: str, oracle_path: str, *, structures: bool = False) -> int:
    """Print the comparison."""
    with open(oracle_path, encoding="utf-8", newline="") as file:
        oracle = {row["path"]: row for row in csv.DictReader(file, delimiter="\t")}
    wrong = []
    for name, column, frequent, heuristics in (structure_lists if structures else exact_lists)(folder):
        right: Counter[str] = Counter()
        for path, data in books(folder):
            for side, ours in zip(SIDES, cut_lines(data, frequent, heuristics=heuristics), strict=True):
                theirs = oracle[path][f"{column}_{side}"]
                right[side] += ours == theirs
                if ours != theirs:
                    wrong.append((name, side, path, f"ours {ours}", f"theirs {theirs}"))
        for side in SIDES:
            print(f"{name} {side}: {right[side]}/{len(oracle)}", flush=True)
    for row in sorted(wrong):
        print(*row, sep="\t")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--structures", action="store_true")
    parser.add_argument("folder", metavar="PG")
    parser.add_argument("oracle", metavar="ORACLE.tsv")
    options = parser.parse_args()
    sys.exit(main(options.folder, options.oracle, structures=options.structures))
