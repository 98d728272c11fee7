import argparse
import gzip
import io
import json
import os
import shutil
import time

import pytest

from gutsort.errors import FormatError, ReadError, UsageError
from gutsort.jobs import convert
from gutsort.programs import metadata

HEAD = b"A Title\n\nAbstract. We prove that every operad\nis formal.\n\nKeywords: operad,\ttree\n\nMSC: 55P48, 18D50\n"
ROW = {
    "status": "done",
    "abstract": "We prove that every operad is formal.",
    "keywords": ["operad", "tree"],
    "msc": ["55P48", "18D50"],
    "language": "en",
    "places": {
        "abstract": {"page": 1, "paragraph": 2, "line": 1},
        "keywords": {"page": 1, "paragraph": 3, "line": 1},
        "msc": {"page": 1, "paragraph": 4, "line": 1},
    },
}


def run(*argv: object, stdin: bytes = b"") -> tuple[int, bytes]:
    out = io.BytesIO()
    args = metadata.build_parser().parse_intermixed_args([os.fsdecode(arg) if isinstance(arg, bytes) else str(arg) for arg in argv])
    assert isinstance(args, argparse.Namespace)
    return metadata.run(args, io.BytesIO(stdin), out), out.getvalue()


def rows(output: bytes) -> list[dict]:
    return [json.loads(line) for line in output.splitlines()]


@pytest.fixture
def paper(tmp_path):
    path = tmp_path / "paper.txt"
    path.write_bytes(HEAD)
    return path


def test_row_has_fields_and_places(paper):
    status, output = run(paper)
    assert status == 0
    assert rows(output) == [{"path": str(paper)} | ROW]


def test_tsv_has_a_header_and_no_tab_in_a_field(paper):
    assert run("--tsv", paper) == run("--output-format", "tsv", paper)
    header, row = run("--tsv", paper)[1].decode().splitlines()
    assert header.split("\t")[:6] == ["path", "status", "language", "abstract", "keywords", "msc"]
    assert row.split("\t")[1:] == ["done", "en", ROW["abstract"], "operad; tree", "55P48 18D50", "1.2.1", "1.3.1", "1.4.1"]


def test_standard_input_and_compressed_files_are_read(tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(HEAD))
    status, output = run("-", tmp_path / "a.gz", stdin=HEAD)
    assert (status, [row["path"] for row in rows(output)]) == (0, ["-", str(tmp_path / "a.gz")])
    assert all(row["msc"] == ROW["msc"] for row in rows(output))


def test_names_from_a_file(paper, tmp_path):
    (tmp_path / "names").write_bytes(os.fsencode(paper) + b"\0" + os.fsencode(paper))
    assert len(rows(run("--files0-from", tmp_path / "names")[1])) == 2


def test_format_that_is_said_is_not_guessed(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"<p>x<br>y<br>z\n\nKeywords: operad")
    assert rows(run("--format", "text", path)[1])[0]["places"]["keywords"] == {"page": 1, "paragraph": 2, "line": 1}
    assert rows(run(path)[1])[0]["places"]["keywords"] == {"page": 1, "paragraph": 1, "line": 4}


def test_unreadable_and_empty_papers_are_said_and_skipped(paper, tmp_path, capsys):
    (tmp_path / "scan").write_bytes(b"\f\f1\n")
    (tmp_path / "broken.gz").write_bytes(gzip.compress(HEAD)[:40])
    status, output = run(tmp_path / "none", tmp_path / "scan", tmp_path / "broken.gz", paper)
    assert status == 1
    assert [row["status"] for row in rows(output)] == ["skipped", "skipped", "skipped", "done"]
    said = capsys.readouterr().err
    assert "none: No such file or directory; skipped" in said
    assert "scan: no text, or a scan without a text layer; skipped" in said
    assert "broken.gz: Compressed file ended" in said


def test_literal_rules(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"In other words, the key is: this\n\nMathematics Subject Classification: 1.1, 11-XX\n")
    assert rows(run(path)[1])[0]["keywords"] == []
    literal, strict = rows(run("--literal", path)[1])[0], rows(run("--literal", "--strict", path)[1])[0]
    assert (literal["keywords"], literal["msc"], strict["msc"]) == (["this"], ["1.1"], ["11-XX"])


def test_frequent_lines_are_dropped(tmp_path):
    paper, frequent = tmp_path / "a", tmp_path / "frequent.txt"
    paper.write_bytes(b"Abstract. We prove that every operad\nTEMPLATE  VOLUME 7\nis formal.\n")
    frequent.write_bytes(b"9\tTEMPLATE VOLUME 7\n")
    assert rows(run("--frequent", frequent, paper)[1])[0]["abstract"] == ROW["abstract"]
    frequent.write_bytes(b"9\t#gutsort 1 key=odds head=500\n")
    with pytest.raises(FormatError, match="expected a plain list"):
        run("--frequent", frequent, paper)


@pytest.mark.parametrize(
    "argv",
    [(), ("--tsv", "--output-format", "jsonl", "a"), ("--literal", "--frequent", "f", "a"), ("--files0-from", "f", "a"), ("-", "-")],
)
def test_options_that_do_not_go_together(argv):
    with pytest.raises(UsageError):
        run(*argv)


def test_output_file_is_whole_or_not_there(paper, tmp_path):
    run("-o", tmp_path / "out", paper)
    assert rows((tmp_path / "out").read_bytes())[0]["msc"] == ROW["msc"]
    with pytest.raises(UsageError):
        run("-o", tmp_path / "none", "--tsv", "--output-format", "jsonl", paper)
    assert not (tmp_path / "none").exists()


# -- converters ----------------------------------------------------------------------------------------------------------------


def program(folder, name: str, script: str, monkeypatch) -> None:
    """Put a shell script named `name` before all programs."""
    (folder / name).write_text("#!/bin/sh\n" + script)
    (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize(("data", "package"), [(b"%PDF-1.4\n", "poppler-utils"), (b"%!PS\n", "ghostscript")])
def test_missing_converter_is_said_with_its_package(data, package, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "paper").write_bytes(data)
    assert run(tmp_path / "paper")[0] == 1
    assert f"is not installed; it is in the package {package}; skipped" in capsys.readouterr().err


def test_converter_that_fails_or_writes_is_taken_at_its_word(tmp_path, monkeypatch):
    program(tmp_path, "pdftotext", "echo 'Incorrect password' >&2; exit 1", monkeypatch)
    with pytest.raises(ReadError, match="pdftotext failed: Incorrect password"):
        convert.to_bbox(b"a.pdf", "pdf")
    program(tmp_path, "pdftotext", 'echo "$5"', monkeypatch)
    assert convert.to_bbox(b"-a.pdf", "pdf") == os.fsencode(os.getcwd()) + b"/-a.pdf\n"


def test_converter_that_hangs_is_ended_with_its_children(tmp_path, monkeypatch):
    program(tmp_path, "pdftotext", f"(sleep 2; touch {tmp_path}/alive) & wait", monkeypatch)
    with pytest.raises(ReadError, match="took more than 0.2 seconds"):
        convert.to_bbox(b"a.pdf", "pdf", time_limit=0.2)
    time.sleep(2.5)
    assert not (tmp_path / "alive").exists()


def postscript(lines: list[str]) -> bytes:
    shown = "".join(f"72 {700 - 12 * number} moveto ({line}) show\n" for number, line in enumerate(lines) if line)
    return f"%!PS\n/Times-Roman findfont 10 scalefont setfont\n{shown}showpage\n".encode()


@pytest.mark.parametrize("compressed", [False, True])
def test_postscript_and_its_pdf_are_read_where_the_converters_are_installed(compressed, tmp_path):
    if not (shutil.which("pdftotext") and shutil.which("ps2pdf")):
        pytest.skip("needs poppler-utils and ghostscript")
    data = postscript(HEAD.decode().expandtabs(1).split("\n"))
    path = tmp_path / "paper"
    path.write_bytes(gzip.compress(data) if compressed else data)
    status, output = run(path)
    row = rows(output)[0]
    assert (status, row["abstract"], row["keywords"], row["msc"]) == (0, ROW["abstract"], ROW["keywords"], ROW["msc"])


def test_what_is_no_file_is_not_waited_for(tmp_path, paper):
    os.mkfifo(tmp_path / "pipe")
    status, output = run(tmp_path / "pipe", tmp_path, paper)
    assert status == 1
    assert [row.get("why") for row in rows(output)] == ["is a pipe", "is a directory", None]
