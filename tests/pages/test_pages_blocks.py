"""Which element a text belongs to, where it stands, what it says."""

import pytest

from gutsort.pages.blocks import parse
from gutsort.pages.charset import charset_of, cuts_of_bytes, view
from gutsort.pages.maintext import read_page
from gutsort.pages.text import passages
from gutsort.records import Cut


def chains(html):
    """Each text with the tags it stands in, innermost first."""
    page = parse(html)
    found = []
    for passage in passages(page, "utf-8"):
        chain, node = [], passage.node
        while node >= 0:
            chain.append(page.tags[node])
            node = page.parents[node]
        found.append((passage.text, " ".join(chain)))
    return found


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>one<p>two", [("one", "p"), ("two", "p")]),
        ("<p>one<div>two</div>", [("one", "p"), ("two", "div")]),
        ("<p>one <b>bold <i>both</b> end</p>", [("one bold both end", "p")]),
        ("<ul><li>one<ul><li>in</ul><li>two</ul>", [("one", "li ul"), ("in", "li ul li ul"), ("two", "li ul")]),
        ("<dl><dt>a<dd>b<dt>c</dl>", [("a", "dt dl"), ("b", "dd dl"), ("c", "dt dl")]),
        ("<table><tr><td>a<td>b<tr><td>c</table>d", [("a", "td tr table"), ("b", "td tr table"), ("c", "td tr table"), ("d", "")]),
        ("<div><table><td>a</div>b</table>c</div>d", [("a", "td table div"), ("b", "td table div"), ("c", "div"), ("d", "")]),
        ("<table><td><p>a<table><td>b</table>c</table>", [("a", "p td table"), ("b", "td table td table"), ("c", "td table")]),
        ("<div>a</section></p>b</div>", [("a", "div"), ("b", "div")]),
        ("<section><div>a</section>b", [("a", "div section"), ("b", "")]),
        ("<div>a<template>x</template><noscript>y</noscript>b", [("a", "div"), ("b", "div")]),
        ("<noscript>x<body><p>a", [("a", "p")]),
        ("<svg><path/><text>x</text></svg>a", [("a", "")]),
        ("<br>a<hr>b<input>c", [("a", ""), ("b", ""), ("c", "")]),
        ("a<script>'</div>'</script>b<!-- c -->d<style>e", [("abd", "")]),
        ("<![CDATA[x]]>a<?php x ?>b", [("ab", "")]),
        ("<textarea><p>x</textarea>a", [("a", "")]),
        ("<title>x</title><p>a</body></html>b", [("a", "p"), ("b", "p")]),
        ("x < y <3 &lt;p&gt;", [("x < y <3 <p>", "")]),
        ("a<br>b<br/><br>c", [("a\nb\nc", "")]),
    ],
)
def test_texts_stand_in_the_elements_a_browser_puts_them_in(html, expected):
    assert chains(html) == expected


def test_blocks_are_spans_of_the_source():
    html = '<div id="é">  <a href="/x">One</a> two </div>\n<p>\n three'
    source = html.encode().decode("latin-1")
    assert [source[b.start : b.end].strip() for b in parse(source).blocks] == ['<a href="/x">One</a> two', "three"]


@pytest.mark.parametrize(
    ("html", "shares"),
    [
        ("<p>ab<a href=x>cd</a></p>", [0.5]),
        ("<p><a>ab</a></p><p>cd</p>", [1.0, 0.0]),
        ("<a href=x><div>ab</div></a><div>cd</div>", [1.0, 0.0]),
        ("<a href=x><div>ab</div><p>cd</p></a>ef", [1.0, 1.0, 0.0]),
        ("<p><!-- <a> -->ab</p>", [0.0]),
        ("<p>ab<A HREF=x>cdef<b>gh</b></A></p>", [0.75]),
    ],
)
def test_links_are_measured_across_blocks(html, shares):
    assert [p.linked for p in passages(parse(html), "utf-8")] == shares


@pytest.mark.parametrize(
    ("data", "charset"),
    [
        (b"plain", "utf-8"),
        ("é".encode(), "utf-8"),
        (b"caf\xe9", "cp1252"),
        (b"\xef\xbb\xbfx", "utf-8"),
        (b"\xff\xfex\0", "utf-16-le"),
        (b"<meta charset=iso-8859-1>\xe9", "cp1252"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">\xe9', "cp1251"),
        (b"<?xml version='1.0' encoding='gb2312'?>", "gb18030"),
        (b"<meta charset=utf-8>caf\xe9 cr\xe8me", "cp1252"),
        (b"<meta charset=utf-8>" + "é".encode() * 30 + b"\xc3", "utf-8"),
        (b"<meta charset=nonsense>x", "utf-8"),
        (b"<meta charset=utf-16>x", "utf-8"),
        (b"<meta charset=hex>x", "utf-8"),
        (b"<meta charset=\xff>x", "cp1252"),
    ],
)
def test_charset_is_found(data, charset):
    assert charset_of(data) == charset


@pytest.mark.parametrize("charset", ["utf-16", "utf-16-le", "utf-8", "cp1251", "iso2022_jp", "big5"])
def test_cuts_are_of_the_pages_own_bytes_in_every_charset(charset):
    words = {"cp1251": ("жить", "быть"), "big5": ("中文", "白血"), "iso2022_jp": ("日本", "漢字")}.get(charset, ("жить", "日本𝄞"))
    mark = "" if charset.startswith("utf-16") else f'<meta charset="{charset}">'
    text = f"{mark}<p>{words[0]}</p><p>{words[1]}</p><p>end</p>"
    data = (b"\xff\xfe" if charset == "utf-16-le" else b"") + text.encode(charset)
    reading = read_page(data)
    assert [p.text for p in reading.texts] == [*words, "end"]
    second = reading.texts[1]
    (cut,) = cuts_of_bytes([Cut(second.start, second.end, "x")], view(data))
    left = data[: cut.start] + data[cut.end :]
    assert [p.text for p in read_page(left).texts] == [words[0], "end"]
