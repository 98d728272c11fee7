"""gutsort model, and what stripfreq and clean make of a model."""

import itertools
import json
import shutil

import pytest
from conftest import tree_bytes

DOCUMENTS, ALONE = 224, 24


@pytest.fixture(scope="module")
def mined(request, tmp_path_factory):
    """A model of a generated collection, and documents of its kind that were not counted: their folder, and where their bodies are."""
    import subprocess
    import sys

    folder = tmp_path_factory.mktemp("model")
    made = request.getfixturevalue("make_corpus_module").make_corpus(folder, DOCUMENTS)
    others = sorted(made)[:ALONE]
    for name in others:
        target = folder / "alone" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(folder / "docs" / name, target)

    def run(name, *args, **kwargs):
        return subprocess.run([sys.executable, "-m", "gutsort", name, *map(str, args)], check=True, stdout=subprocess.PIPE, **kwargs)

    lines = run("extract", folder / "docs").stdout
    counted = run("freq", input=lines).stdout
    (folder / "frequent.txt").write_bytes(counted)
    run("model", "-o", folder / "made.model", "--source", "a generated collection", input=counted)
    return folder, {name: made[name] for name in others}


def kept_lines(report, folder):
    _, *rows = map(json.loads, report.read_text().splitlines())
    return {row["path"].removeprefix(f"{folder}/"): (row["first_line"], row["last_line"]) for row in rows}


def test_documents_that_were_not_counted_are_cut_by_a_model(program, mined, tmp_path):
    folder, truth = mined
    right = 0
    for name, document in truth.items():
        done = program("stripfreq", "--model", folder / "made.model", folder / "alone" / name, "--report", tmp_path / "report", "-q")
        assert (done.returncode, done.stderr) == (0, b"")
        ((first, last),) = kept_lines(tmp_path / "report", folder).values()
        assert first <= document.first and last >= document.last
        right += (first, last) == (document.first, document.last)
        again = program("stripfreq", "--model", folder / "made.model", data=done.stdout)
        assert again.stdout == done.stdout
    assert right >= 0.9 * ALONE


def test_a_model_cuts_a_tree_as_it_cuts_each_document(program, mined, tmp_path):
    folder, truth = mined
    done = program("stripfreq", "--model", folder / "made.model", folder / "alone", "-o", tmp_path / "out", "-q")
    assert done.returncode == 0
    for name, data in list(tree_bytes(tmp_path / "out").items())[:9]:
        assert program("stripfreq", "--model", folder / "made.model", folder / "alone" / name, "-q").stdout == data
    assert sorted(tree_bytes(tmp_path / "out")) == sorted(truth)


def test_clean_of_a_few_documents_takes_the_evidence_of_a_model(program, mined, tmp_path):
    folder, truth = mined
    some = sorted(truth)[:5]
    words = "Society Few Readers asks told faults thanked pains library lamp candle window garden river".split()
    own = b"".join(f"{a} of our {b} and no other\n".encode() for a, b in itertools.pairwise(words * 2)) + b"\n"  # which the model never saw
    for name in some:
        (tmp_path / "few" / name).parent.mkdir(parents=True, exist_ok=True)
        data = (folder / "alone" / name).read_bytes()
        text = data.removeprefix(b"\xef\xbb\xbf")
        (tmp_path / "few" / name).write_bytes(data[: len(data) - len(text)] + own + text)
    clean = ["clean", tmp_path / "few", "-o", tmp_path / "out"]
    done = program(*clean, "--model", folder / "made.model", "-q")
    assert (done.returncode, done.stderr) == (0, b"")
    kept = kept_lines(tmp_path / "out.gutsort" / "report.jsonl", tmp_path / "few")
    shift = own.count(b"\n")
    assert kept == {name: (truth[name].first + shift, truth[name].last + shift) for name in some}
    done = program(*clean, "-q")
    assert done.returncode == 2
    assert b"is of a run with model=" in done.stderr


def test_the_model_says_what_it_was_made_of(mined):
    folder, _ = mined
    header = (folder / "made.model").read_bytes().partition(b"\n\n")[0].decode()
    assert f"\ndocuments {DOCUMENTS - ALONE}\n" in header
    assert "\nsource a generated collection\n" in header


@pytest.mark.parametrize("options", [["--key", "line"], ["--gap", "3"], ["--paper"], ["--head", "9"], ["--fold"]])
@pytest.mark.parametrize("command", ["stripfreq", "clean"])
def test_a_model_says_key_and_windows_itself(program, tree, tmp_path, command, options):
    done = program(command, "--model", "gutenberg", *options, tree({"a": b"a\n"}), "-o", tmp_path / "out")
    assert (done.returncode, done.stdout) == (2, b"")
    assert f"--model and {options[0]} do not go together".encode() in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["stripfreq", "clean", "explain"])
def test_what_is_no_model_is_status_2_before_anything_is_written(program, tree, tmp_path, command):
    (tmp_path / "list").write_bytes(b"7\t+a b\t^\n")
    where = [] if command == "explain" else ["-o", tmp_path / "out"]
    done = program(command, "--model", tmp_path / "list", tree({"a": b"a\n"}), *where)
    assert (done.returncode, done.stdout) == (2, b"")
    assert f"{tmp_path}/list: expected a model".encode() in done.stderr
    assert not (tmp_path / "out").exists()


def test_stripfreq_without_list_and_model_says_so(program):
    done = program("stripfreq", data=b"a\n")
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"stripfreq: LIST is missing, and there is no --model\n")
