"""What was cut can be put back, byte for byte, or is not put back at all; and --diff shows it."""

import gzip
import io
import json
import os
import pty
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest
from conftest import tree_bytes

NOTICE = b"".join(b"This notice opens documents, line %d\r\n" % n for n in range(5))
LICENCE = b"".join(b"This licence closes documents, line %d\n" % n for n in range(9))
LIST = b"".join(b"20\t" + line.strip() + b"\n" for line in (NOTICE + LICENCE).splitlines())
BODY = b"".join(b"Line %d of the body, which is the larger part of it all\n" % n for n in range(12))
FILES = {
    "a": b"\xef\xbb\xbf" + NOTICE + b"\n\n" + BODY + LICENCE[:-1],
    "x/b\nc": BODY + b"\n\n" + LICENCE,
    "untouched": BODY + b"end",
    "empty": b"",
    "utf16": ("\ufeff" + (NOTICE + BODY).decode()).encode("utf-16-le"),
}


@pytest.fixture
def stripped(program, tree, tmp_path):
    (tmp_path / "list").write_bytes(LIST)
    folder = tree(FILES)
    args = ["-o", tmp_path / "clean", "--keep-cuts", tmp_path / "cuts", "--report", tmp_path / "report"]
    assert program("stripfreq", tmp_path / "list", folder, *args).returncode == 0
    return tmp_path


def restore(program, folder):
    return program("restore", folder / "report", folder / "cuts", folder / "clean", "-o", folder / "back")


def test_all_documents_come_back(program, stripped):
    assert sorted(tree_bytes(stripped / "cuts")) == ["a", "utf16", "x/b\nc"]
    assert tree_bytes(stripped / "clean")["a"] == b"\xef\xbb\xbf" + BODY
    done = restore(program, stripped)
    assert (done.returncode, done.stderr) == (0, b"gutsort restore: 5 documents restored, 0 not\n")
    assert tree_bytes(stripped / "back") == FILES


@pytest.mark.parametrize("damage", ["kept", "cut", "missing", "longer"])
def test_a_document_that_is_not_what_it_was_does_not_come_back(program, stripped, damage):
    path = stripped / ("cuts" if damage in ("cut", "longer") else "clean") / "a"
    data = bytearray(path.read_bytes())
    data[7] ^= 1
    path.write_bytes(bytes(data) if damage != "longer" else bytes(path.read_bytes()) + b"x")
    if damage == "missing":
        path.unlink()
    done = restore(program, stripped)
    assert done.returncode == 1
    assert done.stderr.count(b"not restored") == 1
    assert tree_bytes(stripped / "back") == {name: data for name, data in FILES.items() if name != "a"}


CONTAINED = NOTICE.replace(b"\r", b"") + BODY


def packed(kind):
    """The text as the only document of a container, or compressed."""
    target = io.BytesIO()
    if kind == "a.tar":
        with tarfile.open(fileobj=target, mode="w") as tar:
            info = tarfile.TarInfo("m")
            info.size = len(CONTAINED)
            tar.addfile(info, io.BytesIO(CONTAINED))
    elif kind == "a.zip":
        with zipfile.ZipFile(target, "w") as archive:
            archive.writestr("m", CONTAINED)
    elif kind == "a.jsonl":
        target.write(b"refused\n" + json.dumps({"text": CONTAINED.decode()}).encode() + b"\n")
    elif kind == "a.mbox":
        target.write(b"From a@b Thu Jan  1 00:00:00 1970\n\n" + CONTAINED)
    else:
        target.write(gzip.compress(CONTAINED))
    return target.getvalue()


@pytest.mark.parametrize("kind", ["a.tar", "a.zip", "a.jsonl", "a.mbox", "a.gz"])
def test_containers_and_compressed_files_are_named_once_and_not_restored(program, tree, tmp_path, kind):
    (tmp_path / "list").write_bytes(LIST)
    folder = tree({kind: packed(kind), "plain": CONTAINED})
    args = ["-o", tmp_path / "clean", "--keep-cuts", tmp_path / "cuts", "--report", tmp_path / "report"]
    program("stripfreq", tmp_path / "list", folder, *args)
    assert (tmp_path / "clean" / kind).read_bytes() != packed(kind)
    done = restore(program, tmp_path)
    why = "is compressed, and other bytes" if kind == "a.gz" else "is a container; of its documents"
    first, last = done.stderr.decode().splitlines()
    assert first.startswith(f"gutsort restore: {folder}/{kind}: {why}")
    assert (done.returncode, last) == (1, "gutsort restore: 1 documents restored, 1 not")
    assert tree_bytes(tmp_path / "back") == {"plain": CONTAINED}


def test_what_was_skipped_is_named_and_not_restored(program, tree, tmp_path):
    (tmp_path / "list").write_bytes(LIST)
    folder = tree({"a": b"\0", "b": BODY})
    args = ["-o", tmp_path / "clean", "--keep-cuts", tmp_path / "cuts", "--report", tmp_path / "report"]
    assert program("stripfreq", tmp_path / "list", folder, *args).returncode == 1
    done = restore(program, tmp_path)
    assert done.returncode == 1
    assert done.stderr.decode().startswith(f"gutsort restore: {folder}/a: was skipped by the run of the report (is binary); not restored\n")
    assert tree_bytes(tmp_path / "back") == {"b": BODY}


@pytest.mark.parametrize("target", ["../outside", "/outside", "x/../../outside"])
def test_nothing_is_restored_outside_the_target(program, stripped, target):
    report = (stripped / "report").read_text().replace('"target": "untouched"', f'"target": "{target}"')
    (stripped / "clean" / "untouched").rename(stripped / "outside")
    (stripped / "report").write_text(report)
    before = (stripped / "outside").stat()
    done = restore(program, stripped)
    assert (done.returncode, done.stderr.count(b"has a target that leads elsewhere; not restored")) == (1, 1)
    assert tree_bytes(stripped / "back") == {name: data for name, data in FILES.items() if name != "untouched"}
    assert (stripped / "outside").stat().st_ino == before.st_ino


def test_clean_keeps_cuts_too(program, tree, tmp_path):
    head = b"".join(b"A shared opening of documents, its line %d says this\n" % n for n in range(6))
    files = {str(n): head + b"".join(b"own %d.%d is %d\n" % (n, i, n * i * 7919) for i in range(40)) for n in range(12)}
    done = program("clean", tree(files), "-o", tmp_path / "clean", "--key", "line", "--keep-cuts", tmp_path / "cuts")
    assert done.returncode == 0
    assert set(tree_bytes(tmp_path / "cuts").values()) == {head}
    shutil.copy(tmp_path / "clean.gutsort" / "report.jsonl", tmp_path / "report")
    assert restore(program, tmp_path).returncode == 0
    assert tree_bytes(tmp_path / "back") == files


def test_diff_shows_what_would_go_and_writes_nothing(program, tree, tmp_path):
    (tmp_path / "list").write_bytes(LIST)
    folder = tree({"a": NOTICE + BODY, "b": BODY})
    done = program("stripfreq", tmp_path / "list", folder, "--diff")
    assert done.returncode == 0
    expected = f"--- {folder}/a\n+++ {folder}/a\n@@ -1,8 +1,3 @@\n".encode()
    expected += b"".join(b"-" + line for line in io.BytesIO(NOTICE)) + b"".join(b" " + line for line in list(io.BytesIO(BODY))[:3])
    assert done.stdout == expected
    assert tree_bytes(folder) == {"a": NOTICE + BODY, "b": BODY}


@pytest.mark.parametrize(("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_diff_is_coloured_on_a_terminal(tree, tmp_path, environment, coloured):
    (tmp_path / "list").write_bytes(LIST)
    folder = tree({"a": NOTICE + BODY})
    main, other = pty.openpty()
    command = [sys.executable, "-m", "gutsort", "stripfreq", str(tmp_path / "list"), str(folder), "--diff"]
    subprocess.run(command, stdout=other, check=True, env={k: v for k, v in os.environ.items() if k != "NO_COLOR"} | environment)
    os.close(other)
    assert (b"\x1b[31m-This notice" in os.read(main, 1 << 16)) == coloured
    os.close(main)
