"""A collection is cut alike as files, as one .tar.xz and as one .jsonl.gz, and scripts/check_containers.py would notice where it is not."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "check_containers.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("check_containers", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_files_tar_and_json_lines_are_cleaned_alike(script, make_corpus_module, tmp_path, capsys):
    make_corpus_module.make_corpus(tmp_path, 120, 5)
    assert script.check(tmp_path / "docs", tmp_path / "work") == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == "120 files, 120 members of the .tar.xz, 181 and 181 cuts: 0 differ"
    assert second == "96 files in UTF-8, 96 lines, 149 and 149 cuts: 0 differ"


def test_another_row_another_body_and_a_missing_document_are_counted(script):
    rows = [{"path": str(n), "member": None, "cuts": [[0, n, "head"]]} for n in range(3)]
    bodies = [b"a", b"b", b"c"]
    assert script.differences(rows, iter(bodies), rows, iter(bodies)) == 0
    other = [rows[0], rows[1] | {"cuts": []}, rows[2]]
    assert script.differences(rows, iter(bodies), other, iter(bodies)) == 1
    assert script.differences(rows, iter(bodies), rows, iter([b"a", b"x", b"c"])) == 1
    assert script.differences(rows, iter(bodies), rows[:2], iter(bodies[:2])) == 1
