"""gutsort-spark against gutsort clean, byte for byte. Needs Java 17 and PySpark: ./scripts/test --spark."""

import subprocess
import sys

import pytest
from conftest import tree_bytes

pytestmark = pytest.mark.spark
# binary files are named, so the status is 1
HOSTILE = {"every": bytes(range(256)), "empty": b"", "cr.txt": b"a\rb\r\nThe notice\r\n", "nul \xe9\n.txt": b"\0\0\nThe notice\n\tTAB\n"}


def test_list_report_and_tree_are_those_of_one_machine(program, tree, tmp_path, make_corpus_module):
    make_corpus_module.make_corpus(tmp_path, 60)
    docs = tmp_path / "docs"
    first = next(path for path in sorted(docs.rglob("*")) if path.is_file())
    tree(HOSTILE | {"0copy": first.read_bytes(), "zcopy": first.read_bytes()}, "docs")
    one = program("clean", docs, "-o", tmp_path / "one")
    command = [sys.executable, "-m", "gutsort.programs.spark", "clean", docs, "-o", tmp_path / "two", "--master", "local[2]"]
    two = subprocess.run(command, capture_output=True, check=False)
    assert (one.returncode, two.returncode) == (1, 1), two.stderr[-2000:]
    for name in ("frequent.txt", "report.jsonl", "suspects.txt"):
        assert (tmp_path / "two.gutsort" / name).read_bytes() == (tmp_path / "one.gutsort" / name).read_bytes()
    assert tree_bytes(tmp_path / "two") == tree_bytes(tmp_path / "one")
