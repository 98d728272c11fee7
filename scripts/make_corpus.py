#!/usr/bin/env python3
"""Generate a collection of documents with boilerplate at known lines.

usage: make_corpus.py DIR [DOCUMENTS [SEED]]

Writes DIR/docs/*/*.txt and DIR/truth.tsv: path, family, first and last line of the body (from 1). The words are made up. Four
families of templates, each with lines that vary from document to document, and documents without any; some are Latin-1, some have
CRLF line ends or a byte order mark. The same arguments give the same bytes.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from typing import NamedTuple

SYLLABLES = "ba be bi bo da de di fa fe ga go ka ke ki la le li lo ma me mi mo na ne ni no pa po ra re ri ro sa se ta te ti va zo".split()
FAMILIES = {"library": 0.4, "archive": 0.25, "list": 0.15, "source": 0.1, "none": 0.1}
PER_FOLDER = 100

Ends = tuple[list[str], list[str]]  # lines at the head and at the tail


class Made(NamedTuple):
    """One generated document: name, family, bytes, first and last body line."""

    name: str
    family: str
    data: bytes
    first: int
    last: int


def make_documents(count: int, seed: int = 1) -> Iterator[Made]:
    """Yield `count` documents."""
    rng = random.Random(seed)
    words = sorted({"".join(rng.choices(SYLLABLES, k=rng.randint(1, 4))) for _ in range(4000)})
    rng.shuffle(words)
    templates = {family: _template(rng, words) for family in FAMILIES}
    for number in range(count):
        family = rng.choices(list(FAMILIES), list(FAMILIES.values()))[0]
        body = _body(rng, words)
        head, tail = _ends(family, templates[family], rng, words)
        lines = head + body + tail
        yield Made(f"{number // PER_FOLDER:03d}/{number:06d}.txt", family, _encode(lines, rng), len(head) + 1, len(head) + len(body))


def make_corpus(folder: str, count: int, seed: int = 1) -> dict[str, Made]:
    """Write `count` documents below `folder`/docs and the truth beside it; return them by path below docs."""
    made = {}
    for document in make_documents(count, seed):
        path = os.path.join(folder, "docs", document.name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(document.data)
        made[document.name] = document
    with open(os.path.join(folder, "truth.tsv"), "w", encoding="utf-8") as file:
        file.writelines(f"{d.name}\t{d.family}\t{d.first}\t{d.last}\n" for d in made.values())
    return made


def _words(rng: random.Random, words: list[str], count: int) -> str:
    """Words with a skewed distribution, as in language."""
    return " ".join(words[min(int(rng.paretovariate(0.6)) - 1, len(words) - 1)] for _ in range(count))


def _sentence(rng: random.Random, words: list[str]) -> str:
    return " ".join(rng.choices(words, k=rng.randint(7, 11))).capitalize() + "."


def _template(rng: random.Random, words: list[str]) -> Ends:
    return [_sentence(rng, words) for _ in range(rng.randint(6, 14))], [_sentence(rng, words) for _ in range(rng.randint(10, 40))]


def _body(rng: random.Random, words: list[str]) -> list[str]:
    lines = [_words(rng, words, 4).title()]
    for number in range(1, rng.randint(3, 40)):
        lines += ["", f"Part {number}"] if number % 5 == 0 else []
        lines += ["", *(_words(rng, words, 10) for _ in range(rng.randint(3, 9)))]
    return lines


def _ends(family: str, template: Ends, rng: random.Random, words: list[str]) -> Ends:
    """Head and tail lines of a document, each with the blank lines that part it from the body."""
    head, tail = template
    title, author = _words(rng, words, 3).title(), _words(rng, words, 2).title()
    if family == "library":
        opening = [f"The Common Library presents {title}", "", f"Title: {title}", f"Author: {author}"]
        opening += [f"Number: {rng.randint(1, 99999)}", ""]
        return [*opening, *head, "", ""], ["", "", f"End of the Common Library text of {title}", "", *tail]
    if family == "archive":
        scanned = f"Scanned on {rng.randint(1, 28)} {rng.choice(words)} {rng.randint(1990, 2020)}"
        return [*head[:4], scanned, *head[4:], ""], ["", *tail[:12]]
    if family == "list":
        return [], ["", "_" * 40, *tail[:4], f"To leave, write to {rng.choice(words)}@example.org"]
    if family == "source":
        return [f"# {line}" for line in head] + [""], []
    return [], []


def _encode(lines: list[str], rng: random.Random) -> bytes:
    ending = "\r\n" if rng.random() < 0.3 else "\n"
    text = ending.join(line.replace("zo", "zö") for line in lines) + (ending if rng.random() < 0.9 else "")
    kind = rng.random()
    return text.encode("latin-1") if kind < 0.2 else (b"\xef\xbb\xbf" if kind < 0.4 else b"") + text.encode()


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3, 4):
        sys.exit(__doc__)
    make_corpus(sys.argv[1], *map(int, sys.argv[2:] or ["300"]))
