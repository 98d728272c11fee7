"""Layers: compressed, container, text or binary, in any order a collection has them."""

import bz2
import gzip
import io
import json
import lzma
import tarfile
import zipfile

import pytest
from taking import first_line, take

from gutsort.extract import containers
from gutsort.extract.containers import texts
from gutsort.extract.documents import document_of_bytes
from gutsort.records import Skipped, Text

BODY = b"first\nsecond\n"


def tar_of(files):
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as tar:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return target.getvalue()


def zip_of(files):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as out:
        for name, data in files.items():
            out.writestr(zipfile.ZipInfo(name), data)
    return target.getvalue()


def jsonl_of(bodies):
    return b"".join(json.dumps({"id": n, "text": body.decode()}).encode() + b"\n" for n, body in enumerate(bodies))


PLAIN = {
    "a.txt": (BODY, b"second\n"),
    "a.tar": (tar_of({"x": BODY}), tar_of({"x": b"second\n"})),
    "a.zip": (zip_of({"x": BODY}), zip_of({"x": b"second\n"})),
    "a.jsonl": (jsonl_of([BODY]), jsonl_of([b"second\n"])),
    "a.mbox": (b"From a Thu Jan  1 00:00:00 1970\nTo: b\n\n" + BODY, b"From a Thu Jan  1 00:00:00 1970\nTo: b\n\nsecond\n"),
}


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize(
    ("ending", "pack", "unpack"), [("", bytes, bytes), (".gz", gzip.compress, gzip.decompress), (".xz", lzma.compress, lzma.decompress)]
)
def test_every_container_compressed_or_not(name, ending, pack, unpack):
    before, after = PLAIN[name]
    documents, skipped, out = take(name + ending, pack(before), first_line)
    assert (list(documents.values()), skipped, unpack(out)) == ([BODY], [], after)


def test_compression_is_told_by_the_bytes_and_containers_by_the_name():
    assert take("a", bz2.compress(BODY), first_line)[0] == {None: BODY}
    assert take("a.gz", BODY, first_line)[2] == b"second\n"
    assert take("a.tar", gzip.compress(tar_of({"x": BODY})))[0] == {b"x": BODY}
    assert take("a.tar.gz", tar_of({"x": BODY}), first_line)[2] == tar_of({"x": b"second\n"})
    assert take("a.TGZ", gzip.compress(tar_of({"x": BODY})))[0] == {b"x": BODY}
    assert take("book.epub", zip_of({"x": BODY}) + b"\0") == ({}, [(None, "is binary")], zip_of({"x": BODY}) + b"\0")


def test_members_are_containers_again():
    packed = zip_of({"x": BODY, "d.tar": tar_of({"y": BODY})})
    inner = {"a.txt.gz": gzip.compress(BODY, mtime=0), "b.jsonl": jsonl_of([BODY, BODY]), "c.zip": packed}
    documents, skipped, out = take("all.tar", tar_of(inner), first_line)
    assert list(documents) == [b"a.txt.gz", b"b.jsonl:1", b"b.jsonl:2", b"c.zip:x", b"c.zip:d.tar:y"]
    assert skipped == []
    again, _, same = take("all.tar", out)
    assert set(again.values()) == {b"second\n"}
    assert same == out


def test_not_for_ever():
    data = BODY
    for _ in range(containers.DEPTH):
        data = gzip.compress(data)
    assert take("a", data)[0] == {}
    assert take("a", gzip.decompress(data))[0] == {None: BODY}
    _, skipped, out = take("a", gzip.compress(data))
    assert skipped == [(None, "has more than 5 containers within one another")]
    assert out == gzip.compress(data)


BINARY = b"text\n\0more\n"


@pytest.mark.parametrize("data", [BINARY, gzip.compress(BINARY), "text\n".encode("utf-16-le"), b"a" * 8191 + b"\0"])
def test_binary_is_named_and_copied(data):
    assert take("a.txt", data, first_line) == ({}, [(None, "is binary")], data)


@pytest.mark.parametrize("data", [b"a" * 8192 + b"\0", "\ufefftext\n".encode("utf-16-le"), b"", b"\n", b"\xff\n\x80"])
def test_text_is_not_binary(data):
    assert take("a.txt", data) == ({None: data}, [], data)


def test_standard_input_is_never_binary_and_json_lines_where_asked():
    assert take("-", BINARY)[0] == {None: BINARY}
    assert take("-", gzip.compress(BINARY))[0] == {None: BINARY}
    assert take("-", b'no\n{"body": "a\\nb"}\n', jsonl_field="body")[:2] == ({b"2": b"a\nb"}, [(b"1", "is no JSON object")])


def test_a_binary_member_stays_in_its_archive():
    data = tar_of({"a": BODY, "b": BINARY})
    documents, skipped, out = take("a.tar", data, first_line)
    assert (list(documents), skipped, out) == ([b"a"], [(b"b", "is binary")], tar_of({"a": b"second\n", "b": BINARY}))


@pytest.mark.parametrize("name", ["a.txt.gz", "a.zip.gz"])
def test_a_broken_file_is_copied_whole(name):
    data = gzip.compress(BODY * 99)[:-9]
    assert take(name, data, first_line) == ({}, [(None, "gzip data breaks off")], data)


@pytest.mark.parametrize("name", ["a.tar.gz", "a.jsonl.gz", "a.mbox.gz"])
def test_all_before_a_break_is_done_and_what_is_written_is_whole(name):
    noise = [b"first\n%d second\n" % (n * n * 7919) * 30 for n in range(200)]
    many = {
        "a.tar.gz": tar_of({str(n): body for n, body in enumerate(noise)}),
        "a.jsonl.gz": jsonl_of(noise),
        "a.mbox.gz": b"".join(b"From a Thu Jan  1 00:00:00 1970\nTo: b\n\n" + body + b"\n" for body in noise),
    }
    data = gzip.compress(many[name])
    documents, skipped, out = take(name, data[: len(data) // 2], first_line)
    assert list(documents.values()) == noise[: len(documents)]
    assert len(documents) > 50
    assert len(skipped) in (1, 2)
    assert "breaks off" in skipped[-1][1] or skipped[-1][1] == "gzip data breaks off"
    again, _, _ = take(name, out)
    assert list(again.values())[: len(documents)] == [body.removeprefix(b"first\n") for body in noise[: len(documents)]]


@pytest.mark.parametrize("name", ["a.tar", "a.jsonl", "a.mbox", "a.zip", "a.txt.gz"])
def test_an_empty_file_is_an_empty_document(name):
    assert take(name, b"") == ({None: b""}, [], b"")


def test_a_text_has_its_head_and_is_its_own_file():
    file = io.BytesIO(BODY * 1000)
    (text,) = texts(document_of_bytes(BODY * 1000), file)
    assert (text.file, text.head, text.target) == (file, (BODY * 1000)[:8192], None)


class Failing(io.BytesIO):
    """A file on a bad disk."""

    def read(self, size=-1):
        if self.tell() >= 300_000:
            raise OSError(5, "Input/output error")
        return super().read(min(size, 100_000))


@pytest.mark.parametrize("name", ["a.tar", "a.jsonl", "a.mbox"])
def test_a_read_error_is_a_break(name):
    body = b"first\nsecond\n" * 400
    many = {
        "a.tar": tar_of({str(n): body for n in range(100)}),
        "a.jsonl": jsonl_of([body] * 100),
        "a.mbox": (b"From a Thu Jan  1 00:00:00 1970\nTo: b\n\n" + body + b"\n") * 100,
    }
    found = list(texts(document_of_bytes(b"", name.encode()), Failing(many[name])))
    assert sum(isinstance(t, Text) for t in found) > 40
    assert "Input/output error" in found[-1].why or "breaks off" in found[-1].why
    assert isinstance(found[-1], Skipped)
