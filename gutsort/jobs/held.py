"""Rows held back until the file they are about is in its place, however many they are."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

from gutsort.extract.spool import Spool

AT_ONCE = 256  # rows in memory


class Held:
    """Rows to be yielded later, in their order: a few in memory, more of them in a spool.

    >>> held = Held()
    >>> held.add({"path": "a"})
    >>> list(held.rows())
    [{'path': 'a'}]
    """

    def __init__(self) -> None:
        self._recent: list[dict[str, Any]] = []
        self._spool: Spool | None = None

    def add(self, row: dict[str, Any]) -> None:
        """Hold one more. Raises SpaceError where the temporary folder is full."""
        self._recent.append(row)
        if len(self._recent) == AT_ONCE:
            self._spool = self._spool or Spool()
            self._spool.write(pickle.dumps(self._recent, -1))
            self._recent = []

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield them all, once."""
        if self._spool is not None:
            with self._spool as spool:
                end = spool.tell()
                spool.seek(0)
                while spool.tell() < end:
                    yield from pickle.load(spool)
        yield from self._recent
