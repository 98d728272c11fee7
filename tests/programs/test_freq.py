"""gutsort freq: the pipe extsort | countfreq in one process tree gives the same bytes."""

import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

C = {**os.environ, "LC_ALL": "C", "PYTHONPATH": str(Path(__file__).parents[2])}
SETTINGS = b"#gutsort 1 key=odds head=500 tail=600"


def freq(*options, data=b""):
    program = [sys.executable, "-c", "from gutsort.programs.freq import main; main()", *map(str, options)]
    got = subprocess.run(program, input=data, capture_output=True, check=False, env=C, timeout=120)
    assert (got.returncode, got.stderr) == (0, b"")
    return got.stdout


def listed(rows):
    return b"".join(b"%d\t%b\n" % (n, key) for key, n in sorted(rows))


@pytest.mark.parametrize("parallel", [1, 2, 3])
@pytest.mark.parametrize("distinct", [200, 60_000])
@pytest.mark.parametrize("support", [1, 5])
def test_counts_agree_with_a_counter(tmp_path, parallel, distinct, support):
    rng = random.Random(distinct)
    lines = [b"line %d %d" % (n, n * n) for n in (min(rng.randrange(distinct), rng.randrange(distinct)) for _ in range(300_000))]
    text = b"\n".join(lines)
    expected = listed((key, n) for key, n in Counter(lines).items() if n >= support)
    assert freq("-k", support, "-S", "6M", "--parallel", parallel, "-T", tmp_path, data=text) == expected
    (tmp_path / "input").write_bytes(text)
    assert freq("-k", support, "-S", "6M", "--parallel", parallel, "-T", tmp_path, tmp_path / "input") == expected
    assert os.listdir(tmp_path) == ["input"]


@pytest.mark.parametrize("parallel", [1, 3])
@pytest.mark.parametrize("option", [["-k", "4"], ["-k", "2%"], []])
def test_marked_keys_are_kept_with_all_their_places(parallel, option):
    rng = random.Random(1)
    rows = [b".some longer key of a line %d\t%c" % (rng.randrange(60_000), rng.choice(b"^$=")) for _ in range(200_000)]
    lines = [*rows, *[SETTINGS] * 200]
    rng.shuffle(lines)
    table = Counter(lines)
    support = 4  # 2% of 200; the default of so many documents is below: max(3, 0.25 * sqrt(200)) = 4
    kept = {row[:-1] for row, n in table.items() if n >= support and row[-1:] in b"^$"}
    expected = listed((row, n) for row, n in table.items() if row[:-1] in kept or row == SETTINGS)
    assert freq(*option, "-S", "6M", "--parallel", parallel, data=b"\n".join(lines)) == expected
