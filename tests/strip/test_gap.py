"""The paper's rule on hand-made runs: F is a frequent line, . an infrequent one."""

import pytest

from gutsort.count.frequent import FrequentLines
from gutsort.records import Unit
from gutsort.strip.gap import epilogue_start, preamble_end

FREQUENT = FrequentLines({b"F": 20})


def units(text):
    return [Unit(char.encode(), n, n + 1) for n, char in enumerate(text)]


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("", None),
        ("." * 300, None),
        ("F", 1),
        ("F" + "." * 10 + "F...", 12),
        ("F" + "." * 11 + "F...", 1),
        ("." * 200 + "F..", 201),  # before the first frequent line any number of infrequent ones
        ("FF..F" + "." * 20 + "F", 5),
    ],
)
def test_preamble(text, end):
    assert preamble_end(units(text), FREQUENT) == end


@pytest.mark.parametrize(("text", "end"), [("." * 10 + "F", 11), ("." * 11 + "F", None), ("F" + "." * 11 + "F", 1)])
def test_preamble_with_a_limit_before_the_first_frequent_line(text, end):
    assert preamble_end(units(text), FREQUENT, lead=10) == end


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("", None),
        ("....", None),
        ("...F", 3),
        ("..F" + "." * 10, 2),
        ("..F" + "." * 11, None),
        ("F" + "." * 11 + "F.F", 12),
        ("F" + "." * 10 + "F.F", 0),
    ],
)
def test_epilogue(text, start):
    assert epilogue_start(units(text), FREQUENT) == start


@pytest.mark.parametrize("gap", [0, 1, 3])
def test_gap_limit_is_that_of_the_call(gap):
    assert preamble_end(units("F" + "." * gap + "F"), FREQUENT, gap) == gap + 2
    assert preamble_end(units("F" + "." * (gap + 1) + "F"), FREQUENT, gap) == 1
    assert epilogue_start(units("F" + "." * gap), FREQUENT, gap) == 0
    assert epilogue_start(units("F" + "." * (gap + 1)), FREQUENT, gap) is None


def lines(*keys):
    return [Unit(key, n, n + 1) for n, key in enumerate(keys)]


@pytest.mark.parametrize(
    ("marker", "is_end"),
    [
        (b"*** START OF THIS PROJECT GUTENBERG EBOOK X ***", True),
        (b"***START OF THE PROJECT GUTENBERG EBOOK X***", True),
        (b"*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*", True),
        (b"START OF THIS PROJECT GUTENBERG EBOOK", False),
        (b"*** start of this project gutenberg ebook", False),
    ],
)
def test_heuristic_header_end(marker, is_end):
    head = lines(b"a", marker, b"b")
    assert preamble_end(head, FREQUENT, heuristics=True) == (2 if is_end else None)
    assert preamble_end(head, FREQUENT) is None
    assert preamble_end([*head, Unit(b"F", 3, 4)], FREQUENT, heuristics=True) == 4  # never less than the gap rule


@pytest.mark.parametrize(
    ("marker", "is_start"),
    [
        (b"End of the Project Gutenberg EBook of X, by Y", True),
        (b"*** END OF THIS PROJECT GUTENBERG EBOOK X ***", True),
        (b"*** This is the end of Project Gutenberg's X", True),
        (b"ETEXT OF X", True),
        (b"The End of the story", False),
    ],
)
def test_heuristic_footer_start(marker, is_start):
    tail = lines(b"a", marker, *[b"b"] * 30)
    assert epilogue_start(tail, FREQUENT, heuristics=True) == (1 if is_start else None)
    assert epilogue_start(tail, FREQUENT) is None
