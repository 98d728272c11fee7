"""The stages of a distributed run, put together by a list for a shuffle: the list is that of one process, however the work is cut."""

import random

import pytest

from gutsort.count.exact import Support
from gutsort.extract.documents import walk
from gutsort.extract.units import Settings
from gutsort.jobs.clean import Options, Sorting, count_ends
from gutsort.jobs.stages import combined, counted, extracted, partition_of, portable, read_ledger, taken_off

SORT = Sorting(1 << 20)


def staged(items, settings, support, tasks, memory):
    """What jobs.spark does, without Spark."""
    pairs = [pair for n in range(tasks) for pair in extracted([(i, d) for i, d in enumerate(items) if i % tasks == n], settings, memory)]
    parts = [[p for p in pairs if partition_of(p[0], 3) == n] for n in range(3)]
    ledger = read_ledger(sorted(parts[0], key=lambda pair: pair[0]))
    off = [pair for number, text in ledger.again for pair in taken_off([(items[number], {text})], settings, memory)]
    rows = b""
    for n, part in enumerate(parts):
        part += [p for p in off if partition_of(p[0], 3) == n]
        rows += b"".join(counted(sorted(part, key=lambda pair: pair[0]), support, ledger))
    return sorted(rows.splitlines(keepends=True), key=lambda row: row.partition(b"\t")[2]), ledger.copies


@pytest.mark.parametrize("key", ["odds", "line", "raw"])
@pytest.mark.parametrize(("tasks", "memory"), [(1, 1 << 20), (4, 1), (5, 2000)])
def test_the_list_is_that_of_one_process_with_copies_counted_once(tree, tmp_path, key, tasks, memory):
    chance = random.Random(9)
    texts = [b"The notice\r\n\x01x\ty\n" + b"".join(b"w%d w%d\n" % (chance.randrange(30), chance.randrange(30)) for _ in range(20)) for _ in range(12)]
    texts += [texts[0], texts[0], texts[5], b"", b"", bytes(range(256))]
    items = list(walk([bytes(tree({f"{n:02}.txt": text for n, text in enumerate(texts)}))]))
    copies = count_ends(items, Options(Settings(key), Support(3)), bytes(tmp_path / "list"), SORT)
    expected = (tmp_path / "list").read_bytes().splitlines(keepends=True)
    assert len(expected) > 5 or key == "odds"
    assert staged(list(map(portable, items)), Settings(key), Support(3), tasks, memory) == (expected, copies)
    assert copies == (4 if key == "odds" else 0)


def test_the_combiner_keeps_sums_and_gives_a_common_key_once_where_memory_allows():
    blocks = [[b"a", b"b"]] * 50
    assert sorted(combined(blocks, 1 << 20)) == [(b"a", 50), (b"b", 50)]
    assert len(list(combined(blocks, 1))) == 100


def test_all_places_of_a_key_are_in_one_partition():
    assert len({partition_of(b"+the notice\t" + place, 97) for place in (b"^", b"$", b"=")}) == 1
