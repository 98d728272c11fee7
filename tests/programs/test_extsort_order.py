"""extsort on input that is or should be in order: -m, -c and -C, with GNU sort as the oracle."""

import subprocess

import pytest
from test_extsort import PROGRAM, C, gnu, needs_gnu, ours, random_text


@needs_gnu
@pytest.mark.parametrize("seed", range(6))
def test_merge_agrees_with_gnu_sort(tmp_path, seed):
    names = []
    for number in range(3):
        names.append(tmp_path / f"{number}")
        names[-1].write_bytes(gnu(data=random_text(seed * 3 + number, 300_000, 500 if seed % 2 else None)))
    for options in ([], ["-u"]):
        assert ours("-m", "-S", "1M", *options, *names).stdout == gnu("-m", *options, *names)
        assert ours("-m", "-S", "1M", *options, *names[:2], "-", data=names[2].read_bytes()).stdout == gnu("-m", *options, *names)


def test_merging_a_file_that_is_not_sorted_is_an_error(tmp_path):
    (tmp_path / "f").write_bytes(b"a\nc\nb\n")
    got = ours("-m", tmp_path / "f")
    assert got.returncode == 2
    assert b"f:3: not in order" in got.stderr


@needs_gnu
@pytest.mark.parametrize(
    ("options", "data"),
    [
        (o, d)
        for o in (["-c"], ["-cu"], ["-cr"], ["-cz"], ["-C"])
        for d in (b"", b"a\n", b"a\nb\n", b"a\na\n", b"b\na\n", b"b\nb\na\nc\n", b"a\0b")
    ],
)
def test_checks_agree_with_gnu_sort(options, data):
    got, expected = (
        subprocess.run([*program, *options], input=data, capture_output=True, env=C, check=False) for program in (PROGRAM, ["sort"])
    )
    assert (got.returncode, got.stdout) == (expected.returncode, expected.stdout)
    assert got.stderr.replace(b"extsort:", b"") == expected.stderr.replace(b"sort:", b"")
