"""Files as they come: odd bytes, empty ones, odd names, loops of links, unreadable ones, very many, through whole pipes."""

import ctypes
import json
import os
import resource
import stat
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from conftest import ROOT, tree_bytes

PR_CAPBSET_DROP, DAC_OVERRIDE, DAC_READ_SEARCH = 24, 1, 2  # linux/prctl.h, linux/capability.h
NAMES = [b"weird\xfename", b"two\nlines", b"-o", b"with space"]
ESCAPED = ["-o", "two\\x0alines", "weird\\xfename", "with space"]  # in byte order of the names


def piped(program, *args, **kwargs):
    """What `extract ARGS | extsort | countfreq -k 1` prints, as a mapping, and the status and messages of extract."""
    read = program("extract", *args, **kwargs)
    done = program("countfreq", "-k", "1", data=program("extsort", data=read.stdout).stdout)
    assert done.returncode == 0
    pairs = (line.split(b"\t", 1) for line in done.stdout.splitlines())
    return {key: int(count) for count, key in pairs}, read.returncode, read.stderr.decode().splitlines()


def rows_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


def test_bytes_that_are_no_text_are_sorted_and_counted_as_bytes(program):  # cases 18, 21, 22
    lines = [b"na\xefve", b"na\xc3\xafve", b"\xfe\xff\xc0", b"a\0b", b"a\0", b"a", b"a\rb", b"a\xc2\x85b", b"a\xe2\x80\xa9b", b"a\x0cb", b"a\0b", b"na\xefve"]
    ordered = program("extsort", data=b"\n".join(lines)).stdout
    assert ordered == b"".join(line + b"\n" for line in sorted(lines))
    counted = program("countfreq", "-k", "1", "--format", "uniq", data=ordered).stdout
    assert counted == b"".join(b"%7d %b\n" % (count, line) for line, count in sorted(Counter(lines).items()))


def test_utf16_counts_with_a_mark_and_is_binary_without(program, tree):  # case 19
    text = "Ein Kopf für alle\nRumpf {}\n"
    marked = ("\ufeff" + text.format(3)).encode("utf-16-le")
    folder = tree({"a": text.format(1).encode(), "b": text.format(2).encode(), "c": marked, "d": text.format(4).encode("utf-16-le")})
    counts, status, said = piped(program, "--key", "line", folder)
    assert counts == {"Ein Kopf für alle".encode(): 3} | {b"Rumpf %d" % n: 1 for n in (1, 2, 3)}
    assert (status, said) == (1, [f"extract: {folder}/d: is binary; skipped"])


def test_empty_and_blank_files_go_through_all_stages(program, tree, tmp_path):  # case 23
    files = {"empty": b"", "newline": b"\n", "blank": b"\n \n\n", "torn": b"k", "usual": b"m\nn\n"}
    folder = tree(files)
    counts, status, said = piped(program, "--key", "raw", folder)
    assert (status, said, counts) == (0, [], {b"": 3, b" ": 1, b"k": 1, b"m": 1, b"n": 1})
    listed = program("extsort", data=program("extract", folder).stdout).stdout
    (tmp_path / "list").write_bytes(program("countfreq", data=listed).stdout)
    for argv in (["stripfreq", tmp_path / "list", folder], ["clean", "-q", folder]):
        out = tmp_path / argv[0]
        done = program(*argv, "-o", out)
        assert (done.returncode, done.stderr, tree_bytes(out)) == (0, b"", files)


def test_files_of_odd_names_are_read_and_their_rows_stay_on_one_line(program, tmp_path):  # case 30
    folder = os.fsencode(tmp_path / "in")
    os.mkdir(folder)
    for n, name in enumerate(NAMES):
        with open(folder + b"/" + name, "wb") as file:
            file.write(b"text %d\n" % n)
    (tmp_path / "list0").write_bytes(b"".join(b"%b/%b\0" % (folder, name) for name in NAMES))
    texts = {b"text %d" % n: 1 for n in range(len(NAMES))}
    assert piped(program, "--key", "raw", "--files0-from", "-", data=(tmp_path / "list0").read_bytes()) == (texts, 0, [])
    assert program("extsort", "--files0-from", tmp_path / "list0").stdout == b"".join(text + b"\n" for text in sorted(texts))
    (tmp_path / "empty").write_bytes(b"")
    runs = [["stripfreq", tmp_path / "empty", "--files0-from", tmp_path / "list0"], ["clean", "-q", tmp_path / "in"]]
    for argv in runs:
        out, report = tmp_path / argv[0], tmp_path / f"{argv[0]}.report"
        assert program(*argv, "-o", out, "--report", report).returncode == 0
        rows = rows_of(report)
        assert sorted(row["path"] for row in rows) == [f"{tmp_path}/in/{name}" for name in ESCAPED]
        assert sorted(row["target"] for row in rows) == ESCAPED
        assert {name: (out / os.fsdecode(name)).read_bytes() for name in NAMES} == {name: b"text %d\n" % n for n, name in enumerate(NAMES)}
    environment = os.environ | {"PYTHONPATH": os.fspath(ROOT)}
    assert program("extract", "--key", "raw", "--", "-o", cwd=tmp_path / "in", env=environment).stdout == b"text 2\n"


def test_a_loop_of_links_is_one_document_and_named(program, tree, tmp_path):  # case 31
    folder = tree({"s/doc": b"a\n"})
    for name, to in (("dot", "."), ("up", ".."), ("self", "self")):
        os.symlink(to, folder / "s" / name)
    assert piped(program, "--key", "raw", folder)[:2] == ({b"a": 1}, 1)
    done = program("clean", "-q", folder, "-o", tmp_path / "out")
    said = f"gutsort clean: {folder}/s/self: Too many levels of symbolic links; skipped\n"
    assert (done.returncode, done.stderr.decode(), tree_bytes(tmp_path / "out")) == (1, said, {"s/doc": b"a\n"})


def as_owner_only():
    """Give up what lets root read every file, for a program that is started next."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for capability in DAC_OVERRIDE, DAC_READ_SEARCH:
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


@pytest.fixture
def unreadable(tree):
    """A folder with two documents and three things that cannot be read, even by root without its privileges."""
    folder = tree({name: name.encode() + b"\n" for name in "abc"})
    (folder / "z").mkdir()
    (folder / "d").symlink_to("nowhere")
    (folder / "c").chmod(0)
    (folder / "z").chmod(0)
    if subprocess.run(["cat", folder / "c"], preexec_fn=as_owner_only, capture_output=True, check=False).returncode == 0:
        pytest.skip("this user reads everything")
    yield folder
    (folder / "z").chmod(stat.S_IRWXU)


@pytest.mark.parametrize("parallel", ["1", "2"])
def test_what_cannot_be_read_is_named_once_and_the_rest_is_done(program, unreadable, tmp_path, parallel):  # case 32
    why = {"c": "Permission denied", "d": "No such file or directory", "z": "Permission denied"}
    said = [f"{unreadable}/{name}: {text}; skipped" for name, text in why.items()]
    read = program("extract", "--key", "raw", "--parallel", parallel, unreadable, preexec_fn=as_owner_only)
    assert (read.stdout, read.returncode) == (b"a\nb\n", 1)
    assert read.stderr.decode().splitlines() == [f"extract: {line}" for line in said]
    (tmp_path / "empty").write_bytes(b"")
    for argv in (["stripfreq", tmp_path / "empty"], ["clean", "-q"]):
        out, report = tmp_path / argv[0], tmp_path / f"{argv[0]}.report"
        done = program(*argv, unreadable, "-o", out, "--report", report, "--parallel", parallel, preexec_fn=as_owner_only)
        name = "gutsort clean" if argv[0] == "clean" else argv[0]
        assert (done.returncode, done.stderr.decode().splitlines()) == (1, [f"{name}: {line}" for line in said])
        assert tree_bytes(out) == {"a": b"a\n", "b": b"b\n"}
        assert {Path(row["path"]).name: row["why"] for row in rows_of(report) if row["status"] != "done"} == why


def test_many_small_files_need_few_descriptors(program, tmp_path):  # case 33
    documents = 3000
    for n in range(documents):
        folder = tmp_path / "in" / str(n % 30)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{n}.txt").write_bytes(b"of all\nof %d\n" % n)
    names = b"".join(os.fsencode(path) + b"\0" for path in sorted((tmp_path / "in").rglob("*.txt")))

    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))

    for args, data in (([tmp_path / "in"], b""), (["--files0-from", "-"], names)):
        counts, status, said = piped(program, "--key", "line", "--parallel", "2", *args, data=data, preexec_fn=few)
        assert (status, said, counts.pop(b"of all"), len(counts)) == (0, [], documents, documents)
    done = program("clean", "-q", "--parallel", "2", tmp_path / "in", "-o", tmp_path / "out", preexec_fn=few)
    assert (done.returncode, done.stderr, sum(1 for _ in (tmp_path / "out").rglob("*.txt"))) == (0, b"", documents)
