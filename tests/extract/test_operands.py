"""Names of a list that is read again, not held."""

import io
import tracemalloc

import pytest

from gutsort.errors import UsageError
from gutsort.extract.operands import Names


def test_names_of_a_list_are_any_bytes():
    names = Names(io.BytesIO(b"a\0-n\0two\nlines\0\xff"))
    assert list(names) == [b"a", b"-n", b"two\nlines", b"\xff"]
    assert (len(names), b"-n" in names, b"n" in names) == (4, True, False)
    with pytest.raises(UsageError, match="name 2 is empty"):
        Names(io.BytesIO(b"a\0\0b\0"))


def test_a_list_is_read_by_several_at_once():
    names = Names(io.BytesIO(b"".join(b"%d\0" % n for n in range(500_000))))  # more than the spool keeps in memory
    for n, pair in enumerate(zip(names, names, strict=True)):
        assert pair == (b"%d" % n, b"%d" % n)
    assert n == 499_999


def test_a_long_list_takes_no_more_memory_than_a_short_one(tmp_path):
    peaks = []
    for count in (60_000, 480_000):
        (tmp_path / "list").write_bytes(b"".join(b"%050d\0" % n for n in range(count)))
        tracemalloc.start()
        with open(tmp_path / "list", "rb") as file:
            assert sum(map(len, Names(file))) == 50 * count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 1_000_000
