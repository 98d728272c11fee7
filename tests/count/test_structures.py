"""The guarantee of each counting structure, as a property on random skewed streams against exact counts."""

import tracemalloc
from collections import Counter

import pytest
from streams import cut, skewed

from gutsort.count.checksum import FIRST_SLOTS, ChecksumCounter, smallest_type
from gutsort.count.hashed import HashedCounter, fold
from gutsort.count.majority import MajorityCounter
from gutsort.count.sample import SampleCounter
from gutsort.count.spacesaving import SpaceSavingCounter
from gutsort.count.table import TableCounter

SUPPORT = 11
MAKE = {
    "exact": TableCounter,
    "checksum": lambda: ChecksumCounter(SUPPORT),
    "hashed": lambda: HashedCounter(SUPPORT, 1 << 9),
    "majority": lambda: MajorityCounter(150),
    "left": lambda: MajorityCounter(150, left=True),
    "spacesaving": lambda: SpaceSavingCounter(150),
    "sample": lambda: SampleCounter(150, seed=3),
}


def counted(counter, lines, seed=0):
    for block in cut(lines, seed):
        counter.add_many(block)
    return counter


def exact_rows(lines, support):
    return sorted((line, count) for line, count in Counter(lines).items() if count >= support)


def rows(counter, support=SUPPORT):
    return list(zip(*counter.frequent(support), strict=True))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", MAKE)
def test_every_interval_holds_the_true_count(name, seed):
    lines = skewed(seed)
    counter = counted(MAKE[name](), lines)
    for line, count in [*Counter(lines).items(), (b"never seen", 0)]:
        low, high = counter.bounds(line)
        assert low <= count <= high, line


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", MAKE)
def test_lines_above_missed_and_support_are_in_the_list(name, seed):
    lines = skewed(seed)
    counter = counted(MAKE[name](), lines)
    listed = {line for line, _ in rows(counter)}
    off = counter.missed if name == "left" else 0
    wanted = {line for line, count in Counter(lines).items() if count - off >= SUPPORT and count > counter.missed}
    assert wanted <= listed or name == "sample"


@pytest.mark.parametrize("name", MAKE)
def test_the_result_does_not_depend_on_how_the_stream_is_cut(name):
    lines = skewed(7)
    results = {tuple(rows(counted(MAKE[name](), lines, seed))) for seed in range(4)}
    assert len(results) == 1


@pytest.mark.parametrize("name", MAKE)
def test_rows_are_in_byte_order_with_the_counts_that_lookup_gives(name):
    counter = counted(MAKE[name](), skewed(8))
    listed = rows(counter)
    assert listed == sorted(listed)
    assert len(listed) > 5
    assert all(counter[line] == count for line, count in listed)


@pytest.mark.parametrize("name", MAKE)
def test_an_empty_stream_has_no_lines(name):
    assert (rows(MAKE[name]()), MAKE[name]()[b"x"], MAKE[name]().missed) == ([], 0, 0)


# -- checksum ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("support", [1, 2, 11, 256, 300])
def test_checksum_counts_are_exact(support):
    lines = skewed(1) + [b"%d" % number for number in range(9000)] + [b""] * 400 + [b"\0"] * 200
    counter = counted(ChecksumCounter(support), lines)
    assert len(set(lines)) > 2 * FIRST_SLOTS  # it grew, more than once
    assert rows(counter, support) == [(b"", 600)] * (support <= 600) + [row for row in exact_rows(lines, support) if row[0].strip(b"\0")]
    assert all(counter[line] == count for line, count in Counter(lines).items() if line.strip(b"\0"))


def test_lines_whose_checksums_collide_add_up():
    counter = ChecksumCounter(2, digest=lambda lines: [len(line) for line in lines])
    counter.add_many([b"a", b"b", b"cc"])
    assert rows(counter, 2) == [(b"b", 2)]


def test_a_support_below_the_announced_is_refused():
    for counter in (ChecksumCounter(3), HashedCounter(3, 16)):
        with pytest.raises(ValueError, match="support 2 is below the 3"):
            counter.frequent(2)


def test_counts_take_the_smallest_type():
    assert [smallest_type(n) for n in (1, 255, 256, 65536, 1 << 32)] == ["B", "B", "H", "I", "Q"]
    with pytest.raises(ValueError, match="64 bits"):
        smallest_type(1 << 64)


# -- hashed --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("counters", [2, 64, 1 << 9, 1 << 14])
@pytest.mark.parametrize("support", [1, 2, 11, 257, 400])
def test_hashed_has_no_false_negative_and_no_count_too_low(counters, support):
    lines = skewed(2)
    listed = dict(rows(counted(HashedCounter(support, counters), lines), support))
    assert all(listed[line] >= count for line, count in exact_rows(lines, support))


def test_a_counter_holds_the_lines_that_share_it():
    lines = skewed(3)
    counter = counted(HashedCounter(2, 16), lines)
    table = Counter(lines)
    sums = Counter()
    for line, slot in zip(table, counter._slots(list(table)), strict=True):
        sums[slot] += table[line]
    assert all(counter[line] == sums[slot] for line, slot in zip(table, counter._slots(list(table)), strict=True))


def test_a_checksum_is_folded_piece_by_piece():
    checksum = 0b101 << 46 | 0b11 << 23 | 0b1001
    assert fold([checksum], 23) == [0b101 ^ 0b11 ^ 0b1001]
    assert fold([(1 << 64) - 1], 1) == [0]


# -- majority and spacesaving --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("counters", [1, 2, 10, 150, 5000])
@pytest.mark.parametrize("make", [MajorityCounter, SpaceSavingCounter])
def test_every_line_above_its_share_is_held(make, counters):
    for seed in range(5):
        lines = skewed(seed, shape=0.9)
        counter = counted(make(counters), lines)
        share = len(lines) / (counters + 1)
        assert counter.missed <= share
        assert {line for line, count in Counter(lines).items() if count > share} <= {line for line, _ in rows(counter, 1)}
        assert len(rows(counter, 1)) <= counters + 1


def test_majority_agrees_with_the_textbook():
    lines = skewed(4)
    table = Counter()
    for line in lines:
        if line in table or len(table) < 40:
            table[line] += 1
        else:
            table = Counter({other: count - 1 for other, count in table.items() if count > 1})
    assert rows(counted(MajorityCounter(40, left=True), lines), 1) == sorted(table.items())


def test_majority_holds_few_dead_lines():
    counter = MajorityCounter(100)
    for number in range(20_000):
        counter.add_many([b"%d" % number, b"again"])
        assert len(counter._heights) <= 127


def test_spacesaving_and_majority_hold_the_same_counts():
    """With one counter more, space saving's least is majority's steps (Agarwal et al. 2012)."""
    for seed in range(5):
        lines = skewed(seed)
        gm, ss = counted(MajorityCounter(60), lines), counted(SpaceSavingCounter(60), lines)
        ground = min(count for _, count in rows(ss, 1))
        assert ground == gm.missed
        assert sorted(count for _, count in rows(gm, 1)) == sorted(count for _, count in rows(ss, ground + 1))


def test_the_counters_of_spacesaving_sum_to_the_stream():
    lines = skewed(5)
    counter = counted(SpaceSavingCounter(70), lines)
    assert sum(count for _, count in rows(counter, 1)) == len(lines)


# -- sample --------------------------------------------------------------------------------------------------------------------


def test_a_sample_with_room_for_all_is_exact():
    lines = skewed(6)
    assert rows(counted(SampleCounter(10_000), lines)) == exact_rows(lines, SUPPORT)


@pytest.mark.parametrize("documents", [False, True])
def test_a_sample_is_unbiased(documents):
    record = b"#gutsort 1 key=x" if documents else None
    lines = [b"often", b"rare"] * 40 + [b"often"] * 120
    stream = []
    for place, line in enumerate(lines):
        stream += [record] * documents + [line, b"once %d" % place]
    estimates = Counter()
    for seed in range(1500):
        counter = SampleCounter(60, seed=seed, record=record)
        counter.add_many(stream)
        assert counter.level >= 1
        estimates += Counter({line: counter[line] for line in (b"often", b"rare")})
    assert estimates[b"often"] / 1500 == pytest.approx(160, rel=0.03)
    assert estimates[b"rare"] / 1500 == pytest.approx(40, rel=0.06)


def test_a_sampled_document_is_whole():
    record = b"#gutsort 1 key=x"
    counter = SampleCounter(200, record=record)
    for number in range(2000):
        counter.add_many([record, b"a%d" % number, b"both"])
        counter.add_many([b"b%d" % number])
    kept = {line for line, _ in rows(counter, 1)} - {b"both"}
    assert {line[1:] for line in kept if line[:1] == b"a"} == {line[1:] for line in kept if line[:1] == b"b"}
    assert counter.level > 1
    assert counter.bounds(b"both")[0] * 2 == len(kept)


def test_the_seed_decides_the_sample():
    lines = skewed(9)
    one, two, other = (rows(counted(SampleCounter(100, seed=seed), lines), 1) for seed in (1, 1, 2))
    assert one == two != other


# -- memory --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MAKE)
def test_the_memory_accounted_is_that_held(name):
    big = {
        "hashed": lambda: HashedCounter(SUPPORT, 1 << 18),
        "majority": lambda: MajorityCounter(4000),
        "left": lambda: MajorityCounter(4000, left=True),
        "spacesaving": lambda: SpaceSavingCounter(4000),
        "sample": lambda: SampleCounter(4000),
    }
    counter = big.get(name, MAKE[name])()
    tracemalloc.start()
    try:
        for start in range(0, 12_000, 30):
            counter.add_many([b"a line that takes some room: %09d" % number for number in range(start, start + 30)] * 3 + [b"often"] * 12)
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    if name == "hashed":
        held += 1 << 18  # made before the measuring began
    assert 0.6 * held < counter.memory() < 1.7 * held
