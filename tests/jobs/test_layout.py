"""Where the documents of many operands go."""

import io

import pytest

from gutsort.errors import UsageError
from gutsort.extract.operands import Names
from gutsort.jobs import operands
from gutsort.jobs.operands import layout_of


def names0(names):
    return Names(io.BytesIO(b"".join(name + b"\0" for name in names)))


@pytest.fixture
def spilling(monkeypatch):
    monkeypatch.setattr(operands, "BUDGET", 1 << 16)


def test_equal_names_are_found_however_far_apart(spilling):
    names = [b"d%d/file%d" % (n % 7, n) for n in range(30_000)]
    layout = layout_of(names0(names))
    assert {layout[name] for name in names} == {b""}
    with pytest.raises(UsageError, match="^d0/file7 and x/y/file7 would both be written as file7$"):
        layout_of(names0([*names, b"x/y/file7"]))


def test_names_that_only_begin_alike_are_no_collision(spilling):
    layout_of(names0([b"x/a", b"x/a.b", b"y/a\nb", b"y/a b"]))
    with pytest.raises(UsageError, match=r"x/a\\x0ab and y/a\\x0ab would both"):
        layout_of(names0([b"x/a", b"y/a\nb", b"x/a\nb"]))


def test_directories_go_below_their_own_names(tmp_path, tree):
    folder = bytes(tree({"x/a": b"", "y/b": b"", "c": b""}))
    listed = [folder + b"/x", folder + b"/y/", folder + b"/c"]
    for some in (listed, names0(listed)):
        assert [layout_of(some)[name] for name in listed] == [b"x", b"y", b""]
    assert layout_of(names0([folder]))[folder] == b""
