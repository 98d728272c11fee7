#!/usr/bin/env python3
"""Mine the model `gutenberg` from a collection of Project Gutenberg's books: the pipe itself, and `gutsort model`.

usage: mine_model.py MANIFEST DATA -o FILE [--without GOLD.tsv]

MANIFEST is a table with `path`, `pg_number` and `source_repo` of each book below DATA. --without leaves out the books whose `path` GOLD.tsv
names, and all other editions of the same works: the model that evaluate.py judges.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gutsort.count.frequent import load_frequent
from gutsort.count.model import Model
from gutsort.extract.documents import walk
from gutsort.jobs.clean import Options, Sorting, count_ends
from gutsort.jobs.model import make_model
from gutsort.records import Document, Skipped
from gutsort.strip.odds import FLOOR

BUDGET = 64 << 20
WORK = ("pg_number", "source_repo")  # either tells that two books are editions of one work

Row = dict[str, str]


def read_rows(path: Path) -> list[Row]:
    """The rows of a table with a header."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def without_works(rows: Iterable[Row], paths: Collection[str]) -> list[Row]:
    """The rows of books that are no edition of a work among `paths`."""
    rows = list(rows)
    works = {(name, row[name]) for row in rows if row["path"] in paths for name in WORK if row[name]}
    return [row for row in rows if row["path"] not in paths and not any((name, row[name]) in works for name in WORK)]


def mine(documents: Iterable[Document | Skipped], source: str, least: float = FLOOR) -> Model:
    """The model of some documents."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(os.fsencode(folder), b"frequent.txt")
        count_ends(documents, Options(), path, Sorting(BUDGET))
        with open(path, "rb") as file:
            return make_model(load_frequent(file, "frequent.txt"), "frequent.txt", least=least, source=source)


def commit() -> str:
    """The commit of this checkout, so that the header says which rule it was mined for."""
    done = subprocess.run(["git", "-C", os.path.dirname(__file__), "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def main() -> None:
    """Mine, write, and say what came out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("manifest", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--without", metavar="GOLD", type=Path)
    args = parser.parse_args()
    rows = read_rows(args.manifest)
    left_out = {row["path"] for row in read_rows(args.without)} if args.without else set()
    chosen = without_works(rows, left_out)
    source = f"{len(chosen)} books of Project Gutenberg, collected by GITenberg; mined by scripts/mine_model.py at {commit()}"
    if args.without:
        source += f", without the {len(rows) - len(chosen)} books of the works in {args.without.name}"
    names = sorted(os.fsencode(args.data / row["path"]) for row in chosen)
    model = mine(walk(names), source)
    with open(args.output, "wb") as file:
        model.save(file)
    print(f"{len(chosen)} books, {len(model)} entries, {args.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
