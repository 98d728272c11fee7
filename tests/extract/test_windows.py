"""Windows against a plain reading of the whole document."""

import io
import random

import pytest

from gutsort.extract import windows
from gutsort.extract.paper import PAPER_HEAD, PAPER_TAIL, paper_units
from gutsort.extract.units import Settings, document_ends, document_keys


@pytest.fixture(params=[8, 64, 1 << 16])
def limit(request, monkeypatch):
    monkeypatch.setattr(windows, "WINDOW_BYTES", request.param)
    return request.param


def random_document(rng):
    lines = [bytes(rng.choices(b"ab\r", k=rng.choice([0, 1, 3, 9]))) for _ in range(rng.randint(0, 30))]
    return b"".join(line + b"\n" for line in lines) + rng.choice([b"", b"end", b"x" * 70])


def whole_lines(data):
    parts = data.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


@pytest.mark.parametrize("count", [1, 5, 100])
def test_windows_are_the_whole_lines_within_both_limits(limit, count):
    rng = random.Random(count)
    for _ in range(300):
        data, junk = random_document(rng), random_document(rng)
        lines = whole_lines(data)
        most = range(min(count, len(lines)), -1, -1)
        head = next(lines[:n] for n in most if len(b"".join(lines[:n])) <= limit)
        tail = next(lines[len(lines) - n :] for n in most if len(b"".join(lines[len(lines) - n :])) <= limit)
        file = io.BytesIO(junk + data + b"after")  # a window is of the span alone
        start, end = len(junk), len(junk) + len(data)
        found = windows.head_window(file, start, end, count)
        assert found == (start, b"".join(head), len(head) < len(lines))
        found = windows.tail_window(file, start, end, count)
        assert found == (end - len(b"".join(tail)), b"".join(tail), len(tail) < len(lines))


def test_raw_keys_of_a_short_document_are_all_its_lines_once():
    rng = random.Random(1)
    for _ in range(300):
        data = random_document(rng)
        keys = document_keys(io.BytesIO(data), Settings("raw", head=4, tail=1000))
        assert b"".join(key + b"\n" for key in keys) == data + (b"\n" if data and not data.endswith(b"\n") else b"")


def test_line_keys_count_once_a_document_and_skip_the_middle():
    data = b"top\n" * 5 + b"middle\n" * 5 + b"END\ntop\n"
    assert document_keys(io.BytesIO(data), Settings("line", head=5, tail=2)) == [b"top", b"END"]


def test_the_byte_order_mark_is_no_part_of_the_text():
    ends = document_ends(io.BytesIO(b"\xef\xbb\xbfa\nb"), *windows.extent(io.BytesIO(b"\xef\xbb\xbfa\nb")), Settings("line"))
    assert [(u.key, u.start, u.end) for u in ends.head] == [(b"a", 3, 5), (b"b", 5, 6)]
    assert ends.tail == ends.head


def test_a_long_line_in_the_middle_costs_nothing_and_cuts_no_line():
    data = b"first\n" + b"x" * (windows.WINDOW_BYTES * 3) + b"\nlast\n"
    assert document_keys(io.BytesIO(data), Settings("line")) == [b"first", b"last"]


LONG = b"this is a line of more than thirty characters, number %d"


def paper_oracle(data):
    """The paper's windows by a reading of the whole, Unix line ends."""
    from gutsort.extract.keys import paper_key

    lines = data.split(b"\n")
    head = [key for line in lines if (key := paper_key(line))][:PAPER_HEAD]
    tail = data[max(0, len(data) - PAPER_TAIL) :].split(b"\n")[1:]
    return head, [key for line in tail if (key := paper_key(line))]


@pytest.mark.parametrize("lines", [0, 1, 10, 301, 302, 600, 2000])
@pytest.mark.parametrize("last", [b"", b"\n", b"\n\n\n"])
def test_paper_windows(lines, last):
    data = b"\n".join(b"short" if n % 7 == 3 else LONG % n for n in range(lines)) + last
    for text in (data, data.replace(b"\n", b"\r\n")):
        head, tail = paper_units(io.BytesIO(text), 0, len(text))
        assert ([u.key for u in head], [u.key for u in tail]) == paper_oracle(data)
        for unit in head + tail:
            assert text[unit.start : unit.end].strip() == unit.key
            assert unit.start == 0 or text[unit.start - 1 : unit.start] == b"\n"


@pytest.mark.parametrize("shift", range(60))
def test_paper_tail_drops_the_line_its_window_begins_in_even_where_it_is_whole(shift):
    data = b"".join(LONG % n + b"\n" for n in range(1000)) + b"y" * shift + b"\n"
    _, tail = paper_units(io.BytesIO(data), 0, len(data))
    assert [u.key for u in tail] == paper_oracle(data)[1]
