"""Rewriting against slices of the whole."""

import hashlib
import io
import random

import pytest

from gutsort.records import Cut
from gutsort.strip import rewrite as module
from gutsort.strip.rewrite import rewrite


@pytest.mark.parametrize("block", [1, 5, 1 << 18])
def test_all_but_the_cuts_is_written_and_counted(block, monkeypatch):
    monkeypatch.setattr(module, "BLOCK", block)
    rng = random.Random(block)
    for _ in range(300):
        data = bytes(rng.choices(b"ab \r\n\n\x00\xff", k=rng.randint(0, 40)))
        places = sorted(rng.sample(range(len(data) + 1), k=min(4, len(data) + 1)))[: 2 * rng.randint(0, 2)]
        cuts = [Cut(a, b, "") for a, b in zip(places[::2], places[1::2], strict=False)]
        keep = bytearray(len(data))
        for n in range(len(data)):
            keep[n] = not any(c.start <= n < c.end for c in cuts)
        target = io.BytesIO()
        found = rewrite(io.BytesIO(data), target, cuts)
        assert target.getvalue() == bytes(b for b, k in zip(data, keep, strict=True) if k)
        at = [data.count(b"\n", 0, n) + 1 for n in range(len(data)) if keep[n] and data[n] > 0x20]
        lines = len(data.split(b"\n")) - (not data or data.endswith(b"\n"))
        assert found[:4] == (len(data), lines, at[0] if at else None, at[-1] if at else None)
        assert found[4:] == (hashlib.sha256(data).hexdigest(), hashlib.sha256(target.getvalue()).hexdigest())
