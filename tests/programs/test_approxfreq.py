"""approxfreq as a program: unsorted in, the list of countfreq out; what goes with what; what it says."""

import io
import random
import re
from collections import Counter

import pytest

from gutsort.count.frequent import load_frequent
from gutsort.errors import FormatError, UsageError
from gutsort.programs import approxfreq

METHODS = ["exact", "checksum", "hashed", "majority", "spacesaving", "sample"]


def run(*options, data=b""):
    out = io.BytesIO()
    assert approxfreq.run(approxfreq.build_parser().parse_args(list(map(str, options))), io.BytesIO(data), out) == 0
    return out.getvalue()


def stream(seed=0, mark=b"\n"):
    rng = random.Random(seed)
    lines = [b"line\t%d" % int(rng.paretovariate(0.7)) for _ in range(20_000)]
    return b"".join(line + mark for line in lines)


@pytest.mark.parametrize("method", METHODS)
def test_with_room_for_all_it_prints_what_sort_and_uniq_do(method, gnu):
    counted = gnu(["uniq", "-c"], gnu(["sort"], stream()))
    frequent = b"".join(row + b"\n" for row in counted.splitlines() if int(row.split()[0]) >= 11)
    assert run("--method", method, "--format", "uniq", data=stream()) == frequent


@pytest.mark.parametrize("method", METHODS)
def test_the_list_is_read_as_a_frequent_list(method):
    listed = load_frequent(io.BytesIO(run("--method", method, "-k", 3, data=stream())), "list")
    assert listed == {line: count for line, count in Counter(stream().splitlines()).items() if count >= 3}


@pytest.mark.parametrize("method", METHODS)
def test_zero_terminated_lines_and_a_missing_end(method):
    assert run("--method", method, "-z", "-k", 2, data=b"a\nb\0c\0a\nb") == b"2\ta\nb\0"


def test_files_are_read_as_one_stream(tmp_path):
    (tmp_path / "1").write_bytes(b"b\na")
    (tmp_path / "2").write_bytes(b"a\n")
    assert run("--method", "checksum", "-k", 2, tmp_path / "1", tmp_path / "2") == b"2\ta\n"


def test_output_to_a_file_is_whole_or_not_there(tmp_path):
    assert run("--method", "exact", "-k", 1, "-o", tmp_path / "list", data=b"a\n") == b""
    assert (tmp_path / "list").read_bytes() == b"1\ta\n"
    with pytest.raises(FormatError):
        run("--method", "exact", "-k", "2%", "-o", tmp_path / "other", data=b"a\n")
    assert [path.name for path in tmp_path.iterdir()] == ["list"]


@pytest.mark.parametrize("method", METHODS)
def test_bounds_hold_the_count_and_are_no_frequent_list(method):
    true = Counter(stream().splitlines())
    room = [] if method in ("exact", "checksum") else ["--counters", 256]
    text = run("--method", method, "--bounds", *room, data=stream())
    assert text
    for row in text.splitlines():
        interval, _, key = row.partition(b"\t")
        low, high = map(int, interval.split(b"-"))
        assert low <= true[key] <= high
    with pytest.raises(FormatError, match="1: expected"):
        load_frequent(io.BytesIO(text), "bounds")


def test_the_papers_majority_takes_six_of_what_is_left():
    assert run("--method", "majority", "--paper", data=b"a\n" * 6 + b"b\n" * 5) == b"6\ta\n"
    assert run("--method", "hashed", "--paper", data=b"a\n" * 11 + b"b\n" * 10) == b"11\ta\n"


@pytest.mark.parametrize(
    "options",
    [
        ["--method", "exact", "--counters", 5],
        ["--method", "checksum", "--counters", 5],
        ["--method", "hashed", "--paper", "-k", 5],
        ["--method", "hashed", "--paper", "--counters", 5],
        ["--method", "spacesaving", "--paper"],
        ["--method", "sample", "--paper"],
        ["--method", "exact", "--bounds", "--format", "uniq"],
        ["--method", "hashed", "-k", "2%"],
    ],
)
def test_options_that_contradict_are_usage_errors(options):
    with pytest.raises(UsageError):
        run(*options, data=b"a\n")


def test_a_method_has_to_be_named(program):
    done = program("approxfreq")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"--method" in done.stderr


def test_it_says_when_lines_may_be_missing(program):
    data = b"".join(b"%d\n" % (number % 1000) for number in range(20_000))
    done = program("approxfreq", "--method", "majority", "--counters", "20", "-k", "5", data=data)
    assert done.returncode == 0
    assert b"may be missing, and K is 5: more --counters help\n" in done.stderr
    assert program("approxfreq", "--method", "majority", "--counters", "20", "-k", "5", "-q", data=data).stderr == b""
    assert program("approxfreq", "--method", "majority", "--counters", "1000", "-k", "5", data=data).stderr == b""


def test_it_says_how_small_the_sample_is(program):
    data = b"".join(b"%d\n" % number for number in range(9000))
    done = program("approxfreq", "--method", "sample", "--counters", "1000", data=data)
    assert re.fullmatch(rb"approxfreq: one in (16|32) was sampled: 11 are 1 in the sample\n", done.stderr)


def test_verbose_says_what_is_held(program):
    done = program("approxfreq", "--method", "hashed", "-v", data=b"a\n")
    assert done.stderr == b"approxfreq: 8.4 MB held; every line that occurs more than 10 times is there\n"
