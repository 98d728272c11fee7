"""What scripts/fuzz runs: each program in each of its modes, with random options, on the files of one run's folder."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import fuzz_inputs as inputs

from gutsort import COMMANDS


class Case(NamedTuple):
    """One call of a program."""

    program: str
    argv: list[str]
    stdin: bytes = b""


def _some(rng: random.Random, *choices: str) -> list[str]:
    return rng.choice(choices).split()


def _operands(rng: random.Random, base: Path, *, files: bool = False) -> list[str]:
    """The tree, or what stands in it: its `files` only, where a pipe by name would be waited for; in a list of names now and then."""
    folder = os.fsencode(base / "in")
    names = [os.path.join(folder, entry) for entry in sorted(os.listdir(folder))]
    paths = [os.fsdecode(name) for name in names if not files or os.path.isfile(name)]
    if not files and rng.random() < 0.7:
        paths = [str(base / "in")]
    if rng.random() < 0.2:
        return ["--files0-from", str(base / ("files0" if files else "names0"))]
    return ["--", *paths]


def _documents(rng: random.Random, base: Path) -> list[str]:
    """Options of the programs that read documents, and operands."""
    odd = ["--key raw", "--fold", "--head 2 --tail 1", "--paper", "--jsonl-field text", "--include *.t*", "--exclude d", "--key odds"]
    return [*_some(rng, "", "", *odd), "--parallel", rng.choice("1112"), *_operands(rng, base)]


def _extract(rng: random.Random, base: Path) -> Case:
    if rng.random() < 0.1:
        return Case("extract", _some(rng, "", "--paper", "--jsonl-field text"), inputs.mutated(rng, inputs.jsonl(rng)))
    shards = ["--shards", "3", "--shard-dir", str(base / "out")] if rng.random() < 0.2 else []
    return Case("extract", [*shards, *_documents(rng, base)])


def _stripfreq(rng: random.Random, base: Path) -> Case:
    listed = _listed(rng, base)
    if rng.random() < 0.1:
        return Case("stripfreq", listed, inputs.mutated(rng, inputs.text(rng)))
    output = _some(rng, "--check", "--diff", *[f"-o {base}/out"] * 4, f"-o {base}/out --keep-cuts {base}/cuts")
    return Case("stripfreq", [*listed, *output, "--report", str(base / "report"), *_some(rng, "", "", "--gap 3"), *_documents(rng, base)])


def _clean(rng: random.Random, base: Path) -> Case:
    counters = [f"--counter {name}" for name in ("exact", "checksum", "majority", "spacesaving", "sample")]
    more = [*_some(rng, "", "-k 1", "-k 2", "-k 50%"), *_some(rng, "", "", "", *counters), *_some(rng, "", "", f"--keep-cuts {base}/cuts")]
    more += _some(rng, "", "", "", f"--model {base}/marked.model", f"--model {base}/mutated.model")
    return Case("clean", ["-o", str(base / "out"), "-q", "-S", "1M", *more, *_documents(rng, base)])


def _pages_options(rng: random.Random) -> list[str]:
    return ["--pages", *_some(rng, "", "--site-from url-host"), "--method", rng.choice(list(inputs.METHODS)), "--parallel", rng.choice("112")]


def _extract_pages(rng: random.Random, base: Path) -> Case:
    weights = ["--weights", str(base / rng.choice(["site.txt", "frequent.txt"]))] if rng.random() < 0.3 else []
    return Case("extract", [*_pages_options(rng), *weights, *_operands(rng, base)])


def _stripfreq_pages(rng: random.Random, base: Path) -> Case:
    text = _some(rng, "", "--text")
    listed = str(base / rng.choice(["site.txt", "site.txt", "mutated.txt"]))
    return Case("stripfreq", [*_pages_options(rng), *text, "-o", str(base / "out"), "--report", str(base / "report"), listed, *_operands(rng, base)])


def _clean_pages(rng: random.Random, base: Path) -> Case:
    return Case("clean", [*_pages_options(rng), *_some(rng, "", "--text"), "-q", "-o", str(base / "out"), *_operands(rng, base)])


def _filter(rng: random.Random, base: Path, *options: str) -> tuple[list[str], bytes]:
    """Operands and standard input of a program that reads line streams, with its `options` before them."""
    output = ["-o", str(base / "tmp" / "sorted")] if rng.random() < 0.2 else []
    given = [*_some(rng, "", "-z"), *output, *options]
    data = inputs.stream(rng)
    data = inputs.mutated(rng, data) if rng.random() < 0.5 else data
    if rng.random() < 0.5:
        return given, data
    operands = _operands(rng, base, files=True)
    return [*given, *(operands if options[:1] == ("-S",) else [part for part in operands if part != "--files0-from"])], data


def _extsort(rng: random.Random, base: Path) -> Case:
    return Case("extsort", *_filter(rng, base, "-S", "1M", *_some(rng, "", "-u", "-c", "-C", "-m", "-r", "-r -u"), "--parallel", rng.choice("12")))


def _countfreq(rng: random.Random, base: Path) -> Case:
    if rng.random() < 0.4:
        return Case("countfreq", ["--merge", *[str(base / rng.choice(["frequent.txt", "marked.txt", "mutated.txt"])) for _ in range(2)]])
    return Case("countfreq", *_filter(rng, base, *_some(rng, "-k 1", "-k 2", "-k 1%", "", "--format uniq")))


def _freq(rng: random.Random, base: Path) -> Case:
    return Case("freq", *_filter(rng, base, "-S", "1M", *_some(rng, "-k 1", "-k 2", "-k 10%", ""), "--parallel", rng.choice("12")))


def _approxfreq(rng: random.Random, base: Path) -> Case:
    method = rng.choice(["exact", "checksum", "hashed", "majority", "spacesaving", "sample"])
    return Case("approxfreq", *_filter(rng, base, "--method", method, "--counters", "64", *_some(rng, "", "-k 1", "-k 5%", "--bounds", "--paper")))


def _restore(rng: random.Random, base: Path) -> Case:
    report = base / rng.choice(["restorable/report", "restorable/report", "mutated-report"])
    return Case("restore", [str(report), str(base / "restorable/cuts"), str(base / "restorable/clean"), "-o", str(base / "out")])


def _listed(rng: random.Random, base: Path) -> list[str]:
    """A frequent list, or a model in its place."""
    if rng.random() < 0.5:
        return ["--model", str(base / rng.choice(["marked.model", "mutated.model"]))]
    return [str(base / rng.choice(["marked.txt", "marked.txt", "frequent.txt", "mutated.txt"]))]


def _model(rng: random.Random, base: Path) -> Case:
    listed = rng.choice(["marked.txt", "marked.txt", "frequent.txt", "mutated.txt"])
    return Case("model", ["-o", str(base / "report"), *_some(rng, "", "--source x", "--least-bits 1", "--least-bits nan"), str(base / listed)])


def _explain(rng: random.Random, base: Path) -> Case:
    listed = _listed(rng, base)
    if rng.random() < 0.1:
        return Case("explain", [*listed, "-"], inputs.mutated(rng, inputs.text(rng)))
    return Case("explain", [*_some(rng, "", "--keys", "--beyond 0", "--jsonl-field text"), *listed, str(base / "in")])


def _maintext(rng: random.Random, base: Path) -> Case:
    if rng.random() < 0.1:
        return Case("maintext", [], inputs.mutated(rng, inputs.page(rng)))
    output = ["-o", str(base / "out")] if rng.random() < 0.5 else []
    method = rng.choice(["auto", "danag", "addanag", "dana", "r2l"])
    return Case("maintext", ["--method", method, *output, *_some(rng, "", "--html"), "--parallel", rng.choice("12"), *_operands(rng, base)])


def _title(rng: random.Random, base: Path) -> Case:
    return Case("title", ["--score", rng.choice(["combined", "tf", "tfidf", "overlap", "aggregate"]), *_operands(rng, base)])


def _metadata(rng: random.Random, base: Path) -> Case:
    options = _some(rng, "", "--literal", "--literal --strict", "--tsv", f"--frequent {base}/frequent.txt", f"--frequent {base}/mutated.txt")
    form = ["--format", rng.choice(["auto"] * 3 + ["prescript", "bbox", "text", "pdf", "ps"])]
    return Case("metadata", [*options, *form, *_operands(rng, base)])


CASES: dict[str, Callable[[random.Random, Path], Case]] = {
    "extract": _extract,
    "stripfreq": _stripfreq,
    "clean": _clean,
    "extract --pages": _extract_pages,
    "stripfreq --pages": _stripfreq_pages,
    "clean --pages": _clean_pages,
    "extsort": _extsort,
    "countfreq": _countfreq,
    "freq": _freq,
    "approxfreq": _approxfreq,
    "model": _model,
    "explain": _explain,
    "restore": _restore,
    "maintext": _maintext,
    "title": _title,
    "metadata": _metadata,
}
if missing := set(COMMANDS) - {name.split()[0] for name in CASES}:
    raise NotImplementedError(f"no runs of {missing}")
