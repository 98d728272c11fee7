"""A killed run is taken up, and its result is that of a run that was not killed."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from conftest import tree_bytes

ROUNDS = 20


@pytest.fixture(scope="module")
def collection(make_corpus_module, tmp_path_factory):
    folder = tmp_path_factory.mktemp("resume")
    make_corpus_module.make_corpus(folder, 200, 7)
    return folder / "docs"


def clean(*args, **kwargs):
    return subprocess.Popen([sys.executable, "-m", "gutsort", "clean", "-q", *args], start_new_session=True, **kwargs)


def report_of(out):
    return [json.loads(line) for line in (out.parent / f"{out.name}.gutsort" / "report.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def undisturbed(collection, tmp_path_factory):
    out = tmp_path_factory.mktemp("whole") / "out"
    begun = time.monotonic()
    assert clean(collection, "-o", out).wait(120) == 0
    return tree_bytes(out), report_of(out), time.monotonic() - begun


def kill(process, group=True):
    """End a run as the system does that is out of memory; its workers end when they notice, and let go of the target then."""
    (os.killpg if group else os.kill)(process.pid, signal.SIGKILL)
    process.wait(60)


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_a_run_killed_at_a_random_moment_is_taken_up(collection, undisturbed, tmp_path, seed):
    files, report, seconds = undisturbed
    out, rng = tmp_path / "out", random.Random(seed)
    for _ in range(2):  # killed, taken up, killed again
        process = clean(collection, "-o", out, "--parallel", "2")
        time.sleep(rng.uniform(0.1, 1.1) * seconds)
        kill(process, group=rng.random() < 0.5)
    assert clean(collection, "-o", out).wait(120) == 0
    assert tree_bytes(out) == files
    assert report_of(out) == report
    assert sorted(os.listdir(tmp_path / "out.gutsort")) == ["frequent.txt", "lock", "report.jsonl", "state.json", "suspects.txt"]


@pytest.fixture
def done(tree, tmp_path, program):
    folder = tree({f"{n:02}": b"shared opening\n" * 1 + b"own %d\n" % n for n in range(12)})
    assert program("clean", folder, "-o", tmp_path / "out").returncode == 0
    return folder, tmp_path / "out"


def test_what_is_done_is_not_written_again(done, program):
    folder, out = done
    before = {p.name: p.stat().st_ino for p in out.iterdir()}
    assert program("clean", folder, "-o", out).returncode == 0
    assert {p.name: p.stat().st_ino for p in out.iterdir()} == before


def test_an_output_that_was_lost_is_written_again(done, program):
    folder, out = done
    files = tree_bytes(out)
    (out / "05").unlink()
    (out / ".gutsort-abcd1234").write_bytes(b"half")  # what a killed run leaves
    assert program("clean", folder, "-o", out).returncode == 0
    assert tree_bytes(out) == files


def test_a_torn_report_is_read_up_to_its_last_whole_line(done, program):
    folder, out = done
    report = out.parent / "out.gutsort" / "report.jsonl"
    whole, files = report.read_bytes(), tree_bytes(out)
    report.rename(f"{report}.new")
    os.truncate(f"{report}.new", len(whole) * 2 // 3)
    (out / "11").unlink()
    assert program("clean", folder, "-o", out).returncode == 0
    assert (report.read_bytes(), tree_bytes(out)) == (whole, files)


@pytest.mark.parametrize("change", ["options", "files", "documents", "report"])
def test_another_run_is_refused_by_name_and_changes_nothing(done, program, change):
    folder, out = done
    args, said = [], "frequent list"
    if change == "options":
        args, said = ["-k", "4"], "support=None, not 4"
    elif change == "files":
        args, said = ["--exclude", "0*"], "exclude=[], not ['0*']"
    elif change == "documents":
        (folder / "99").write_bytes(b"shared opening\nown 99\n")
    else:
        (out.parent / "out.gutsort" / "report.jsonl").unlink()
        said = "no report"
    before = tree_bytes(out)
    done = program("clean", folder, "-o", out, *args)
    assert done.returncode == 2
    assert said in done.stderr.decode()
    assert tree_bytes(out) == before
