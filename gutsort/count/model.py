"""A model: the frequent list of a collection that is not there, as checksums of its records and their counts, without its text.

A document that is seen alone, or among few others, is judged by it. A checksum is the 64-bit BLAKE2b of a record (KEY TAB PLACE): at the
speed of C for one record at a time, which CRC-64 is not. A record that is not in a model of n entries is taken for one that is with
probability n / 2^64: 3e-15 for 50,000.
"""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left
from collections.abc import Iterable
from typing import BinaryIO

from gutsort.errors import FormatError
from gutsort.formats import COUNT_MAX, SETTINGS_MARK, parse_settings, read_model, write_model


class Model:
    """Counts by record, 0 for one that is not in it, and what the model says of itself in `header`.

    `settings`, `documents` and `sha256` are as those of FrequentLines, and so are `model[record]`: rules do not tell the two apart.
    Memory: 12 bytes an entry. Time of a look-up: a checksum and log n comparisons.

    >>> model = Model.of_records([(b"+the notice\\t^", 7)], {"settings": "key=odds head=500 tail=600", "documents": "9"})
    >>> model[b"+the notice\\t^"], model[b"+the notice\\t$"], model.documents
    (7, 0, 9)
    """

    def __init__(self, header: dict[str, str], checksums: Iterable[int], counts: Iterable[int]) -> None:
        self.header = header
        self.settings = parse_settings(SETTINGS_MARK + header["settings"].encode())
        self.documents = int(header["documents"])
        self.sha256 = header.get("sha256", "")
        self._checksums, self._counts = array("Q", checksums), array("I", counts)

    @classmethod
    def of_records(cls, entries: Iterable[tuple[bytes, int]], header: dict[str, str]) -> Model:
        """The model of some records and their counts, which stop at COUNT_MAX."""
        rows = sorted((checksum(record), min(count, COUNT_MAX)) for record, count in entries)
        return cls(header, (row[0] for row in rows), (row[1] for row in rows))

    def __len__(self) -> int:
        return len(self._checksums)

    def __getitem__(self, record: bytes) -> int:
        wanted = checksum(record)
        place = bisect_left(self._checksums, wanted)
        return self._counts[place] if place < len(self._checksums) and self._checksums[place] == wanted else 0

    def save(self, file: BinaryIO) -> None:
        """Write the model to a file."""
        write_model(file, self.header, self._checksums, self._counts)


def checksum(record: bytes) -> int:
    """The checksum of a record."""
    return int.from_bytes(hashlib.blake2b(record, digest_size=8).digest(), "little")


def load_model(file: BinaryIO, name: str) -> Model:
    """Read a model; `name` is what messages call the file. Raises FormatError where it is none, of another version, or damaged."""
    header, checksums, counts = read_model(file, name)
    try:
        model = Model(header, checksums, counts)
    except (KeyError, ValueError):
        model = None
    if model is None or model.settings is None:
        raise FormatError(f"{name}: expected a model that says its settings and its number of documents")
    return model
