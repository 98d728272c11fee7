"""Input that is in order is found to be, and nothing else is."""

import os
import random

import pytest

from gutsort.jobs.sorting import pass_on
from gutsort.sort.external import sort_source
from gutsort.sort.plan import make_plan
from gutsort.sort.presorted import copy_spans, find_presorted
from gutsort.sort.source import Input, Source

SHARE = 1 << 20


def lines_in_order(count=40_000, seed=1):
    rng = random.Random(seed)
    return sorted(b"%06d %s" % (rng.randrange(count), b"\xe9x" * rng.randrange(12)) for _ in range(count))


@pytest.fixture
def files(tmp_path):
    def write(*texts):
        paths = [tmp_path / str(number) for number in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_bytes(text)
        return [Input(os.fsencode(path)) for path in paths]

    return write


def copied(inputs, parallel=3, separator=b"\n", samples=()):
    source = Source(inputs, separator=separator)
    spans = find_presorted(source, samples, make_plan(2 * SHARE * parallel, parallel=parallel, separator=separator))
    return None if spans is None else b"".join(copy_spans(source, spans, separator))


@pytest.mark.parametrize("parallel", [1, 2, 3, 8])
@pytest.mark.parametrize("separator", [b"\n", b"\0"])
def test_files_in_order_are_copied_with_the_separators_they_lack(files, parallel, separator):
    lines = lines_in_order()
    parts = [separator.join(part) for part in (lines[:15_000], lines[15_000:15_001], lines[15_001:])]
    inputs = files(parts[0], b"", parts[1] + separator, parts[2], b"")
    assert copied(inputs, parallel, separator) == separator.join(lines) + separator


@pytest.mark.parametrize("parallel", [1, 2, 3, 8])
def test_one_line_out_of_order_is_found_wherever_it_is(files, parallel):
    lines = lines_in_order(9_000)
    for place in (0, 1, 2_999, 3_000, 4_500, 8_998):
        mixed = lines[:place] + [lines[-1] + b"z"] + lines[place:]
        assert mixed != sorted(mixed)
        assert copied(files(b"\n".join(mixed)), parallel) is None
    assert copied(files(b"\n".join(lines[:10]), b"\n".join(lines)), parallel) is None


def test_a_step_down_between_two_looks_is_found(files):
    look = 2 * SHARE // 64
    low, high = ([b"%s%06d" % (letter, number) for number in range(look // 8)] for letter in (b"a", b"b"))
    assert copied(files(b"\n".join(low + high))) is not None
    assert copied(files(b"\n".join(high + low)), 1) is None


def test_samples_out_of_order_decide(files):
    assert copied(files(b"a\nb"), samples=[b"b\nc", b"a"]) is None


def test_lines_too_long_to_look_at_are_left_to_the_sort(files):
    assert copied(files(b"a\n" * 20_000 + b"b" * SHARE + b"\n")) is None


@pytest.mark.parametrize("disorder", [0, 1])
def test_the_sort_gives_the_same_either_way(files, tmp_path, disorder):
    lines = lines_in_order(300_000)
    if disorder:
        lines[-1], lines[-2] = lines[-1] + b"2", lines[-1] + b"3"
    inputs = files(b"\n".join(lines))
    plan = make_plan(4 << 20, parallel=2, dirs=[str(tmp_path)])
    with open(tmp_path / "target", "w+b") as target:
        pass_on(sort_source(Source(inputs), plan, target=target), target)
    assert (tmp_path / "target").read_bytes() == b"".join(line + b"\n" for line in sorted(lines))
