"""The bytes of a converted paper become a Paper: which format they are in, which encoding, and the reader for it."""

from __future__ import annotations

import re

from gutsort.metadata.bbox import read_bbox
from gutsort.metadata.paper import Paper
from gutsort.metadata.plain import read_plain
from gutsort.metadata.prescript import read_prescript

READERS = {"prescript": read_prescript, "bbox": read_bbox, "text": read_plain}
SNIFFED = 64 << 10  # bytes a guess looks at: past any front matter of markup

_BBOX = re.compile(rb"<word\s+xMin|<page\s+width", re.IGNORECASE)
_HTML = re.compile(rb"<!doctype html|<html[\s>]", re.IGNORECASE)
_TAG = re.compile(rb"<(?:hr|p|br|i)\s*/?>", re.IGNORECASE)
ENOUGH_TAGS = 3  # a plain text about HTML may hold one or two


def guess_format(data: bytes) -> str:
    """The name of the format that `data`, a file's first bytes, is in: pdf, ps, bbox, prescript, or text when it is none of these.

    >>> [guess_format(d) for d in (b"%PDF-1.4", b"%!PS", b'<page width="1"><word xMin="1">', b"<hr><p>a<br>b", b"Abstract. 1 < 2")]
    ['pdf', 'ps', 'bbox', 'prescript', 'text']
    """
    head = data[:SNIFFED]
    if b"%PDF-" in head[:1024]:  # as ISO 32000 readers do: the mark may follow some junk
        return "pdf"
    if head.lstrip(b"\x04\r\n ").startswith(b"%!"):
        return "ps"
    if _BBOX.search(head):
        return "bbox"
    if _HTML.search(head[:1024]) or len(_TAG.findall(head)) >= ENOUGH_TAGS:
        return "prescript"
    return "text"


def decode(data: bytes) -> str:
    """The text of a file: UTF-16 with its mark, UTF-8 (damaged or not), or else Latin-1, which old converters write.

    >>> decode("für".encode()), decode("für".encode("latin-1"))
    ('für', 'für')
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("utf-8-sig", "replace")
    wrong = text.count("\ufffd")
    right = sum(not char.isascii() for char in text) - wrong
    return text if right >= wrong else data.decode("latin-1")


def read_paper(data: bytes, format: str) -> Paper:
    """The paper in `data`, whose format is a name in READERS. Damaged input gives a damaged paper, never an error."""
    return READERS[format](decode(data))
