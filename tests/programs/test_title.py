"""gutsort title: one page, pages of a site, scores."""

import io
import os

import pytest

from gutsort.programs.title import SCORES, build_parser, run

PAGE = b"<title>The Long Name of the Paper | Fish are big</title><div>The Long Name of the Paper</div><h2>Fish are really big</h2>"


def title(*args, data=b""):
    stdout = io.BytesIO()
    status = run(build_parser().parse_args([os.fspath(a) for a in args]), io.BytesIO(data), stdout)
    return status, stdout.getvalue()


def test_a_page_alone_gives_its_title():
    assert title(data=PAGE.replace(b"The Long Name of the Paper", b"Paper")) == (0, b"Fish are really big\n")


def test_what_recurs_over_a_directory_is_not_the_title(tree):
    assert title(data=PAGE) == (0, b"The Long Name of the Paper\n")
    folder = tree({"a.html": PAGE, "b.html": PAGE.replace(b"Fish", b"Birds"), "c/x.html": PAGE})
    status, out = title(folder)
    rows = [line.rsplit(b"/", 1)[1] for line in out.splitlines()]
    assert (status, rows) == (0, [b"a.html\tFish are really big", b"b.html\tBirds are really big", b"x.html\tThe Long Name of the Paper"])


@pytest.mark.parametrize("score", SCORES)
def test_every_score_is_there(score):
    assert title("--score", score, data=b"<title>Fish</title><h1>Fish</h1>") == (0, b"Fish\n")


def test_what_cannot_be_read_is_named_and_status_1(tree, capsys):
    folder = tree({"a.html": PAGE})
    assert title(folder / "none.html", folder / "a.html")[0] == 1
    assert "none.html" in capsys.readouterr().err
