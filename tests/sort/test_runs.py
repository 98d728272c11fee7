"""Runs: what is spilled is sorted, whole, and within the budget; and the folder it lives in."""

import fcntl
import os
import random
from collections import Counter
from itertools import pairwise

import pytest

from gutsort.errors import SpaceError
from gutsort.sort.bounds import HEADS, bound_of, choose_bounds, count_partitions, partition_cost, shared_bounds
from gutsort.sort.external import count_head, external_sort, merge_runs, reduce_slices
from gutsort.sort.folder import private_folder, sweep
from gutsort.sort.merge import counted_blocks, packed_blocks
from gutsort.sort.partitions import Partitions, share_out
from gutsort.sort.plan import make_plan
from gutsort.sort.runfiles import long_line
from gutsort.sort.runs import RunWriter
from gutsort.sort.source import Input, Source
from gutsort.sort.spools import read_back


def random_lines(seed, count=3000, distinct=1500, longest=30):
    rng = random.Random(seed)
    words = [bytes(rng.choices([*range(10), *range(11, 256)], k=rng.randint(0, longest))) for _ in range(distinct)]
    return rng.choices(words, k=count)


def lines_of(blocks):
    return [
        line.encode("latin-1")
        for lines, counts in blocks
        for line, n in zip(lines, counts or [1] * len(lines), strict=False)
        for _ in range(n)
    ]


def partitions_of(runs, folder, share=1 << 20, *, separator=b"\n", fan_in=100, unique=False):
    plan = make_plan(share, parallel=1, fan_in=fan_in, separator=separator, unique=unique)
    number = len(shared_bounds(folder, list)) + 1
    return Partitions(runs, number, share, separator, lambda slices: reduce_slices(slices, folder, plan))


def merged(runs, folder, share=1 << 20, **options):
    partitions = partitions_of(runs, folder, share, **options)
    return lines_of(partitions.blocks(0, partitions.number))


@pytest.mark.parametrize("distinct", [5, 200, 3000])
@pytest.mark.parametrize("unique", [False, True])
def test_runs_hold_what_was_added_when_the_budget_is_tiny(tmp_path, distinct, unique):
    lines = random_lines(1, distinct=distinct)
    with private_folder([str(tmp_path)]) as folder:
        writer = RunWriter(folder, 4096, unique=unique)
        writer.add_text(b"\n".join(lines[:1500]) + b"\n")
        writer.add(lines[1500:])
        runs = writer.finish()
        assert len(runs) > (3 if distinct > 5 else 0)
        got = merged(runs, folder, 4096, unique=unique)
    assert sorted(got) == got
    assert set(got) == set(lines) if unique else got == sorted(lines)


@pytest.mark.parametrize("separator", [b"\n", b"\0"])
def test_partitions_part_the_runs_between_unequal_lines(tmp_path, separator):
    lines = [line.replace(separator, b"") for line in random_lines(2, longest=400, distinct=900)]
    with private_folder([str(tmp_path)]) as folder:
        writer = RunWriter(folder, 1 << 16, separator=separator)
        writer.add_text(separator.join(lines) + separator)
        partitions = partitions_of(writer.finish(), folder, separator=separator)
        parts = [lines_of(partitions.blocks(n, n + 1)) for n in range(partitions.number)]
        assert partitions.sizes() == [sum(map(len, part)) + len(part) for part in parts]
        assert [partitions.rows(n) for n in range(partitions.number)] == list(map(len, parts))
        several = [line for low, high in share_out(partitions.sizes(), 7) for line in lines_of(partitions.blocks(low, high))]
    parts = list(filter(None, parts))
    assert len(parts) > 3
    assert [line for part in parts for line in part] == several == sorted(lines)
    assert all(a[-1] < b[0] for a, b in pairwise(parts))


def test_partitions_keep_the_places_of_a_key_and_the_settings_together(tmp_path):
    rng = random.Random(3)
    lines = [b".key %d\t%c" % (rng.randrange(300), rng.choice(b"^$=~")) for _ in range(20000)] + [b"#gutsort 1 key=line"] * 7 + [b"#gutsort 0"]
    with private_folder([str(tmp_path)]) as folder:
        writer = RunWriter(folder, 1 << 15)
        writer.add(lines)
        partitions = partitions_of(writer.finish(), folder)
        parts = [lines_of(partitions.blocks(n, n + 1)) for n in range(partitions.number)]
        assert count_head(partitions, folder) == (b"#gutsort 1 key=line", 7)
    keys = [{line.rpartition(b"\t")[0] or line for line in part} for part in parts if part]
    assert len(keys) > 10
    assert sum(map(len, keys)) == len(set().union(*keys))
    assert [b"#gutsort 1 key=line"] * 7 in parts


@pytest.mark.parametrize("fan_in", [2, 5, 1000])
@pytest.mark.parametrize("bounds", [["\xff\xff\xff"], ["", "m"][1:], list("abcdefgh")])
@pytest.mark.parametrize("unique", [False, True])
def test_bounds_that_do_not_suit_the_lines_change_nothing_but_time(tmp_path, fan_in, bounds, unique):
    lines = random_lines(8, count=6000, distinct=5000)
    with private_folder([str(tmp_path)]) as folder:
        assert shared_bounds(folder, lambda: bounds) == bounds
        runs = []
        for name in "ab":
            writer = RunWriter(folder, 1 << 15, name=name, unique=unique)
            writer.add(lines[name == "b" :: 2])
            runs += writer.finish()
        got = b"".join(read_back(merge_runs(runs, folder, make_plan(1 << 15, parallel=1, fan_in=fan_in, unique=unique))))
        assert shared_bounds(folder, lambda: ["other"]) == bounds
    assert got == b"".join(line + b"\n" for line in sorted(set(lines) if unique else lines))


def slices_of(runs, folder):
    partitions = partitions_of(runs, folder)
    with partitions._open() as files:
        return [[len(list(partitions._slices(files, run, n))) for n in range(partitions.number)] for run in runs]


def test_lines_in_order_make_one_slice_a_partition(tmp_path):
    lines = sorted(random_lines(9, count=20000, distinct=20000))
    with private_folder([str(tmp_path)]) as folder:
        writer = RunWriter(folder, 1 << 18)
        writer.add_text(b"\n".join(lines) + b"\n")
        runs = writer.finish()
        assert max(map(max, slices_of(runs, folder))) == 1
        assert merged(runs, folder) == lines


def test_slices_are_merged_before_they_are_written_when_partitions_outgrow_the_memory(tmp_path):
    lines = [b"%08d" % number for number in random.Random(1).choices(range(10**8), k=30000)]
    with private_folder([str(tmp_path)]) as folder:
        shared_bounds(folder, lambda: list("123456789"))
        writer = RunWriter(folder, 1 << 16)
        writer.add_text(b"\n".join(lines) + b"\n")
        runs = writer.finish()
        slices = slices_of(runs, folder)
        assert max(slices[1]) > 1
        assert [max(numbers) for numbers in slices[5:]] == [1] * (len(runs) - 5)
        assert merged(runs, folder, 1 << 16) == sorted(lines)


@pytest.mark.parametrize("first", [True, False])
def test_lines_too_long_to_gather_are_runs_of_their_own(tmp_path, first):
    rng = random.Random(4)
    short = [b"%d" % rng.randrange(10**6) for _ in range(3000)]
    long = [b"5" * 6000, b"5" * 6000 + b"0", b"77" + b"x" * 9000, b""]
    lines = long + short if first else short + long
    with private_folder([str(tmp_path)]) as folder:
        writer = RunWriter(folder, 1 << 15)
        for line in lines:
            writer.add_text(line + b"\n")
        runs = writer.finish()
        assert sorted(run.longest for run in runs if run.rows == 1 and run.longest) == [6001, 6002, 9003]
        assert merged(runs, folder, 1 << 15) == sorted(lines)


def test_a_line_longer_than_the_rest_is_noted():
    text = b"ab\n" * 1000
    assert long_line(text, 0, len(text), b"\n") == 0
    assert long_line(text + b"x" * 700 + b"\n" + text, 0, 2 * len(text), b"\n") == 700


def test_bounds_part_a_sample_evenly_and_never_a_key_from_its_places():
    rng = random.Random(5)
    lines = ["".join(rng.choices("abcdef", k=8)) for _ in range(8000)]
    bounds = choose_bounds(lines, 50)
    assert bounds == sorted(set(bounds))
    sizes = [sum(low <= line < high for line in lines) for low, high in pairwise(["", *bounds, "g"])]
    assert sorted(sizes)[2:] == [160] * 49 + sorted(sizes)[51:] or max(sizes) <= 170
    assert choose_bounds(["a\t^"] * 100, 10) == sorted({"a\t", *HEADS})
    assert bound_of("x" * 300 + "\t^") == bound_of("x" * 300) == "x" * 256
    assert bound_of("a\tbcde") == "a\tbcde"


def test_partitions_are_as_many_as_the_memory_and_the_input_ask_for():
    assert count_partitions(None, 1 << 25, 40) == 512
    assert count_partitions(1000, 1 << 25, 40) == 1
    assert 100 < count_partitions(170_000_000, 1 << 25, 40) < 200
    large = count_partitions(20_000_000_000, 1 << 28, 40)
    assert partition_cost(20_000_000_000 // large, 500_000_000 // large) <= 1 << 28


@pytest.mark.parametrize("seed", range(5))
def test_shares_cover_every_partition_that_holds_something_once(seed):
    rng = random.Random(seed)
    sizes = [rng.choice([0, 0, 1, 5, 100]) for _ in range(60)]
    shares = share_out(sizes, 8)
    held = [n for low, high in shares for n in range(low, high) if sizes[n]]
    assert held == [n for n, size in enumerate(sizes) if size]
    assert max(sum(sizes[low:high]) for low, high in shares) <= sum(sizes) / 8 + 100


@pytest.mark.parametrize("count", [1, 3, 50])
def test_a_source_is_sampled_all_over(tmp_path, count):
    lines = [b"%05d" % n for n in range(20000)]
    names = []
    for number in range(4):
        (tmp_path / str(number)).write_bytes(b"".join(line + b"\n" for line in lines[number * 5000 : number * 5000 + 5000]))
        names.append(Input(os.fsencode(tmp_path / str(number))))
    (tmp_path / "empty").touch()
    source = Source([*names[:2], Input(os.fsencode(tmp_path / "empty")), *names[2:]])
    assert source.size() == 120000
    texts = source.sample(count, 60)
    source.close()
    seen = [line for text in texts for line in text.split(b"\n")]
    assert set(seen) <= set(lines)
    firsts = [int(text[:5]) for text in texts]
    assert len(texts) == count
    assert all(abs(b - a - 20000 / count) < 3 for a, b in pairwise(firsts))


@pytest.mark.parametrize("fan_in", [2, 3, 100])
def test_external_sort_agrees_with_sorted_when_runs_need_passes(tmp_path, fan_in):
    lines = random_lines(4)
    blocks = [lines[i : i + 100] for i in range(0, len(lines), 100)]
    got = external_sort(blocks, 4096, dirs=[str(tmp_path)], fan_in=fan_in, parallel=1)
    assert [line for block in got for line in block] == sorted(lines)
    assert os.listdir(tmp_path) == []


def test_duplicated_lines_are_counted_before_they_are_spilled(tmp_path):
    lines = random_lines(5, count=20000, distinct=30)
    with private_folder([str(tmp_path)]) as folder:
        writer = RunWriter(folder, 1 << 16)
        writer.add(lines)
        runs = writer.finish()
        assert sum(run.rows for run in runs) < 1000
        partitions = partitions_of(runs, folder)
        blocks = list(partitions.blocks(0, partitions.number))
    total = Counter()
    for keys, counts in blocks:
        total.update({key.encode("latin-1"): n for key, n in zip(keys, counts, strict=False)})
    assert total == Counter(lines)


def test_runs_of_several_writers_merge_when_some_are_counted(tmp_path):
    few, many = random_lines(6, count=5000, distinct=20), random_lines(7, count=5000, distinct=5000)
    with private_folder([str(tmp_path)]) as folder:
        runs = []
        for name, lines in (("few", few), ("many", many)):
            writer = RunWriter(folder, 1 << 15, name=name)
            writer.add(list(lines))
            runs += writer.finish()
        assert {run.counts < 0 for run in runs} == {True, False}
        plan = make_plan(1 << 15, parallel=1, fan_in=2)
        got = b"".join(read_back(merge_runs(runs, folder, plan)))
    assert got == b"".join(line + b"\n" for line in sorted(few + many))


def test_counted_blocks_are_distinct_where_equal_lines_fall_into_several():
    blocks = [(["a", "b", "b"], None), (["b", "b"], None), (["b", "c"], [5, 2]), (["c"], [4]), (["d"], None)]
    assert [row for lines, counts in counted_blocks(blocks) for row in zip(lines, counts, strict=True)] == [("a", 1), ("b", 9), ("c", 6), ("d", 1)]


def test_lines_that_count_very_often_are_written_in_bounded_pieces():
    blocks = [(["a", "b", "c", "d"], [3, 10**7, 1, 2]), (["e"] * 3, None)]
    texts = list(packed_blocks(blocks, b"\n"))
    assert max(map(len, texts)) <= 256 << 10
    assert b"".join(texts) == b"a\n" * 3 + b"b\n" * 10**7 + b"c\nd\nd\ne\ne\ne\n"


def test_nothing_is_lost_when_the_last_lines_overflow_the_budget(tmp_path):
    lines = [b"%04d" % n for n in range(2000)]
    got = external_sort([lines[::-1]], 1 << 14, dirs=[str(tmp_path)])
    assert [line for block in got for line in block] == lines


def test_the_folder_is_private_and_goes_when_the_block_ends(tmp_path):
    with pytest.raises(ZeroDivisionError), private_folder([str(tmp_path)]) as folder:
        assert os.stat(folder.paths[0]).st_mode & 0o777 == 0o700
        assert os.path.basename(folder.paths[0]).startswith(f"gutsort-{os.getpid()}-")
        open(folder.path("x"), "w").close()
        raise ZeroDivisionError
    assert os.listdir(tmp_path) == []


def test_a_sweep_takes_only_folders_whose_lock_can_be_had(tmp_path):
    dead, alive, foreign = (tmp_path / name for name in ("gutsort-1-00000000", "gutsort-2-00000000", "gutsort-notes"))
    for folder in (dead, alive, foreign):
        folder.mkdir()
        (folder / "lock").touch()
        (folder / "runs-0").touch()
    with open(alive / "lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        sweep(str(tmp_path))
        assert sorted(os.listdir(tmp_path)) == ["gutsort-2-00000000", "gutsort-notes"]
    sweep(str(tmp_path))
    assert os.listdir(tmp_path) == ["gutsort-notes"]


def test_a_temporary_directory_that_is_not_there_is_named():
    with pytest.raises(SpaceError, match="/nonexistent/dir: No such file"), private_folder(["/nonexistent/dir"]):
        pass
