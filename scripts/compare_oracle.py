#!/usr/bin/env python3
"""Compare gutsort's paper mode with the cuts of the 2007 authors' own program.

usage: compare_oracle.py PG ORACLE.tsv

PG is the directory of the books, its last component the first one of the oracle's paths; a CR before LF is taken off first, as it was
for the authors' program. Counts are exact, support 11; header_end = last line of the preamble, footer_start = first line of the epilogue.
Prints, without (`exact`) and with (`exact_h`) the Gutenberg heuristics, how many ends agree, then each that does not.
"""

from __future__ import annotations

import csv
import io
import os
import sys
from collections import Counter
from collections.abc import Iterator

from gutsort.extract.paper import paper_units
from gutsort.records import Unit
from gutsort.strip.gap import epilogue_start, preamble_end

SUPPORT = 11


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


def cut_lines(data: bytes, frequent: Counter[bytes], *, heuristics: bool) -> tuple[str, str]:
    """The oracle's two columns for one book."""
    head, tail = units(data)
    end = preamble_end(head, frequent, heuristics=heuristics)
    start = epilogue_start(tail, frequent, heuristics=heuristics)
    return str(data.count(b"\n", 0, end or 0)), "-" if start is None else str(data.count(b"\n", 0, start) + 1)


def main(folder: str, oracle_path: str) -> int:
    """Print the comparison."""
    counts: Counter[bytes] = Counter()
    for _, data in books(folder):
        counts.update(unit.key for side in units(data) for unit in side)
    frequent = Counter({key: count for key, count in counts.items() if count >= SUPPORT})
    with open(oracle_path, encoding="utf-8", newline="") as file:
        oracle = {row["path"]: row for row in csv.DictReader(file, delimiter="\t")}
    right: Counter[str] = Counter()
    wrong = []
    for path, data in books(folder):
        for name in ("exact", "exact_h"):
            for side, ours in zip(("header_end", "footer_start"), cut_lines(data, frequent, heuristics=name == "exact_h"), strict=True):
                theirs = oracle[path][f"{name}_{side}"]
                right[f"{name} {side}"] += ours == theirs
                if ours != theirs:
                    wrong.append((name, side, path, f"ours {ours}", f"theirs {theirs}"))
    for what in ("exact header_end", "exact footer_start", "exact_h header_end", "exact_h footer_start"):
        print(f"{what}: {right[what]}/{len(oracle)}")
    for row in sorted(wrong):
        print(*row, sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) == 3 else __doc__)
