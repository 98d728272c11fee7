"""Compressed files: all members, all streams, up to where they break; written again with their own header."""

import bz2
import contextlib
import gzip
import io
import lzma
import random
import subprocess
import zlib

import pytest
from conftest import have

from gutsort.extract import compressed, zstd
from gutsort.extract.compressed import GZIP_PLAIN, Compressed, codec_of, decompressed, gzip_header
from gutsort.extract.stream import Broken


def zstd_program(*options):
    return lambda data: subprocess.run(["zstd", "-q", "-c", *options], input=data, capture_output=True, check=True).stdout


FORMATS = {
    "gzip": (gzip.compress, gzip.decompress),
    "bzip2": (bz2.compress, bz2.decompress),
    "xz": (lzma.compress, lzma.decompress),
    "zstd": (zstd_program(), zstd_program("-d")),
}
TEXT = random.Random(3).randbytes(90_000) * 9 + b"a line\n" * 90_000
each_format = pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.skipif(n == "zstd" and not have("zstd"), reason="no zstd program here")) for n in FORMATS]
)


def blocks(data, size=5000):
    return [data[n : n + size] for n in range(0, len(data), size)]


def plain(data):
    return b"".join(decompressed(blocks(data), codec_of(data)))


def packed(data, head):
    target = io.BytesIO()
    out = Compressed(target, codec_of(head), head)
    for block in blocks(data):
        out.write(block)
    out.finish()
    return target.getvalue()


@each_format
@pytest.mark.parametrize("parts", [[TEXT], [TEXT, b"x"], [b""], [b"", b"ab\n"], [b"a", b"", b"b"]])
def test_all_members_are_read_and_the_format_is_written(name, parts):
    pack, unpack = FORMATS[name]
    data = b"".join(map(pack, parts))
    assert codec_of(data[:8192]).name == name
    assert plain(data) == b"".join(parts)
    again = packed(TEXT, data)
    assert (unpack(again), codec_of(again).name) == (TEXT, name)
    assert packed(TEXT, again) == again


@each_format
def test_all_before_a_break_is_read(name):
    data = FORMATS[name][0](TEXT)
    for end in (len(data) - 1, len(data) // 2, 20):
        found = b""
        with pytest.raises(Broken, match=name):
            for block in decompressed(blocks(data[:end]), codec_of(data)):
                found += block
        assert TEXT.startswith(found)
        assert len(found) > 10_000 or end < len(data) // 2 or name != "gzip"


@each_format
@pytest.mark.parametrize("after", [b"no such data, and enough of it", b"\0\0\0\0 and more after padding"])
def test_what_follows_the_data_is_not_passed_over(name, after):
    with pytest.raises(Broken, match=name):
        plain(FORMATS[name][0](b"text\n") + after)


@pytest.mark.parametrize("name", ["gzip", "xz"])
def test_zeros_are_padding(name):
    data = FORMATS[name][0](b"text\n")
    assert plain(data + bytes(8) + data + bytes(4)) == b"text\n" * 2


def test_a_gzip_header_stays_as_it_was():
    target = io.BytesIO()
    with gzip.GzipFile("name.txt", "wb", fileobj=target, mtime=12345) as file:
        file.write(TEXT)
    data = target.getvalue()
    header = gzip_header(data)
    assert header.endswith(b"name.txt\0") or header.endswith(b"name\0")
    assert packed(b"other", data).startswith(header)
    full = b"\x1f\x8b\x08\x1e\1\2\3\4\0\3" + b"\2\0ab" + b"name\0" + b"comment\0" + b"cc"
    assert gzip_header(full + b"data") == full
    assert [gzip_header(full[:n]) for n in range(len(full))] == [None] * len(full)
    assert packed(b"other", full[:15]).startswith(GZIP_PLAIN)


def test_the_check_of_xz_stays():
    for check in (lzma.CHECK_CRC32, lzma.CHECK_SHA256):
        data = lzma.compress(b"text", check=check)
        assert packed(b"other", data)[7] == data[7] == check


def test_a_forged_xz_header_cannot_take_memory(monkeypatch):
    monkeypatch.setattr(compressed, "XZ_MEMORY", 1 << 20)
    data = lzma.compress(b"text" * 9, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 8 << 20}])
    with pytest.raises(Broken, match="needs more than"):
        plain(data)


def test_text_that_looks_like_a_magic_number_is_text():
    for head in (b"BZh9 is no bzip2", b"\x1f\x8b", b"PK\3\4", b"(text", b""):
        assert codec_of(head) is None


@each_format
def test_damage_anywhere_ends_in_a_break_or_in_bytes(name):
    rng = random.Random(name)
    data = FORMATS[name][0](b"some lines\n" * 50)
    for _ in range(20 if name == "zstd" else 200):
        wrong = bytearray(data)
        for _ in range(rng.randint(1, 3)):
            wrong[rng.randrange(8, len(wrong))] = rng.randrange(256)
        with contextlib.suppress(Broken):
            b"".join(decompressed([bytes(wrong)], codec_of(data)))


@pytest.mark.skipif(zstd.zstd_module() is not None, reason="this Python reads zstd itself")
def test_without_zstd_the_message_says_what_it_needs(monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(Broken, match="needs the program zstd"):
        plain(b"\x28\xb5\x2f\xfd rest")


def test_raw_deflate_is_what_zlib_reads():
    assert zlib.decompress(packed(TEXT, gzip.compress(b"")), wbits=31) == TEXT
