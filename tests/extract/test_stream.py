"""Reading front to back: nothing before a break is lost."""

import random

import pytest

from gutsort.extract.stream import Broken, Stream, lines


def breaking(blocks):
    yield from blocks
    raise Broken("here")


def pieces_of(data, rng):
    while data:
        size = rng.randint(1, 7)
        yield data[:size]
        data = data[size:]


@pytest.mark.parametrize("limit", [1, 3, 8, 100])
@pytest.mark.parametrize("broken", [False, True])
def test_lines_are_those_of_the_whole(limit, broken, monkeypatch):
    rng = random.Random(limit)
    for block in (1, 2, 5, 1000):
        monkeypatch.setattr("gutsort.extract.stream.BLOCK", block)
        for _ in range(100):
            data = bytes(rng.choices(b"ab\n", k=rng.randint(0, 30)))
            blocks = pieces_of(data, rng)
            found, seen = [], 0
            try:
                for piece, begins in lines(Stream(breaking(blocks) if broken else blocks), limit):
                    assert 0 < len(piece) <= limit + 1
                    found += [piece] if begins else [found.pop() + piece]
            except Broken:
                seen = 1
            assert found == data.splitlines(keepends=True)
            assert seen == broken


def test_a_break_comes_after_all_that_was_there():
    stream = Stream(breaking([b"abc", b"de"]))
    assert stream.read(4) == b"abcd"
    assert stream.read(4) == b"e"
    for _ in range(2):
        with pytest.raises(Broken, match="here"):
            stream.read(1)
