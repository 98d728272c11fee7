"""What many tests need: programs as processes, GNU's as oracles, and the shared data where it is there."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"


def pytest_addoption(parser):
    parser.addoption("--spark", action="store_true", help="also run the tests marked spark")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--spark"):
        for item in items:
            if item.get_closest_marker("spark"):
                item.add_marker(pytest.mark.skip(reason="Spark: ./scripts/test --spark"))


def pytest_ignore_collect(collection_path):
    """Without PySpark its module cannot be imported for its docstrings."""
    return True if collection_path.match("gutsort/jobs/spark.py") and importlib.util.find_spec("pyspark") is None else None


@pytest.fixture
def shared() -> Path:
    """The shared folder of real data and cases, or a skip."""
    if not SHARED.is_dir():
        pytest.skip("../shared is not here")
    return SHARED


@pytest.fixture
def gnu():
    """Run GNU sort or uniq in byte order: gnu(["sort", "-u"], data) -> bytes, or a skip."""
    if "GNU" not in subprocess.run(["sort", "--version"], capture_output=True, text=True, check=False).stdout:
        pytest.skip("GNU sort is not here")

    def run(command: list[str], data: bytes = b"") -> bytes:
        return subprocess.run(command, input=data, capture_output=True, check=True, env=os.environ | {"LC_ALL": "C"}).stdout

    return run


@pytest.fixture
def program():
    """Run one of gutsort's programs as a process: program("extract", "--key", "raw", data=b"...") -> CompletedProcess of bytes."""

    def run(name: str, *args, data: bytes | None = b"", **kwargs) -> subprocess.CompletedProcess:
        kwargs.setdefault("stdout", subprocess.PIPE)
        kwargs.setdefault("stderr", subprocess.PIPE)
        if "stdin" not in kwargs:
            kwargs["input"] = data
        command = [sys.executable, "-m", "gutsort", name, *(os.fspath(a) if isinstance(a, os.PathLike) else a for a in args)]
        return subprocess.run(command, timeout=120, check=False, **kwargs)

    return run


@pytest.fixture(scope="session")
def make_corpus_module():
    """scripts/make_corpus.py as a module."""
    spec = importlib.util.spec_from_file_location("make_corpus", ROOT / "scripts" / "make_corpus.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_corpus"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def tree(tmp_path):
    """Write files below tmp_path/in: tree({"a/b.txt": b"..."}) -> the directory."""

    def write(files: dict[str, bytes], name: str = "in") -> Path:
        for path, data in files.items():
            target = tmp_path / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        return tmp_path / name

    return write


def tree_bytes(folder: Path) -> dict[str, bytes]:
    """All files below a folder with their content."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def have(command: str) -> bool:
    """Whether a command is on the path."""
    return shutil.which(command) is not None
