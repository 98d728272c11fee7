"""Output is there whole or not at all."""

import os
import stat

import pytest

from gutsort.errors import SpaceError, UsageError
from gutsort.jobs.target import check_target, lock, whole_file


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


def test_a_lock_is_held_by_one(tmp_path):
    path = os.fsencode(tmp_path / "lock")
    with lock(path), pytest.raises(UsageError, match="another run is at work"), lock(path):
        pass
    with lock(path):
        pass
