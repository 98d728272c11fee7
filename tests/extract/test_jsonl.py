"""JSON Lines: the field's string is sliced as it is spelled, and everything else stays, byte for byte."""

import json
import random

import pytest
from taking import first_line, nothing, take

from gutsort.extract import jsonl
from gutsort.extract.jsonl import string_places

CHARS = ["a", "é", "€", "😀", "\n", '"', "\\", "\t", "/", "\u2028", "\0", "\ud800", "\udc00"]


def spell(rng, text):
    """A JSON string for `text`, each character spelled in one of its ways."""
    out = []
    for char in text:
        plain = json.dumps(char, ensure_ascii=False)[1:-1]
        escaped = json.dumps(char)[1:-1]
        hexed = escaped if len(char.encode("utf-16-be", "surrogatepass")) > 2 else f"\\u{ord(char):04X}"
        ways = [hexed, escaped] if "\ud800" <= char <= "\udfff" else [plain, escaped, hexed] + (["\\/"] if char == "/" else [])
        out.append(rng.choice(ways))
    return "".join(out)


def texts_of(rng):
    text = "".join(rng.choices(CHARS, k=rng.randint(0, 25)))
    while "\ud800\udc00" in text:
        text = text.replace("\ud800\udc00", "")  # two halves are one character
    return text


def test_every_place_of_the_text_is_found_in_its_string():
    rng = random.Random(1)
    for _ in range(2000):
        text = texts_of(rng)
        string = spell(rng, text)
        data = text.encode("utf-8", "surrogatepass")
        starts = [len(text[:n].encode("utf-8", "surrogatepass")) for n in range(len(text) + 1)]
        some = sorted(rng.choices(starts, k=4))
        for offset, place in zip(some, string_places(string, data, some), strict=True):
            before, after = json.loads(f'"{string[:place]}"'), json.loads(f'"{string[place:]}"')
            assert (before + after, before.encode("utf-8", "surrogatepass")) == (text, data[:offset])


def test_a_cut_takes_its_bytes_and_nothing_else():
    rng = random.Random(2)
    for _ in range(500):
        text = texts_of(rng).replace("\udc00", "")  # else a cut could make one of two halves
        before = '\ufeff {"n" :1.0e5, "text": 3,\t"t\\u0065xt":"'
        after = '" , "z":[{"text":"no"}],"big":123456789012345678901234567890 }\r\n'
        line = (before + spell(rng, text) + after).encode()

        data = text.encode("utf-8", "surrogatepass")
        a, b, c, d = sorted(rng.choices([len(text[:n].encode("utf-8", "surrogatepass")) for n in range(len(text) + 1)], k=4))
        documents, skipped, out = take("a.jsonl", line, lambda _, cuts=((a, b), (c, d)): list(cuts))
        assert (documents, skipped) == ({b"1": data}, [])
        assert out.startswith(before.encode())
        assert out.endswith(after.encode())
        assert json.loads(out.decode().removeprefix("\ufeff"))["text"].encode("utf-8", "surrogatepass") == data[:a] + data[b:c] + data[d:]


def test_what_is_not_cut_stays_byte_for_byte():
    data = b'{"text":"a\\nb\\u00e9"}\r\n\n  \n{"text":"no end"}'
    assert take("a.jsonl", data) == ({b"1": "a\nbé".encode(), b"4": b"no end"}, [], data)


REFUSED = [
    (b"no json", "is no JSON object"),
    (b'{"text": "a"', "is no JSON object"),
    (b'{"text": "a"} x', "is no JSON object"),
    (b'{"text": "a",}', "is no JSON object"),
    (b'{"text" "a"}', "is no JSON object"),
    (b'{text: "a"}', "is no JSON object"),
    (b'{1: "a", "text": "a"}', "is no JSON object"),
    (b'["text", "a"]', "is no JSON object"),
    (b'"text"', "is no JSON object"),
    (b'{"text": "tab\there"}', "is no JSON object"),
    (b'{"text": "\xff"}', "is not UTF-8"),
    (b'{"other": "a"}', "has no field 'text'"),
    (b"{}", "has no field 'text'"),
    (b'{"a": {"text": "a"}}', "has no field 'text'"),
    (b'{"text": 12}', "has a field 'text' that is no string"),
    (b'{"text": null}', "has a field 'text' that is no string"),
    (b'{"text":' + b"[" * 100_000, "is no JSON object"),
    (b'{"n": ' + b"9" * 5000 + b', "text": {}}', "has a field 'text' that is no string"),
]


@pytest.mark.parametrize(("line", "why"), REFUSED, ids=range(len(REFUSED)))
def test_a_refused_line_is_named_and_stays(line, why):
    data = b'{"text": "one\\ntwo"}\n' + line + b'\n{"text": "x\\ny"}\n'
    documents, skipped, out = take("a.jsonl", data, first_line)
    assert documents == {b"1": b"one\ntwo", b"3": b"x\ny"}
    assert skipped == [(b"2", why)]
    assert out == b'{"text": "two"}\n' + line + b'\n{"text": "y"}\n'


def test_another_field_can_be_named():
    data = b'{"body": "one\\ntwo", "text": "three\\nfour"}\n'
    assert take("a.jsonl", data, first_line, jsonl_field="body")[2] == b'{"body": "two", "text": "three\\nfour"}\n'
    assert take("a.txt", data, first_line, jsonl_field="body")[2] == b'{"body": "two", "text": "three\\nfour"}\n'
    assert take("a.txt", b"a text\n{}\n", nothing, jsonl_field="body")[0] == {None: b"a text\n{}\n"}


def test_of_two_fields_of_one_name_the_last_counts():
    data = b'{"text": "a\\nb", "text": "c\\nd"}\n'
    assert take("a.ndjson", data, first_line)[2] == b'{"text": "a\\nb", "text": "d"}\n'


def test_a_line_beyond_the_limit_is_refused_and_copied(monkeypatch):
    monkeypatch.setattr(jsonl, "LINE_BYTES", 64)
    data = b'{"text": "a\\nb"}\n{"text": "' + b"long " * 40 + b'"}\n{"text": "c\\nd"}\n'
    documents, skipped, out = take("a.jsonl", data, first_line)
    assert list(documents) == [b"1", b"3"]
    assert [member for member, _ in skipped] == [b"2"]
    assert out == data.replace(b"a\\n", b"").replace(b"c\\n", b"")
