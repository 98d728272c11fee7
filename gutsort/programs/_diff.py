"""Diffs as --diff prints them: in colour on a terminal, unless NO_COLOR is set."""

from __future__ import annotations

import os
from typing import BinaryIO

from gutsort.records import Text
from gutsort.strip.diff import unified_diff

COLOURS = {b"-": b"\x1b[31m", b"+": b"\x1b[32m", b"@": b"\x1b[36m"}
PLAIN = b"\x1b[m"


def write_diff(stdout: BinaryIO, text: Text) -> None:
    """Write what is cut of one document as a unified diff."""
    document = text.document
    name = document.path if document.member is None else b"%b:%b" % (document.path, document.member)
    coloured = stdout.isatty() and not os.environ.get("NO_COLOR")
    for line in unified_diff(text.file, text.cuts, name):
        colour = COLOURS.get(line[:1]) if coloured else None
        stdout.write(line if colour is None else colour + line.rstrip(b"\n") + PLAIN + b"\n")
