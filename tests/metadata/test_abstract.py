# ruff: noqa: E501  (a paper is a line)
import pytest
from papers import PROSE, as_bbox, found

from gutsort.metadata.bbox import read_bbox
from gutsort.metadata.find import find_metadata

INTRODUCTION = "1. Introduction\nThis is running text that has more than ten words, and is no abstract at all.\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Title\n\nAbstract. PROSE\n\n1. Introduction\n", id="inline"),
        pytest.param("Title\nA. Author\nAbstract\nPROSE\n\nThe operads of May are\n", id="alone-inside-a-paragraph"),
        pytest.param("Title\n\nA B S T R A C T\n\nPROSE\n\nK E Y W O R D S\n\noperad\n", id="spaced-out"),
        pytest.param("Title\n\nAbstract—PROSE\n\nIndex Terms—operad.\n", id="dash"),
        pytest.param("Title\n\nABSTRACT PROSE\nKeywords: operad\n", id="no-punctuation"),
        pytest.param("Title\n\nSummary. PROSE Keywords: operad. MSC 55P48\n", id="keywords-in-its-last-line"),
        pytest.param("Contents\nAbstract . . . . 2\n1 Introduction . . . 3\n\fAbstract\n\nPROSE\n\nMSC2020: 55P48.\n", id="after-contents"),
        pytest.param("Title\n\nAbstract. PROSE\n1. INTRODUCTION. Let X be a space.\n", id="introduction-in-its-paragraph"),
        pytest.param("Title\n\nAbstract. PROSE\n1\nIntroduction\nLet X be a space.\n", id="section-number-alone"),
        pytest.param("Abstract Wiener Spaces\nA. Author\n\nAbstract. PROSE\n\n1 Introduction\n", id="title-begins-with-the-word"),
        pytest.param("article info abstract\n\nArticle history:\nReceived 1 May 2009\n\nKeywords:\noperad\n\nPROSE\n\n© 2009\n", id="beside"),
        pytest.param("Title\n\nAbstract. PROSE\n\nRésumé. Nous montrons que toute opérade est formelle sur un corps.\n", id="first-of-two"),
        pytest.param("Title\n\nAbstract. PROSE\nThe author was supported by the DFG.\n", id="thanks"),
    ],
)
def test_abstract_is_the_text_between_its_label_and_what_comes_next(text):
    assert found(text).abstract == PROSE


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Title\n\nAbstract. Abstract goes here...\n\n" + INTRODUCTION, id="placeholder"),
        pytest.param("Title\n\nAbstract. The abstract of this paper goes here.\n\n" + INTRODUCTION, id="longer-placeholder"),
        pytest.param("Title\n\nAbstract. Blah.\n\n" + INTRODUCTION, id="blah"),
        pytest.param("Title\n\nAbstract. None so far.\n\n" + INTRODUCTION, id="too-short"),
        pytest.param("Title\n\nSummary\n\nCHAPTER SIX. ON THEORIES.\n\nText.", id="capitals"),
        pytest.param("Title\n\nAbstract.\n\n2010 Mathematics Subject Classification. Primary .\n\n" + INTRODUCTION, id="empty"),
        pytest.param("Title\n\nAbstract\n\n" + INTRODUCTION, id="empty-before-introduction"),
        pytest.param("Title\n\nAbstract . . . . . 5\n\nSome text with very many words that nobody would take for an abstract.\n", id="contents"),
        pytest.param("Abstract Wiener Spaces\n\nAbstract Wiener spaces are measure spaces which Gross introduced in a paper.\n", id="title"),
        pytest.param("Title\n\nIn this text on\nabstract algebra. It is a part of mathematics which has more than ten words.\n", id="running-text"),
        pytest.param("Title\n\nSummary of results. We prove many things which are of use to very many people.\n", id="section"),
    ],
)
def test_no_abstract_where_a_label_has_no_text_or_is_none(text):
    assert found(text).abstract is None


def test_abstract_goes_on_over_displayed_formulas_while_its_sentence_is_open():
    text = "Title\n\nAbstract. We solve the equation\n\nx^2 + y^2 = z^2\n\n(1)\n\nin integers, and show that there are many.\n\nThe text begins.\n"
    assert found(text).abstract == "We solve the equation x^2 + y^2 = z^2 in integers, and show that there are many."


def test_abstract_goes_on_over_a_page_end_and_its_running_head():
    text = "Title\nANNA AUTHOR\n\nAbstract. This answers, for all fields, a ques-\n\n1\n\f2\n\nANNA AUTHOR\n\ntion of May.\n\n1. Introduction\n"
    assert found(text).abstract == "This answers, for all fields, a question of May."


def test_abstract_has_all_paragraphs_up_to_the_keywords():
    second = "A second paragraph says more about formal operads and their many algebras."
    assert found(f"Title\n\nAbstract\n\nPROSE\n\n{second}\n\nKeywords: operad\n").abstract == f"{PROSE} {second}"
    assert found(f"Title\n\nAbstract\n\nPROSE\n\n{second}\n\n2 Operads\n").abstract == PROSE


BODY = (50, 500, 10, "\n".join(["The running text of the paper is set in the whole width of the page, and"] * 9 + ["ends."]))


def test_abstract_set_apart_from_the_text_goes_on_over_paragraphs_set_alike():
    blocks = [(90, 100, 8, "Abstract. Our equation is\nas follows.\nMx = y\n(1)"), (90, 142, 8, "Here, M is a matrix.\nIt has one."), BODY]
    assert find_metadata(read_bbox(as_bbox(blocks))).abstract == "Our equation is as follows. Mx = y Here, M is a matrix. It has one."
    blocks = [(90, 100, 8, "Abstract. Our equation is\nsolved."), (90, 124, 8, "Here, M is a matrix.\nIt has one."), BODY]
    assert find_metadata(read_bbox(as_bbox(blocks))).abstract == "Our equation is solved. Here, M is a matrix. It has one."


def test_abstract_set_as_the_text_ends_with_its_paragraph():
    blocks = [(50, 100, 10, "Abstract. Our equation is\nsolved here."), (50, 128, 10, "Here, M is a matrix.\nIt has an inverse."), BODY]
    assert find_metadata(read_bbox(as_bbox(blocks))).abstract == "Our equation is solved here."


def test_abstract_below_a_label_alone_is_that_of_its_column():
    words = "one two three four five six\nseven eight nine ten eleven twelve"
    blocks = [(300, 100, 10, "Abstract"), (50, 120, 10, words.upper()), (300, 120, 10, words + ".")]
    assert find_metadata(read_bbox(as_bbox(blocks))).abstract == " ".join(words.split()) + "."


def test_places_are_those_of_the_labels_in_the_file_as_read():
    got = found("arXiv:1508.05632v2 [math.AT] 25 Aug 2015\n\nTitle\nAbstract\nPROSE\n\f1\n\nKeywords: operad.\nMSC: 55P48\n")
    assert (got.abstract_place, got.keywords_place, got.msc_place) == ((1, 2, 2), (2, 2, 1), (2, 2, 2))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Titel\n\nZusammenfassung. Wir zeigen, dass die Gruppe endlich ist, und zwar für jede Charakteristik.\n", "de"),
        ("Titre\n\nRe\u0301sume\u0301. Nous montrons que toute opérade est formelle sur un corps.\n", "fr"),
        ("Title\n\nAbstract. PROSE\n", "en"),
        ("Title\n\nMots-clés: Riemann\n", "fr"),
        ("Title\n\nno label\n", None),
    ],
)
def test_language_is_that_of_the_abstract_or_of_the_label(text, language):
    assert found(text).language == language
