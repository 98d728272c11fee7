"""A diff is right when GNU patch makes the stripped document of it."""

import io
import random
import shutil
import subprocess

import pytest

from gutsort.records import Cut
from gutsort.strip.diff import unified_diff


def diff(data, spans):
    return b"".join(unified_diff(io.BytesIO(data), [Cut(*span, "") for span in spans], b"doc"))


def test_no_cut_no_diff():
    assert diff(b"a\nb\n", []) == b""


def test_a_cut_at_the_head():
    data = b"n\nm\n\na\nb\nc\nd\n"
    assert diff(data, [(0, 5)]) == b"--- doc\n+++ doc\n@@ -1,6 +1,3 @@\n-n\n-m\n-\n a\n b\n c\n"


def test_a_cut_behind_the_byte_order_mark_changes_the_first_line():
    data = b"\xef\xbb\xbfn\na\nb\n"
    assert diff(data, [(3, 5)]) == b"--- doc\n+++ doc\n@@ -1,3 +1,2 @@\n-\xef\xbb\xbfn\n-a\n+\xef\xbb\xbfa\n b\n"


@pytest.mark.skipif(not shutil.which("patch"), reason="patch is not here")
@pytest.mark.parametrize("seed", range(60))
def test_patch_makes_the_stripped_document(seed, tmp_path):
    rng = random.Random(seed)
    lines = [rng.choice([b"a", b"b", b"", b"c c"]) + b"%d\n" % rng.randint(0, 3) for _ in range(rng.randint(8, 40))]
    lines[-1] = rng.choice([lines[-1], b"end"])
    head, tail = rng.randint(0, 4), rng.randint(0, 4)
    data = b"".join(lines)
    places = [0, len(b"".join(lines[:head])), len(b"".join(lines[: len(lines) - tail])), len(data)]
    spans = [span for span in (places[:2], places[2:]) if span[0] < span[1]]
    kept = data[places[1] : places[2]]
    path = tmp_path / "doc"
    path.write_bytes(data)
    if spans:
        done = subprocess.run(["patch", "--binary", str(path)], input=diff(data, spans), capture_output=True, check=False)
        assert done.returncode == 0, done.stdout
        assert b"fuzz" not in done.stdout
        assert b"offset" not in done.stdout
    assert path.read_bytes() == kept
