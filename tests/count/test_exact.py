"""Counting a sorted stream: agrees with a Counter wherever blocks are cut."""

import random
from collections import Counter

import pytest

from gutsort.count.exact import Support, count_blocks, in_order
from gutsort.errors import FormatError, OrderError

SETTINGS = b"#gutsort 1 key=odds head=500 tail=600"


def cut(lines, rng, counted=False):
    blocks, place = [], 0
    while place < len(lines):
        size = rng.choice([1, 2, 3, 50])
        part = lines[place : place + size]
        if counted:
            table = Counter(part)
            blocks.append((list(table), list(table.values())))
        else:
            blocks.append((part, None))
        place += size
        if rng.random() < 0.1:
            blocks.append(([], None))
    return blocks


def flat(rows):
    return [pair for keys, counts in rows for pair in zip(keys, counts, strict=True)]


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("support", [1, 2, 3, 4, 5, 7, 10, 50])
@pytest.mark.parametrize("kind", [bytes, str])
def test_plain_counts_agree_with_a_counter(support, counted, kind):
    for seed in range(20):
        rng = random.Random(seed)
        lines = sorted(rng.choices([b"%x" % n for n in range(rng.choice([1, 5, 100]))] + [b"", b"#", b"\xff"], k=rng.choice([0, 1, 30, 400])))
        expected = [(key, n) for key, n in sorted(Counter(lines).items()) if n >= support]
        if kind is str:
            lines, expected = [line.decode("latin-1") for line in lines], [(key.decode("latin-1"), n) for key, n in expected]
        assert flat(count_blocks(cut(lines, rng, counted), Support(support))) == expected


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("support", [1, 2, 4, 9])
def test_all_places_of_a_key_are_kept_when_head_or_tail_reach_support(support, counted):
    for seed in range(30):
        rng = random.Random(seed)
        keys = [b".key %d" % n for n in range(rng.choice([2, 60]))] + [b"+a", b">a"]
        rows = [b"%b\t%c" % (rng.choice(keys), rng.choice(b"^$==")) for _ in range(rng.choice([10, 400]))]
        lines = sorted(rows + [SETTINGS] * 7)
        table = Counter(lines)
        kept = {row[:-1] for row, n in table.items() if n >= support and row[-1:] in b"^$"}
        expected = [(row, n) for row, n in sorted(table.items()) if row[:-1] in kept or row == SETTINGS]
        assert flat(count_blocks(cut(lines, rng, counted), Support(support))) == expected


def test_the_default_support_of_a_plain_stream_is_more_than_ten():
    assert flat(count_blocks([(["a"] * 10 + ["b"] * 11, None)], Support())) == [("b", 11)]


def test_a_share_is_of_the_settings_records_count():
    lines = sorted([SETTINGS] * 200 + [b".a\t^"] * 3 + [b".b\t^"] * 4)
    assert flat(count_blocks([(lines, None)], Support(None, 2))) == [(SETTINGS, 200), (b".b\t^", 4)]
    assert flat(count_blocks([([b".a\t^"] * 3 + [b".b\t^"] * 4, None)], Support(None, 1.6), (SETTINGS, 200))) == [(b".b\t^", 4)]


def test_a_share_without_settings_record_is_an_error():
    with pytest.raises(FormatError, match="settings record"):
        list(count_blocks([([b"a"], None)], Support(None, 2)))


@pytest.mark.parametrize("blocks", [[[b"a", b"c", b"b"]], [[b"a", b"c"], [b"b"]], [[b"a"], [b"c"], [b"b", b"a"]]])
def test_unsorted_input_is_an_error_that_names_the_line(blocks):
    with pytest.raises(OrderError, match="file:3: not in order"):
        list(in_order(blocks, "file"))
