"""The experiments of Kaser & Lemire 2007, run again on any collection: six tables on standard output, and a picture or two of each.

(1) wall time and memory of each counting structure against its counters, and of the external sort; (2) how far their cuts agree with
those of exact counts; (3) how far the cuts of three rules are from right; (4) false positives of shared counters against the bound;
(5) right cuts against the number of documents; (6) frequency of lines by rank. Right is what GOLD says, else what the default rule cuts
with all documents counted.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence

from collection import PAPER, RULES, Book, Truth, list_of_few, own_truth, read_books, read_gold, strip, whole_list, write_stream
from measure import measure
from svg_plot import Points, chart

from gutsort.count.approximate import new_counter
from gutsort.count.crc64 import crc64_many
from gutsort.count.hashed import HashedCounter, fold
from gutsort.strip.gap import epilogue_start, preamble_end

COUNTERS = [1 << power for power in (10, 12, 14, 16, 18, 20)]
BOUNDED = ("hashed", "majority", "spacesaving", "sample")
SUPPORT = 11
SIZES = ((3, 12), (10, 8), (30, 4), (100, 3), (300, 3))  # documents, and how many times so many are drawn
OFF = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


class Report:
    """Where tables and pictures go."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.start = time.perf_counter()
        os.makedirs(folder, exist_ok=True)

    def table(self, title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Print a table, with the time since the start."""
        cells = [list(head), *([_cell(value) for value in row] for row in rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        print(f"\n{title}   [{time.perf_counter() - self.start:.0f} s]")
        for first, *rest in cells:
            print("  ".join([first.ljust(widths[0]), *map(str.rjust, rest, widths[1:])]), flush=True)

    def picture(self, name: str, *args, **kwargs) -> None:
        """Draw a chart into the folder; arguments as for svg_plot.chart."""
        with open(os.path.join(self.folder, f"{name}.svg"), "w", encoding="utf-8") as file:
            file.write(chart(*args, **kwargs))


def _cell(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) and value < 1000 else f"{value:.0f}" if isinstance(value, float) else str(value)


def cost(report: Report, stream: str, lines: int) -> None:
    """(1) Time and memory against counters: the paper's figure 1."""
    sort = {"extsort -S 16M | countfreq": f"extsort -S 16M {stream} | countfreq", "sort | uniq -c": f"LC_ALL=C sort {stream} | uniq -c"}
    runs = [(name, 0, command) for name, command in sort.items()]
    runs += [(method, 0, f"approxfreq -q --method {method} {stream}") for method in ("exact", "checksum")]
    runs += [(method, c, f"approxfreq -q --method {method} --counters {c} {stream}") for method in BOUNDED for c in COUNTERS]
    rows, times, work, memory = [], {}, {}, {}
    for name, c, command in runs:
        done = measure(["sh", "-c", f"{command} > /dev/null"])
        rows.append((name, c or "-", done.wall, done.cpu, lines / done.wall, done.peak / 1e6))
        for curve, value in ((times, done.wall), (work, done.cpu), (memory, done.peak / 1e6)):
            curve[name] = [*curve.get(name, []), *((at, value) for at in ([c] if c else (COUNTERS[0], COUNTERS[-1])))]
    report.table(f"(1) cost of counting {lines} lines", ["structure", "counters", "wall s", "cpu s", "lines/s", "MB"], rows)
    report.picture("1-time", "Time to count, by structure", "counters c", "wall time, seconds", times, log_x=True, log_y=True)
    report.picture("1-cpu", "Work to count, by structure", "counters c", "processor time, seconds", work, log_x=True, log_y=True)
    report.picture("1-memory", "Memory to count, by structure", "counters c", "peak of all processes, MB", memory, log_x=True, log_y=True)


def cuts(books: Sequence[Book], frequent: Mapping[bytes, int]) -> list[tuple[int, int]]:
    """The paper's cuts: how many units of the head, and of the tail, go."""
    found = []
    for book in books:
        end, start = preamble_end(book.head, frequent), epilogue_start(book.tail, frequent)
        head = sum(unit.end <= end for unit in book.head) if end is not None else 0
        found.append((head, sum(unit.start >= start for unit in book.tail) if start is not None else 0))
    return found


def agreement(report: Report, books: Sequence[Book], counts: Counter[bytes]) -> None:
    """(2) The cuts of each structure against those of exact counts."""
    exact = cuts(books, Counter({key: count for key, count in counts.items() if count >= SUPPORT}))
    rows, curves = [], {}
    runs = [("checksum", 0, False), *((method, c, False) for method in BOUNDED for c in COUNTERS), ("majority", 100_000, True)]
    for method, c, paper in runs:
        counter = new_counter(method, SUPPORT, counters=c or None, paper=paper)
        for book in books:
            counter.add_many(book.stream())
        found = cuts(books, Counter(dict(zip(*counter.frequent(6 if paper else SUPPORT), strict=True))))
        row = [f"{method}, left > 5" if paper else method, c or "-"]
        for side, name in enumerate(("preambles", "epilogues")):
            off = [abs(ours[side] - right[side]) for ours, right in zip(found, exact, strict=True)]
            wrong = [lines for lines in off if lines]
            row += [1 - len(wrong) / len(off), sum(lines <= 10 for lines in off) / len(off), sum(wrong) / max(1, len(wrong))]
            if c and not paper:
                curves.setdefault(f"{method}, {name}", []).append((c, 100 * row[-3]))
        rows.append(row)
    head = [f"{side}: {what}" for side in ("head", "tail") for what in ("equal", "within 10", "mean off")]
    report.table("(2) cuts against those of exact counts (lines off: lines that have a key)", ["structure", "counters", *head], rows)
    report.picture("2-agreement", "Documents cut as with exact counts", "counters c", "documents, %", curves, log_x=True)


def accuracy(report: Report, books: Sequence[Book], truth: Mapping[bytes, Truth], lists: Mapping[str, Mapping]) -> None:
    """(3) How far the cuts of each rule are from right."""
    rows, curves = [], {}
    for name, (_, make) in RULES.items():
        stripper, off, shares = make(lists[name]), [], []
        for book in books:
            if right := truth.get(book.document.path):
                row = strip(book.document, stripper)
                ends = right.off(row, row["lines"])
                off.append(ends)
                sizes = right.head[1], row["lines"] - right.tail[0]
                shares.append(all(lines <= size / 10 for lines, size in zip(ends, sizes, strict=True)))
        number = max(1, len(off))
        parts = [sum(e[side] == 0 for e in off) / number for side in (0, 1)]
        both = sum(max(e) == 0 for e in off) / number
        rows.append((name, *parts, both, sum(shares) / number, sum(max(e) <= 10 for e in off) / number))
        for side, end in enumerate(("head", "tail")):
            curves[f"{name}, {end}"] = [(x, 100 * sum(e[side] < x for e in off) / number) for x in OFF]
    report.table(f"(3) right cuts, {len(truth)} documents", ["rule", "head", "tail", "both", "within 10 %", "within 10 lines"], rows)
    report.picture("3-accuracy", "How far cuts are from right", "lines off, less than", "documents, %", curves, log_x=True)


def false_positives(report: Report, counts: Counter[bytes]) -> None:
    """(4) Rare lines that shared counters take for frequent, against the paper's bound."""
    lines, checksums = list(counts), crc64_many(list(counts))
    checksum_of = dict(zip(lines, checksums, strict=True))
    frequent = sum(count >= SUPPORT for count in counts.values())
    rare = len(lines) - frequent
    rows, curves = [], {"counter over 10": [], "listed": [], "bound p(n - 1)/c": []}
    stream = list(counts.elements())
    random.Random(0).shuffle(stream)
    for bits in range(11, 24):
        slots, sums = fold(checksums, bits), Counter()
        for slot, line in zip(slots, lines, strict=True):
            sums[slot] += counts[line]
        over = sum(sums[slot] >= SUPPORT > counts[line] for slot, line in zip(slots, lines, strict=True)) / rare
        counter = HashedCounter(SUPPORT, 1 << bits, digest=lambda some: [checksum_of[line] for line in some])
        counter.add_many(stream)
        listed = (len(counter.frequent(SUPPORT)[0]) - frequent) / rare
        bound = min(1.0, frequent / len(lines) * (len(lines) - 1) / (1 << bits))
        rows.append((f"2^{bits}", over, listed, bound, over / bound))
        for name, value in zip(curves, (over, listed, bound), strict=True):
            curves[name].append((1 << bits, value))
    title = f"(4) false positives of shared counters: {len(lines)} lines, {frequent} frequent"
    report.table(title, ["counters", "counter over 10", "listed", "p(n - 1)/c", "over / bound"], rows)
    report.picture(
        "4-false-positives", "Rare lines taken for frequent", "counters c", "share of the rare lines", curves, log_x=True, log_y=True
    )


def collection_size(report: Report, books: Sequence[Book], truth: Mapping[bytes, Truth], lists: Mapping[str, Mapping]) -> None:
    """(5) Right cuts against the number of documents that were counted."""
    labelled = [book for book in books if book.document.path in truth]
    others = [book for book in books if book.document.path not in truth]
    rng = random.Random(5)
    right: dict[str, dict[int, list[bool]]] = {name: {} for name in RULES}
    draws = [(rng.sample(labelled, min(size, len(labelled))), size) for size, times in SIZES if size < len(books) for _ in range(times)]
    for some, size in draws:
        drawn = some + rng.sample(others, min(len(others), size - len(some)))
        few = {settings: list_of_few((book.document for book in drawn), settings) for settings, _ in RULES.values()}
        for name, (settings, make) in RULES.items():
            if few[settings] or settings == PAPER:
                right[name].setdefault(len(drawn), []).extend(_rights(some, truth, make(few[settings])))
    for name, (_, make) in RULES.items():
        right[name][len(books)] = _rights(labelled, truth, make(lists[name]))
    sizes = sorted(right["paper"])
    share = {name: [(size, sum(found[size]) / max(1, len(found[size]))) for size in sizes] for name, found in right.items()}
    rows = [(size, *(share[name][place][1] for name in RULES)) for place, size in enumerate(sizes)]
    report.table("(5) documents right at both ends, by number of documents counted", ["documents", *RULES], rows)
    curves = {name: [(size, 100 * value) for size, value in points] for name, points in share.items()}
    report.picture("5-documents", "Right cuts by size of the collection", "documents counted", "right at both ends, %", curves, log_x=True)


def _rights(books: Sequence[Book], truth: Mapping[bytes, Truth], stripper) -> list[bool]:
    rows = ((truth[book.document.path], strip(book.document, stripper)) for book in books)
    return [max(right.off(row, row["lines"])) == 0 for right, row in rows]


def ranks(report: Report, counts: Counter[bytes]) -> None:
    """(6) Frequency of lines by rank."""
    ordered = sorted(counts.values(), reverse=True)
    places = sorted({min(len(ordered), round(10 ** (step / 8))) for step in range(8 * 8)})
    points: Points = [(place, ordered[place - 1]) for place in places]
    shown = [place for place in (1, 10, 100, 1000, 10_000, 100_000, len(ordered)) if place <= len(ordered)]
    total = sum(ordered)
    rows = [(place, ordered[place - 1], sum(ordered[:place]) / total) for place in shown]
    report.table("(6) lines by rank", ["rank", "occurrences", "share of all up to here"], rows)
    curves = {"lines": points, f"K = {SUPPORT}": [(1, SUPPORT), (len(ordered), SUPPORT)]}
    report.picture("6-ranks", "Lines by rank", "rank", "occurrences", curves, log_x=True, log_y=True)


def main() -> None:
    """Run all six."""
    parser = argparse.ArgumentParser(prog="experiments", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="base", default=".", help=argparse.SUPPRESS)
    parser.add_argument("--gold", help="a table of labelled documents: path, head_lo, head_hi, tail_lo, tail_hi")
    parser.add_argument("-o", "--output", default="experiments-out", help="the folder of the pictures (default: experiments-out)")
    parser.add_argument("folder", help="the collection")
    args = parser.parse_args()
    report = Report(os.path.join(args.base, args.output))
    books = read_books(args.folder)
    counts = Counter(key for book in books for key in book.stream())
    print(f"{len(books)} documents; paper mode: {counts.total()} lines, {len(counts)} distinct")
    lists = {settings: whole_list((book.document for book in books), settings) for settings in {s for s, _ in RULES.values()}}
    lists = {name: lists[settings] for name, (settings, _) in RULES.items()}
    truth = read_gold(args.gold, books) if args.gold else own_truth(books, RULES["odds"][1](lists["odds"]))
    with tempfile.NamedTemporaryFile(prefix="gutsort-experiments-") as stream:
        write_stream(books, stream.name)
        cost(report, stream.name, counts.total())
    agreement(report, books, counts)
    accuracy(report, books, truth, lists)
    false_positives(report, counts)
    collection_size(report, books, truth, lists)
    ranks(report, counts)
    print(f"all six: {time.perf_counter() - report.start:.0f} s; pictures in {report.folder}")


if __name__ == "__main__":
    main()
