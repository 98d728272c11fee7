"""gutsort maintext: streams, trees, JSON Lines, statuses."""

import io
import json
import os

import pytest

from gutsort.errors import UsageError
from gutsort.programs.maintext import build_parser, run

TEXT = "This is a sentence of the article, long enough to be one, with a number and a name in it."
PAGE = "<title>Fish</title><ul class=menu>{}</ul><h1>Fish</h1><p>{}</p><p>{} é</p><div class=footer>Rights</div>".format(
    "<li><a href=x>Section</a>" * 9, TEXT, TEXT
).encode()
MAIN = f"Fish\n\n{TEXT}\n\n{TEXT} é\n".encode()


def maintext(*args, data=b""):
    stdout = io.BytesIO()
    status = run(build_parser().parse_args(["--parallel", "2", *map(os.fspath, args)]), io.BytesIO(data), stdout)
    return status, stdout.getvalue()


def test_standard_input_to_standard_output():
    assert maintext(data=PAGE) == (0, MAIN)
    assert maintext("-", data=PAGE) == (0, MAIN)
    assert maintext(data=b"") == (0, b"")


def test_a_tree_is_mirrored(tree, tmp_path):
    folder = tree({"a/x.html": PAGE, "y.html": PAGE.decode().encode("latin-1").replace(b"<title>", b"<meta charset=latin-1><title>")})
    assert maintext("-o", tmp_path / "out", folder) == (0, b"")
    assert (tmp_path / "out/a/x.html.txt").read_bytes() == MAIN
    assert (tmp_path / "out/y.html.txt").read_bytes() == MAIN


def test_more_pages_are_json_lines_in_order(tree):
    folder = tree({f"{n:02}.html": PAGE for n in range(40)})
    status, out = maintext(folder)
    rows = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [os.path.basename(row["path"]) for row in rows] == [f"{n:02}.html" for n in range(40)]
    assert {(row["title"], row["method"], row["found"], row["text"] + "\n") for row in rows} == {("Fish", "auto", True, MAIN.decode())}


def test_html_is_the_page_less_what_is_not_in_the_text():
    status, out = maintext("--html", data=PAGE)
    assert status == 0
    assert out == PAGE.replace(b"<a href=x>Section</a>", b"").replace(b"Rights", b"")


def test_a_page_without_article_is_kept_and_named(tree, capsys):
    folder = tree({"list.html": "".join(f"<div>Goods {n}</div>" for n in range(9)).encode()})
    assert maintext(folder / "list.html")[1].count(b"Goods") == 9
    assert "list.html: no article found; kept the page" in capsys.readouterr().err
    maintext("-q", folder / "list.html")
    assert capsys.readouterr().err == ""


def test_what_cannot_be_read_is_named_and_status_1(tree, capsys):
    folder = tree({"a.html": PAGE})
    status, out = maintext(folder / "a.html", folder / "none.html")
    assert status == 1
    assert json.loads(out)["title"] == "Fish"
    assert "none.html" in capsys.readouterr().err


def test_an_output_that_is_not_empty_is_refused(tree, tmp_path):
    folder = tree({"a.html": PAGE})
    (tmp_path / "out").mkdir()
    (tmp_path / "out/x").write_bytes(b"")
    with pytest.raises(UsageError, match="is not empty"):
        maintext("-o", tmp_path / "out", folder)
