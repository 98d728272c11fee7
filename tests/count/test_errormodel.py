"""The closed forms against simulation, and the paper's two remarks."""

import random

import pytest

from gutsort.count.errormodel import extra_lines, lines_until_stop, simulate_stop

RUNS = 4000


@pytest.mark.parametrize(("s", "gap"), [(0.25, 4), (0.5, 6), (0.9, 10), (1, 10)])
def test_lines_until_stop_is_what_simulation_gives(s, gap):
    rng = random.Random(1)
    mean = sum(simulate_stop(s, gap, rng) for _ in range(RUNS)) / RUNS
    assert lines_until_stop(s, gap) == pytest.approx(mean, rel=0.06)


@pytest.mark.parametrize("p", [0.01, 0.1, 0.2, 0.3])
def test_extra_lines_are_what_simulation_gives(p):
    rng = random.Random(2)
    mean = sum(simulate_stop(1 - p, 10, rng) - 10 for _ in range(RUNS)) / RUNS
    assert extra_lines(p) == pytest.approx(mean, rel=0.12)


def test_the_papers_remarks():
    assert 1.35e6 < lines_until_stop(0.25) < 1.45e6  # "1.4 million lines"
    assert extra_lines(0.2) < 32
    assert extra_lines(0.35) > 100


@pytest.mark.parametrize("value", [0, -1, 1.1])
def test_what_is_no_probability_is_refused(value):
    with pytest.raises(ValueError, match="probability"):
        lines_until_stop(value)
    with pytest.raises(ValueError, match="probability"):
        extra_lines(value)
