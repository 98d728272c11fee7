"""Mailboxes: bodies are cut, and a reader sees the same messages before and after."""

import mailbox
import random

import pytest
from taking import first_line, take

FROM = b"From jane@example.org Thu Jan  1 00:00:%02d 1970\n"
LINES = [b"\n", b"\r\n", b"text\n", b"From here on it is text\n", b">From jane@example.org Thu Jan  1 00:00:00 1970\n", b"Subject: x\n"]


def message(rng, number):
    header = b"".join(rng.sample([b"Subject: a\n", b"To: b\n", b"X: c\n d\n"], k=rng.randint(1, 3)))
    return FROM % number + header + b"\n" + b"".join(rng.choices(LINES, k=rng.randint(0, 8))) + b"\n"


def seen_by_a_reader(path, data):
    path.write_bytes(data)
    box = mailbox.mbox(path, create=False)
    return [m.get_from() for m in box]


def test_messages_stay_messages_whatever_is_cut(tmp_path):
    rng = random.Random(4)
    for _ in range(150):
        parts = [message(rng, n) for n in range(rng.randint(1, 5))]
        data = b"".join(parts)

        def some(body):
            ends = [0, *(n + 1 for n, byte in enumerate(body) if byte == 10)]
            return [tuple(sorted(rng.choices(ends, k=2)))]

        documents, skipped, out = take("a.mbox", data, some)
        assert list(documents) == [b"%d" % n for n in range(1, len(parts) + 1)]
        assert skipped == []
        for part, body in zip(parts, documents.values(), strict=True):
            assert part.removesuffix(b"\r\n").removesuffix(b"\n").endswith(body)
        again = take("a.mbox", out)
        assert list(again[0]) == list(documents)
        assert again[2] == out
        plain = out.replace(b"\nFrom here", b"\n>From here")
        starts = [b for b in seen_by_a_reader(tmp_path / "m", plain) if "jane" in b]
        assert len(starts) == len(parts)
        assert take("a.mbox", data)[2] == data


def test_the_header_is_no_text_and_the_last_blank_line_stays():
    data = FROM % 1 + b"Subject: a\n\none\ntwo\n\n" + FROM % 2 + b"To: b\n\nthree\nfour"
    documents, _, out = take("a.mbox", data, first_line)
    assert documents == {b"1": b"one\ntwo\n", b"2": b"three\nfour"}
    assert out == FROM % 1 + b"Subject: a\n\ntwo\n\n" + FROM % 2 + b"To: b\n\nfour"


@pytest.mark.parametrize("data", [b"", FROM % 1, FROM % 1 + b"To: b\n", FROM % 1 + b"To: b\n\n", FROM % 1 + b"\n\n"])
def test_empty_bodies(data):
    documents, skipped, out = take("a.mbox", data, first_line)
    assert (set(documents.values()) <= {b""}, skipped, out) == (True, [], data)


def test_what_is_no_mailbox_is_copied():
    data = b"no mailbox\n" + FROM % 1
    documents, skipped, out = take("a.mbox", data, first_line)
    assert (documents, out) == ({}, data)
    assert skipped == [(None, "is no mailbox: its first line does not begin a message")]
