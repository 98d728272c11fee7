"""Records of the key odds."""

import io

from gutsort.extract.odds import Lines, make_line, records, short_records
from gutsort.extract.units import Settings, document_keys


def places(found, key):
    return sorted(record.split(b"\t")[1] for record in found if record.split(b"\t")[0] == key)


def test_each_record_once_and_in_equal_order():
    found = records(b"One two\none two\n", b"one two\n", b"three\n")
    assert len(set(found)) == len(found)
    assert found == records(b"One two\none two\n", b"one two\n", b"three\n")


def test_the_places_of_a_long_document():
    found = records(b"alpha beta\n", b"gamma delta\n", b"middle words\n")
    assert [places(found, key) for key in (b"+alpha beta", b"+gamma delta", b"+middle words")] == [[b"^"], [b"$"], [b"="]]


def test_what_an_end_repeats_is_background_too():
    found = records(b"import one\nimport one\nimport one\n", b"tail\ntail\n", b"")
    assert places(found, b"+import one") == [b"=", b"^"]
    assert places(found, b"0tail") == [b"$"]


def test_a_short_document_is_counted_from_its_outer_parts():
    text = b"".join(b"line%c word\n" % letter for letter in b"abcdefghij")
    found = short_records(text, 500, 600)
    assert [places(found, b"+line%c word" % letter) for letter in b"abcdefghij"] == [[b"^"]] * 4 + [[b"~"]] * 2 + [[b"$"]] * 4


def test_short_windows_are_kept_in_a_short_document():
    text = b"".join(b"line%c word\n" % letter for letter in b"abcdefghij")
    found = short_records(text, 1, 2)
    assert sorted(record.split(b"\t")[1] for record in found if record.startswith(b"+")) == sorted(b"^~~~~~~~$$"[n : n + 1] for n in range(10))


def test_documents_of_one_line_and_of_none():
    assert places(short_records(b"only one\n", 500, 600), b"+only one") == [b"^"]
    assert short_records(b"", 500, 600) == []


def test_a_document_that_its_windows_cover_has_no_middle_a_longer_one_has():
    def marks(lines):
        text = b"".join(b"w%s x\n" % (b"a" * number) for number in range(lines))
        return {key[-1:] for key in document_keys(io.BytesIO(text), Settings(head=10, tail=10))[1:]}

    assert marks(20) == {b"^", b"$", b"~"}
    assert marks(60) == {b"^", b"$", b"="}


def test_lines_are_made_as_they_are_asked_for():
    lines = Lines([b"A 12 b", b"", b"***"])
    assert lines[1] is None
    assert lines[2].keys == ()
    assert lines[0] == make_line(b"A 12 b")
    assert lines[::-1][2] == lines[0]
    assert list(lines.filled()) == [True, False, True]
