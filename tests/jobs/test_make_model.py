"""Models made of lists, and found by name."""

import io
import math

import pytest

from gutsort.count.frequent import FrequentLines
from gutsort.errors import FormatError, ReadError
from gutsort.jobs.model import find_model, make_model, model_names
from gutsort.strip.odds import BACK, BASE, FLOOR, PART

SETTINGS = {"key": "odds", "head": "500", "tail": "600"}


def frequent(entries, settings=SETTINGS, documents=10_000):
    found = FrequentLines(entries)
    found.settings, found.documents = settings, documents
    return found


def counts(model, *records):
    return [model[record] for record in records]


def test_a_model_holds_the_ends_that_give_evidence_and_their_backgrounds():
    base = BASE * 100
    just = math.ceil(2**FLOOR * base)  # a whole line, which is all that it takes
    entries = {
        b".seen\t^": just,
        b".seen\t$": just - 1,  # gives less than FLOOR
        b".seen\t=": 0,
        b".rare\t^": just - 1,
        b".body\t^": 500,  # 500 / (75 + 20 * 500) is less than an eighth
        b".body\t=": 500,
        b"+far inside\t$": 4000,
        b"+far inside\t=": 90,
        b"+far inside\t~": 7,
        b"+far inside\t^": 1,
        b"|line inside\t*": 4000,
    }
    assert 4000 / (base + PART + BACK * 90) > 2**FLOOR > 500 / (base + BACK * 500)
    model = make_model(frequent(entries), "list")
    assert counts(model, b".seen\t^", b"+far inside\t$", b"+far inside\t=", b"+far inside\t~") == [just, 4000, 90, 7]
    assert len(model) == 4


def test_fewer_bits_make_a_smaller_model():
    entries = {b".a\t^": 75, b".b\t^": 150, b".c\t^": 300}  # 0, 1 and 2 bits
    assert [len(make_model(frequent(entries), "list", least=bits)) for bits in (-3, 0, 0.5, 1.5, 2.5)] == [3, 3, 2, 1, 0]


def test_a_model_says_where_it_comes_from():
    model = make_model(frequent({}, SETTINGS | {"interior": "1"}), "list", source="ten\nthousand é")
    assert (model.documents, model.settings) == (10_000, SETTINGS)
    assert model.header["source"] == "ten\\x0athousand é"


@pytest.mark.parametrize("settings", [None, {"key": "page", "head": "3", "tail": "3"}])
def test_a_list_without_places_makes_no_model(settings):
    with pytest.raises(FormatError, match="^list: expected a list of marked keys"):
        make_model(frequent({b"a": 9}, settings), "list")


def test_gutenberg_is_shipped_and_small(tmp_path):
    assert "gutenberg" in model_names()
    model, file = find_model("gutenberg"), io.BytesIO()
    model.save(file)
    assert len(file.getvalue()) < 1_000_000
    assert model.documents > 400
    assert "Project Gutenberg" in model.header["source"]
    assert model[b"+anyone anywhere\t^"] > model.documents / 2  # "for the use of anyone anywhere" opens most of its books
    (tmp_path / "mine").write_bytes(file.getvalue())
    assert find_model(str(tmp_path / "mine"))[b"+anyone anywhere\t^"] == model[b"+anyone anywhere\t^"]


def test_what_is_neither_shipped_nor_a_file_is_named():
    with pytest.raises(ReadError, match=r"^no/such\\x0a: No such file or directory, and no model .*gutenberg"):
        find_model("no/such\n")
