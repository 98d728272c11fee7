"""What recurs inside documents is cut when asked, is reported, and can be put back."""

import json

import pytest
from conftest import tree_bytes

NOTICE = b"This is the first line of the notice between chapters\nand this is the second line of the notice between them\n"


def body(document, chapter):
    return b"".join(b"Document %d, chapter %d, and line %d of what it says\n" % (document, chapter, line) for line in range(40))


def document(number, notice=NOTICE):
    return b"".join(body(number, chapter) + b"\n" + notice + b"\n" for chapter in range(3)) + body(number, 3)


def bare(number):
    return b"\n".join(body(number, chapter) for chapter in range(4))


@pytest.fixture
def books(tree):
    return tree({f"{number}.txt": document(number) for number in range(12)})


def clean(program, source, target, *args):
    found = program("clean", "-q", *args, source, "-o", target)
    assert found.returncode == 0, found.stderr
    return tree_bytes(target)


def test_notices_inside_go_only_when_asked(program, books, tmp_path):
    assert clean(program, books, tmp_path / "off", "-k", "5") == tree_bytes(books)
    found = clean(program, books, tmp_path / "on", "-k", "5", "--interior")
    assert {name.removeprefix("./"): data for name, data in found.items()} == {f"{number}.txt": bare(number) for number in range(12)}
    rows = [json.loads(line) for line in (tmp_path / "on.gutsort" / "report.jsonl").read_text().splitlines()]
    cuts = [row["cuts"] for row in rows if "cuts" in row]
    assert [len(cut) for cut in cuts] == [3] * 12
    assert "2 lines in a row, each in 12 to 12 documents" in json.dumps(cuts[0])


def test_what_was_inside_can_be_put_back_and_a_second_strip_changes_nothing(program, books, tmp_path):
    found = clean(program, books, tmp_path / "on", "-k", "5", "--interior", "--keep-cuts", tmp_path / "cuts")
    back = program("restore", tmp_path / "on.gutsort" / "report.jsonl", tmp_path / "cuts", tmp_path / "on", "-o", tmp_path / "back")
    assert back.returncode == 0, back.stderr
    assert tree_bytes(tmp_path / "back") == tree_bytes(books)
    again = program("stripfreq", "--interior", tmp_path / "on.gutsort" / "frequent.txt", tmp_path / "on", "-o", tmp_path / "again")
    assert again.returncode == 0, again.stderr
    assert tree_bytes(tmp_path / "again") == found


def test_editions_that_share_their_text_keep_it(program, tree, tmp_path):
    def edition(number):
        own = [b"".join(b"Edition %d alone has line %d of its part %d\n" % (number, line, part) for line in range(40)) for part in range(2)]
        return own[0] + body(0, 0) + own[1]

    editions = tree({f"{number}.txt": edition(number) for number in range(12)})
    assert clean(program, editions, tmp_path / "on", "-k", "5", "--interior") == tree_bytes(editions)


def test_heads_and_folios_of_pages(program, tree, tmp_path):
    pages = [b"".join(b"Words %d and %d that only this page has\n" % (page, line) for line in range(9)) for page in range(6)]
    text = b"\f".join(b"A Running Head of the Report\n" + page + b"Page %d of 6\n" % number for number, page in enumerate(pages, 1))
    source = tree({"report.txt": text})
    found = clean(program, source, tmp_path / "out", "-k", "3", "--records", "FF", "--interior")
    assert list(found.values()) == [b"\f".join(pages)]


def paged(count=6):
    pages = [b"".join(b"Words %d and %d that only this page has\n" % (page, line) for line in range(9)) for page in range(count)]
    return b"\f".join(b"A Running Head of the Report\n" + page + b"Page %d\n" % number for number, page in enumerate(pages, 1)), b"\f".join(pages)


def test_the_pipe_cuts_as_clean_does(program, books, tree, tmp_path):
    text, _ = paged()
    for name, source, options in (("runs", books, ["--interior"]), ("pages", tree({"a": text}, "paged"), ["--records", "FF"])):
        whole = clean(program, source, tmp_path / name, *options)
        stream = program("extsort", data=program("extract", *options, source).stdout).stdout
        counted = program("countfreq", data=stream).stdout
        assert counted == (tmp_path / f"{name}.gutsort" / "frequent.txt").read_bytes()
        (tmp_path / "list").write_bytes(counted)
        assert program("stripfreq", *options, tmp_path / "list", source, "-o", tmp_path / f"{name}2").returncode == 0
        assert tree_bytes(tmp_path / f"{name}2") == whole != tree_bytes(source)


def test_the_ends_are_cut_as_without(program, books, tmp_path):
    plain = program("extract", books).stdout.splitlines()[1:]
    marked = [line for line in program("extract", "--interior", books).stdout.splitlines() if not line.startswith((b"|", b"#"))]
    assert marked == [line for line in plain if not line.startswith(b"#")]


def test_check_and_diff_look_inside(program, books, tmp_path):
    clean(program, books, tmp_path / "on", "--interior")
    frequent = tmp_path / "on.gutsort" / "frequent.txt"
    assert [program("stripfreq", *options, "--check", frequent, books).returncode for options in ([], ["--interior"])] == [0, 1]
    shown = program("stripfreq", "--interior", "--diff", frequent, books / "3.txt").stdout
    assert [line[1:] for line in shown.splitlines() if line.startswith(b"-") and line.strip(b"-")][1:3] == NOTICE.splitlines()
    assert shown.count(b"\n@@ ") == 3


def test_k_does_not_grow_with_the_number_of_pages(program, tree, tmp_path):
    many = b"\f".join(body(1, page) for page in range(400))  # 400 pages: K would be 5 for as many documents
    text, left = paged(3)
    found = clean(program, tree({"many": many, "three": text}), tmp_path / "out", "--records", "FF")
    assert found["three"] == left
    assert found["many"] == many


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_pages_in_any_encoding_can_be_put_back(program, tree, tmp_path, encoding):
    text, left = (data.decode() for data in paged())
    source = tree({"a": text.encode(encoding)})
    found = clean(program, source, tmp_path / "out", "--records", "FF", "--keep-cuts", tmp_path / "cuts")
    assert found["a"].decode(encoding) == left
    back = program("restore", tmp_path / "out.gutsort" / "report.jsonl", tmp_path / "cuts", tmp_path / "out", "-o", tmp_path / "back")
    assert (back.returncode, tree_bytes(tmp_path / "back")) == (0, tree_bytes(source))


def test_a_list_written_by_hand_is_obeyed_inside(program, books, tmp_path):
    (tmp_path / "list").write_bytes(b"".join(b"9\t" + line + b"\n" for line in NOTICE.splitlines()))
    left = program("stripfreq", "--interior", tmp_path / "list", books / "4.txt").stdout
    assert left == bare(4)


def test_another_run_is_not_taken_up(program, books, tmp_path):
    clean(program, books, tmp_path / "out", "--interior")
    found = program("clean", books, "-o", tmp_path / "out")
    assert found.returncode == 2
    assert b"interior=True, not False" in found.stderr
    assert clean(program, books, tmp_path / "out", "--interior")["1.txt"] == bare(1)


@pytest.mark.parametrize(
    "args",
    [
        ["extract", "--interior", "--key", "line", "IN"],
        ["extract", "--records", "FF", "--key", "line", "IN"],
        ["extract", "--paper", "--interior", "IN"],
        ["clean", "--records", "FF", "--gap", "3", "IN", "-o", "OUT"],
        ["clean", "--pages", "--interior", "IN", "-o", "OUT"],
        ["stripfreq", "--interior", "LIST", "IN", "-o", "OUT"],
        ["stripfreq", "--records", "FF", "LIST", "IN", "-o", "OUT"],
    ],
)
def test_what_does_not_go_together_is_refused(program, books, tmp_path, args):
    (tmp_path / "list").write_bytes(b"12\t#gutsort 1 key=odds head=500 tail=600\n")
    paths = {"IN": books, "OUT": tmp_path / "out", "LIST": tmp_path / "list"}
    found = program(args[0], *(paths.get(arg, arg) for arg in args[1:]))
    assert (found.returncode, found.stdout) == (2, b"")
    assert b"--interior" in found.stderr or b"--records" in found.stderr
    assert not (tmp_path / "out").exists()
