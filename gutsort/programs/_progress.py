"""The line of progress on a terminal."""

from __future__ import annotations

import shutil
import sys
import time
from typing import Protocol

EVERY = 0.1  # seconds between two drawings
VERBS = {"count": "counting", "strip": "cutting"}


class Staged(Protocol):
    """What is drawn of: see jobs.clean.Stage."""

    name: str
    documents: int
    bytes: int
    of_documents: int | None
    of_bytes: int | None


class ProgressLine:
    """Draws how far a run is on standard error, in one line that is written over; nothing where that is no terminal, or `quiet`.

    `clear()` before anything else is said; `close()` leaves the last line standing.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._on = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._stage = ""
        self._began = self._drawn = 0.0
        self._line = ""

    def __call__(self, stage: Staged) -> None:
        """Take note of a stage; draw it if the last drawing is long enough ago."""
        if not self._on:
            return
        now = time.monotonic()
        if stage.name != self._stage:
            self._stage, self._began = stage.name, now
        self._line = describe(stage, now - self._began)
        if now - self._drawn >= EVERY:
            self._drawn = now
            self._draw()

    def clear(self) -> None:
        """Make room for a line of something else."""
        if self._on and self._drawn:
            sys.stderr.write("\r\x1b[K")

    def close(self) -> None:
        """Draw the last state and leave it."""
        if self._on and self._line:
            self._draw()
            sys.stderr.write("\n")
            sys.stderr.flush()

    def _draw(self) -> None:
        width = shutil.get_terminal_size().columns - 1
        sys.stderr.write(f"\r{self._line[:width]}\x1b[K")
        sys.stderr.flush()


def describe(stage: Staged, seconds: float) -> str:
    """A stage in words: what is done, how fast, and how long it will still take where that is known."""
    of = f" of {stage.of_documents:,}" if stage.of_documents is not None else ""
    rate = stage.bytes / seconds if seconds > 0 else 0
    text = f"{VERBS[stage.name]} {stage.documents:,}{of} documents, {stage.bytes / 1e6:,.1f} MB, {rate / 1e6:,.1f} MB/s"
    if stage.of_bytes and rate:
        left = max(0, stage.of_bytes - stage.bytes) / rate
        text += f", {int(left) // 60}:{int(left) % 60:02d} left"
    return text
