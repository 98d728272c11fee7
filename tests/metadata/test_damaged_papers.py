# ruff: noqa: E501  (a paper is a line)
"""No input, however damaged, makes the room raise: it is read leniently and gives what is left."""

import random

import pytest
from papers import PROSE_LINES, as_bbox, as_prescript

from gutsort.metadata.find import find_metadata, find_metadata_literally
from gutsort.metadata.read import READERS, guess_format, read_paper

HEAD = (
    f"A Title\nA. Author\n\nA B S T R A C T\n\n{PROSE_LINES}\n\nx^2 = y\n\n(1)\n\nKey words and phrases. operad, tree (of a kind);\nSchlüssel\n\n"
    "2010 Mathematics Subject Classification. Primary 55P48, 18-02; Secondary\n11-XX.\n\f2\n\nA. Author\n\n1 Introduction\n\nText\n"
)
BLOCKS = [(50.0, 40.0 + 60 * number, 10.0, block) for number, block in enumerate(HEAD.replace("\f", "\n").split("\n\n"))]
SOURCES = {"text": HEAD, "prescript": as_prescript(HEAD), "bbox": as_bbox(BLOCKS[:6], BLOCKS[6:])}
INSERTS = [b"\f", b"\n\n", b"<", b">", b"&#x", b"&#99999999;", b"<hr>", b"<i>", b"<!--", b"<![", b"\xff", b"\x00", b"abstract", b"(", b"Keywords:", b"MSC", b"-\n", b"\xcc\x88"]


def damaged(data: bytes, random_: random.Random) -> bytes:
    """`data` cut short, with pieces deleted, doubled, overwritten and put in."""
    data = bytearray(data[: random_.randrange(len(data) + 1)] if random_.random() < 0.5 else data)
    for _ in range(random_.randrange(12)):
        at, size = random_.randrange(len(data) + 1), random_.randrange(1, 40)
        piece = random_.choice([b"", bytes(data[at : at + size]) * 2, random_.randbytes(size), random_.choice(INSERTS)])
        data[at : at + (size if random_.random() < 0.5 else 0)] = piece
    return bytes(data)


@pytest.mark.parametrize("seed", range(200))
def test_no_damage_raises(seed):
    random_ = random.Random(seed)
    source = SOURCES[random_.choice(sorted(SOURCES))].encode()
    data = damaged(source, random_)
    guess_format(data)
    for name in READERS:
        paper = read_paper(data, name)
        for got in (find_metadata(paper, frequent={b"A. Author"}), find_metadata_literally(paper)):
            assert got.abstract is None or got.abstract
            assert all(got.keywords)
            assert (got.msc_place is None) == (got.msc == [])


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"a" * 200_000 + b"-\n", id="one-word"),
        pytest.param(b"Keywords: " + b"a," * 100_000, id="endless-list"),
        pytest.param(b"<" * 200_000, id="tags"),
        pytest.param(b"key words " * 100_000, id="labels"),
        pytest.param(b". " * 100_000, id="leaders"),
        pytest.param(b"Abstract" + b" . ." * 70_000, id="contents"),
        pytest.param(b"ams msc math. " * 80_000, id="societies"),
        pytest.param(b"(1) " * 70_000, id="numbers"),
        pytest.param(b"a\n" * 100_000, id="lines"),
    ],
)
@pytest.mark.parametrize("name", sorted(READERS))
def test_endless_input_of_one_kind_is_read(data, name):
    """A rule that is quadratic in a line would not come back from these in minutes."""
    paper = read_paper(data, name)
    got = find_metadata(paper), find_metadata_literally(paper)
    assert all(each.msc == [] and len(each.abstract or "") < 100_000 for each in got)
