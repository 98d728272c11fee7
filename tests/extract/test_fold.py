"""--fold: one key for a line, whatever it was typed and saved with."""

import random
import unicodedata

import pytest

from gutsort.extract.fold import fold

LINES = ["Prêté par la bibliothèque", "naïve façade, Ærø", "“It’s a dash – that—is” «so»"]


@pytest.mark.parametrize("text", LINES)
def test_one_form_in_every_encoding(text):
    forms = {fold(unicodedata.normalize(form, text).encode()) for form in ("NFC", "NFD")}
    forms.add(fold(text.encode("cp1252")))
    if not set(text) & set("“’–—”"):
        forms.add(fold(text.encode("latin-1")))
    assert len(forms) == 1


def test_typography_is_that_of_a_typewriter():
    assert fold(LINES[2].encode()) == b'"It\'s a dash - that--is" "so"'
    assert fold("a\u00a0b\u00adc…".encode()) == b"a bc..."


def test_other_lines_stay_apart():
    assert len({fold(line.encode()) for line in ("cote", "côte", "coté", "Cote", "co te", "co-te")}) == 6


def test_any_bytes_can_be_folded_and_folding_again_changes_nothing():
    rng = random.Random(5)
    for _ in range(2000):
        once = fold(rng.randbytes(rng.randint(0, 12)))
        assert fold(once) == once
        once.decode()


def test_ascii_is_as_it_was():
    line = bytes(range(0x80))
    assert fold(line) == line
