"""The parts of the experiments: pictures that are well-formed and hold all points, and measuring a tree of processes."""

import importlib.util
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
SVG = "{http://www.w3.org/2000/svg}"


def load(name):
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("log", [False, True])
def test_a_chart_is_svg_with_all_points_on_the_paper(log):
    series = {"a < b & c": [(1, 3), (1000, 5), (20, 0.01)], "b": [(5, 5)], "none": []}
    root = ElementTree.fromstring(load("svg_plot").chart("T", "x axis", "y axis", series, log_x=log, log_y=log))
    lines = [line.get("points").split() for line in root.iter(f"{SVG}polyline")]
    assert [len(points) for points in lines] == [3, 1, 0]
    places = [tuple(map(float, point.split(","))) for points in lines for point in points]
    assert all(0 <= x <= float(root.get("width")) and 0 <= y <= float(root.get("height")) for x, y in places)
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"T", "x axis", "y axis", "a < b & c", "b", "none"} <= set(texts)
    assert len(texts) > 12  # ticks on both axes


def test_what_a_logarithmic_axis_cannot_show_is_left_out():
    root = ElementTree.fromstring(load("svg_plot").chart("T", "x", "y", {"a": [(0, 1), (1, 0), (1, 1), (2, 3)]}, log_x=True, log_y=True))
    assert len(next(root.iter(f"{SVG}polyline")).get("points").split()) == 2


def test_memory_is_that_of_the_whole_tree():
    hold = "import time; held = bytearray(30 << 20); held[::4096] = b'x' * len(held[::4096]); time.sleep(1)"
    both = f"{sys.executable} -c \"{hold}\" & {sys.executable} -c \"{hold}\"; wait"
    done = load("measure").measure(["sh", "-c", both])
    assert done.status == 0
    assert 60 << 20 < done.peak < 120 << 20
