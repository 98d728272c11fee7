"""What a name says: the kind of container, and whether a member of an archive may be written under it."""

from __future__ import annotations

import posixpath
import re

from gutsort.records import Document

_KIND = re.compile(
    rb"\.(?:(?P<tar>tar|t[gbx]z|tbz2|tzst)|(?P<zip>zip)|(?P<jsonl>jsonl|ndjson|jsonlines)|(?P<mbox>mbox))(?:\.(?:gz|bz2|xz|zst))?$",
    re.IGNORECASE,
)
LONGEST = 16  # bytes of the longest ending
_DRIVE = re.compile(rb"[A-Za-z]:")


def kind_of(document: Document) -> str | None:
    """The kind of container that the document's name says it is, after a compressed file's own ending: tar, zip, jsonl, mbox or None.

    >>> [kind_of(Document(name, name, None, 0, 0, open)) for name in (b"a.tar.gz", b"a.NDJSON", b"a.epub")]
    ['tar', 'jsonl', None]
    """
    found = _KIND.search((document.path if document.member is None else document.member)[-LONGEST:])
    return found.lastgroup if found else None


def inside(document: Document, name: bytes) -> bytes:
    """What a document called `name` in the container `document` is called as a member of the file."""
    return name if document.member is None else document.member + b":" + name


def unsafe_name(name: bytes) -> str | None:
    """Why a member may not have this name, or None where it may.

    >>> unsafe_name(b"a/../../b"), unsafe_name(b"./a..b/c")
    ('leads outside the archive', None)
    """
    name = name.replace(b"\\", b"/")
    if name.startswith(b"/") or _DRIVE.match(name):
        return "is an absolute name"
    return "leads outside the archive" if b".." in name.split(b"/") else None


def unsafe_link(name: bytes, to: bytes) -> str | None:
    """Why a symbolic link called `name` may not lead to `to`, or None where it may."""
    if to.startswith(b"/") or _DRIVE.match(to):
        return "is a link to an absolute name"
    leads = posixpath.normpath(posixpath.join(posixpath.dirname(name), to))
    return "is a link that leads outside the archive" if leads == b".." or leads.startswith(b"../") else None


class Links:
    """The symbolic links of an archive so far: below one, a name says nothing about where it leads.

    Memory: the names of the links.
    """

    def __init__(self) -> None:
        self._names: set[bytes] = set()

    def add(self, name: bytes) -> None:
        """Note a link."""
        self._names.add(posixpath.normpath(name))

    def above(self, name: bytes) -> bool:
        """Whether `name` lies below one of them."""
        if not self._names:
            return False
        parts = posixpath.normpath(name).split(b"/")
        return any(b"/".join(parts[:n]) in self._names for n in range(1, len(parts)))
