"""The frequent list as a mapping: key -> count, 0 for a key that is not in it."""

from __future__ import annotations

import hashlib
from typing import BinaryIO

from gutsort.errors import FormatError
from gutsort.formats import SETTINGS_MARK, escape_name, parse_settings, read_frequent


class FrequentLines(dict[bytes, int]):
    """Counts by key, and what a list of marked keys says of itself: `settings` and the number of `documents` (None for a plain list).

    Memory: about 150 bytes a key of 50 bytes; nothing but the list is held.
    """

    sha256: str = ""  # of the entries as COUNT TAB KEY lines, in the order of the file
    settings: dict[str, str] | None = None
    documents: int | None = None

    def __missing__(self, key: bytes) -> int:
        return 0


def load_frequent(file: BinaryIO, name: str) -> FrequentLines:
    """Read a frequent list of either style, in any order; counts of equal keys are added.

    Raises FormatError, naming file and line, for a line that does not fit and for two different settings records.
    """
    frequent, digest = FrequentLines(), hashlib.sha256()
    for count, key in read_frequent(file, name):
        digest.update(b"%d\t%b\n" % (count, key))
        if key.startswith(SETTINGS_MARK) and (settings := parse_settings(key)) is not None:
            if frequent.settings not in (None, settings):
                raise FormatError(f"{name}: expected one settings record, found another: {escape_name(key)}")
            frequent.settings, frequent.documents = settings, count + (frequent.documents or 0)
        else:
            frequent[key] = frequent[key] + count
    frequent.sha256 = digest.hexdigest()
    return frequent
