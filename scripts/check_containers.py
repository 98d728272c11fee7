#!/usr/bin/env python3
"""Clean one collection as files, as one .tar.xz and as one .jsonl.gz, and check that every document is cut alike.

usage: check_containers.py DOCUMENTS WORK

DOCUMENTS is a tree of plain texts, WORK a directory that is not there yet, for the archives and the outputs (twice DOCUMENTS). JSON is UTF-8, so
documents that are not are left out of the .jsonl.gz; what it is compared with is a clean of the files that are in it. Compared are the
cuts with their evidence, the other fields of the report, and each body byte for byte. Status 0 when all are equal.
"""

from __future__ import annotations

import gzip
import itertools
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from gutsort.extract.documents import walk  # noqa: E402

SAME = ("size", "lines", "first_line", "last_line", "cuts", "share", "suspect", "sha256", "status")  # what no container may change


def write_tar(paths: list[Path], folder: Path, archive: Path) -> None:
    """The files as one .tar.xz, under their names below `folder`."""
    with tarfile.open(archive, "w:xz", preset=1) as tar:
        for path in paths:
            tar.add(path, str(path.relative_to(folder)))


def write_jsonl(paths: list[Path], archive: Path) -> None:
    """The files, which are UTF-8, as one .jsonl.gz, a line each."""
    with gzip.open(archive, "wb", compresslevel=1) as file:
        for number, path in enumerate(paths):
            file.write(json.dumps({"id": number, "text": path.read_bytes().decode(), "x": 1.0}).encode() + b"\n")


def link_files(paths: list[Path], folder: Path, target: Path) -> None:
    """A tree of links to the files, as they lie below `folder`."""
    for path in paths:
        link = target / path.relative_to(folder)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(path.resolve())


def clean(source: Path, out: Path) -> list[dict]:
    """Run `gutsort clean`; the rows of its report."""
    subprocess.run([sys.executable, "-m", "gutsort", "clean", "-q", source, "-o", out], cwd=ROOT, check=True)
    with open(f"{out}.gutsort/report.jsonl", "rb") as file:
        return [json.loads(line) for line in file][1:]


def bodies_of_files(out: Path, paths: list[Path], folder: Path) -> Iterator[bytes]:
    return ((out / path.relative_to(folder)).read_bytes() for path in paths)


def bodies_of_tar(archive: Path) -> Iterator[bytes]:
    with tarfile.open(archive, "r|xz") as tar:
        for member in tar:
            yield tar.extractfile(member).read()  # type: ignore[union-attr]


def bodies_of_jsonl(archive: Path) -> Iterator[bytes]:
    with gzip.open(archive, "rb") as file:
        for line in file:
            yield json.loads(line)["text"].encode()


def differences(rows: list[dict], bodies: Iterator[bytes], other_rows: list[dict], other_bodies: Iterator[bytes]) -> int:
    """How many documents differ in their row or their body, or are missing on one side."""
    differ = 0
    for row, other, body, other_body in itertools.zip_longest(rows, other_rows, bodies, other_bodies):
        alike = row is not None and other is not None and body is not None and body == other_body
        if not alike or any(row.get(name) != other.get(name) for name in SAME):
            differ += 1
            print(f"differs: {row and row['path']} {other and other['path']}:{other and other['member']}", file=sys.stderr)
    return differ


def is_utf8(path: Path) -> bool:
    try:
        path.read_bytes().decode()
    except UnicodeDecodeError:
        return False
    return True


def check(documents: Path, work: Path) -> int:
    """Build, clean and compare; the number of documents that differ."""
    work.mkdir()
    paths = [Path(os.fsdecode(found.path)) for found in walk([os.fsencode(documents)])]
    unicode = [path for path in paths if is_utf8(path)]
    for kind in ("tar", "jsonl"):
        (work / kind).mkdir()
    write_tar(paths, documents, work / "tar" / "all.tar.xz")
    write_jsonl(unicode, work / "jsonl" / "all.jsonl.gz")
    link_files(unicode, documents, work / "unicode")
    rows = {name: clean(documents if name == "files" else work / name, work / f"{name}-out") for name in ("files", "tar", "unicode", "jsonl")}
    of_tar, of_jsonl = bodies_of_tar(work / "tar-out" / "all.tar.xz"), bodies_of_jsonl(work / "jsonl-out" / "all.jsonl.gz")
    differ = differences(rows["files"], bodies_of_files(work / "files-out", paths, documents), rows["tar"], of_tar)
    print(f"{len(paths)} files, {len(rows['tar'])} members of the .tar.xz, {cuts(rows['files'])} and {cuts(rows['tar'])} cuts: {differ} differ")
    more = differences(rows["unicode"], bodies_of_files(work / "unicode-out", unicode, documents), rows["jsonl"], of_jsonl)
    print(f"{len(unicode)} files in UTF-8, {len(rows['jsonl'])} lines, {cuts(rows['unicode'])} and {cuts(rows['jsonl'])} cuts: {more} differ")
    return differ + more


def cuts(rows: list[dict]) -> int:
    return sum(len(row["cuts"]) for row in rows)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(min(1, check(Path(sys.argv[1]), Path(sys.argv[2]))))
