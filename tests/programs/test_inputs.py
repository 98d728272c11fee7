"""Every input users have, through the programs: containers, encodings, names and what cannot be read."""

import bz2
import gzip
import io
import json
import lzma
import os
import tarfile
import zipfile

import pytest
from conftest import tree_bytes

NOTICE = b"".join(b"This notice opens documents, line %d\n" % n for n in range(5))
LICENCE = b"".join(b"This licence closes documents, line %d\n" % n for n in range(5))
LIST = b"".join(b"20\t" + line + b"\n" for line in (NOTICE + LICENCE).splitlines())
BODIES = [b"Title %d\n\n" % n + b"".join(b"Line %d of body %d, which has many\n" % (m, n) for m in range(20)) + b"\nend\n" for n in range(6)]
WHOLE = [NOTICE + b"\n" + body + b"\n" + LICENCE for body in BODIES]
FROM = b"From jane@example.org Thu Jan  1 00:00:00 1970\nSubject: x\n\n"


@pytest.fixture
def frequent(tmp_path):
    (tmp_path / "frequent.txt").write_bytes(LIST)
    return tmp_path / "frequent.txt"


def rows_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


def to_tar(bodies):
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as tar:
        for n, body in enumerate(bodies):
            info = tarfile.TarInfo(f"d/{n}.txt")
            info.size, info.mtime, info.mode = len(body), 1000 + n, 0o600
            tar.addfile(info, io.BytesIO(body))
    return target.getvalue()


def to_zip(bodies):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as out:
        for n, body in enumerate(bodies):
            info = zipfile.ZipInfo(f"d/{n}.txt", (2001, 2, 3, 4, 5, 6))
            info.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(info, body)
    return target.getvalue()


def to_jsonl(bodies):
    return b"".join(json.dumps({"id": n, "text": body.decode(), "x": 1.0}).encode() + b"\n" for n, body in enumerate(bodies))


def to_mbox(bodies):
    return b"".join(FROM + body + b"\n" for body in bodies)


CONTAINERS = {"a.tar": to_tar, "a.zip": to_zip, "a.jsonl": to_jsonl, "a.mbox": to_mbox}
PACKERS = {
    "": (bytes, bytes),
    ".gz": (gzip.compress, gzip.decompress),
    ".bz2": (bz2.compress, bz2.decompress),
    ".xz": (lzma.compress, lzma.decompress),
}


@pytest.mark.parametrize("names", [(name, ending) for name in CONTAINERS for ending in PACKERS], ids="".join)
def test_documents_are_cut_alike_in_every_container(program, frequent, tree, tmp_path, names):
    name, ending = names
    pack, unpack = PACKERS[ending]
    folder = tree({f"x/{name}{ending}": pack(CONTAINERS[name](WHOLE))})
    files = tree({f"{n}.txt": body for n, body in enumerate(WHOLE)}, "files")
    args = ["--key", "raw", "--parallel", "1"]
    assert program("extract", "--key", "line", *args, folder).stdout == program("extract", *args, files).stdout
    done = program("stripfreq", frequent, folder, "-o", tmp_path / "out", "--report", tmp_path / "report")
    assert (done.returncode, done.stderr) == (0, b"")
    expected = CONTAINERS[name](BODIES)
    found = unpack((tmp_path / "out" / "x" / (name + ending)).read_bytes())
    if name == "a.zip":  # packed anew
        archives = [zipfile.ZipFile(io.BytesIO(data)) for data in (found, expected)]
        found, expected = ([(i.date_time, archive.read(i)) for i in archive.infolist()] for archive in archives)
    assert found == expected
    rows = rows_of(tmp_path / "report")
    program("stripfreq", frequent, files, "-o", tmp_path / "out2", "--report", tmp_path / "report2")
    same = ("size", "lines", "first_line", "last_line", "cuts", "share", "sha256", "status")
    assert [[row[key] for key in same] for row in rows] == [[row[key] for key in same] for row in rows_of(tmp_path / "report2")]
    assert len({row["member"] for row in rows}) == len(WHOLE)


def test_any_number_of_processes_gives_the_same(program, frequent, tree, tmp_path):
    folder = tree({f"{n}.jsonl": to_jsonl(WHOLE * n) + b"refused\n" for n in range(9)} | {"b.tar": to_tar(WHOLE), "c.txt": WHOLE[0], "d": b"\0"})
    outs = []
    for n in ("1", "3"):
        args = ["--report", tmp_path / f"report{n}", "--parallel", n, folder]
        done = program("stripfreq", frequent, "-o", tmp_path / f"out{n}", *args)
        keys = program("extract", "--parallel", n, folder)
        assert (done.returncode, keys.returncode) == (1, 1)
        side = (tmp_path / f"out{n}.gutsort" / "refused.jsonl").read_bytes()
        outs.append((tree_bytes(tmp_path / f"out{n}"), (tmp_path / f"report{n}").read_bytes(), done.stderr, side, keys.stdout, keys.stderr))
    assert outs[0] == outs[1]
    assert outs[0][3] == b"refused\n" * 9


def test_refused_lines_stay_and_are_copied_aside(program, frequent, tree, tmp_path):
    lines = to_jsonl(WHOLE[:1]) + b'{"text": "torn\n\n{"id": 1}\n' + to_jsonl(WHOLE[1:2])
    folder = tree({"a.jsonl": lines})
    done = program("stripfreq", frequent, folder / "a.jsonl", "-o", tmp_path / "out", "--report", tmp_path / "report")
    name = os.fsencode(folder / "a.jsonl")
    assert done.returncode == 1
    assert done.stderr == b"stripfreq: %b:2: is no JSON object; refused\nstripfreq: %b:4: has no field 'text'; refused\n" % (name, name)
    out = (tmp_path / "out" / "a.jsonl").read_bytes()
    assert out == to_jsonl(BODIES[:1]) + b'{"text": "torn\n\n{"id": 1}\n' + to_jsonl(BODIES[1:2])
    assert (tmp_path / "out.gutsort" / "refused.jsonl").read_bytes() == b'{"text": "torn\n{"id": 1}\n'
    found = [(row["member"], row["status"]) for row in rows_of(tmp_path / "report")]
    assert found == [("1", "done"), ("2", "refused"), ("4", "refused"), ("5", "done")]
    assert program("stripfreq", frequent, folder / "a.jsonl").stdout == out
    assert program("extract", folder).returncode == 1


def test_no_file_of_refused_lines_where_there_are_none(program, frequent, tree, tmp_path):
    folder = tree({"a.jsonl": to_jsonl(WHOLE)})
    assert program("stripfreq", frequent, folder, "-o", tmp_path / "out").returncode == 0
    assert not (tmp_path / "out.gutsort").exists()


def test_another_field_and_other_names(program, frequent, tree):
    line = json.dumps({"text": "no", "body": WHOLE[0].decode()}).encode() + b"\n"
    cut = json.dumps({"text": "no", "body": BODIES[0].decode()}).encode() + b"\n"
    folder = tree({"a.data": line})
    assert program("stripfreq", frequent, "--jsonl-field", "body", folder / "a.data").stdout == cut
    assert program("stripfreq", frequent, "--jsonl-field", "body", data=line).stdout == cut
    assert program("extract", "--key", "raw", "--jsonl-field", "body", data=line).stdout == WHOLE[0]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_utf16_and_utf32_count_with_the_others_and_are_written_as_they_were(program, frequent, tree, tmp_path, encoding):
    body = BODIES[0].decode() + "😀 é\n"
    whole = "\ufeff" + NOTICE.decode() + body + LICENCE.decode()
    folder = tree({"a": whole.encode(encoding), "b": whole.encode()})
    keys = program("extract", "--key", "line", "--parallel", "1", folder).stdout.splitlines()
    assert keys == keys[: len(keys) // 2] * 2
    done = program("stripfreq", frequent, folder, "-o", tmp_path / "out", "--report", tmp_path / "report")
    assert done.returncode == 0
    assert tree_bytes(tmp_path / "out") == {"a": ("\ufeff" + body).encode(encoding), "b": ("\ufeff" + body).encode()}
    first, second = rows_of(tmp_path / "report")
    assert [first[key] for key in ("lines", "first_line", "last_line")] == [second[key] for key in ("lines", "first_line", "last_line")]
    width = 4 if "32" in encoding else 2
    head = width * (1 + len(NOTICE))
    assert first["cuts"][0][:2] == [width, head]
    assert first["cuts"][1][:2] == [len(whole.encode(encoding)) - width * len(LICENCE), len(whole.encode(encoding))]


def test_binary_files_are_named_and_copied_but_never_standard_input(program, frequent, tree, tmp_path):
    data = NOTICE + b"\0" + BODIES[0]
    folder = tree({"a.bin": data, "b": WHOLE[0]})
    done = program("stripfreq", frequent, folder, "-o", tmp_path / "out")
    assert (done.returncode, done.stderr) == (1, b"stripfreq: %b/a.bin: is binary; skipped\n" % os.fsencode(folder))
    assert tree_bytes(tmp_path / "out") == {"a.bin": data, "b": BODIES[0]}
    done = program("extract", folder / "a.bin")
    assert (done.returncode, done.stdout) == (1, b"")
    done = program("stripfreq", frequent, data=data)
    assert (done.returncode, done.stdout) == (0, b"\0" + BODIES[0])
    assert program("extract", "--key", "raw", data=data).stdout == data


def test_bytes_are_keys_and_only_a_newline_ends_a_line(program, tree):
    folder = tree({"a": b"caf\xe9\nCRs\rstay\nU+2028\xe2\x80\xa8 too\n\x0b\x0c\x1e\x85 and these", "b": b"", "c": b"\n"})
    done = program("extract", "--key", "raw", "--parallel", "1", folder)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"caf\xe9\nCRs\rstay\nU+2028\xe2\x80\xa8 too\n\x0b\x0c\x1e\x85 and these\n\n"


def test_folding_makes_one_key_and_changes_no_output(program, tmp_path, tree):
    curly, straight = "Prêté à l’auteur – “ici”\n", 'Pre\u0302te\u0301 a\u0300 l\'auteur - "ici"\n'
    forms = [curly.encode(), curly.encode("cp1252"), straight.encode()]
    folder = tree({str(n): form * 2 + BODIES[n] for n, form in enumerate(forms)})
    (tmp_path / "list").write_bytes(b"3\t" + 'Prêté à l\'auteur - "ici"\n'.encode())
    keys = program("extract", "--key", "line", "--fold", folder).stdout.splitlines()
    assert keys.count('Prêté à l\'auteur - "ici"'.encode()) == 3
    done = program("stripfreq", tmp_path / "list", "--fold", folder, "-o", tmp_path / "out", "--report", tmp_path / "report")
    assert done.returncode == 0
    assert tree_bytes(tmp_path / "out") == {str(n): BODIES[n] for n in range(3)}
    assert json.loads((tmp_path / "report").read_text().splitlines()[0])["options"]["fold"] is True
    assert program("stripfreq", tmp_path / "list", "--fold", "--paper", folder / "0").returncode == 2


def test_include_and_exclude(program, tree, frequent, tmp_path):
    folder = tree({name: name.encode() + b"\n" for name in ("a.txt", "b.md", "x/c.txt", "x/d.txt", "skip/e.txt", "y/skip/f.txt", "g\xe9.txt")})

    def read(*args):
        return sorted(program("extract", "--key", "line", *args, folder).stdout.decode().split())

    assert read("--include", "*.txt") == ["a.txt", "g\xe9.txt", "skip/e.txt", "x/c.txt", "x/d.txt", "y/skip/f.txt"]
    assert read("--include", "[ad].txt", "--include", "*.md") == ["a.txt", "b.md", "x/d.txt"]
    assert read("--include", "x/*") == ["x/c.txt", "x/d.txt"]
    assert read("--exclude", "*.txt") == ["b.md"]
    assert read("--exclude", "skip", "--exclude", "x/c*", "--exclude", "g*") == ["a.txt", "b.md", "x/d.txt"]
    assert program("stripfreq", frequent, "--exclude", "x", "--include", "*.txt", folder, "-o", tmp_path / "out").returncode == 0
    assert sorted(tree_bytes(tmp_path / "out")) == ["a.txt", "g\xe9.txt", "skip/e.txt", "y/skip/f.txt"]
    assert program("extract", "--exclude", "a*", folder / "a.txt").stdout == b""


def test_names_of_any_bytes(program, frequent, tmp_path):
    folder = os.fsencode(tmp_path / "in")
    os.mkdir(folder)
    names = [b"weird\xffname", b"two\nlines", b"-n", b"with space", b"back\\slash"]
    for name in names:
        with open(folder + b"/" + name, "wb") as file:
            file.write(b"\0")
    listed = b"".join(b"%b/%b\0" % (folder, name) for name in names)
    done = program("stripfreq", frequent, "--files0-from", "-", "-o", tmp_path / "out", data=listed)
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == len(names)
    for escaped in (b"weird\\xffname", b"two\\x0alines", b"/-n:", b"with space", b"back\\x5cslash"):
        assert escaped in done.stderr
    assert sorted(os.listdir(os.fsencode(tmp_path / "out"))) == sorted(names)
    done = program("extract", "--", "-n", data=None, cwd=tmp_path / "in", stdin=None, env=os.environ | {"PYTHONPATH": os.getcwd()})
    assert done.stderr == b"extract: -n: is binary; skipped\n"


def test_nothing_is_written_outside(program, frequent, tmp_path, tree):
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as tar:
        for name in ("good.txt", "../evil.txt", str(tmp_path / "evil.txt")):
            info = tarfile.TarInfo(name)
            info.size = len(WHOLE[0])
            tar.addfile(info, io.BytesIO(WHOLE[0]))
        info = tarfile.TarInfo("link")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc"
        tar.addfile(info)
    folder = tree({"a.tar": target.getvalue()})
    done = program("stripfreq", frequent, folder, "-o", tmp_path / "deep" / "out", "--report", tmp_path / "report")
    assert done.returncode == 1
    assert [line.count(b"refused") for line in done.stderr.splitlines()] == [1, 1, 1]
    with tarfile.open(tmp_path / "deep" / "out" / "a.tar") as tar:
        assert tar.getnames() == ["good.txt"]
        assert tar.extractfile("good.txt").read() == BODIES[0]
    assert sorted(p.name for p in tmp_path.rglob("*") if p.is_file()) == ["a.tar", "a.tar", "frequent.txt", "report"]


def test_truncated_and_damaged_files_are_rows_and_no_tracebacks(program, frequent, tree, tmp_path):
    many = {name + e: PACKERS[e][0](CONTAINERS[name](WHOLE)) for name in CONTAINERS for e in PACKERS}
    folder = tree({name: data[: len(data) // 2 - 7] for name, data in many.items()} | {"ok.txt": WHOLE[0]})
    done = program("stripfreq", frequent, folder, "-o", tmp_path / "out", "--report", tmp_path / "report")
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    rows = rows_of(tmp_path / "report")
    assert {os.path.basename(row["path"]) for row in rows if row["status"] != "done"} >= set(many) - {"a.mbox"}  # one that ends early is still one
    out = tree_bytes(tmp_path / "out")
    assert out["ok.txt"] == BODIES[0]
    assert set(out) == set(many) | {"ok.txt"}
    assert program("extract", folder).returncode == 1


def test_a_second_run_changes_nothing(program, frequent, tree, tmp_path):
    folder = tree({name + e: PACKERS[e][0](CONTAINERS[name](WHOLE)) for name in CONTAINERS for e in PACKERS})
    program("stripfreq", frequent, folder, "-o", tmp_path / "out")
    program("stripfreq", frequent, tmp_path / "out", "-o", tmp_path / "again")
    assert tree_bytes(tmp_path / "out") == tree_bytes(tmp_path / "again")


def test_all_members_of_a_compressed_file_are_one_document(program, frequent, tree, tmp_path):
    folder = tree({f"a.txt{e}": pack(WHOLE[0]) + pack(WHOLE[1]) for e, (pack, _) in PACKERS.items()})
    assert program("stripfreq", frequent, folder, "-o", tmp_path / "out").returncode == 0
    middle = WHOLE[0][WHOLE[0].find(b"Title") :] + WHOLE[1][: -len(LICENCE) - 1]
    found = {name: PACKERS[name[5:]][1](data) for name, data in tree_bytes(tmp_path / "out").items()}
    assert found == {f"a.txt{e}": middle for e in PACKERS}


@pytest.mark.parametrize("piped", [True, False])
def test_standard_input_is_a_document_once_and_may_be_read_twice(program, frequent, tree, tmp_path, piped):  # case 38
    page = b"<title>The long title</title><link rel=canonical href=http://h/x><h1>The long title</h1><p>some text</p>"
    folder = tree({"lines": b"a\nb\nc\n", "page": page})

    def run(*args, name):
        with open(folder / name, "rb") as file:
            done = program(*args, stdin=file) if not piped else program(*args, data=file.read())
        return done.returncode, done.stdout, done.stderr

    assert run("extract", "--key", "raw", "-", "-", name="lines") == (0, b"a\nb\nc\n", b"")
    status, titles, _ = run("title", "-", folder / "page", "-", name="page")
    assert (status, titles.decode()) == (0, f"-\tThe long title\n{folder}/page\tThe long title\n-\t\n")
    stripped = run("stripfreq", "--pages", "--site-from", "url-host", frequent, name="page")  # which looks for the host first
    assert stripped == (0, page, b"")
