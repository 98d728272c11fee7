"""What no rule may do, and that a rule is applied until it settles."""

import io
import random

import pytest

from gutsort.extract.units import Settings, document_ends
from gutsort.records import Ends, Proposal
from gutsort.strip import guard
from gutsort.strip.guard import LARGE_SHARE, NOTHING_LEFT, apply_once, before_blank, past_blank, settle


def ends_of(start, end, head_inner=None, tail_inner=None):
    return Ends(start, end, [], [], end if head_inner is None else head_inner, start if tail_inner is None else tail_inner)


def fixed(head, tail):
    """A rule that wants this cut, once."""
    wanted = [Proposal(head, tail, "h", "t")]
    return lambda ends: wanted.pop() if wanted else Proposal(None, None)


def judged(data, rule, read_ends=ends_of):
    verdict = settle(io.BytesIO(data), (0, len(data)), read_ends, rule)
    return [(c.start, c.end) for c in verdict.cuts], verdict.suspect


TEXT = b"h\n\n\nbody\nbody\nbody\n \n\nt\n"


def test_blank_lines_next_to_a_cut_go_with_it():
    assert judged(TEXT, fixed(2, 22)) == ([(0, 4), (19, len(TEXT))], [])


def test_no_cut_leaves_blank_lines_alone():
    assert judged(b"\n\nbody\n\n", fixed(None, None)) == ([], [])


def test_reasons_name_the_place_and_add_up():
    proposals = iter([Proposal(2, None, "one"), Proposal(9, None, "two"), Proposal(None, None)])
    verdict = settle(io.BytesIO(TEXT), (0, len(TEXT)), ends_of, lambda ends: next(proposals))
    assert verdict.cuts == [(0, 9, "head: one; two")]


@pytest.mark.parametrize(
    ("head", "tail", "cuts"),
    [
        (len(TEXT), None, []),  # all of it
        (len(TEXT), 22, [(19, len(TEXT))]),  # the tail alone leaves something
        (2, 0, [(0, 4)]),
        (14, 4, [(4, len(TEXT))]),  # both together leave nothing: the cut that takes less is the head's 14 bytes
    ],
)
def test_no_document_is_emptied(head, tail, cuts):
    if (head, tail) == (14, 4):
        cuts = [(0, 14)]
    found, suspect = judged(TEXT, fixed(head, tail))
    assert found == cuts
    assert NOTHING_LEFT in suspect


def test_a_blank_document_is_left_as_it_is():
    assert judged(b"\n \n", fixed(None, None)) == ([], [])


def test_a_cut_without_a_boundary_is_not_made_at_that_end():
    assert judged(TEXT, fixed(9, 22), lambda s, e: ends_of(s, e, head_inner=9)) == ([(19, len(TEXT))], ["no boundary at the head"])
    assert judged(TEXT, fixed(2, 14), lambda s, e: ends_of(s, e, tail_inner=14)) == ([(0, 4)], ["no boundary at the tail"])


def test_a_large_share_is_cut_but_said():
    assert judged(TEXT, fixed(14, 22)) == ([(0, 14), (19, len(TEXT))], [LARGE_SHARE])


def test_the_paper_is_applied_once_keeps_blank_lines_and_empties_nothing():
    verdict = apply_once(io.BytesIO(TEXT), (0, len(TEXT)), ends_of, lambda ends: Proposal(2, 22, "h", "t"))
    assert [(c.start, c.end) for c in verdict.cuts] == [(0, 2), (22, len(TEXT))]
    verdict = apply_once(io.BytesIO(TEXT), (0, len(TEXT)), ends_of, lambda ends: Proposal(len(TEXT), None))
    assert verdict == ([], [NOTHING_LEFT])


@pytest.mark.parametrize("block", [1, 3, 1 << 16])
def test_blank_lines_are_found_whatever_the_block(block, monkeypatch):
    monkeypatch.setattr(guard, "BLOCK", block)
    rng = random.Random(block)
    for _ in range(300):
        lines = [rng.choice([b"\n", b" \r\n", b"x\n", b"  x \n"]) for _ in range(rng.randint(0, 8))]
        data, n = b"".join(lines), rng.randint(0, 8)
        position = len(b"".join(lines[:n]))
        first = next((i for i in range(min(n, len(lines)), len(lines)) if lines[i].strip()), len(lines))
        assert past_blank(io.BytesIO(data), position, len(data)) == len(b"".join(lines[:first]))
        last = next((i for i in range(min(n, len(lines)), 0, -1) if lines[i - 1].strip()), 0)
        assert before_blank(io.BytesIO(data), 0, position) == len(b"".join(lines[:last]))


def test_windows_shrink_with_the_document_until_the_rule_settles():
    """A rule that cuts one line a time is applied until it has none left that it wants."""
    data = b"f\nf\nf\nbody\nf\n"

    def rule(ends):
        head = ends.head[0].end if ends.head[0].key == b"f" else None
        tail = ends.tail[-1].start if ends.tail[-1].key == b"f" else None
        return Proposal(head, tail)

    cuts, _ = judged(data, rule, lambda s, e: document_ends(io.BytesIO(data), s, e, Settings("line", 2, 2)))
    assert cuts == [(0, 6), (11, 13)]
