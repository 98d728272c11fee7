"""The frequent list as a mapping."""

import io

import pytest

from gutsort.count.frequent import load_frequent
from gutsort.errors import FormatError


def load(data):
    return load_frequent(io.BytesIO(data), "list")


def test_absent_keys_count_nothing_and_are_not_added():
    frequent = load(b"3\ta\n4\tb\tc\n")
    assert (frequent[b"a"], frequent[b"b\tc"], frequent[b"x"]) == (3, 4, 0)
    assert len(frequent) == 2
    assert (frequent.settings, frequent.documents) == (None, None)


def test_equal_keys_add_up_in_any_order():
    assert load(b"3\ta\n9\tb\n1\ta\n") == {b"a": 4, b"b": 9}


def test_the_settings_record_gives_settings_and_documents():
    frequent = load(b"700\t#gutsort 1 key=odds head=500\n5\t.a\t^\n")
    assert (frequent.settings, frequent.documents, dict(frequent)) == ({"key": "odds", "head": "500"}, 700, {b".a\t^": 5})


def test_two_different_settings_records_are_an_error():
    with pytest.raises(FormatError, match="expected one settings record, found another: #gutsort 1 key=raw"):
        load(b"2\t#gutsort 1 key=odds\n2\t#gutsort 1 key=raw\n")


def test_the_digest_is_of_the_entries_whatever_the_style():
    assert load(b"3\ta\n").sha256 == load(b"      3 a\n").sha256 == load(b"3\ta").sha256 != load(b"4\ta\n").sha256
