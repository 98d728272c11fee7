"""Tokens against the standard library's html.parser, and that no input takes more than linear work or a traceback."""

import random
from html.parser import HTMLParser

import pytest

from gutsort.pages.blocks import parse
from gutsort.pages.maintext import METHODS, main_text, page_cuts, read_page
from gutsort.pages.scan import INLINE, MARKUP, RAW

PIECES = [
    *(
        "<div>",
        "</div>",
        '<p class="x">',
        "</p>",
        "<td/>",
        "<b>",
        "</b>",
        "<a href='x>y'>",
        "</a>",
        "<br/>",
        "<ul><li>",
        "</ul>",
        '<IMG alt="a > b">',
    ),
    *("word ", "two words", " ", "1 < 2 ", "a<", "&amp;", "&eacute;", "<!-- a <div> b -->", "<!---->", "<!doctype html>", "<?php x ?>"),
    *("<script>if (a<b) '<div>'</script>", "<style>p > b {}</style >", "<div a = 'b' c=d\"e f>", "<x-y>", "<custom>", "\n\t"),
]
UNFINISHED = [
    '<a b="',
    "<!--",
    "<script>",
    "<",
    "<div ",
    "<![CDATA[",
    "</",
    "<a",
    "<x y=",
    "<!-",
    '="',
    "<title",
    "<p>",
    "<b>",
    "<table><td>",
    "<li><ul>",
    "&",
]


class Oracle(HTMLParser):
    """Block tags and the text between them, as html.parser sees them."""

    def __init__(self):
        super().__init__()
        self.events = [""]
        self.raw = False

    def handle_starttag(self, tag, attrs):
        self.raw = tag in ("script", "style")
        if tag not in INLINE and not self.raw:
            self.events += ["<" + tag, ""]

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag):
        if tag not in INLINE and tag not in ("script", "style"):
            self.events += ["</" + tag, ""]
        self.raw = False

    def handle_data(self, data):
        if not self.raw:
            self.events[-1] += data


def events(page):
    text, *rest = MARKUP.split(page)
    found = [text]
    for markup, name, text in zip(rest[0::4], rest[1::4], rest[3::4], strict=True):
        tag = (name or "").lower()
        if tag and tag.removeprefix("/") not in INLINE and tag not in RAW:
            assert markup.startswith(f"<{name}")
            found += ["<" + tag, text]
        else:
            found[-1] += text
    return found


def squeezed(found):
    from html import unescape

    return ["".join(unescape(text).split()) for text in found]


@pytest.mark.parametrize("seed", range(40))
def test_tokens_are_those_of_html_parser(seed):
    rng = random.Random(seed)
    page = "".join(rng.choices(PIECES, k=60)) + " end"
    oracle = Oracle()
    oracle.feed(page)
    oracle.close()
    assert squeezed(events(page)) == squeezed(oracle.events)


@pytest.mark.parametrize("piece", UNFINISHED)
def test_what_never_ends_is_read_once(piece):
    page = read_page(piece.encode() * (400_000 // len(piece)))
    assert main_text(page, "auto").share <= 1


def test_a_page_of_deep_nesting_is_no_crash():
    reading = read_page(b"<div>" * 100_000 + b"deep" + b"</div>" * 100_000)
    assert [p.text for p in reading.texts] == ["deep"]
    assert main_text(reading).text == "deep"


@pytest.mark.parametrize("seed", range(30))
def test_random_bytes_and_torn_pages_are_read_by_every_method(seed):
    rng = random.Random(seed)
    page = "".join(rng.choices(PIECES + UNFINISHED, k=200)).encode()
    torn = bytearray(page[rng.randrange(len(page)) :])
    for _ in range(20):
        torn[rng.randrange(len(torn))] = rng.randrange(256)
    for data in (bytes(torn), rng.randbytes(500), b"\xff\xfe" + page, b"\xfe\xff" + bytes(torn), b'<meta charset="utf-16">' + page):
        reading = read_page(data)
        for method in METHODS:
            main = main_text(reading, method)
            cuts = list(page_cuts(reading, main.kept))
            assert all(0 <= c.start < c.end for c in cuts)
            assert all(a.end <= b.start for a, b in zip(cuts, cuts[1:], strict=False))
        assert all(0 <= b.start < b.end <= len(reading.view.source) for b in parse(reading.view.source).blocks)
