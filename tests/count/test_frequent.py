"""The frequent list as a mapping."""

import io
import pickle
import random
from collections import Counter

import pytest

from gutsort.count.frequent import FrequentLines, load_frequent
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


def test_many_keys_are_held_as_a_dict_holds_them():
    """Keys of one byte and of many, the empty one, with the bytes that part lines and fields; set again, and asked for when they are absent."""
    rng = random.Random(5)
    truth: dict[bytes, int] = {}
    frequent = FrequentLines()
    for _ in range(20_000):
        key = bytes(rng.choices(b"ab\0\t\xff", k=rng.randrange(9)))
        truth[key] = frequent[key] = frequent[key] + rng.choice([1, 1 << 40])
    absent = [bytes(rng.choices(b"ab\0\t\xff", k=rng.randrange(9, 12))) for _ in range(1000)]
    assert list(frequent.items()) == list(truth.items())
    assert (len(frequent), frequent) == (len(truth), truth)
    assert sum(map(frequent.__getitem__, absent)) == sum(key in frequent for key in absent) == 0
    assert Counter(map(frequent.__contains__, truth)) == {True: len(truth)}
    copy = pickle.loads(pickle.dumps(frequent))  # as Spark sends it to its workers
    assert copy == truth


def test_counts_that_add_up_beyond_64_bits_stop_there():
    assert load(b"9999999999999999999\ta\n" * 2 + b"1\tb\n")[b"a"] == (1 << 64) - 1
    with pytest.raises(FormatError, match='^list:2: expected "COUNT TAB KEY"$'):
        load(b"1\ta\n10000000000000000000\tb\n")
    with pytest.raises(FormatError, match="^list:1: "):
        load(b"1" * 5000 + b" a\n")


def test_the_settings_record_gives_settings_and_documents():
    frequent = load(b"700\t#gutsort 1 key=odds head=500\n5\t.a\t^\n")
    assert (frequent.settings, frequent.documents, dict(frequent)) == ({"key": "odds", "head": "500"}, 700, {b".a\t^": 5})


def test_two_different_settings_records_are_an_error():
    with pytest.raises(FormatError, match="expected one settings record, found another: #gutsort 1 key=raw"):
        load(b"2\t#gutsort 1 key=odds\n2\t#gutsort 1 key=raw\n")


def test_the_digest_is_of_the_entries_whatever_the_style():
    assert load(b"3\ta\n").sha256 == load(b"      3 a\n").sha256 == load(b"3\ta").sha256 != load(b"4\ta\n").sha256
