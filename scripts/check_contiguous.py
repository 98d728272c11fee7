#!/usr/bin/env python3
"""Check that every cleaned document is one piece of the document it came from.

usage: check_contiguous.py DOCUMENTS CLEAN

Each file below CLEAN has to be the byte order mark of the file of the same name below DOCUMENTS, if that has one, followed by one contiguous piece
of the rest, and no file may be missing. Prints the count; exits 1 at the first that is not.
"""

from __future__ import annotations

import os
import sys

BOM = b"\xef\xbb\xbf"


def names(folder: str) -> set[str]:
    """The files below a folder, as paths below it."""
    return {os.path.relpath(os.path.join(top, name), folder) for top, _, files in os.walk(folder) for name in files}


def is_piece(whole: bytes, part: bytes) -> bool:
    """Whether `part` is the mark of `whole` and one piece of the rest."""
    mark = BOM if whole.startswith(BOM) else b""
    return part.startswith(mark) and part[len(mark) :] in whole[len(mark) :]


def main(documents: str, clean: str) -> int:
    """Check all."""
    found = names(clean)
    if found != names(documents):
        print("not the same files:", *sorted(found ^ names(documents))[:5])
        return 1
    shorter = 0
    for name in sorted(found):
        with open(os.path.join(documents, name), "rb") as whole, open(os.path.join(clean, name), "rb") as part:
            before, after = whole.read(), part.read()
        if not is_piece(before, after):
            print("not one piece:", name)
            return 1
        shorter += len(after) < len(before)
    print(f"{len(found)} documents, each one piece of what it was; {shorter} of them shorter")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) == 3 else __doc__)
