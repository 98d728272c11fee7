"""Rows of a file come when it is in place, in order, however many; what cannot be read leaves no output."""

import contextlib
import io
import json
from collections import Counter

import pytest

from gutsort.errors import SpaceError
from gutsort.extract.documents import document_of_bytes
from gutsort.extract.units import Settings
from gutsort.jobs import held
from gutsort.jobs.held import Held
from gutsort.jobs.strip import gap_stripper, into_tree, strip_all
from gutsort.records import Document

MANY = b"".join(json.dumps({"text": f"own line {n}\n"}).encode() + b"\n" for n in range(1000))


def stripper():
    return gap_stripper(Counter(), Settings("line"))


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 8])
def test_held_rows_come_back_in_order(count, monkeypatch):
    monkeypatch.setattr(held, "AT_ONCE", 3)
    rows, all_of_them = [{"n": n} for n in range(count)], Held()
    for row in rows:
        all_of_them.add(row)
    assert list(all_of_them.rows()) == rows


def test_rows_come_when_the_file_is_in_place():
    closed = []

    @contextlib.contextmanager
    def sink(document):
        yield io.BytesIO()
        closed.append(document.path)

    rows = strip_all([document_of_bytes(MANY, b"a.jsonl")], stripper(), sink)
    assert next(rows)["member"] == "1"
    assert closed == [b"a.jsonl"]
    assert [row["member"] for row in rows] == [str(n) for n in range(2, 1001)]


class Failing(io.BytesIO):
    """A file on a bad disk: its end cannot be read."""

    def read(self, size=-1):
        if self.tell() > 100_000:
            raise OSError(5, "Input/output error")
        return super().read(min(size, 65_536))


@pytest.mark.parametrize("processes", [1, 2])
def test_what_cannot_be_read_to_its_end_is_a_row_and_no_output(tmp_path, processes):
    bad = Document(b"bad", b"bad", None, 0, 0, open_failing)
    good = Document(b"good", b"good", None, 0, 0, open_good)
    rows = list(strip_all([bad, good], stripper(), into_tree(bytes(tmp_path)), processes))
    assert [(row["path"], row["status"], row.get("why")) for row in rows] == [
        ("bad", "skipped", "Input/output error"),
        ("good", "done", None),
    ]
    assert [p.name for p in tmp_path.iterdir()] == ["good"]


def open_failing():
    return Failing(b"a line\n" * 100_000)


def open_good():
    return io.BytesIO(b"a line\n")


def test_an_output_that_cannot_be_written_is_no_skipped_document(tmp_path):
    class Full(io.BytesIO):
        def write(self, data):
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        list(strip_all([document_of_bytes(b"a\n")], stripper(), lambda document: contextlib.nullcontext(Full())))
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(SpaceError):
        list(strip_all([document_of_bytes(b"a\n", b"x")], stripper(), into_tree(bytes(tmp_path / "file"))))
