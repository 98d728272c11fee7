"""The source's rules to the letter, with what they get wrong."""

import pytest

from gutsort.metadata.find import find_metadata_literally
from gutsort.metadata.plain import read_plain
from gutsort.metadata.prescript import read_prescript


def literally(text, **options):
    return find_metadata_literally(read_plain(text), **options)


def test_abstract_is_a_paragraph_that_begins_with_the_word():
    text = "Title\nAbstract\n\n1. ABSTRACT: We show in this paper that each operad is a trans-\nformation of trees.\n\nMore\n"
    assert literally(text).abstract == "We show in this paper that each operad is a transformation of trees."


def test_abstract_of_up_to_ten_words_is_replaced_by_the_next_longer_paragraph():
    eleven = "a b c d e f g h i j k"
    assert literally(f"Summary\n\na b c d e f g h i j\n\n{eleven}.\n\nmore").abstract == eleven + "."
    assert literally("Abstract. a b c d e f g h i.\n\nshort").abstract is None


def test_abstract_goes_on_while_its_last_paragraph_is_one_line_without_a_full_stop():
    assert literally("Abstract a b c d e f g h i j\n\nx = y\n\nk l.\n\nm").abstract == "a b c d e f g h i j x = y k l."
    assert literally("Abstract a b c d e f g\nh i j\n\nx = y\n").abstract == "a b c d e f g h i j"


def test_abstract_may_be_running_text():
    assert literally("Abstract algebra is a part of mathematics that is of use here.").abstract.startswith("algebra is")


def test_keywords_begin_with_a_line_that_has_both_words_and_end_with_a_full_stop():
    assert literally("In other words, the key is this: a, b; c\nd.\ne.").keywords == ["a", "b", "c d"]
    assert literally("Schluesselwoerter. Baum").keywords == ["Baum"]
    assert literally("Keywords.\n\noperad").keywords == []


def test_keywords_fall_back_to_a_line_that_begins_with_key():
    assert find_metadata_literally(read_prescript("<p>Key operad,\ntree<br>graph")).keywords == ["Key operad", "tree"]


def test_codes_are_tokens_of_a_paragraph_with_two_of_the_words():
    text = "Mathematics Subject Classification: 14J70, 00-01, 1.1, 1/2, 11-XX\n\nA classification: 55P48"
    assert literally(text).msc == ["14J70", "00-01", "1.1", "1/2"]
    assert literally(text, strict=True).msc == ["14J70", "00-01", "11-XX"]


@pytest.mark.parametrize(("pages", "expected"), [(2, ["operad"]), (3, [])])
def test_only_three_pages_are_searched(pages, expected):
    assert literally("text\f" * pages + "Keywords: operad").keywords == expected
