"""zip: what did not change is copied, what did is as it was but for its content."""

import io
import random
import shutil
import stat
import subprocess
import zipfile

import pytest
from conftest import have
from taking import first_line, take

from gutsort.extract import zip_writer

BODY = b"first\nsecond\n" + b"more of it\n" * 20
CUT = BODY.removeprefix(b"first\n")
METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]


def info_of(name, method=zipfile.ZIP_DEFLATED, **attributes):
    info = zipfile.ZipInfo(name, (1999, 12, 31, 23, 59, 58))
    info.compress_type = method
    info.external_attr = 0o100640 << 16
    for key, value in attributes.items():
        setattr(info, key, value)
    return info


def archive(infos, comment=b"", data=BODY):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as out:
        for info in infos:
            out.writestr(info, b"" if info.filename.endswith("/") else data)
        out.comment = comment
    return target.getvalue()


KEPT = ("orig_filename", "date_time", "compress_type", "comment", "extra", "external_attr", "internal_attr", "create_system", "file_size")


def members(data):
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert file.testzip() is None
        return [([getattr(i, key) for key in KEPT], file.read(i)) for i in file.infolist()], file.comment


@pytest.mark.parametrize("method", METHODS)
def test_only_content_changes(method):
    infos = [
        info_of("folder/"),
        info_of("folder/a.txt", method, comment=b"a note", extra=b"\x99\x99\2\0ab"),
        info_of("é.txt", method, internal_attr=1),
        info_of("empty", method),
    ]
    data = archive(infos, b"of the whole")
    documents, skipped, out = take("a.zip", data, first_line)
    assert (documents, skipped) == ({b"folder/a.txt": BODY, "é.txt".encode(): BODY, b"empty": BODY}, [])
    assert members(out) == members(archive(infos, b"of the whole", CUT))
    again = take("a.zip", out)
    assert again[2] == out
    assert members(take("a.zip", data)[2]) == members(data)


def test_names_without_a_flag_stay_as_bytes():
    data = archive([info_of("cafe.txt")]).replace(b"cafe.txt", b"caf\xe9.txt")
    documents, _, out = take("a.zip", data, first_line)
    assert list(documents) == [b"caf\xe9.txt"]
    assert out.count(b"caf\xe9.txt") == 2
    assert members(out)[0][0][1] == CUT


def test_sizes_after_the_data_move_into_the_header():
    class Pipe(io.RawIOBase):
        def __init__(self):
            self.data = b""

        def writable(self):
            return True

        def write(self, data):
            self.data += bytes(data)
            return len(data)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w") as out:
        out.writestr(info_of("a"), BODY)
        out.writestr(info_of("b"), b"no line to cut")
    _, skipped, out = take("a.zip", pipe.data, first_line)
    assert skipped == []
    assert [body for _, body in members(out)[0]] == [CUT, b"no line to cut"]


@pytest.mark.parametrize(
    ("info", "why"),
    [
        (info_of("../evil"), "leads outside the archive"),
        (info_of("/abs"), "is an absolute name"),
        (info_of("a\\..\\..\\b"), "leads outside the archive"),
        (info_of("dev", external_attr=stat.S_IFCHR << 16), "is a device or a pipe"),
        (info_of("big link", external_attr=stat.S_IFLNK << 16), "is a link that leads outside the archive"),
    ],
    ids=lambda v: getattr(v, "filename", None),
)
def test_what_could_leave_the_folder_is_refused_and_not_written(info, why):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        file.writestr(info_of("good"), BODY)
        file.writestr(info, b"../../x")
        file.writestr(info_of("link", external_attr=stat.S_IFLNK << 16), b"good")
        file.writestr(info_of("link/below"), BODY)
    documents, skipped, out = take("a.zip", target.getvalue(), first_line)
    assert list(documents) == [b"good"]
    assert skipped == [(info.filename.encode(), why), (b"link/below", "lies below a link")]
    assert [(row[0], body) for row, body in members(out)[0]] == [("good", CUT), ("link", b"good")]


@pytest.mark.skipif(not (have("zip") and have("unzip")), reason="needs zip and unzip")
def test_an_encrypted_member_is_copied_and_opens_with_its_password(tmp_path):
    (tmp_path / "a").write_bytes(BODY)
    subprocess.run(["zip", "-q", "-P", "secret", "a.zip", "a"], cwd=tmp_path, check=True)
    documents, skipped, out = take("a.zip", (tmp_path / "a.zip").read_bytes(), first_line)
    assert (documents, skipped) == ({}, [(b"a", "is encrypted")])
    (tmp_path / "out.zip").write_bytes(out)
    done = subprocess.run(["unzip", "-p", "-P", "secret", "out.zip"], cwd=tmp_path, check=True, capture_output=True)
    assert done.stdout == BODY


def test_an_encrypted_member_keeps_its_flags_and_what_follows_it():
    data = bytearray(archive([info_of("a"), info_of("b")]))
    for place in (data.find(b"PK\3\4") + 6, data.find(b"PK\1\2") + 8):
        data[place] |= 9
    documents, skipped, out = take("a.zip", bytes(data), first_line)
    assert (list(documents), skipped) == ([b"b"], [(b"a", "is encrypted")])
    with zipfile.ZipFile(io.BytesIO(out)) as file:
        assert [i.flag_bits for i in file.infolist()] == [9, 0]
        assert file.read("b") == CUT
    assert out.count(b"PK\7\x08") == 1


def test_an_unknown_method_is_copied():
    data = archive([info_of("a"), info_of("b", zipfile.ZIP_STORED)])
    wrong = data.replace(b"\x08\0", b"\x61\0")
    documents, skipped, out = take("a.zip", wrong, first_line)
    assert list(documents) == [b"b"]
    assert [member for member, _ in skipped] == [b"a"]
    assert wrong[30:50] in out


def test_many_members_are_counted_in_zip64(monkeypatch):
    monkeypatch.setattr(zip_writer, "MANY", 2)
    data = archive([info_of("a"), info_of("b", zipfile.ZIP_STORED), info_of("c", extra=b"\x99\x99\2\0ab")])
    out = take("a.zip", data)[2]
    assert b"PK\6\6" in out
    assert members(out) == members(data)


def test_large_numbers_stand_in_zip64(monkeypatch):
    monkeypatch.setattr(zip_writer, "MANY", 1)
    data, target = archive([info_of("a", extra=b"\x99\x99\2\0ab")]), io.BytesIO()
    file = zipfile.ZipFile(io.BytesIO(data))
    writer = zip_writer.ZipWriter(io.BytesIO(data), file, target)
    for numbers in ([5 << 32, 6 << 32, 7 << 32], [1, 6 << 32, 3], [1, 2, 7 << 32], [1, 2, 3]):
        writer._directory.append(zip_writer._central(file.infolist()[0], 0, numbers, 0))
    writer.finish()
    found = zipfile.ZipFile(target).infolist()
    assert [(i.compress_size, i.file_size, i.header_offset) for i in found] == [
        (5 << 32, 6 << 32, 7 << 32),
        (1, 6 << 32, 3),
        (1, 2, 7 << 32),
        (1, 2, 3),
    ]
    assert all(i.extra.endswith(b"\x99\x99\2\0ab") for i in found)


def test_what_stands_before_the_archive_stays():
    data = b"#!/bin/sh\nunpack me\n" + archive([info_of("a")])
    out = take("a.zip", data, first_line)[2]
    assert out.startswith(b"#!/bin/sh\nunpack me\n")
    assert members(out)[0][0][1] == CUT


def test_a_broken_member_is_named_and_copied():
    data = bytearray(archive([info_of("a"), info_of("b"), info_of("c")]))
    place = data.find(b"PK\3\4", 10) + 45
    data[place] ^= 0xFF
    documents, skipped, out = take("a.zip", bytes(data), first_line)
    assert list(documents) == [b"a", b"c"]
    assert [member for member, _ in skipped] == [b"b"]
    with zipfile.ZipFile(io.BytesIO(out)) as file:
        assert [file.read(name) for name in "ac"] == [CUT, CUT]
        assert file.namelist() == ["a", "b", "c"]


def test_what_is_no_archive_is_copied():
    whole = archive([info_of("a")])
    for data in (b"text\n", whole[:-30], b"PK\3\4"):
        documents, skipped, out = take("a.zip", data, first_line)
        assert (documents, out) == ({}, data)
        assert [member for member, _ in skipped] == [None]


def test_damage_anywhere_is_no_error():
    rng = random.Random(8)
    infos = [info_of("folder/"), info_of("a", comment=b"c"), info_of("é", zipfile.ZIP_LZMA), info_of("b", zipfile.ZIP_STORED)]
    data = archive(infos, b"end")
    for _ in range(1500):
        wrong = bytearray(data)
        for _ in range(rng.randint(1, 4)):
            wrong[rng.randrange(len(wrong))] = rng.choice([0, 1, 255, rng.randrange(256)])
        if rng.random() < 0.2:
            del wrong[rng.randrange(len(wrong)) :]
        take("a.zip", bytes(wrong), first_line, whole=False)


@pytest.mark.skipif(shutil.which("unzip") is None, reason="needs unzip")
def test_info_zip_reads_what_is_written(tmp_path):
    (tmp_path / "a.zip").write_bytes(take("a.zip", archive([info_of(f"é{m}", m) for m in METHODS[:2]]), first_line)[2])
    done = subprocess.run(["unzip", "-t", "a.zip"], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout


def test_an_archive_of_which_nothing_is_cut_is_the_same():
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as out:
        for level in (1, 9):
            out.writestr(info_of(f"{level}"), BODY * 200, compresslevel=level)
    assert take("a.zip", target.getvalue())[2] == target.getvalue()
