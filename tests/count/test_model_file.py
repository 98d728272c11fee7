"""Models as a mapping and as a file."""

import hashlib
import io
import random
import struct

import pytest

from gutsort.count.model import Model, load_model
from gutsort.errors import FormatError
from gutsort.formats import COUNT_MAX, MODEL_MARK

HEADER = {"settings": "key=odds head=500 tail=600", "documents": "9", "source": "a test, é"}


def saved(entries, header=HEADER):
    file = io.BytesIO()
    Model.of_records(entries.items(), header).save(file)
    return file.getvalue()


def test_a_model_has_the_counts_of_its_records_and_0_for_others():
    rng = random.Random(1)
    entries = {b"+word %d\t%c" % (n, rng.choice(b"^$=~")): rng.randint(1, 1 << 20) for n in range(500)}
    model = load_model(io.BytesIO(saved(entries)), "m")
    assert {record: model[record] for record in entries} == entries
    assert [model[record + b"x"] for record in entries] == [0] * len(entries)
    assert (len(model), model.documents, model.settings) == (500, 9, {"key": "odds", "head": "500", "tail": "600"})
    assert model.header["source"] == HEADER["source"]


def test_an_empty_model_knows_nothing():
    assert load_model(io.BytesIO(saved({})), "m")[b"+a b\t^"] == 0


def test_the_file_is_what_the_format_says_and_holds_no_text():
    entries = {b"+secret words\t^": 7, b"0another line\t$": COUNT_MAX + 5}
    data = saved(entries)
    head, _, body = data.partition(b"\n\n")
    digest = {record: int.from_bytes(hashlib.blake2b(record, digest_size=8).digest(), "little") for record in entries}
    ordered = sorted(entries, key=digest.get)
    assert body == struct.pack("<2Q", *map(digest.get, ordered)) + struct.pack("<2I", *(min(entries[r], COUNT_MAX) for r in ordered))
    assert head.decode().splitlines() == [
        "#gutsort model 1",
        *(f"{name} {value}" for name, value in HEADER.items()),
        "entries 2",
        f"sha256 {hashlib.sha256(body).hexdigest()}",
    ]
    assert b"secret" not in data


GOOD = saved({b"+a b\t^": 7, b"+a b\t=": 1})
START = f"{MODEL_MARK}1\n".encode()
EMPTY = f"entries 0\nsha256 {hashlib.sha256().hexdigest()}\n\n".encode()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "m: expected a model, which begins with '#gutsort model 1'"),
        (b"7\t+a b\t^\n", "m: expected a model, which begins"),
        (b"\0" * 9999, "m: expected a model, which begins"),
        (GOOD.replace(b"model 1", b"model 2", 1), "m: expected a model of version 1, found 2"),
        (GOOD[:-1], "m: the model is damaged"),
        (GOOD[:-12], "m: the model is damaged"),
        (GOOD + b"\0" * 12, "m: the model is damaged"),
        (GOOD[:-3] + b"\1" + GOOD[-2:], "m: the model is damaged"),
        (GOOD[:40], "m: the model is damaged"),
        (START + EMPTY, "m: expected a model that says its settings"),
        (START + b"settings key=odds\ndocuments many\n" + EMPTY, "m: expected a model that says its settings"),
        (START + b"settings what\ndocuments 3\n" + EMPTY, "m: expected a model that says its settings"),
    ],
)
def test_what_is_no_whole_model_of_this_version_is_an_error(data, said):
    with pytest.raises(FormatError) as error:
        load_model(io.BytesIO(data), "m")
    assert str(error.value).startswith(said)
