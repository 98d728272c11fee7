"""countfreq as a program: what `uniq -c` counts, a threshold, and merging lists."""

import io
import os
import random
import shutil
import subprocess

import pytest

from gutsort.errors import FormatError, OrderError
from gutsort.programs import countfreq

UNIQ, SORT = shutil.which("uniq"), shutil.which("sort")
needs_gnu = pytest.mark.skipif(not (UNIQ and SORT), reason="GNU uniq is the oracle")
C = {**os.environ, "LC_ALL": "C"}


def run(*options, data=b""):
    out = io.BytesIO()
    assert countfreq.run(countfreq.build_parser().parse_args(list(map(str, options))), io.BytesIO(data), out) == 0
    return out.getvalue()


def gnu(program, *options, data=b""):
    return subprocess.run([program, *options], input=data, capture_output=True, env=C, check=True).stdout


@needs_gnu
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("zero", [False, True])
def test_counts_are_those_of_uniq(seed, zero):  # cases 16, 17, 21
    rng = random.Random(seed)
    mark = b"\0" if zero else b"\n"
    pool = [rng.randbytes(rng.randint(0, 4)).replace(mark, b"") for _ in range(rng.choice([3, 300]))] + [
        b"  blank",
        b"",
        b"1 digit",
        b"x\ty",
    ]
    options = ["-z"] if zero else []
    text = gnu(SORT, *options, data=mark.join(rng.choices(pool, k=rng.choice([0, 1, 50, 60000]))))
    counted = gnu(UNIQ, "-c", *options, data=text)
    assert run("-k", 1, "--format", "uniq", *options, data=text) == counted
    frequent = [row for row in counted.split(mark)[:-1] if int(row.split()[0]) >= 7]
    assert run("-k", 7, "--format", "uniq", *options, data=text) == b"".join(row + mark for row in frequent)


def test_the_first_tab_parts_count_and_key():
    assert run("-k", 2, data=b"a\tb\na\tb\nc") == b"2\ta\tb\n"


def test_the_default_is_more_than_ten():
    assert run(data=b"a\n" * 10 + b"b\n" * 11) == b"11\tb\n"


def test_files_are_read_as_one_stream(tmp_path):
    (tmp_path / "1").write_bytes(b"a\nb")
    (tmp_path / "2").write_bytes(b"b\nc\n")
    assert run("-k", 2, tmp_path / "1", tmp_path / "2") == b"2\tb\n"
    with pytest.raises(OrderError, match="1:1: not in order"):
        run(tmp_path / "2", tmp_path / "1")


def test_unsorted_input_names_the_line():
    with pytest.raises(OrderError, match="standard input:3: not in order"):
        run(data=b"a\nc\nb\n")


def test_merged_lists_give_the_list_of_the_whole(tmp_path):
    for name, text in (("1", b"2\ta\n9\tz\n"), ("2", b"      3 a\n      1 b c\n")):
        (tmp_path / name).write_bytes(text)
    names = [tmp_path / "1", tmp_path / "2"]
    assert run("--merge", *names) == b"5\ta\n1\tb c\n9\tz\n"
    assert run("--merge", "-k", 5, "--format", "uniq", *names) == b"      5 a\n      9 z\n"


def test_a_bad_list_names_the_line(tmp_path):
    (tmp_path / "list").write_bytes(b"2\ta\nx\tb\n")
    with pytest.raises(FormatError, match="list:2: expected"):
        run("--merge", tmp_path / "list")


def test_all_places_of_a_kept_key_stay():
    settings = b"#gutsort 1 key=odds head=500 tail=600\n"
    text = settings * 100 + b".a\t$\n" + b".a\t=\n" * 2 + b".a\t^\n" * 5 + b".b\t=\n" * 9
    assert run("-k", "5%", data=text) == b"100\t" + settings + b"1\t.a\t$\n2\t.a\t=\n5\t.a\t^\n"


def test_a_share_of_a_plain_stream_is_an_error():
    with pytest.raises(FormatError, match="settings record"):
        run("-k", "5%", data=b"a\n")


@needs_gnu
def test_order_by_count_is_gnu_sorts():  # case 15
    listed = run("-k", 1, "--format", "uniq", data=b"a\n" * 12 + b"b\n" * 3 + b"c\n" * 3)
    assert gnu(SORT, "-rn", data=listed) == b"     12 a\n      3 c\n      3 b\n"


def test_merged_counts_stay_exact_beyond_a_float():  # case 15
    row = b"%d\ta\n" % (2**53 + 1)
    assert run("--merge", data=row) == row


@pytest.mark.parametrize("value", ["0", "-1", "x", "0%", "101%", "1.5", "%"])
def test_a_support_that_is_none_is_refused(value):
    with pytest.raises(SystemExit):
        countfreq.build_parser().parse_args(["-k", value])
