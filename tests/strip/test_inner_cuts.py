"""What is cut inside documents: runs of frequent lines, running heads and feet, and the view of what is left."""

import io
import random
from collections import defaultdict

import pytest

from gutsort.extract.inside import all_lines
from gutsort.extract.paged import pages
from gutsort.jobs.inside import settle_inside
from gutsort.records import Cut
from gutsort.strip.guard import NOTHING_LEFT, Verdict
from gutsort.strip.interior import SHARED_TEXT, interior_cuts
from gutsort.strip.running import page_verdict
from gutsort.strip.splice import Spliced, joined

FREQUENT = [b"Frequent line number one, of some length", b"Frequent line number two, of some length", b"short", b"brief"]


def without(data, cuts):
    for cut in reversed(cuts):
        data = data[: cut.start] + data[cut.end :]
    return data


def cut_inside(text):
    file, extent = io.BytesIO(text), (0, len(text))
    verdict = interior_cuts(file, all_lines(file, *extent, lambda line: line.strip() or None), defaultdict(int, dict.fromkeys(FREQUENT, 5)), extent)
    return without(text, verdict.cuts), verdict


@pytest.mark.parametrize(
    ("middle", "left"),
    [
        (b"1\n2\n", b""),
        (b"1\n1\n1\n", b""),
        (b"1\n", b"1\n"),  # one line alone
        (b"3\n4\n", b"3\n4\n"),  # short lines
        (b"1\n\n2\n", b"1\n\n2\n"),  # a blank line between
        (b"1\nx\n2\n", b"1\nx\n2\n"),  # no gap is bridged
        (b"\n1\n2\n\n\nx\n", b"\nx\n"),  # blank lines after it go where some stand before it
        (b"1\n2\n\nx\n", b"\nx\n"),
    ],
)
def test_runs_of_frequent_lines_go(middle, left):
    def spelled(text):
        for number, line in enumerate(FREQUENT, 1):
            text = text.replace(b"%d" % number, line)
        return text

    assert cut_inside(b"a\n" + spelled(middle) + b"z\n")[0] == b"a\n" + spelled(left) + b"z\n"


def test_a_run_at_an_end_of_the_body_is_not_inside():
    run = b"\n".join(FREQUENT[:2]) + b"\n"
    for text in (run + b"z\n", b"a\n" + run, run):
        assert cut_inside(text)[0] == text


def test_a_line_longer_than_a_window_breaks_a_run_and_is_read_in_bounded_memory():
    text = b"a\n" + FREQUENT[0] + b"\n" + b"x" * 200_000 + b"\n" + FREQUENT[1] + b"\nz"
    units = list(all_lines(io.BytesIO(text), 0, len(text), lambda line: line))
    assert [len(unit.key) for unit in units] == [1, 40, 0, 40, 1]
    assert [text[unit.start : unit.end] for unit in units] == text.splitlines(keepends=True)


def test_a_body_that_shares_many_lines_is_an_edition():
    lines = [b"Shared line %d of a text of several editions" % n for n in range(30)]
    frequent = defaultdict(int, dict.fromkeys(lines, 9))
    for shared, cuts in ((20, 1), (21, 0)):
        text = b"a\n" + b"".join(line + b"\n" for line in lines[:shared]) + b"z\n"
        verdict = interior_cuts(io.BytesIO(text), all_lines(io.BytesIO(text), 0, len(text), lambda line: line), frequent, (0, len(text)))
        assert (len(verdict.cuts), verdict.suspect) == (cuts, [] if cuts else [SHARED_TEXT])


def page_cuts(text, *, interior=False, counts=None):
    """Cut pages with a list of all their first and last lines."""
    file = io.BytesIO(text)

    def read():
        return pages(file, 0, len(text), 3, 3)

    frequent = defaultdict(int, counts or {})
    if counts is None:
        for page in read():
            for place, units in ((b"\t^", page.head), (b"\t$", page.tail), (b"\t=", page.inner)):
                for key in {unit.key for unit in units}:
                    frequent[key + place] += 1
    return page_verdict(file, read, frequent, interior=interior)


def body(number, lines=8):
    rng = random.Random(number)
    return b"".join(b" ".join(b"%c%c%c" % tuple(rng.choices(range(97, 123), k=3)) for _ in range(6)) + b"\n" for _ in range(lines))


def test_heads_and_feet_go_and_form_feeds_keep_their_lines():
    text = b"\f".join(b"\nReport   May 1999\n\n\n" + body(n) + b"\n\nAuthor   [Page %d]\n" % n for n in range(5))
    assert without(text, page_cuts(text).cuts) == b"\f".join(b"\n" + body(n) for n in range(5))


def test_left_and_right_pages_differ_and_chapters_do():
    heads = [(b"Book", b"Chapter %s" % (b"One" if n < 12 else b"Two"))[n % 2] for n in range(24)]
    text = b"\f".join(b"%b\n" % head + body(n) for n, head in enumerate(heads))
    assert without(text, page_cuts(text).cuts) == b"\f".join(body(n) for n in range(24))


@pytest.mark.parametrize("where", [(0, 1), (0, 4, 8), (0, 1, 9, 10)])
def test_a_line_of_few_or_distant_pages_stays(where):
    text = b"\f".join((b"Continued\n" if n in where else b"") + body(n) for n in range(12))
    assert page_cuts(text).cuts == []


def test_a_line_that_stands_inside_as_well_stays():
    text = b"\f".join(b"Name of column\n" + body(n) + b"Name of column\n" + body(n + 50) for n in range(6))
    assert page_cuts(text).cuts == []


def test_a_line_that_is_not_on_the_list_stays():
    text = b"\f".join(b"Head\n" + body(n) for n in range(6))
    assert page_cuts(text, counts={b"0other\t^": 6}).cuts == []
    assert len(page_cuts(text, counts={b"0head\t^": 6}).cuts) == 6


def test_a_page_of_nothing_else_is_left():
    text = b"\f".join(b"Head\n" + (body(n) if n != 2 else b"") + b"Foot %d\n" % n for n in range(6))
    verdict = page_cuts(text)
    assert without(text, verdict.cuts) == b"\f".join(body(n) if n != 2 else b"Head\nFoot 2\n" for n in range(6))
    assert verdict.suspect == [NOTHING_LEFT]


def test_a_running_head_inside_a_page_goes_when_asked():
    text = b"\f".join(b"Head of it all\n" + body(n) + (b"\nHead of it all\n\n" + body(90) if n == 3 else b"") for n in range(8))
    assert without(text, page_cuts(text).cuts).count(b"Head of it all") == 1
    assert b"Head of it all" not in without(text, page_cuts(text, interior=True).cuts)


@pytest.mark.parametrize("seed", range(20))
def test_a_spliced_file_is_what_is_left(seed):
    rng = random.Random(seed)
    data = rng.randbytes(400)
    places = sorted(rng.sample(range(401), 2 * rng.randrange(6)))
    cuts = [Cut(start, end, "") for start, end in zip(places[::2], places[1::2], strict=True)]
    left, view = without(data, cuts), Spliced(io.BytesIO(data), cuts)
    assert view.seek(0, io.SEEK_END) == len(left)
    for _ in range(30):
        start, size = rng.randrange(len(left) + 5), rng.randrange(200)
        view.seek(start)
        assert view.read(size) == left[start : start + size]
    start, end = sorted(rng.sample(range(len(left) + 1), 2))
    assert without(data, joined([*cuts, view.origin(Cut(start, end, ""))])) == left[:start] + left[end:]


def test_a_rule_is_applied_again_to_what_is_left():
    """Each time it cuts the first pair of equal lines that are neighbours: (a(bb)a) takes two rounds."""

    def propose(file, extent):
        file.seek(0)
        lines = file.read().splitlines(keepends=True)
        place = next((n for n in range(1, len(lines)) if lines[n] == lines[n - 1]), None)
        start = sum(map(len, lines[: place - 1])) if place else 0
        return Verdict([Cut(start, start + 2 * len(lines[place]), "interior: a pair")] if place else [], [])

    data = b"x\na\nb\nb\na\ny\nc\nc\nz\n"
    verdict = settle_inside(io.BytesIO(data), (0, len(data)), propose)
    assert [cut[:2] for cut in verdict.cuts] == [(2, 10), (12, 16)]
    assert [cut.reason.partition(",")[0] for cut in verdict.cuts] == ["interior: lines 2-5", "interior: lines 7-8"]
    assert verdict.suspect == ["more than half cut"]
