"""--pages: extract, stripfreq and clean on small sites, with plain counting as the oracle."""

import argparse
import gzip
import io
import json
import os
import tarfile
from collections import Counter

import pytest

from gutsort.errors import FormatError, UsageError
from gutsort.programs import _pages, clean, extract, stripfreq

TEXT = "This is a sentence of article {} long enough to be one, with a number and a name in it."
WORDS = ("one", "two", "three", "four")


def page(word, site):
    return (
        f"<html><head><title>{word}</title><style>p {{}}</style></head>\n<body><ul><li>Home of {site}</li><li>About</li></ul>"
        f"<p class=x>{TEXT.format(word)}</p>\r\n<div id=foot>Made by {site}</div></body></html>"
    ).encode()


def cleaned(word, site):
    whole = page(word, site)
    for gone in (f"Home of {site}", "About", f"Made by {site}"):
        whole = whole.replace(gone.encode(), b"")
    return whole


@pytest.fixture
def sites(tree):
    return tree({f"{site}/{word}.html": page(word, site) for site in ("a.org", "b.org") for word in WORDS})


def call(program, run, *args, data=b"", **options) -> tuple[int, bytes]:
    parser: argparse.ArgumentParser = program.build_parser()
    if "--pages" not in parser._option_string_actions:
        _pages.add_options(parser, **options)
    stdout = io.BytesIO()
    status = run(parser.parse_args(["--pages", "--parallel", "2", *map(os.fspath, args)]), io.BytesIO(data), stdout)
    return status, stdout.getvalue()


def site_list(folder, method="blocks", least=1):
    status, lines = call(extract, _pages.run_extract, "--method", method, folder, weights=True)
    assert status == 0
    counts = sorted(Counter(lines.splitlines()).items())
    return b"".join(b"%d\t%b\n" % (n, key) for key, n in counts if n >= least)


@pytest.mark.parametrize("method", ["blocks", "style-tree"])
def test_stripfreq_cuts_what_recurs_and_no_other_byte(sites, tmp_path, method):
    (tmp_path / "site.txt").write_bytes(site_list(sites, method))
    status, _ = call(stripfreq, _pages.run_strip, "--method", method, "-o", tmp_path / "out", tmp_path / "site.txt", sites, text=True)
    assert status == 0
    for site in ("a.org", "b.org"):
        for word in WORDS:
            assert (tmp_path / f"out/{site}/{word}.html").read_bytes() == cleaned(word, site)


def test_a_list_in_uniq_style_with_counts_from_two_on_is_as_good(sites, tmp_path):
    rows = [row.split(b"\t", 1) for row in site_list(sites, least=2).splitlines()]
    (tmp_path / "site.txt").write_bytes(b"".join(b"%7d %b\n" % (int(n), key) for n, key in rows))
    status, out = call(stripfreq, _pages.run_strip, tmp_path / "site.txt", sites / "b.org/two.html", text=True)
    assert (status, out) == (0, cleaned("two", "b.org"))


@pytest.mark.parametrize("method", ["blocks", "style-tree"])
def test_clean_is_extract_count_and_strip_in_one(sites, tmp_path, method):
    status, _ = call(clean, _pages.run_clean, "--method", method, "-o", tmp_path / "out", sites, text=True)
    assert status == 0
    assert (tmp_path / "out/a.org/one.html").read_bytes() == cleaned("one", "a.org")
    assert (tmp_path / "out.gutsort/site.txt").read_bytes() == site_list(sites, method, 2 if method == "blocks" else 1)
    header, *rows = map(json.loads, (tmp_path / "out.gutsort/report.jsonl").read_text().splitlines())
    assert header["options"] == {"pages": True, "method": method, "text": False}
    assert [os.path.basename(row["path"]) for row in rows[:4]] == sorted(f"{word}.html" for word in WORDS)
    assert {len(row["cuts"]) for row in rows} == {3}


def test_clean_text_is_the_main_text(sites, tmp_path):
    assert call(clean, _pages.run_clean, "--text", "-o", tmp_path / "out", sites, text=True)[0] == 0
    assert (tmp_path / "out/a.org/one.html.txt").read_text() == TEXT.format("one") + "\n"


def test_pages_that_are_all_alike_stay_and_are_suspects(tree, tmp_path, capsys):
    folder = tree({f"{n}.html": b"<p>Not found</p>" for n in range(3)})
    assert call(clean, _pages.run_clean, "-o", tmp_path / "out", folder, text=True)[0] == 0
    assert (tmp_path / "out/0.html").read_bytes() == b"<p>Not found</p>"
    assert capsys.readouterr().err.count("nothing would be left") == 3


def test_a_site_the_list_does_not_have_stays(sites, tmp_path):
    (tmp_path / "site.txt").write_bytes(b"")
    assert call(stripfreq, _pages.run_strip, "-o", tmp_path / "out", tmp_path / "site.txt", sites, text=True)[0] == 0
    assert (tmp_path / "out/a.org/one.html").read_bytes() == page("one", "a.org")


def test_a_list_of_another_method_is_an_error(sites, tmp_path):
    (tmp_path / "site.txt").write_bytes(site_list(sites, "blocks"))
    with pytest.raises(FormatError, match=r"site\.txt: expected a key"):
        call(stripfreq, _pages.run_strip, "--method", "style-tree", "-o", tmp_path / "out", tmp_path / "site.txt", sites, text=True)


def test_hosts_make_sites_where_pages_name_them(tree, tmp_path):
    link = b'<link rel="canonical" href="https://%b.org/x">'
    folder = tree({f"{n}.html": link % (b"ab"[n % 2 :][:1]) + page(WORDS[n // 2], "ab"[n % 2]) for n in range(8)})
    assert call(clean, _pages.run_clean, "--site-from", "url-host", "-o", tmp_path / "out", folder, text=True)[0] == 0
    assert (tmp_path / "out/0.html").read_bytes() == link % b"a" + cleaned("one", "a")
    assert (tmp_path / "out.gutsort/site.txt").read_bytes().split(b"\n")[0].split(b"\t")[1] == b"a.org"


def test_weights_are_a_table(sites, tmp_path):
    (tmp_path / "list").write_bytes(site_list(sites, "weights"))
    status, out = call(extract, _pages.run_extract, "--weights", tmp_path / "list", sites, weights=True)
    rows = [line.split(b"\t") for line in out.splitlines()]
    assert status == 0
    assert len(rows) == 8 * 4
    assert {float(row[3]) for row in rows} == {0.0}  # one layout: no element of it says anything, so by the formula no text does


def test_weights_of_a_site_with_two_layouts(tree, tmp_path):
    pages = {f"{word}.html": page(word, "x") + (b"<p>More</p>" if word < "q" else b"") for word in WORDS}
    folder = tree(pages)
    (tmp_path / "list").write_bytes(site_list(folder, "weights"))
    out = call(extract, _pages.run_extract, "--weights", tmp_path / "list", folder, weights=True)[1]
    weights = [float(line.split(b"\t")[3]) for line in out.splitlines()]
    assert sum(w > 0 for w in weights) == 4  # the four articles
    status, _ = call(clean, _pages.run_clean, "--method", "weights", "-o", tmp_path / "out", folder, text=True)
    assert (status, (tmp_path / "out/two.html").read_bytes()) == (0, cleaned("two", "x"))


def test_options_of_pages_need_pages():
    args = argparse.Namespace(pages=False, method="blocks", site_from=None)
    with pytest.raises(UsageError, match="--method needs --pages"):
        _pages.refuse_without_pages(args)


@pytest.fixture
def packed_site(tree):
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for word in WORDS:
            info = tarfile.TarInfo(f"{word}.html")
            info.size = len(page(word, "a.org"))
            tar.addfile(info, io.BytesIO(page(word, "a.org")))
    rows = b"".join(json.dumps({"text": page(word, "a.org").decode()}).encode() + b"\n" for word in WORDS)
    pages = {f"a.org/{word}.html": page(word, "a.org") for word in WORDS}
    packed = {f"a.org/{word}.html.gz": gzip.compress(page(word, "a.org"), 0) for word in WORDS}
    return tree(pages | packed | {"a.org/all.tar": archive.getvalue(), "a.org/rows.jsonl": rows})


def test_files_that_hold_pages_are_named_and_stay_as_they_are(packed_site, tmp_path, capsys):
    status, _ = call(clean, _pages.run_clean, "-q", "-o", tmp_path / "out", packed_site)
    assert status == 1
    told = capsys.readouterr().err
    for path in sorted(packed_site.glob("a.org/*")):
        left = (tmp_path / "out/a.org" / path.name).read_bytes()
        if path.suffix == ".html":
            assert left == cleaned(path.stem, "a.org")
        else:
            assert left == path.read_bytes()
            assert told.count(f"{path}: holds pages") == 1
    assert told.count("holds pages") == 6


def test_files_that_hold_pages_are_no_pages_for_texts_and_lines(packed_site, tmp_path):
    status, _ = call(clean, _pages.run_clean, "-q", "--text", "-o", tmp_path / "out", packed_site)
    assert status == 1
    assert {path.name for path in (tmp_path / "out/a.org").iterdir()} == {f"{word}.html.txt" for word in WORDS}
    status, lines = call(extract, _pages.run_extract, packed_site, weights=True)
    assert (status, lines) == (1, call(extract, _pages.run_extract, *sorted(packed_site.glob("a.org/*.html")), weights=True)[1])
