"""Any structure behind one call, on plain streams and on streams of marked keys."""

import random
from collections import Counter

import pytest
from streams import cut, skewed

from gutsort.count.approximate import METHODS, approximate, count_stream
from gutsort.count.exact import Support, count_blocks
from gutsort.errors import FormatError, UsageError

SETTINGS = b"#gutsort 1 key=odds head=500 tail=600"
ROOMY = {"majority": 5000, "spacesaving": 5000, "sample": 50_000, "hashed": 1 << 20}


def exact(lines, support):
    rows = list(count_blocks([(sorted(lines), None)], support))
    return [key for keys, _ in rows for key in keys], [count for _, counts in rows for count in counts]


def marked(seed, documents=60):
    rng = random.Random(seed)
    lines = []
    for _ in range(documents):
        keys = {b".key %d" % min(int(rng.paretovariate(0.5)), 300) for _ in range(20)}
        lines += [SETTINGS, *(b"%b\t%c" % (key, rng.choice(b"^$=")) for key in sorted(keys))]
    return lines


@pytest.mark.parametrize("support", [None, Support(2), Support(40)])
@pytest.mark.parametrize("method", METHODS)
def test_with_room_for_all_the_list_is_the_exact_one(method, support):
    lines = skewed(1)
    assert approximate(cut(lines, 1), method, support, counters=ROOMY.get(method)) == exact(lines, support or Support())


@pytest.mark.parametrize("support", [None, Support(4), Support(9)])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("ordered", [False, True])
def test_marked_keys_keep_all_places_and_the_settings(method, support, ordered):
    for seed in range(4):
        lines = sorted(marked(seed)) if ordered else marked(seed)
        assert approximate(cut(lines, seed), method, support, counters=ROOMY.get(method)) == exact(lines, support or Support())


@pytest.mark.parametrize("method", METHODS)
def test_a_share_of_the_documents(method):
    share, lines = Support(None, 10), marked(5)
    if method in ("checksum", "hashed"):
        with pytest.raises(UsageError, match="has to know K"):
            approximate([lines], method, share)
    else:
        assert approximate([lines], method, share, counters=ROOMY.get(method)) == exact(lines, share)
        with pytest.raises(FormatError, match="settings record"):
            approximate([[b"a"]], method, share)


def test_settings_are_counted_exactly_by_a_small_structure():
    lines = marked(6, documents=500)
    for method, counters in (("hashed", 16), ("majority", 3), ("spacesaving", 3), ("sample", 20)):
        outcome = count_stream([lines], method, counters=counters)
        keys, counts = outcome.rows()
        assert (keys[0], counts[0], outcome.bounds(SETTINGS)) == (SETTINGS, 500, (500, 500))


def test_the_sample_is_of_documents_where_they_show():
    lines = marked(7, documents=400)
    seen = count_stream([lines], "sample", counters=50).counter
    ordered = count_stream([sorted(lines)], "sample", counters=50).counter
    assert (seen._record, ordered._record) == (SETTINGS, None)
    assert SETTINGS not in seen._fields


def test_the_papers_constants():
    lines = [b"a"] * 6 + [b"b"] * 11
    lists = {method: approximate([lines], method, paper=True) for method in ("exact", "checksum", "hashed", "majority")}
    assert lists.pop("majority") == ([b"a", b"b"], [6, 11])
    assert all(found == ([b"b"], [11]) for found in lists.values())
    assert len(count_stream([lines], "hashed", paper=True).counter._counters) == 1 << 23


@pytest.mark.parametrize("method", ["exact", "checksum"])
def test_counters_do_not_go_with_what_holds_all_lines(method):
    with pytest.raises(UsageError, match="do not go together"):
        approximate([], method, counters=5)


def test_an_unknown_method_names_those_there_are():
    with pytest.raises(UsageError, match="'magic' is no counting method; there are exact, checksum"):
        approximate([[b"a"]], "magic")


def test_the_outcome_has_the_interval_of_each_key():
    lines = skewed(2)
    outcome = count_stream([lines], "majority", Support(5), counters=50)
    true = Counter(lines)
    for key in outcome.rows()[0]:
        low, high = outcome.bounds(key)
        assert low <= true[key] <= high
