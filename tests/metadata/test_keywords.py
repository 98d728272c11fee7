# ruff: noqa: E501  (a paper is a line)
import pytest
from papers import as_bbox, found

from gutsort.metadata.bbox import read_bbox
from gutsort.metadata.find import find_metadata


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        pytest.param("Key words and phrases. operad, rooted\ntree.\nMy Mommy.\n", ["operad", "rooted tree"], id="full-stop"),
        pytest.param("Keywords: operad, tree\nAbstract. We prove all that is known.\n", ["operad", "tree"], id="abstract-after"),
        pytest.param("Keywords. operad, tree\n1 Introduction\nLet X be a space.\n", ["operad", "tree"], id="heading-after"),
        pytest.param("K E Y W O R D S\n\noperad, tree\n\n1 Introduction\n", ["operad", "tree"], id="spaced-out"),
        pytest.param("Keywords:\nOperad\nTree of graphs\nGraph\n\nText.\n", ["Operad", "Tree of graphs", "Graph"], id="one-a-line"),
        pytest.param("Keywords Operads · Trees · Graphs\n\nText.\n", ["Operads", "Trees", "Graphs"], id="middle-dots"),
        pytest.param("Keywords: tree (rooted, planar), SU(2,1)\n", ["tree (rooted, planar)", "SU(2,1)"], id="commas-in-brackets"),
        pytest.param("Keywords: sets, finite; trees\n", ["sets, finite", "trees"], id="semicolons"),
        pytest.param("Keywords: Markov chain. Random walk. Coupling.\n", ["Markov chain", "Random walk", "Coupling"], id="full-stops"),
        pytest.param("Key words: operad, tree. The author thanks\nthe DFG.\n", ["operad", "tree"], id="sentence-after"),
        pytest.param("Keywords: operad, tree. MSC: 55P48\n", ["operad", "tree"], id="codes-after"),
        pytest.param("MSC: 55P48. Key words: operad, tree\n", ["operad", "tree"], id="inside-a-line"),
        pytest.param("Keywords: K. Saito theory, St. Petersburg paradox\n", ["K. Saito theory", "St. Petersburg paradox"], id="abbreviations"),
        pytest.param("Keywords: trans-\nformation, self-\nsimilar\n\nOf self-similar groups\n", ["transformation", "self-similar"], id="hyphens"),
        pytest.param("Keywords: operad,\n\ntree\n", ["operad", "tree"], id="open-at-paragraph-end"),
        pytest.param("Keywords: \ufb01nite \ufb01eld, \ufb02ow\n", ["finite field", "flow"], id="ligatures"),
        pytest.param("Schl¨ usselw¨orter: Operade, Baum\n", ["Operade", "Baum"], id="german-loose-accents"),
        pytest.param("Mots-clés : opérade, arbre.\n", ["opérade", "arbre"], id="french"),
        pytest.param("1 Key words. operad, and tree\n", ["operad", "tree"], id="footnote"),
        pytest.param("Keywords. Key words go here...\n", ["Key words go here..."], id="placeholder-is-given-as-it-is"),
        pytest.param("In other words, the key is\nkey words are not listed here.\n", [], id="running-text"),
        pytest.param("Keywords are found by a rule.\n", [], id="sentence"),
        pytest.param("Keywords:\n\n1 Introduction\n", [], id="empty"),
        pytest.param("1.2. Keywords . . . . . . 6\n2. Text . . . . 7\n", [], id="contents"),
    ],
)
def test_keywords_are_the_list_behind_their_label(text, keywords):
    assert found("Title\n\n" + text).keywords == keywords


def test_list_ends_with_a_line_that_stops_short_of_the_margin():
    block = (50, 600, 8, "Keywords. operad, tree\nDFG grant 7, which made this paper possible, is thanked here")
    assert find_metadata(read_bbox(as_bbox([block]))).keywords == ["operad", "tree"]
    full = (50, 600, 8, "Keywords. operad, tree and quite a lot\nMay spaces")
    assert find_metadata(read_bbox(as_bbox([full]))).keywords == ["operad", "tree and quite a lot May spaces"]
