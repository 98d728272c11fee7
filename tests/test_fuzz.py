"""A short run of scripts/fuzz, and that it notices what it is there to notice."""

import importlib.machinery
import importlib.util
from pathlib import Path

import pytest

from gutsort.extract import compressed, tar
from gutsort.jobs import restore

SCRIPT = Path(__file__).parent.parent / "scripts" / "fuzz"


@pytest.fixture(scope="module")
def fuzz():
    loader = importlib.machinery.SourceFileLoader("fuzz", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("fuzz", loader))
    loader.exec_module(module)
    return module


def test_mutated_inputs_fail_nothing(fuzz, capsys):
    assert fuzz.main(["--runs", "60", "--processes", "3", "--seed", "900000"]) == 0, capsys.readouterr().err


def test_an_unexpected_exception_is_noticed(fuzz, monkeypatch, capsys):
    def broken(*_):
        raise KeyError("a bug")

    monkeypatch.setattr(compressed, "gzip_header", broken)
    monkeypatch.setattr(tar, "unsafe_name", broken)
    assert fuzz.main(["--runs", "30", "--processes", "0", "--seed", "900000"]) > 0
    assert "KeyError: 'a bug'" in capsys.readouterr().err


def test_what_is_written_outside_the_target_is_noticed(fuzz, monkeypatch, tmp_path):
    monkeypatch.setattr(fuzz, "run_here", lambda case: (tmp_path / "evil").open("ab").write(b"x"))
    with pytest.raises(fuzz.Failure, match="something outside"):
        fuzz.check(1, tmp_path, as_process=False)


def test_a_document_that_is_restored_wrongly_is_noticed(fuzz, monkeypatch, capsys):
    monkeypatch.setattr(restore, "restore", lambda kept, cut, file, spans: file.write(b"x") and Any())
    assert fuzz.main(["--runs", "10", "--processes", "0", "--program", "restore"]) > 0
    assert "is restored wrongly" in capsys.readouterr().err


class Any:
    """A digest that is the right one."""

    def __ne__(self, other):
        return False


def test_a_hang_is_noticed(fuzz, monkeypatch):
    monkeypatch.setattr(fuzz, "SECONDS", 1)
    with pytest.raises(fuzz.Failure, match="more than 1 s"), fuzz._limited():
        while True:
            pass
