"""Output is there whole or not at all."""

import contextlib
import os
import stat
import threading
import time

import pytest

from gutsort.errors import SpaceError, UsageError
from gutsort.jobs import target as jobs_target
from gutsort.jobs.target import check_target, held_folder, lock, new_target, whole_file


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(jobs_target, "PATIENCE", 0.1)


def test_a_file_appears_when_it_is_whole(tmp_path):
    path = tmp_path / "out"
    with whole_file(os.fsencode(path)) as file:
        file.write(b"new")
        assert not path.exists()
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~(os.umask(0o22) or os.umask(0o22))
    assert os.listdir(tmp_path) == ["out"]


def test_an_earlier_file_survives_a_failure_and_nothing_else_is_left(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    path.chmod(0o640)
    with pytest.raises(RuntimeError), whole_file(os.fsencode(path)) as file:
        file.write(b"new")
        raise RuntimeError
    assert path.read_bytes() == b"old"
    with whole_file(os.fsencode(path)) as file:
        file.write(b"new")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", 0o640)
    assert os.listdir(tmp_path) == ["out"]


def test_a_link_is_written_through(tmp_path):
    (tmp_path / "real").write_bytes(b"old")
    os.symlink("real", tmp_path / "link")
    with whole_file(os.fsencode(tmp_path / "link")) as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_full_device_and_a_missing_folder_are_named(tmp_path):
    with pytest.raises(SpaceError, match="^/dev/full: No space left on device$"), whole_file(b"/dev/full") as file:
        file.write(b"x" * 100_000)
    missing = os.fsencode(tmp_path / "no" / "out")
    with pytest.raises(SpaceError, match="no/out: No such file or directory"), whole_file(missing):
        pass


@pytest.mark.parametrize(("target", "operand"), [("in/out", "in"), ("in", "in"), ("in", "in/a"), ("link/out", "in")])
def test_an_output_in_its_input_is_refused(tmp_path, target, operand):
    (tmp_path / "in" / "a").mkdir(parents=True)
    os.symlink("in", tmp_path / "link")
    with pytest.raises(UsageError, match="may not contain each other"):
        check_target(os.fsencode(tmp_path / target), [os.fsencode(tmp_path / operand)])


def test_a_filled_target_is_told_from_an_empty_and_a_file_is_refused(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_bytes(b"")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="is no directory"):
        check_target(os.fsencode(tmp_path / "full" / "x"), [b"/nowhere"])
    filled = {name: check_target(os.fsencode(tmp_path / name), [os.fsencode(tmp_path / "newer")]) for name in ("full", "empty", "new")}
    assert filled == {"full": True, "empty": False, "new": False}  # new is a name that only begins like newer


@pytest.mark.parametrize("hold", [lock, held_folder, lambda path: new_target(path, [])])
def test_a_lock_is_held_by_one(tmp_path, impatient, hold):
    path = os.fsencode(tmp_path / "lock")
    with hold(path), pytest.raises(UsageError, match="another run is at work"), hold(path):
        pass
    with hold(path):
        pass


def test_a_lock_is_waited_for_a_little(tmp_path):
    """The workers of a killed run hold it until they have ended."""
    path = os.fsencode(tmp_path / "lock")
    with contextlib.ExitStack() as other:
        other.enter_context(lock(path))
        timer = threading.Timer(0.3, other.pop_all().close)
        timer.start()
        begun = time.monotonic()
        with lock(path):
            assert time.monotonic() - begun >= 0.2


def test_a_new_target_in_which_nothing_comes_to_be_is_not_left(tmp_path):
    path = os.fsencode(tmp_path / "out")
    with pytest.raises(RuntimeError), new_target(path, []):
        raise RuntimeError
    with new_target(path, []):
        assert os.path.isdir(path)
    assert os.listdir(tmp_path) == []
    with new_target(path, []):
        (tmp_path / "out" / "a").write_bytes(b"")
    assert os.listdir(tmp_path / "out") == ["a"]
    with pytest.raises(UsageError, match="is not empty"), new_target(path, []):
        pass
    (tmp_path / "mine").mkdir()
    with new_target(os.fsencode(tmp_path / "mine"), []):
        pass
    assert (tmp_path / "mine").is_dir()


def test_a_target_that_another_run_filled_and_let_go_is_refused(tmp_path, monkeypatch):
    path = os.fsencode(tmp_path / "out")
    monkeypatch.setattr(jobs_target, "_lock", lambda handle, path: (tmp_path / "out" / "a").write_bytes(b""))
    with pytest.raises(UsageError, match="is not empty"), new_target(path, []):
        pass
    assert os.listdir(path) == [b"a"]


def test_a_target_that_another_run_removed_is_made_again(tmp_path, monkeypatch):
    path, removed = os.fsencode(tmp_path / "out"), []

    def remove_once(handle, path):
        if not removed:
            removed.append(path)
            os.rmdir(path)

    monkeypatch.setattr(jobs_target, "_lock", remove_once)
    with new_target(path, []):
        assert os.path.isdir(path)
    assert removed
