"""Main text and titles: each method on pages made for it."""

import pytest

from gutsort.pages.article import find_article, size
from gutsort.pages.dana import best_region, dana_region
from gutsort.pages.maintext import METHODS, main_text, page_cuts, read_page
from gutsort.pages.title import (
    SCORES,
    candidate,
    find_title,
    score_aggregate,
    score_overlap,
    score_tf,
    score_tfidf,
    site_parts,
    terms,
    title_parts,
)

SENTENCE = "This is a sentence of the article, and it is long enough to be one, number {}."
PARAGRAPHS = [" ".join(SENTENCE.format(f"{p} {n}") for n in range(3)) for p in range(5)]
MENU = "".join(f'<li><a href="/section/{n}">Section {n}</a></li>' for n in range(30))
PAGE = (
    f"<html><head><title>A fine headline | The Paper</title></head><body><div class=menu><ul>{MENU}</ul></div><h1>A fine headline</h1>"
    + "".join(f"<p>{p}</p>" for p in PARAGRAPHS)
    + f"<div id=comments><p>{SENTENCE * 9}</p></div><div class=footer><p>All rights reserved by us and {SENTENCE}</p></div></body></html>"
)
HEBREW = " ".join(["שלום עולם זה משפט ארוך"] * 12)


@pytest.mark.parametrize("method", ["auto", "danag", "addanag"])
def test_the_article_is_found_and_the_menu_is_not(method):
    main = main_text(read_page(PAGE.encode()), method)
    assert main.found
    assert all(p in main.text.split("\n\n") for p in PARAGRAPHS)
    assert "Section 7" not in main.text


def test_auto_leaves_out_what_names_itself_clutter():
    assert main_text(read_page(PAGE.encode())).text.split("\n\n") == ["A fine headline", *PARAGRAPHS]


def test_a_page_that_is_all_comments_is_kept():
    page = "<div class=comments>" + "".join(f"<p>{p}</p>" for p in PARAGRAPHS) + "</div>"
    assert main_text(read_page(page.encode())).text.split("\n\n") == PARAGRAPHS


def test_where_no_article_is_the_page_is_kept_and_that_is_said():
    page = "<div><a href=x>Link to it</a></div>" + "".join(f"<div>Goods {n}</div>" for n in range(40))
    main = main_text(read_page(page.encode()))
    assert not main.found
    assert main.text.count("Goods") == 40


def test_template_is_left_out():
    reading = read_page(PAGE.encode())
    template = [p.text == PARAGRAPHS[2] for p in reading.texts]
    kept = find_article(reading.page, reading.texts, reading.title, template).kept
    texts = [p.text for p, keep in zip(reading.texts, kept, strict=True) if keep]
    assert texts == ["A fine headline", *PARAGRAPHS[:2], *PARAGRAPHS[3:]]


def test_r2l_keeps_right_to_left_characters_only():
    page = f"<div>{MENU}</div><div>{HEBREW} and English 12</div><div>{MENU}</div>"
    assert main_text(read_page(page.encode()), "r2l").text == HEBREW
    assert main_text(read_page(page.encode()), "dana").text == f"{HEBREW} and English 12"


def test_addanag_does_not_count_addresses():
    links = " ".join(
        f'word{n} <a href="/a/very/long/address/that/outweighs/the/words/{n}/{"x" * 60}">and more words</a> in it' for n in range(20)
    )
    source = f"<div>{links}</div>"
    assert dana_region(source, "utf-8", by_tags=True) == (0, 0)
    start, end = dana_region(source, "utf-8", by_tags=True, adapted=True)
    assert (start, end > len(source) * 0.8) == (0, True)


def test_regions_are_joined_over_twenty_lines_and_no_more():
    near = [9, 9, *[-9] * 20, 9, 9, 9]  # the first line that is not positive on either side belongs to its gap
    assert best_region([max(b, 0) for b in near], near) == (0, 25)
    far = [9, 9, *[-9] * 21, 9, 9, 9]
    assert best_region([max(b, 0) for b in far], far) == (23, 26)
    assert best_region([0, 0], [-1, -1]) == (0, 0)


@pytest.mark.parametrize("method", METHODS)
def test_cut_spans_leave_just_the_text_kept(method):
    reading = read_page(PAGE.encode())
    main = main_text(reading, method)
    data = bytearray(PAGE.encode())
    for cut in reversed(list(page_cuts(reading, main.kept))):
        del data[cut.start : cut.end]
    assert [p.text for p in read_page(bytes(data)).texts] == [p.text for p, keep in zip(reading.texts, main.kept, strict=True) if keep]


def test_no_text_is_no_text():
    assert main_text(read_page(b"")).text == ""
    assert main_text(read_page(b"<p></p>"), "addanag").text == ""


@pytest.mark.parametrize(("text", "expected"), [("ab", 2), ("漢字", 4), ("é", 1), ("한글 a", 6)])
def test_size_counts_wide_characters_twice(text, expected):
    assert size(text) == expected


def test_scores_by_hand():
    a, b = terms("the big fish"), terms("big fish fish")
    assert score_tf(a, b, {}) == pytest.approx((1 + 2) / (3**0.5 * 5**0.5))
    assert score_overlap(a, b, {}) == pytest.approx(2 / 3)
    idf = {"the": 1.0, "big": 2.0, "fish": 3.0}
    assert score_tfidf(a, b, idf) == pytest.approx((4 + 18) / ((1 + 4 + 9) ** 0.5 * (4 + 36) ** 0.5))
    assert score_aggregate(a, b, idf) == pytest.approx((score_tf(a, b, idf) + score_tfidf(a, b, idf) + score_overlap(a, b, idf)) / 3)


@pytest.mark.parametrize("score", ["combined", *SCORES])
def test_titlefinder_finds_the_fragment_like_the_title(score):
    page = "<title>Fish are big - The Paper</title><div>Fish</div><h2>Fish are really big</h2><p>A text of fish that are big and small</p>"
    reading = read_page(page.encode())
    assert find_title(reading.page, reading.texts, reading.title, (), score) == "Fish are really big"


def test_titlefinder_falls_back():
    def title(page, of_site=()):
        reading = read_page(page.encode())
        return find_title(reading.page, reading.texts, reading.title, of_site)

    assert title("<title>Nothing like it: at all</title><p>Other words here</p>") == "Nothing like it"
    assert title("<title>One two three four five</title><p>One of so many other words here</p>") == "One two three four five"
    assert title("<h1>Only a heading</h1>") == "Only a heading"
    assert title("<p>x</p>") == ""
    assert (
        title("<title>The Long Name of a Paper - Fish</title><h1>The Long Name of a Paper</h1><p>Fish</p>", {"The Long Name of a Paper"})
        == "Fish"
    )


def test_parts_of_titles():
    assert title_parts("A-b c – d :: e / f") == ["A-b c", "d", "e", "f"]
    assert candidate("") == ""
    assert site_parts(["a - Paper", "b - Paper", "c - Paper", "a - x"]) == {"Paper", "a"}
    assert site_parts(["a"]) == set()
