"""Bounds part a sample evenly, but never the settings records or the places of a marked key."""

import random
from bisect import bisect_right

from gutsort.sort.bounds import choose_bounds

RECORD = "#gutsort 1 key=odds head=500 tail=500"


def test_all_settings_records_are_in_one_partition_that_holds_nothing_else():
    sample = [RECORD] * 100 + ["#gutsort 1 key=odds head=3 tail=3"] * 50 + [f"line {number}" for number in range(150)]
    bounds = choose_bounds(sample, 10)
    records = {bisect_right(bounds, line) for line in sample if line.startswith("#")}
    assert len(records) == 1
    assert records.isdisjoint(bisect_right(bounds, line) for line in sample if not line.startswith("#"))


def test_the_sample_is_parted_evenly():
    sample = random.Random(1).sample([f"line {number:05}" for number in range(10_000)], 4_000)
    bounds = choose_bounds(sample, 8)
    sizes = [0] * (len(bounds) + 1)
    for line in sample:
        sizes[bisect_right(bounds, line)] += 1
    assert [size for size in sizes if size] == [500] * 8


def test_places_of_a_key_are_not_parted():
    sample = [f"key {number}\t{place}" for number in range(40) for place in "^=$" for _ in range(20)]
    bounds = choose_bounds(sample, 30)
    assert len(bounds) > 10
    for number in range(40):
        assert len({bisect_right(bounds, f"key {number}\t{place}") for place in "^=$"}) == 1
