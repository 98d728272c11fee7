"""gutsort clean on collections whose truth is known."""

import json
import os
import subprocess
import sys

import pytest
from conftest import tree_bytes

DOCUMENTS = 120
SUPPORT = ["-k", "8"]


@pytest.fixture(scope="module")
def cleaned(request, tmp_path_factory):
    """A generated collection, cleaned once for all tests that look at it."""
    folder = tmp_path_factory.mktemp("clean")
    make = request.getfixturevalue("make_corpus_module").make_corpus
    made = make(folder, DOCUMENTS)
    command = [sys.executable, "-m", "gutsort", "clean", *SUPPORT, folder / "docs", "-o", folder / "out"]
    done = subprocess.run(command, capture_output=True, check=False)
    return folder, made, done


def rows_of(folder):
    _, *rows = map(json.loads, (folder / "out.gutsort" / "report.jsonl").read_text().splitlines())
    return {row["path"].removeprefix(f"{folder}/docs/"): row for row in rows}


def test_it_is_done_and_says_how_much(cleaned):
    folder, made, done = cleaned
    assert (done.returncode, done.stdout) == (0, b"")
    rows = rows_of(folder)
    heads = sum(any(c[2].startswith("head") for c in row["cuts"]) for row in rows.values())
    last = done.stderr.decode().splitlines()[-1]
    assert last.startswith(f"gutsort clean: {DOCUMENTS} documents, {heads} cut at the head, ")
    assert list(rows) == sorted(made)


def test_cuts_are_right_and_lose_no_body_line(cleaned):
    folder, made, _ = cleaned
    rows = rows_of(folder)
    right = sum((rows[name]["first_line"], rows[name]["last_line"]) == (d.first, d.last) for name, d in made.items())
    assert right >= 0.9 * DOCUMENTS
    assert all(rows[name]["first_line"] <= d.first and rows[name]["last_line"] >= d.last for name, d in made.items())


def test_every_output_is_the_mark_and_one_piece_of_its_input(cleaned):
    folder, made, _ = cleaned
    out = tree_bytes(folder / "out")
    assert sorted(out) == sorted(made)
    cut = 0
    for name, document in made.items():
        mark = b"\xef\xbb\xbf" if document.data.startswith(b"\xef\xbb\xbf") else b""
        assert out[name].startswith(mark)
        assert out[name][len(mark) :] in document.data[len(mark) :]
        cut += out[name] != document.data
    assert cut > DOCUMENTS / 2


def test_the_folder_beside_it_has_list_report_and_suspects(cleaned):
    folder, _, _ = cleaned
    side = folder / "out.gutsort"
    assert sorted(os.listdir(side)) == ["frequent.txt", "lock", "report.jsonl", "state.json", "suspects.txt"]
    suspects = [name for name, row in rows_of(folder).items() if row["suspect"]]
    listed = [line.split("\t")[0].removeprefix(f"{folder}/docs/") for line in (side / "suspects.txt").read_text().splitlines()]
    assert listed == suspects


def test_it_is_the_pipe(cleaned, program, tmp_path):
    folder, _, _ = cleaned
    stream = program("extract", folder / "docs").stdout
    frequent = program("countfreq", *SUPPORT, data=program("extsort", data=stream).stdout).stdout
    assert frequent == (folder / "out.gutsort" / "frequent.txt").read_bytes()
    (tmp_path / "list").write_bytes(frequent)
    assert program("stripfreq", tmp_path / "list", folder / "docs", "-o", tmp_path / "out").returncode == 0
    assert tree_bytes(tmp_path / "out") == tree_bytes(folder / "out")


def test_a_second_strip_changes_nothing(cleaned, program, tmp_path):
    folder, _, _ = cleaned
    done = program("stripfreq", folder / "out.gutsort" / "frequent.txt", folder / "out", "--check", "-v")
    assert done.returncode == 0
    assert f"{DOCUMENTS} untouched".encode() in done.stderr


def test_the_paper_keeps_its_own_constants(program, tree, tmp_path):
    head = b"".join(b"A line of the preamble that is long enough, %d\n" % n for n in range(3))
    bodies = [b"".join(b"%d own words of this document, line %d\n" % (n, i) for i in range(20)) for n in range(11)]
    folder = tree({f"{n:02}": head + body for n, body in enumerate(bodies)})
    for path, support in ((tmp_path / "out", 11), (tmp_path / "fewer", 10)):
        (folder / "00").unlink(missing_ok=support == 10)
        if support == 11:
            (folder / "00").write_bytes(head + bodies[0])
        assert program("clean", "--paper", folder, "-o", path).returncode == 0
    # the first line of a short document is in its head only, so it counts once: 11 is more than 10, 10 is not
    assert tree_bytes(tmp_path / "out") == {f"{n:02}": body for n, body in enumerate(bodies)}
    assert tree_bytes(tmp_path / "fewer") == {f"{n:02}": head[: head.index(b"\n") + 1] * 0 + body for n, body in enumerate(bodies) if n}


def test_operands_are_laid_out_below_their_names(program, tree, tmp_path):
    tree({"x/a": b"a\n", "y/b": b"b\n", "c": b"c\n"})
    done = program("clean", "in/x", "in/y/", "in/c", "-o", "out", cwd=tmp_path, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.returncode == 0
    assert tree_bytes(tmp_path / "out") == {"x/a": b"a\n", "y/b": b"b\n", "c": b"c\n"}


@pytest.mark.parametrize(
    "args", [["-o", "in/out"], ["in", "-o", "in"], ["in", "-o", "full"], [], ["-", "-o", "out"], ["in", "in", "-o", "out"], ["in"]]
)
def test_what_cannot_be_is_status_2_before_anything_is_written(program, tree, tmp_path, args):
    tree({"a": b"a\n"})
    tree({"x": b""}, "full")
    before = sorted(tmp_path.rglob("*"))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = program("clean", *(["in"] if args[:1] == ["-o"] else []), *args, cwd=tmp_path, env=environment)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr
    assert sorted(tmp_path.rglob("*")) == before


def test_what_is_skipped_is_said_once_and_is_status_1(program, tree, tmp_path):
    folder = tree({"a": b"a\n"})
    os.symlink("nowhere", folder / "b")
    done = program("clean", folder, "-o", tmp_path / "out", "-q")
    assert done.returncode == 1
    assert done.stderr.decode() == f"gutsort clean: {folder}/b: No such file or directory; skipped\n"
