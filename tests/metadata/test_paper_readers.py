# ruff: noqa: E501  (a paper is a line)
import pytest
from papers import as_bbox, as_prescript

from gutsort.metadata.bbox import read_bbox
from gutsort.metadata.drop import drop_noise
from gutsort.metadata.paper import Box, has_text
from gutsort.metadata.plain import read_plain
from gutsort.metadata.prescript import read_prescript
from gutsort.metadata.read import decode, guess_format, read_paper

TEXT = "Title\n\nFirst line\nsecond\n\fNext page\n"
TEXTS = [[["Title"], ["First line", "second"]], [["Next page"]]]


def texts(paper):
    return [[[line.text for line in paragraph] for paragraph in page.paragraphs] for page in paper]


def test_three_formats_of_one_text_give_one_paper():
    bbox = as_bbox([(50, 50, 10, "Title"), (50, 80, 10, "First line\nsecond")], [(50, 50, 10, "Next page")])
    assert texts(read_plain(TEXT)) == texts(read_prescript(as_prescript(TEXT))) == texts(read_bbox(bbox)) == TEXTS


def test_prescript_takes_page_numbers_and_short_lines():
    paper = read_prescript("<html><head><title>T</title></head><body><i>Journal</i><i> 17 </i><p>a &lt; b<br>c\nd</body>")
    assert [page.number for page in paper] == ["17"]
    assert [(line.text, line.short) for line in paper[0].paragraphs[0]] == [("a < b", True), ("c", False), ("d", False)]


def test_bbox_keeps_boxes_and_survives_control_characters_and_a_missing_end():
    source = as_bbox([(50, 50, 10, "a\x00b &c"), (50, 80, 10, "last words")])
    paper = read_bbox(source[: source.index("words</word>") + len("words</word>")])
    assert texts(paper) == [[["ab &c"], ["last words"]]]
    assert paper[0].paragraphs[0][0].box == Box(50, 50, 86, 60)


@pytest.mark.parametrize("bad", ["nan", "inf", "x", ""])
def test_bbox_without_a_number_is_no_box(bad):
    source = as_bbox([(50, 50, 10, "word")]).replace('xMin="50"', f'xMin="{bad}"')
    assert read_bbox(source)[0].paragraphs[0][0].box is None


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"junk\n%PDF-1.4\n", "pdf"),
        (b"\x04%!PS-Adobe-3.0", "ps"),
        (as_bbox([(1, 1, 1, "a")]).encode(), "bbox"),
        (as_prescript(TEXT).encode(), "prescript"),
        (b"<!DOCTYPE html><p>a", "prescript"),
        (b"If 1 < p and <i>q</i> > 2, then", "text"),
        (b"", "text"),
    ],
)
def test_format_is_guessed_from_the_content(data, name):
    assert guess_format(data) == name


def test_encodings():
    assert decode("Schlüssel".encode("utf-16")) == decode(b"\xef\xbb\xbfSchl\xc3\xbcssel") == decode(b"Schl\xfcssel") == "Schlüssel"
    assert decode("äöü".encode() + b"\xff") == "äöü\ufffd"


def test_text_without_letters_is_no_text():
    assert not has_text(read_paper(b"\f1\n\f2\n", "text"))
    assert has_text(read_paper(b"\f1\n\fa\n", "text"))


def test_running_heads_numbers_and_stamps_are_dropped_but_labels_are_not():
    pages = [
        "A LONG TITLE\nA. AUTHOR\n\nAbstract.\n\nTwice\n\narXiv:math/0102003v1 [math.AT] 1 Feb 2001\n\nKeywords:\n\n1\n",
        "2\n\nA. AUTHOR\n\nTwice\n\nand more\n\nmiddle\n\nKeywords:\n\n",
        "A long title\n\n3\n\nthe middle\n\nand\n\nmore\n\nKeywords:",
    ]
    paper = drop_noise(read_plain("\f".join(pages)), {b"middle"})
    assert [page.number for page in paper] == ["1", "2", "3"]
    kept = [[line for paragraph in page for line in paragraph] for page in texts(paper)]
    assert kept[1:] == [["Twice", "and more", "Keywords:"], ["the middle", "and", "more", "Keywords:"]]
    assert kept[0] == ["Abstract.", "Twice", "Keywords:"]


def test_line_numbers_and_upright_text_are_dropped():
    source = as_bbox([(10, 100, 10, "1\n2\n3"), (50, 100, 10, "Title\nof a paper"), (20, 200, 400, "upright"), (50, 150, 10, "Text\nof it")])
    narrow = source.replace('xMax="62"', 'xMax="40"')
    assert texts(drop_noise(read_bbox(narrow)))[0] == [["Title", "of a paper"], ["Text", "of it"]]


def test_frequent_lines_go_before_the_rules_run_but_labels_stay():
    from papers import found

    text = "Abstract. We prove that each operad is\nTEMPLATE, VOLUME 00, 2001\nformal over each field.\n\nKeywords: operad,\nTEMPLATE, VOLUME 00, 2001\n"
    frequent = {b"TEMPLATE, VOLUME 00, 2001", b"Keywords: operad,"}
    got = found("Title\n\n" + text, frequent=frequent)
    assert got.abstract == "We prove that each operad is formal over each field."
    assert got.keywords == ["operad"]
