"""Round trips, TABs in lines, and bad data: each format's reader against its writer."""

import io
import json
import random

import pytest

from gutsort.errors import FormatError
from gutsort.formats import (
    escape_name,
    format_tsv,
    format_uniq,
    parse_settings,
    read_frequent,
    read_line_blocks,
    read_lines,
    read_report,
    report_header,
    settings_record,
    unescape_name,
    write_lines,
    write_report_row,
)
from gutsort.records import Counted

ODD_KEYS = [b"", b"a", b"a\tb", b"\t", b" lead", b"1 2", b"\xff\x00\r", bytes(range(11, 256))]


@pytest.mark.parametrize("block", [1, 2, 7, 1 << 20])
@pytest.mark.parametrize("separator", [b"\n", b"\0"])
def test_line_blocks_give_every_line_whatever_the_block(block, separator):
    rng = random.Random(block)
    lines = [bytes(rng.choices(b"ab\r\v\x85\t", k=rng.randint(0, 9))) for _ in range(200)]
    for last in (separator, b""):
        data = separator.join(lines) + b"x" + last
        assert [line for some in read_line_blocks(io.BytesIO(data), separator, block) for line in some] == [*lines[:-1], lines[-1] + b"x"]


def test_lines_round_trip_and_no_lines_write_nothing():
    file = io.BytesIO()
    write_lines(file, [])
    assert file.getvalue() == b""
    write_lines(file, [b"a", b"", b"b\r"])
    assert file.getvalue() == b"a\n\nb\r\n"
    assert list(read_lines(io.BytesIO(file.getvalue()))) == [b"a", b"", b"b\r"]


@pytest.mark.parametrize("style", [format_tsv, format_uniq])
def test_frequent_list_round_trips_in_both_styles(style):
    counts = [1, 9999999, 2**60, 3, 4, 5, 6, 7]
    file = io.BytesIO(b"".join(line + b"\n" for line in style(counts, ODD_KEYS)))
    assert list(read_frequent(file, "list")) == [Counted(*pair) for pair in zip(counts, ODD_KEYS, strict=True)]


def test_uniq_style_is_what_uniq_prints(gnu):
    keys = sorted([b"b", b" a", b"", b"7 x", b"t\tx"])
    data = b"".join(key + b"\n" for key in keys for _ in range(len(key) + 1))
    assert gnu(["uniq", "-c"], data) == b"".join(line + b"\n" for line in format_uniq([len(k) + 1 for k in keys], keys))


@pytest.mark.parametrize(
    ("data", "number", "expected"),
    [
        (b"3\ta\nb\n", 2, '"COUNT TAB KEY"'),
        (b"x\n", 1, '"COUNT TAB KEY"'),
        (b"\n", 1, '"COUNT TAB KEY"'),
        (b"3\ta\n3 b\n", 2, '"COUNT TAB KEY"'),
        (b"      3 a\n3\tb\n", 2, '"COUNT KEY" as uniq -c prints it'),
        (b"-3\ta\n", 1, '"COUNT TAB KEY"'),
    ],
)
def test_frequent_list_names_the_first_line_that_does_not_fit(data, number, expected):
    with pytest.raises(FormatError, match=f"^list.txt:{number}: expected {expected}$"):
        list(read_frequent(io.BytesIO(data), "list.txt"))


def test_settings_round_trip_and_other_lines_are_none():
    settings = {"key": "odds", "head": "500", "tail": "600"}
    assert parse_settings(settings_record(settings)) == settings
    assert parse_settings(b"#gutsort 1 key") is None
    assert parse_settings(b".#gutsort 1 key=odds") is None
    assert settings_record(settings) < b"+"  # before every mark of a key


def test_names_are_one_line_and_reversible():
    rng = random.Random(5)
    names = [bytes(rng.choices(range(1, 256), k=rng.randint(0, 12))) for _ in range(2000)] + ["naïve\u2028\u0085.txt".encode(), b"a\\x0a"]
    for name in names:
        text = escape_name(name)
        assert unescape_name(text) == name
        assert text.isprintable()


ROW = {
    "path": "é",
    "member": None,
    "target": "é",
    "size": 9,
    "mtime_ns": 1,
    "cuts": [[0, 3, "head: x"], [5, 9, "tail: y"]],
    "sha256": {"input": "00", "output": "01"},
    "status": "done",
}


def report_of(*rows):
    file = io.BytesIO()
    for row in (report_header("1", {"key": "line"}, "00"), *rows):
        write_report_row(file, row)
    return file.getvalue()


def test_report_round_trips():
    rows = [ROW, {"path": "a", "member": "b", "status": "skipped", "why": "is binary"}]
    assert list(read_report(io.BytesIO(report_of(*rows)), "r")) == [report_header("1", {"key": "line"}, "00"), *rows]


HEADER = report_of()


@pytest.mark.parametrize(
    "data", [b"{}\n", b'{"path": "x"}\n', b"nothing\n", b'{"gutsort_report": 1}\n', HEADER + b"[]\n", HEADER + b'{"gut', HEADER + b"[" * 99_999]
)
def test_report_with_another_line_is_an_error(data):
    with pytest.raises(FormatError, match="^r:[12]: expected"):
        list(read_report(io.BytesIO(data), "r"))


WRONG = ["absent", None, -1.5, [], {}, [[3, 2, "x"]], [["a", 1, "x"]], [[0, 9, "x"], [3, 9, "x"]], "a\ud800", "a\\x00"]
FITTING = [("member", None), ("cuts", [])]


@pytest.mark.parametrize(("field", "value"), [pair for field in ROW for value in WRONG if (pair := (field, value)) not in FITTING])
def test_report_with_a_field_of_another_kind_is_an_error(field, value):
    row = {name: old for name, old in ROW.items() if name != field} | ({} if value == "absent" else {field: value})
    with pytest.raises(FormatError, match="^r:2: expected an object about a document$"):
        list(read_report(io.BytesIO(HEADER + json.dumps(row).encode() + b"\n"), "r"))
