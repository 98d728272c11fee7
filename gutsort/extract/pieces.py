"""What archives are made of, as they are taken apart."""

from __future__ import annotations

from typing import NamedTuple

from gutsort.extract.spool import Spool
from gutsort.records import Document


class Piece(NamedTuple):
    """A regular file of an archive, to be looked into before the next one is asked for; `kept`, where it is not None, gets what is kept."""

    document: Document
    file: Spool
    kept: Spool | None
