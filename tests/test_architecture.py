"""Imports point one way: programs -> jobs -> rooms -> formats -> records, errors; and no room imports a sibling."""

import ast
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "gutsort"
BOTTOM = {"records", "errors", "version"}
ROOMS = {"extract", "sort", "count", "strip", "pages", "metadata"}
MAY = {"programs": {"programs", "jobs"} | ROOMS | {"formats"} | BOTTOM, "jobs": {"jobs"} | ROOMS | {"formats"} | BOTTOM}
MAY |= {room: {room, "formats"} | BOTTOM for room in ROOMS} | {"formats": BOTTOM, "records": set(), "errors": set(), "version": set()}
PSUTIL_AND_CO = {"sortedcontainers", "psutil"}
MODULES = sorted(p for p in PACKAGE.rglob("*.py") if p.parent != PACKAGE or p.stem in MAY)


def imported(source: str) -> set[str]:
    """The dotted names a module imports, wherever in it the import stands."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            names |= {f"{base}.{alias.name}" for alias in node.names} if base == "gutsort" else {base}
    return names


def complaints(layer: str, source: str) -> list[str]:
    """What the imports of a module of `layer` break."""
    found = []
    for name in imported(source):
        first, _, rest = name.partition(".")
        if name.startswith("."):
            found.append(f"relative import {name}")
        elif first == "gutsort" and rest.partition(".")[0] not in MAY[layer] | {"COMMANDS"}:
            found.append(f"{layer} imports {name}")
        elif first not in sys.stdlib_module_names | PSUTIL_AND_CO | {"gutsort"} and not (layer == "jobs" and first == "pyspark"):
            found.append(f"{name} is no dependency")
        elif layer in ROOMS | {"jobs", "formats"} and first == "sys":
            found.append(f"{layer} knows sys")
        elif name.startswith("heapq"):
            found.append("heapq is not used")
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_down_in_every_module(path):
    layer = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    assert complaints(layer, path.read_text()) == []


@pytest.mark.parametrize(
    ("layer", "source"),
    [
        ("sort", "from gutsort.extract import keys"),
        ("count", "import gutsort.sort.merge"),
        ("formats", "from gutsort.jobs import clean"),
        ("records", "from gutsort import formats"),
        ("strip", "def f():\n    from gutsort.programs import extract"),
        ("jobs", "import sys"),
        ("sort", "from heapq import merge"),
        ("sort", "import numpy"),
        ("sort", "from . import merge"),
    ],
)
def test_a_wrong_import_is_noticed(layer, source):
    assert complaints(layer, source)
