#!/usr/bin/env python3
"""Say how right the cuts of a generated collection are.

usage: score_demo.py TRUTH.tsv REPORT.jsonl

Prints, for each family of documents, how many kept exactly their body at both ends, and the lines lost or left over.
Exits 1 where a document lost body lines or fewer than 95 % are right.
"""

from __future__ import annotations

import sys
from collections import Counter

from gutsort.formats import read_report

RIGHT_SHARE = 0.95


def main(truth_path: str, report_path: str) -> int:
    """Print the table."""
    with open(truth_path, encoding="utf-8") as file:
        truth = {name: (family, int(first), int(last)) for name, family, first, last in (line.rstrip("\n").split("\t") for line in file)}
    total: Counter[str] = Counter()
    right: Counter[str] = Counter()
    lost = left = 0
    with open(report_path, "rb") as file:
        for row in read_report(file, report_path):
            if "path" not in row:
                continue
            family, first, last = truth["/".join(row["path"].split("/")[-2:])]
            total[family] += 1
            right[family] += (row["first_line"], row["last_line"]) == (first, last)
            lost += max(0, row["first_line"] - first) + max(0, last - row["last_line"])
            left += max(0, first - row["first_line"]) + max(0, row["last_line"] - last)
    for family in sorted(total):
        print(f"{family:8} {right[family]:4} of {total[family]:4} documents right at both ends")
    print(f"all      {right.total():4} of {total.total():4}; {lost} body lines lost, {left} boilerplate lines left")
    return int(lost > 0 or right.total() < RIGHT_SHARE * total.total() or total.total() < len(truth))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) == 3 else __doc__)
