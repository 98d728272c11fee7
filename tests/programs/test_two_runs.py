"""Two runs on one target at once: the second is refused, and changes nothing."""

import fcntl
import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import tree_bytes

PAGE = b"<html><body><p>shared words of the page</p></body></html>"


@pytest.fixture
def material(tree, tmp_path, program):
    """Documents, pages, lists, and what restore reads."""
    folder = tree({f"{n:02}": b"shared opening\nown %d\n" % n for n in range(12)})
    tree({"a.html": PAGE, "b.html": PAGE}, "pages")
    (tmp_path / "list").write_bytes(b"12\tshared opening\n")
    (tmp_path / "empty").write_bytes(b"")
    done = program("stripfreq", tmp_path / "list", folder, "-o", tmp_path / "clean", "--keep-cuts", tmp_path / "cuts", "--report", tmp_path / "report")
    assert done.returncode == 0
    return tmp_path


COMMANDS = {
    "clean": ["clean", "{}/in"],
    "clean --pages": ["clean", "--pages", "{}/pages"],
    "stripfreq": ["stripfreq", "{}/list", "{}/in"],
    "stripfreq --pages": ["stripfreq", "--pages", "{}/empty", "{}/pages"],
    "restore": ["restore", "{}/report", "{}/cuts", "{}/clean"],
    "maintext": ["maintext", "{}/pages"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_held_target_is_refused_and_stays_as_it_is(material, program, command):
    (material / "out").mkdir()
    argv = [arg.format(material) for arg in COMMANDS[command]]
    handle = os.open(material / "out", os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        refused = program(*argv, "-o", material / "out")
    finally:
        os.close(handle)
    assert (refused.returncode, os.listdir(material / "out")) == (2, [])
    assert b"another run is at work there" in refused.stderr
    before = set(os.listdir(material))
    done = program(*argv, "-o", material / "out")
    assert done.returncode == 0, done.stderr
    assert len(tree_bytes(material / "out")) == (2 if "pages" in argv[-1] or "--pages" in argv else 12)
    assert set(os.listdir(material)) - before <= {"out.gutsort"}


@pytest.mark.parametrize("command", ["clean", "clean --pages"])
def test_the_folder_beside_the_target_is_held_as_well(material, program, command):
    (material / "out.gutsort").mkdir()
    with open(material / "out.gutsort" / "lock", "wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        done = program(*(arg.format(material) for arg in COMMANDS[command]), "-o", material / "out")
    assert (done.returncode, (material / "out").exists()) == (2, False)
    assert b"another run is at work there" in done.stderr


@pytest.mark.parametrize("command", ["stripfreq", "restore", "clean"])
def test_of_runs_at_once_each_does_all_or_is_refused(material, program, command):
    argv = [arg.format(material) for arg in COMMANDS[command]]
    expected = tree_bytes(material / ("in" if command == "restore" else "clean"))
    with ThreadPoolExecutor(3) as pool:
        runs = list(pool.map(lambda _: program(*argv, "-o", material / "out"), range(3)))
    assert tree_bytes(material / "out") == expected
    statuses = sorted(run.returncode for run in runs)
    assert statuses[0] == 0
    assert set(statuses) <= {0, 2}
    assert all(b"Traceback" not in run.stderr for run in runs)
    if command != "clean":  # which finds all done by the run before it
        assert statuses == [0, 2, 2]
