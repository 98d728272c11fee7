"""Keys of a line, on hand-made truth."""

import pytest

from gutsort.extract.keys import line_key, paper_key


@pytest.mark.parametrize(
    ("line", "key"),
    [
        (b"  Title:\t\tX \r", b"Title: X"),
        (b"\xef\xbb\xbfThe End", b"The End"),
        (b"", None),
        (b" \t\r", None),
        (b"* * * ----- ___", None),
        ("———".encode(), None),
        ("«»".encode("latin-1"), None),
        ("è".encode("latin-1"), b"\xe8"),
        ("第一".encode(), "第一".encode()),
        (b"--1--", b"--1--"),
        (b"a\0b", b"a\0b"),
        ("a\u00a0b".encode(), "a\u00a0b".encode()),
    ],
)
def test_line_key(line, key):
    assert line_key(line) == key


@pytest.mark.parametrize(
    ("line", "key"),
    [
        (b"x" * 29, None),
        (b"x" * 30, b"x" * 30),
        (b" " * 40 + b"x", None),
        (b"a" + b" " * 40 + b"b", b"a b"),  # the length is tested before white space is collapsed
        (b"*" * 40 + b"a--b----c", b"***a--b---c"),
        (b"1234567890" * 4, None),
        (b"\x00" + b"x" * 30 + b"\r", b"x" * 30),
        (b"caf\xe9 " * 8, b"caf\xe9 " * 7 + b"caf\xe9"),
        (b"a\xa0\xa0b" * 10, b"a\xa0\xa0b" * 10),  # Latin-1's no-break space is no white space here
        (b"a\x1c\x1cb" * 10, b"a\x1c\x1cb" * 10),
    ],
)
def test_paper_key(line, key):
    assert paper_key(line) == key
