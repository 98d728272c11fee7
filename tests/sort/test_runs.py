"""Runs: what is spilled is sorted, whole, and within the budget; and the folder it lives in."""

import fcntl
import os
import random
from collections import Counter

import pytest

from gutsort.errors import SpaceError
from gutsort.sort.external import external_sort, make_plan, merge_runs, read_back
from gutsort.sort.folder import private_folder, sweep
from gutsort.sort.merge import Slice, merge_slices, packed_blocks
from gutsort.sort.regions import cut_regions, find_places, place_in
from gutsort.sort.runs import RunWriter


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
        got = lines_of(merge_slices([Slice(run, run.start, run.start + run.size, 0) for run in runs], 4096))
    assert sorted(got) == got
    assert set(got) == set(lines) if unique else got == sorted(lines)


@pytest.mark.parametrize("separator", [b"\n", b"\0"])
@pytest.mark.parametrize("count", [1, 2, 7, 100])
def test_regions_part_the_runs_between_unequal_lines(tmp_path, separator, count):
    lines = [line.replace(separator, b"") for line in random_lines(2, longest=400, distinct=900)]
    with private_folder([str(tmp_path)]) as folder:
        writer = RunWriter(folder, 1 << 16, separator=separator)
        writer.add_text(separator.join(lines) + separator)
        runs = writer.finish()
        regions = cut_regions(runs, count, separator=separator)
        parts = [lines_of(merge_slices(region, 1 << 16, separator=separator)) for region in regions]
    assert [line for part in parts for line in part] == sorted(lines)
    assert all(a[-1] < b[0] for a, b in zip(parts, parts[1:], strict=False))


def test_grouped_regions_keep_the_places_of_a_key_together(tmp_path):
    rng = random.Random(3)
    lines = [b".key %d\t%c" % (rng.randrange(300), rng.choice(b"^$=")) for _ in range(20000)]
    with private_folder([str(tmp_path)]) as folder:
        writer = RunWriter(folder, 1 << 15)
        writer.add(lines)
        regions = cut_regions(writer.finish(), 50, grouped=True)
        parts = [{line.rpartition(b"\t")[0] for line in lines_of(merge_slices(region, 1 << 16))} for region in regions]
    assert len(parts) > 3
    assert sum(map(len, parts)) == len(set().union(*parts))


def test_places_are_found_when_lines_are_longer_than_the_index_keeps(tmp_path):
    lines = [b"x" * 300 + b"%06d" % n for n in range(5000)]
    with private_folder([str(tmp_path)]) as folder:
        writer = RunWriter(folder, 1 << 24)
        writer.add(list(lines))
        run = writer.finish()[0]
        lines = lines[: run.rows]
        for bound in (b"x" * 256, b"x" * 300 + b"003333", b"y", b"a", b"x" * 257):
            ((place, row),) = find_places(run, [bound], b"\n")
            assert row == sum(line < bound for line in lines)
            assert place == row * 307


@pytest.mark.parametrize("seed", range(20))
def test_place_in_finds_what_a_list_would(seed):
    lines = sorted(random_lines(seed, count=30, distinct=20, longest=3))
    text = b"".join(line + b"\n" for line in lines)
    for bound in [*lines, b"", b"\xff\xff\xff\xff", *random_lines(seed + 100, count=10)]:
        assert place_in(text, bound, b"\n") == sum(len(line) + 1 for line in lines if line < bound)


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
        blocks = list(merge_slices([Slice(run, run.start, run.start + run.size, 0) for run in runs], 1 << 16))
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
