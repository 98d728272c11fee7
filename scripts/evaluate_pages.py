#!/usr/bin/env python3
"""The table of web-page methods: F1 and pages per CPU second, ours and others' where installed, same scorer, same run.

usage: evaluate_pages.py [--known N] [--every N] [--only NAME]... SET...

SET is DIR or DIR=GOLD: DIR holds the pages of sites (DIR/SITE/PAGE) or pages alone, GOLD the texts with the same names, or a JSON file
{ID: {"articleBody": ...}}. Site methods run where DIR has directories; --known N lets each page's site be known by N pages only (itself and
N - 1 drawn with a fixed seed). --every N takes each Nth page. Tokens are lower-cased words, CJK characters one by one; F1 is the mean
over pages.
"""

from __future__ import annotations

import argparse
import html
import json
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from gutsort.jobs.site import METHODS as SITE_METHODS
from gutsort.pages.maintext import METHODS, main_text, read_page
from gutsort.pages.title import SCORES, find_title
from gutsort.records import Counted

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
TOKEN = re.compile(rf"[{CJK}]|[^\W{CJK}]+")
Page = tuple[str, str, bytes, str]  # site, name, page, gold


def f1(found: str, gold: str) -> float:
    a, b = Counter(TOKEN.findall(found.lower())), Counter(TOKEN.findall(gold.lower()))
    both = sum((a & b).values())
    return 2 * both / (sum(a.values()) + sum(b.values())) if both else float(not a and not b)


def load(argument: str) -> Iterator[Page]:
    folder, _, gold = argument.partition("=")
    truth = json.loads(Path(gold).read_text()) if gold.endswith(".json") else None
    for path in sorted(p for p in Path(folder).rglob("*") if p.is_file()):
        name = str(path.relative_to(folder))
        if truth is not None:
            if path.stem in truth:
                yield "", name, path.read_bytes(), truth[path.stem]["articleBody"]
        elif (Path(gold) / name).exists():
            text = (Path(gold) / name).read_text("utf-8", "replace")
            yield name.rpartition("/")[0], name, path.read_bytes(), html.unescape(re.sub(r"<[^>]*>", " ", text))


def others() -> dict[str, Callable[[str], str]]:
    """What is installed of the others, each a function from a page's text to its main text."""
    found: dict[str, Callable[[str], str]] = {}
    try:
        import trafilatura

        found["trafilatura"] = lambda page: trafilatura.extract(page) or ""
    except ImportError:
        pass
    try:
        import readability

        found["readability-lxml"] = lambda page: html.unescape(re.sub(r"<[^>]*>", " ", readability.Document(page).summary()))
    except ImportError:
        pass
    try:
        from resiliparse.extract.html2text import extract_plain_text

        found["resiliparse"] = lambda page: extract_plain_text(page, main_content=True)
    except ImportError:
        pass
    try:
        import justext

        found["jusText, no stop list"] = lambda page: "\n".join(
            p.text for p in justext.justext(page, frozenset(), stopwords_low=0, stopwords_high=0) if not p.is_boilerplate
        )
    except ImportError:
        pass
    try:
        from boilerpy3 import extractors

        article = extractors.ArticleExtractor(raise_on_failure=False)
        found["boilerpy3"] = article.get_content
    except ImportError:
        pass
    return found


def cutter_of(method: str, pages: list[Page]):
    """What cuts a page, from the lines of these pages, counted in memory."""
    counts: Counter[bytes] = Counter()
    for _, _, data, _ in pages:
        counts.update(SITE_METHODS[method].lines(read_page(data).page, b""))
    least = SITE_METHODS[method].support
    return SITE_METHODS[method].cutter((Counted(n, key[1:]) for key, n in sorted(counts.items()) if n >= least), method)


def site_runs(pages: list[Page], method: str, known: int) -> Iterator[tuple[Page, object, float]]:
    """Yield each page with what cuts it and the CPU seconds that making this took, shared out over the pages it serves."""
    sites = defaultdict(list)
    for page in pages:
        sites[page[0]].append(page)
    for of_site in sites.values():
        if not known:
            start = time.process_time()
            cut = cutter_of(method, of_site)
            spent = (time.process_time() - start) / len(of_site)
        for page in of_site:
            if known:
                rest = [p for p in of_site if p is not page]
                start = time.process_time()
                cut = cutter_of(method, [page, *random.Random(page[1]).sample(rest, min(known - 1, len(rest)))])
                spent = time.process_time() - start
            yield page, cut, spent


def site_text(data: bytes, cut, then: str | None) -> str:
    reading = read_page(data)
    starts = {c.start for c in cut(reading)}
    template = [p.start in starts for p in reading.texts]
    if all(template):
        template = [False] * len(template)
    if then:
        return main_text(reading, then, template=template).text
    return "\n".join(p.text for p, known in zip(reading.texts, template, strict=True) if not known)


def report(name: str, scores: list[float], seconds: float) -> None:
    low = sum(score < 0.5 for score in scores) / len(scores)
    print(
        f"{name:34} F1 {sum(scores) / len(scores):.3f}   below .5: {low:.3f}   {len(scores) / max(seconds, 1e-9):7.1f} pages / CPU s",
        flush=True,
    )


def timed(name: str, pages: list[Page], find: Callable[[Page], str]) -> None:
    seconds, scores = 0.0, []
    for page in pages:
        start = time.process_time()
        try:
            text = find(page)
        except Exception as error:  # noqa: BLE001 - another's failure is an empty page
            text, _ = "", error
        seconds += time.process_time() - start
        scores.append(f1(text, page[3]))
    report(name, scores, seconds)


def with_stages(pages: list[Page], known: int, wanted: Callable[[str], bool]) -> None:
    """The site methods alone, with `auto` after them, and blocks before each of the others."""
    for method in SITE_METHODS:
        for then in (None, "auto"):
            name = f"site {method}" + (f", then {then}" if then else "")
            if wanted(name):
                seconds, scores = 0.0, []
                for page, cut, spent in site_runs(pages, method, known):
                    start = time.process_time()
                    text = site_text(page[2], cut, then)
                    seconds += spent + time.process_time() - start
                    scores.append(f1(text, page[3]))
                report(name, scores, seconds)
    for other, find in others().items():
        if wanted(f"site blocks, then {other}") and not known:
            lift(other, find, pages)


def lift(other: str, find: Callable[[str], str], pages: list[Page]) -> None:
    """Another extractor on pages cleaned by site blocks: F1, and how many pages it lost by that."""
    from gutsort.jobs.pages import cut_page

    seconds, scores, broken = 0.0, [], 0
    for page, cut, _ in site_runs(pages, "blocks", 0):
        reading = read_page(page[2])
        cuts = list(cut(reading))
        cleaned = page[2] if len(cuts) == len(reading.page.blocks) else cut_page(page[2], cuts)
        start = time.process_time()
        text = find(cleaned.decode(reading.view.charset, "replace"))
        seconds += time.process_time() - start
        scores.append(f1(text, page[3]))
        broken += not text and bool(find(page[2].decode(reading.view.charset, "replace")))
    report(f"site blocks, then {other}", scores, seconds)
    print(f"{'':34} pages it gives nothing for, and did before: {broken}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--known", type=int, default=0)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", metavar="NAME", action="append", help="rows with NAME in their name; may be given several times")
    parser.add_argument("sets", metavar="SET", nargs="+")
    args = parser.parse_args()

    def wanted(name: str) -> bool:
        return not args.only or any(part in name for part in args.only)

    for argument in args.sets:
        pages = list(load(argument))[:: args.every]
        print(f"\n{len(pages)} pages", flush=True)
        if wanted("all text"):
            timed("all text", pages, lambda page: "\n".join(p.text for p in read_page(page[2]).texts))
        for method in METHODS:
            if wanted(method):
                timed(method, pages, lambda page, method=method: main_text(read_page(page[2]), method).text)
        for name, find in others().items():
            if wanted(name):
                timed(name, pages, lambda page, find=find: find(page[2].decode("utf-8", "replace")))
        if any(page[0] for page in pages):
            with_stages(pages, args.known, wanted)
        for score in ("combined", *SCORES):
            if wanted(f"title {score}"):
                timed_titles(score, pages)


def timed_titles(score: str, pages: list[Page]) -> None:
    """Titles have no gold here: the share of pages whose title opens the gold text."""
    seconds, opens = 0.0, 0
    for _, _, data, gold in pages:
        start = time.process_time()
        reading = read_page(data)
        title = find_title(reading.page, reading.texts, reading.title, (), score)
        seconds += time.process_time() - start
        words = TOKEN.findall(title.lower())
        opens += bool(words) and TOKEN.findall(gold.lower())[: len(words)] == words
    print(f"title {score:28} opens the gold text: {opens / len(pages):.3f}   {len(pages) / seconds:7.1f} pages / CPU s", flush=True)


if __name__ == "__main__":
    main()
