"""gutsort-spark refuses what it cannot do, before Spark is asked for."""

import os
import subprocess
import sys

import pytest

PROGRAM = [sys.executable, "-c", "from gutsort.programs.spark import main; main()"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["freq", "a"], "invalid choice: 'freq'"),
        (["-o", "out", "a"], "required: command"),
        (["clean", "-o", "out"], "PATH is missing"),
        (["clean", "-o", "out", "-"], "standard input"),
        (["clean", "-o", "out", "--model", "gutenberg", "a"], "--model does not go with gutsort-spark"),
        (["clean", "-o", "out", "--counter", "sample", "a"], "--counter does not go with gutsort-spark"),
        (["clean", "-o", "out", "-S", "1M", "a"], "--buffer-size does not go with gutsort-spark"),
        (["clean", "-o", "out", "--conf", "x", "a"], "--conf x: expected NAME=VALUE"),
    ],
)
def test_what_it_cannot_do_is_refused(tmp_path, arguments, message):
    done = subprocess.run([*PROGRAM, *arguments], capture_output=True, text=True, check=False, cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.getcwd()})
    assert done.returncode == 2
    assert message in done.stderr
    assert not any(tmp_path.iterdir())
