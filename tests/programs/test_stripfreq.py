"""stripfreq as users call it."""

import hashlib
import json
import os

import pytest
from conftest import tree_bytes

NOTICE = b"".join(b"This notice opens documents, line %d\n" % n for n in range(5))
LICENCE = b"".join(b"This licence closes documents, line %d\n" % n for n in range(9))
LIST = b"".join(b"20\t" + line + b"\n" for line in (NOTICE + LICENCE).splitlines())
BODY = b"A title\n\n" + b"".join(b"Line %d of the body, which is the larger part of it all\n" % n for n in range(11)) + b"\nlast of it\n"


@pytest.fixture
def frequent(tmp_path):
    (tmp_path / "frequent.txt").write_bytes(LIST)
    return tmp_path / "frequent.txt"


def report_rows(path):
    header, *rows = map(json.loads, path.read_text().splitlines())
    return header, rows


def test_standard_input_to_standard_output(program, frequent):
    done = program("stripfreq", frequent, data=NOTICE + b"\n" + BODY + b"\n" + LICENCE)
    assert (done.returncode, done.stdout, done.stderr) == (0, BODY, b"")


def test_one_file_to_standard_output(program, frequent, tree):
    folder = tree({"a": NOTICE + BODY})
    done = program("stripfreq", frequent, folder / "a")
    assert (done.returncode, done.stdout) == (0, BODY)


def test_a_tree_is_mirrored_and_bytes_stay(program, frequent, tree, tmp_path):
    crlf = (NOTICE + b"\n" + BODY).replace(b"\n", b"\r\n")
    folder = tree({"x/a": crlf, "b": b"\xef\xbb\xbf" + NOTICE + BODY + LICENCE, "c": BODY, "x/empty": b""})
    done = program("stripfreq", frequent, folder, "-o", tmp_path / "out", "--report", tmp_path / "report")
    assert (done.returncode, done.stdout) == (0, b"")
    assert tree_bytes(tmp_path / "out") == {"x/a": BODY.replace(b"\n", b"\r\n"), "b": b"\xef\xbb\xbf" + BODY, "c": BODY, "x/empty": b""}


def test_the_report_says_what_was_cut_and_why(program, frequent, tree, tmp_path):
    data = b"\xef\xbb\xbf" + NOTICE + b"\n" + BODY + LICENCE
    folder = tree({"a\nb": data, "c": BODY})
    done = program("stripfreq", folder, "-o", tmp_path / "out", "--report", tmp_path / "report", "--files0-from", os.devnull)
    assert done.returncode == 2  # LIST is a directory here
    done = program("stripfreq", frequent, folder, "-o", tmp_path / "out", "--report", tmp_path / "report")
    header, (first, second) = report_rows(tmp_path / "report")
    assert header["gutsort_report"] == 1
    assert header["list_sha256"] == hashlib.sha256(LIST).hexdigest()
    assert first["path"] == f"{folder}/a\\x0ab"
    start, end = 3 + len(NOTICE) + 1, len(data) - len(LICENCE)
    assert first["cuts"] == [[3, start, "head: 5 frequent lines"], [end, len(data), "tail: 9 frequent lines"]]
    assert (first["size"], first["lines"], first["first_line"], first["last_line"]) == (len(data), 30, 7, 21)
    assert first["share"] == round((len(data) - len(BODY) - 3) / len(data), 6)
    assert first["suspect"] == []
    assert first["mtime_ns"] == os.stat(folder / "a\nb").st_mtime_ns
    assert first["sha256"] == {k: hashlib.sha256(v).hexdigest() for k, v in (("input", data), ("output", b"\xef\xbb\xbf" + BODY))}
    assert (first["status"], first["member"]) == ("done", None)
    assert (second["cuts"], second["first_line"], second["last_line"], second["share"]) == ([], 1, 15, 0)
    assert done.stderr == b""


def test_a_suspect_is_named_unless_quiet(program, frequent, tree):
    folder = tree({"a\nb": NOTICE + b"".join(b"own %d\n" % n for n in range(11)) + LICENCE})
    args = ["stripfreq", frequent, folder / "a\nb"]
    done = program(*args)
    assert (done.returncode, done.stderr.decode()) == (0, f"stripfreq: {folder}/a\\x0ab: more than half cut\n")
    assert program(*args, "-q").stderr == b""


def test_what_cannot_be_read_is_a_row_and_status_1(program, frequent, tree, tmp_path):
    folder = tree({"a": BODY})
    os.symlink("nowhere", folder / "b")
    done = program("stripfreq", frequent, folder, "-o", tmp_path / "out", "--report", tmp_path / "report", "-q")
    assert done.returncode == 1
    assert done.stderr.count(b"No such file or directory") == 1
    _, rows = report_rows(tmp_path / "report")
    assert [(row["status"], row.get("why")) for row in rows] == [("done", None), ("skipped", "No such file or directory")]
    assert tree_bytes(tmp_path / "out") == {"a": BODY}


def test_check_writes_nothing_and_says_by_status(program, frequent, tree):
    folder = tree({"a": NOTICE + BODY, "b": BODY})
    before = tree_bytes(folder)
    assert program("stripfreq", frequent, folder, "--check").returncode == 1
    assert program("stripfreq", frequent, folder / "b", "--check").returncode == 0
    assert tree_bytes(folder) == before


@pytest.mark.parametrize(
    "args",
    [
        ["{in}"],
        ["{in}/a", "{in}/b"],
        ["{in}", "-o", "{in}/out"],
        ["{in}", "-o", "{in}"],
        ["{in}", "--check", "-o", "{in}2"],
        ["--paper", "--gap", "3"],
        ["--paper", "--head", "3"],
        ["--paper-heuristics", "--key", "line"],
        ["--gap", "-1"],
        ["--head", "0"],
        ["{in}/a", "--files0-from", "-"],
    ],
)
def test_what_does_not_go_together_is_status_2_and_writes_nothing(program, frequent, tree, args):
    folder = tree({"a": NOTICE + BODY, "b": BODY})
    before = tree_bytes(folder.parent)
    done = program("stripfreq", frequent, *(arg.format(**{"in": folder}) for arg in args))
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr
    assert tree_bytes(folder.parent) == before


def test_a_list_that_is_none_is_named_with_its_line(program, tmp_path):
    (tmp_path / "bad.txt").write_bytes(b"3\ta\nnothing\n")
    done = program("stripfreq", tmp_path / "bad.txt")
    assert (done.returncode, done.stderr.decode()) == (2, f'stripfreq: {tmp_path}/bad.txt:2: expected "COUNT TAB KEY"\n')


def test_gap_is_obeyed(program, frequent):
    data = NOTICE + b"own line\n" * 3 + NOTICE + BODY
    assert program("stripfreq", frequent, "--gap", "2", data=data).stdout == b"own line\n" * 3 + NOTICE + BODY
    assert program("stripfreq", frequent, "--gap", "3", data=data).stdout == BODY
