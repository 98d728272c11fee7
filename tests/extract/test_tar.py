"""tar: headers stay as they were, unsafe members go, and what is there before a break is done."""

import io
import random
import tarfile

import pytest
from taking import first_line, take

from gutsort.extract.tar_headers import SECTOR, number, resized

LONG = "d" * 90 + "/" + "n" * 120
BODY = b"first\nsecond\n"


def archive(entries, kind=tarfile.PAX_FORMAT):
    """Entries are (name, data or None, attributes)."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=kind) as tar:
        for name, data, attributes in entries:
            info = tarfile.TarInfo(name)
            info.mtime = 1234567890
            for key, value in attributes.items():
                setattr(info, key, value)
            info.size = len(data or b"")
            tar.addfile(info, io.BytesIO(data or b""))
    return target.getvalue()


def entries_of(data):
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        return [(i.get_info(), i.pax_headers, tar.extractfile(i).read() if i.isreg() else None) for i in tar]


MANY = [
    ("folder", None, {"type": tarfile.DIRTYPE}),
    ("folder/a.txt", BODY, {"mode": 0o640, "uname": "jane", "gid": 7}),
    ("é/" + LONG, BODY, {"mtime": 1.0}),
    ("empty", b"", {}),
    ("link", None, {"type": tarfile.SYMTYPE, "linkname": "folder/a.txt"}),
    ("hard", None, {"type": tarfile.LNKTYPE, "linkname": "folder/a.txt"}),
    ("large", b"x\n" + bytes(range(1, 256)) * 9000, {}),
    ("no line", b"abc", {}),
]


@pytest.mark.parametrize("kind", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_an_archive_of_which_nothing_is_cut_is_the_same(kind):
    data = archive(MANY, kind)
    documents, skipped, out = take("a.tar", data)
    assert (list(documents.values()), skipped) == ([d for _, d, a in MANY if "type" not in a], [])
    assert [name.decode() for name in documents] == [n for n, _, a in MANY if "type" not in a]
    assert out == data


@pytest.mark.parametrize("kind", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_only_data_and_size_change_in_a_cut_member(kind):
    _, _, out = take("a.tar", archive(MANY, kind), first_line)
    expected = [(n, d and d[d.find(b"\n") + 1 :], a) for n, d, a in MANY]
    assert entries_of(out) == entries_of(archive(expected, kind))
    assert len(out) % tarfile.RECORDSIZE == 0


def test_ustar_prefix_is_part_of_the_name():
    data = archive([("p" * 80 + "/" + "n" * 80, BODY, {})], tarfile.USTAR_FORMAT)
    assert list(take("a.tar", data)[0]) == [b"p" * 80 + b"/" + b"n" * 80]


def test_a_size_in_a_pax_header_is_the_one_that_counts_and_changes():
    data = archive([("a", BODY, {"pax_headers": {"size": str(len(BODY)), "comment": "kept"}}), ("b", BODY, {})])
    documents, _, out = take("a.tar", data, first_line)
    assert list(documents.values()) == [BODY, BODY]
    assert [(pax, body) for _, pax, body in entries_of(out)] == [({"size": "7", "comment": "kept"}, b"second\n"), ({}, b"second\n")]


def test_sizes_beyond_octal_digits_are_written_in_binary():
    header = archive([("a", b"", {})])[:SECTOR]
    (large,) = resized([header], 9 << 33)
    assert tarfile.TarInfo.frombuf(large, "utf-8", "strict").size == 9 << 33 == number(large[124:136])


UNSAFE = [
    (("../evil", BODY, {}), "leads outside the archive"),
    (("a/../../evil", BODY, {}), "leads outside the archive"),
    (("a\\..\\..\\evil", BODY, {}), "leads outside the archive"),
    (("/abs/evil", BODY, {}), "is an absolute name"),
    (("C:\\evil", BODY, {}), "is an absolute name"),
    (("../" + LONG, BODY, {}), "leads outside the archive"),
    (("l", None, {"type": tarfile.SYMTYPE, "linkname": "/etc"}), "is a link to an absolute name"),
    (("d/l", None, {"type": tarfile.SYMTYPE, "linkname": "../../x"}), "is a link that leads outside the archive"),
    (("l", None, {"type": tarfile.LNKTYPE, "linkname": "../x"}), "is a link that leads outside the archive"),
    (("dev", None, {"type": tarfile.CHRTYPE}), "is a device or a pipe"),
    (("pipe", None, {"type": tarfile.FIFOTYPE}), "is a device or a pipe"),
]


@pytest.mark.parametrize(("entry", "why"), UNSAFE, ids=lambda v: None if isinstance(v, str) else v[0][:20])
def test_what_could_leave_the_folder_is_refused_and_not_written(entry, why):
    data = archive([("good", BODY, {}), entry, ("also good", BODY, {})])
    documents, skipped, out = take("a.tar", data, first_line)
    assert list(documents) == [b"good", b"also good"]
    assert skipped == [(entry[0].encode(), why)]
    assert [info["name"] for info, _, _ in entries_of(out)] == ["good", "also good"]


def test_what_lies_below_a_link_is_refused():
    data = archive(
        [
            ("x", None, {"type": tarfile.SYMTYPE, "linkname": "."}),
            ("x/y", None, {"type": tarfile.SYMTYPE, "linkname": ".."}),
            ("./x/z/evil", BODY, {}),
            ("xx/good", BODY, {}),
        ]
    )
    documents, skipped, _ = take("a.tar", data)
    assert list(documents) == [b"xx/good"]
    assert skipped == [(b"x/y", "lies below a link"), (b"./x/z/evil", "lies below a link")]


def test_what_is_before_a_break_is_done():
    data = archive(MANY[:4] + MANY[6:])
    whole, _, _ = take("a.tar", data, first_line)
    for end in (*range(SECTOR, len(data), 5000), 1000, len(data) - 20000):
        documents, skipped, out = take("a.tar", data[:end], first_line)
        assert documents.items() <= whole.items()
        if documents:
            assert len(entries_of(out)) >= len(documents)
            assert len(skipped) <= 1
        else:
            assert skipped or not data[:end]


def test_a_damaged_header_is_said_and_not_taken_for_the_end():
    data = bytearray(archive([("a", BODY, {}), ("b", BODY, {})]))
    data[2 * SECTOR + 3] ^= 1
    documents, skipped, out = take("a.tar", bytes(data), first_line)
    assert (list(documents), skipped) == ([b"a"], [(None, "has a damaged header")])
    assert [body for *_, body in entries_of(out)] == [b"second\n"]


def test_what_follows_the_end_is_said():
    data = archive([("a", BODY, {})])
    assert take("a.tar", data * 2)[1] == [(None, "goes on after the end of the archive")]


@pytest.mark.parametrize("data", [b"text\n" * 200, b"short", b"\1" * 512])
def test_what_is_no_archive_is_copied(data):
    documents, skipped, out = take("a.tar", data, first_line)
    assert (documents, len(skipped), out) == ({}, 1, data)


def test_damage_anywhere_is_no_error():
    rng = random.Random(6)
    data = archive(MANY[:6], tarfile.PAX_FORMAT)
    for _ in range(500):
        wrong = bytearray(data)
        for _ in range(rng.randint(1, 4)):
            wrong[rng.randrange(len(wrong))] = rng.choice([0, 48, 55, 255, rng.randrange(256)])
        take("a.tar", bytes(wrong), first_line)


def test_damage_with_a_right_check_sum_is_no_error():
    rng = random.Random(7)
    data = archive(MANY[:6], tarfile.PAX_FORMAT)
    places = [n for n in range(0, len(data), SECTOR) if data[n + 257 : n + 262] == b"ustar"]
    for _ in range(1000):
        wrong, place = bytearray(data), rng.choice(places)
        for _ in range(rng.randint(1, 4)):
            wrong[place + rng.randrange(SECTOR)] = rng.choice([0, 48, 55, 255, rng.randrange(256)])
        block = wrong[place : place + SECTOR]
        block[148:156] = b" " * 8
        wrong[place + 148 : place + 156] = b"%06o\0 " % sum(block)
        take("a.tar", bytes(wrong), first_line)
