"""Walking files and trees: what is a document, in which order, and what is named instead."""

import os

import pytest

from gutsort.errors import UsageError
from gutsort.extract.documents import lay_out, walk
from gutsort.records import Document, Skipped


def walked(operands, **kwargs):
    found = list(walk(operands, **kwargs))
    return [(d.path, d.target) for d in found if isinstance(d, Document)], [d for d in found if isinstance(d, Skipped)]


def test_a_tree_in_byte_order_of_names(tree):
    folder = os.fsencode(tree({"b": b"", "a/z": b"", "B": b"", "a/é": b"", "a.txt": b""}))
    names, skipped = walked([folder])
    assert [target for _, target in names] == [b"B", b"a/z", "a/é".encode(), b"a.txt", b"b"]
    assert all(path == os.path.join(folder, target) for path, target in names)
    assert skipped == []


def test_links_to_directories_are_not_followed_and_a_loop_ends(tree):
    folder = tree({"s/doc": b"a"})
    for name, to in (("dot", "."), ("up", ".."), ("self", "self"), ("file", "doc")):
        os.symlink(to, folder / "s" / name)
    names, skipped = walked([os.fsencode(folder)])
    assert [target for _, target in names] == [b"s/doc", b"s/file"]
    assert [(os.path.basename(s.path), s.why) for s in skipped] == [(b"self", os.strerror(40))]


def test_what_is_no_file_is_named(tree):
    folder = tree({"a": b""})
    os.mkfifo(folder / "pipe")
    os.symlink("nowhere", folder / "dangling")
    names, skipped = walked([os.fsencode(folder), os.fsencode(folder / "missing"), b"/dev/null"])
    assert [target for _, target in names] == [b"a"]
    assert [(os.path.basename(s.path), s.why) for s in skipped] == [
        (b"dangling", "No such file or directory"),
        (b"pipe", "is a pipe"),
        (b"missing", "No such file or directory"),
        (b"null", "is a device"),
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_folders_are_named(tree):
    folder = tree({"a": b"", "z/b": b""})
    (folder / "z").chmod(0)
    names, skipped = walked([os.fsencode(folder)])
    (folder / "z").chmod(0o700)
    assert [target for _, target in names] == [b"a"]
    assert skipped == [Skipped(os.fsencode(folder / "z"), "Permission denied")]


def test_standard_input_is_one_document_even_on_a_pipe():
    reader, writer = os.pipe()
    os.write(writer, b"a\nb")
    os.close(writer)
    with open(reader, "rb") as stdin:
        (document,) = walk([b"-"], stdin=stdin)
        with document.open() as file:
            assert (file.seek(0, 2), file.seek(1), file.read()) == (3, 1, b"\nb")


def test_layout_of_several_operands(tree):
    folder = os.fsencode(tree({"x/a": b"", "y/b": b"", "c": b""}))
    operands = [folder + b"/x", folder + b"/y/", folder + b"/c"]
    names, _ = walked(operands, prefixes=lay_out(operands))
    assert [target for _, target in names] == [b"x/a", b"y/b", b"c"]
    assert lay_out([folder])[folder] == b""


def test_two_operands_of_one_name_are_refused(tree):
    folder = os.fsencode(tree({"x/a": b"", "y/a": b""}))
    with pytest.raises(UsageError, match="would both be written as a"):
        lay_out([folder + b"/x/a", folder + b"/y/a"])
