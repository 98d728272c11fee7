"""UTF-16 and UTF-32: every document has a UTF-8 form, and every place in it is one in the document."""

import codecs
import io
import random

import pytest

from gutsort.extract import encodings
from gutsort.extract.encodings import encoding_of, raw_offsets, utf8_view
from gutsort.extract.units import Settings, document_keys

MARKS = {
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}


def noise(rng, encoding):
    """A document of real characters and of anything else, the last unit perhaps not whole."""
    width = 4 if "32" in encoding else 2
    units = [rng.choice(["A", "\n", "é", "€", "😀"]).encode(encoding) if rng.random() < 0.7 else rng.randbytes(width) for _ in range(20)]
    return MARKS[encoding] + b"".join(units[: rng.randint(0, 20)]) + rng.randbytes(rng.randint(0, 3))


@pytest.mark.parametrize("encoding", MARKS)
@pytest.mark.parametrize("block", [4, 8, 1 << 18])
def test_every_character_stands_where_the_codec_puts_it(encoding, block, monkeypatch):
    monkeypatch.setattr(encodings, "BLOCK", block)
    rng = random.Random(block)
    for _ in range(200):
        data = noise(rng, encoding)
        found = encoding_of(data)
        assert found == encoding or (encoding, data[2:4]) == ("utf-16-le", b"\0\0")
        view = utf8_view(io.BytesIO(data), found)
        text = view.read().decode("utf-8", "surrogatepass")
        prefixes = [text[:n] for n in range(len(text) + 1)]
        places = raw_offsets(view, found, [len(p.encode("utf-8", "surrogatepass")) for p in prefixes], len(data))
        assert places == [len(p.encode(found, "surrogatepass")) for p in prefixes[:-1]] + [len(data)]


@pytest.mark.parametrize("encoding", MARKS)
@pytest.mark.parametrize("settings", [Settings("line"), Settings("raw"), Settings(head=2, tail=1), Settings("paper", 0, 0)])
def test_keys_are_those_of_the_same_text_in_utf8(encoding, settings):
    text = "\ufeff" + "".join(f"Line № {n}, not too short for the paper\r\n" for n in range(9)) + "no end 😀"
    keys = document_keys(io.BytesIO(text.encode(encoding)), settings)
    assert keys == document_keys(io.BytesIO(text.encode()), settings)
    assert keys


def test_without_a_mark_it_is_bytes():
    assert encoding_of("text".encode("utf-16-le")) is None
    assert encoding_of(b"\xff\xff") is None
    assert encoding_of(b"") is None
