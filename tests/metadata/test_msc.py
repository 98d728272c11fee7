# ruff: noqa: E501  (a paper is a line)
import pytest
from papers import found


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        pytest.param("2010 Mathematics Subject Classification. Primary 55P48, 18D50; Secondary\n16E40.\nText 14J70\n", "55P48 18D50 16E40", id="ams"),
        pytest.param("Mathematics Subject Classification (2000): 55P48 · 18D50\n", "55P48 18D50", id="springer"),
        pytest.param("MSC2020: 55P48, 18-02, 11-XX, 20Fxx.\n", "55P48 18-02 11-XX 20Fxx", id="general-codes"),
        pytest.param("MSC (2010): 14 J 70, 35k55; 14 J 70\n", "14J70 35K55", id="as-typed-and-twice"),
        pytest.param("AMS(MOS) subject classification (1985): 55P48. Key words: 14J70\n", "55P48", id="keywords-after"),
        pytest.param("A.M.S. classification: 55P48\n", "55P48", id="dots"),
        pytest.param("1 2000 Mathematics Subject Classification. Primary 55P48\n", "55P48", id="footnote"),
        pytest.param("MSC-Klassifikation: 55P48\n", "55P48", id="german"),
        pytest.param("Classification AMS 1991 : 55P48\n", "55P48", id="french"),
        pytest.param("We prove it. 2010 Mathematics Subject Classification. 55P48\n", "55P48", id="inside-a-line"),
        pytest.param("MSC:\n\n55P48\n18D50\n\n14J70 is no code here\n", "55P48 18D50", id="below-its-label"),
        pytest.param("2010 Mathematics Subject Classi\ufb01cation. 55P48\n", "55P48", id="ligature"),
        pytest.param("2010 Mathematics Subject Classification. Primary .\n", "", id="no-codes"),
        pytest.param("1991 Mathematics Subject Classification. Other stuff.\n\nThe model 14J70\n", "", id="no-codes-but-elsewhere"),
        pytest.param("The classification of this subject in mathematics has 1.1, 1/2, 12-34 and 14J70.\n", "", id="running-text"),
        pytest.param("MSC: 1.1, 1/2, 14-34, 99-01, 2010-05-11, 59A12\n", "", id="no-such-area"),
    ],
)
def test_codes_are_those_behind_a_label(text, codes):
    assert found("Title\n\n" + text).msc == codes.split()
