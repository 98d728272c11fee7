#!/usr/bin/env python3
"""How right the cuts of each rule are on books, code, mail and RFCs, as a table.

usage: evaluate.py CORPORA DATA [--corpus NAME]... [--rule NAME]... [--curve] [--wrong]

CORPORA holds gold-open.tsv, manifest.tsv and others_manifest.tsv, DATA the files they name. Books are judged by hand-made labels (an accepted range
at both ends, in two fixed halves; controls have no boilerplate) and loosely by the weak labels of the manifest; the others by the first or last body line
that its rule gives. Of a mail only the body is taken: its header is the format's. --curve: books again, with 3 to all documents in the collection.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gutsort.count.exact import Support
from gutsort.count.frequent import load_frequent
from gutsort.extract.units import Settings
from gutsort.jobs.clean import Options, Sorting, count_ends
from gutsort.jobs.strip import into_file, strip_all
from gutsort.records import Document

RULES = {
    "paper": Options(Settings(key="paper"), Support(11), {"paper": True}),
    "heuristics": Options(Settings(key="paper"), Support(11), {"paper": True, "heuristics": True}),
    "gap": Options(Settings(key="line"), Support(11), {}),
    "odds": Options(),
}
CORPORA = ("pg", "code", "mail", "rfc")
CURVE = (3, 10, 30, 100, 300)
BUDGET = 64 << 20
NEAR = 3  # lines
LICENCE = re.compile(rb"copyright|licen[sc]|spdx|public domain|all rights", re.IGNORECASE)
END_LINES = 60  # lines at each end that are searched for LICENCE


class Text(NamedTuple):
    """A document, its row of a manifest, and how many lines were taken off its front."""

    name: str
    row: dict[str, str]
    data: bytes
    offset: int

    def document(self) -> Document:
        """As the pipe takes it."""
        name = self.name.encode()
        return Document(name, name, None, len(self.data), 0, lambda: io.BytesIO(self.data))

    def extent(self) -> tuple[int, int]:
        """First and last line that is not blank; 0, 0 where there is none."""
        filled = [number for number, line in enumerate(self.data.split(b"\n"), 1) if line.strip()]
        return (filled[0], filled[-1]) if filled else (0, 0)


Kept = tuple[int, int]  # first and last kept line, 0 where none is


def read_corpus(name: str, corpora: Path, data: Path) -> list[Text]:
    """The documents of a corpus in the order of their names."""
    rows = read_rows(corpora / ("manifest.tsv" if name == "pg" else "others_manifest.tsv"))
    chosen = sorted((row for row in rows if name == "pg" or row["kind"] == name), key=lambda row: row["path"])
    return [_text(row, (data / row["path"]).read_bytes(), name == "mail") for row in chosen]


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table with a header."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _text(row: dict[str, str], data: bytes, mail: bool) -> Text:
    header = re.search(rb"\r?\n\r?\n", data) if mail else None
    skipped = header.end() if header else 0
    return Text(row["path"], row, data[skipped:], data.count(b"\n", 0, skipped))


def cut(counted: Iterable[Text], stripped: Iterable[Text], options: Options) -> dict[str, Kept]:
    """What a rule keeps of the documents `stripped` with the frequent list of `counted`."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.fsencode(folder) + b"/frequent.txt"
        count_ends((text.document() for text in counted), options, path, Sorting(BUDGET))
        with open(path, "rb") as file:
            stripper = options.stripper(load_frequent(file, "frequent.txt"))
        rows = strip_all((text.document() for text in stripped), stripper, into_file(None))
        return {row["path"]: (row["first_line"] or 0, row["last_line"] or 0) for row in rows}


def off(value: int, row: dict[str, str], end: str) -> int:
    """How many lines beyond the accepted range of an end."""
    low, high = int(row[f"{end}_lo"]), int(row[f"{end}_hi"])
    return min(0, value - low) + max(0, value - high)


def score_gold(kept: dict[str, Kept], gold: list[dict[str, str]]) -> Counter[str]:
    """Numbers of gold documents that are right, and of controls."""
    score: Counter[str] = Counter()
    for row in gold:
        first, last = kept[row["path"]]
        head, tail = off(first, row, "head"), off(last, row, "tail")
        if row["group"] == "none":
            score.update(controls=1, controls_right=not (head or tail), controls_losing=head > 0 or tail < 0)
            continue
        true_first, true_last = int(row["head_true"]), int(row["tail_true"])
        left = min(last, true_last) - max(first, true_first) + 1
        score.update(n=1, head=not head, tail=not tail, both=not (head or tail), within10=max(abs(head), abs(tail)) <= 10)
        score.update(catastrophic=2 * left < true_last - true_first + 1)
    return score


def score_weak(kept: dict[str, Kept], texts: Iterable[Text]) -> Counter[str]:
    """Weak labels of books: right is near enough, as they are."""
    score: Counter[str] = Counter()
    for text in texts:
        if not (text.row["true_start_line"] and text.row["true_end_line"]):
            continue
        first, last = kept[text.name]
        head = -15 <= first - int(text.row["true_start_line"]) <= 2
        tail = -2 <= last - int(text.row["true_end_line"]) <= 6
        score.update(weak=1, weak_head=head, weak_tail=tail, weak_both=head and tail)
    return score


def score_others(kept: dict[str, Kept], texts: Iterable[Text]) -> Counter[str]:
    """Exactly the line of the rule, within NEAR of it, and body lost, at each end; and ends touched that have no boilerplate."""
    score: Counter[str] = Counter()
    for text in texts:
        whole, found = text.extent(), kept[text.name]
        if not whole[1]:
            continue
        score.update(n=1, emptied=not found[1])
        for number, (end, sign) in enumerate((("first", 1), ("last", -1))):
            if rule := text.row[f"rule_body_{end}_line"]:
                lost = sign * (found[number] - int(rule) + text.offset)
                score.update({end: 1, f"{end}_exact": lost == 0, f"{end}_near": abs(lost) <= NEAR, f"{end}_over": lost > 0})
            elif end == "last" or text.row["kind"] == "code":
                score.update({f"no_{end}": 1, f"no_{end}_cut": found[number] != whole[number]})
        if text.row["kind"] == "code" and not text.row["rule_body_first_line"] and not _shows_licence(text):
            score.update(unlicensed=1, unlicensed_touched=found != whole)
    return score


def _shows_licence(text: Text) -> bool:
    lines = [line for line in text.data.split(b"\n") if line.strip()]
    return any(map(LICENCE.search, lines[:END_LINES] + lines[-END_LINES:]))


def curve(texts: list[Text], gold: list[dict[str, str]], options: Options) -> Iterator[tuple[int, Counter[str]]]:
    """How right the cuts of gold documents are in collections of so many; in small ones each gold document stands with the same others."""
    names = {row["path"] for row in gold}
    mine = [text for text in texts if text.name in names]
    others = [text for text in texts if text.name not in names]
    random.Random(1).shuffle(others)
    for size in CURVE:
        kept: dict[str, Kept] = {}
        share = max(1, size // 3)  # gold documents in one collection
        for start in range(0, len(mine), share):
            some = mine[start : start + share]
            kept |= cut([*some, *others[: size - len(some)]], some, options)
        yield size, score_gold(kept, gold)


def show(title: str, score: Counter[str]) -> None:
    """One line of figures: counts, and shares of what they are of."""
    print(f"{title:24}", "  ".join(f"{name} {number}" for name, number in score.items()), flush=True)


def show_books(title: str, kept: dict[str, Kept], texts: list[Text], gold: list[dict[str, str]], *, wrong: bool) -> None:
    """The lines of the books: all labels, two halves, weak labels."""
    show(title, score_gold(kept, gold))
    for number, half in enumerate(("A", "B")):
        show(f"  half {half}", score_gold(kept, gold[number::2]))
    names = {row["path"] for row in gold}
    show("  weak labels", score_weak(kept, (text for text in texts if text.name not in names)))
    for row in gold if wrong else ():
        first, last = kept[row["path"]]
        beyond = off(first, row, "head"), off(last, row, "tail")
        if any(beyond):
            print("  wrong", row["path"], "head {:+d} tail {:+d}".format(*beyond), flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--corpus", action="append", choices=CORPORA)
    parser.add_argument("--rule", action="append", choices=RULES)
    parser.add_argument("--curve", action="store_true")
    parser.add_argument("--wrong", action="store_true")
    args = parser.parse_args()
    gold = sorted(read_rows(args.corpora / "gold-open.tsv"), key=lambda row: row["path"])
    for name in args.corpus or CORPORA:
        texts = read_corpus(name, args.corpora, args.data)
        for rule in args.rule or RULES:
            kept = cut(texts, texts, RULES[rule])
            if name == "pg":
                show_books(f"{name} {rule}", kept, texts, gold, wrong=args.wrong)
            else:
                show(f"{name} {rule}", score_others(kept, texts))
            if args.curve and name == "pg":
                for size, score in curve(texts, gold, RULES[rule]):
                    show(f"  {size} documents", score)


if __name__ == "__main__":
    main()
