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
