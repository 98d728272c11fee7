"""The file of refused lines: JSON Lines that are none, or lack the field, beside the output they also stay in."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator

from gutsort.errors import SpaceError
from gutsort.formats import escape_name
from gutsort.jobs.target import make_folder, side_folder

NAME = b"refused.jsonl"


@contextlib.contextmanager
def refused_lines(target: bytes | None, *, resume: bool = False) -> Iterator[Callable[[bytes], None]]:
    """A function that adds one line to `TARGET.gutsort/refused.jsonl`, which is made at the first one; no file where `target` is None.

    With `resume` the lines of the run before stay; a file that is done again then adds its lines again. Raises SpaceError.
    """
    if target is None:
        yield lambda line: None
        return
    path = os.path.join(side_folder(target), NAME)
    if not resume:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
    with contextlib.ExitStack() as stack:
        files = []

        def refuse(line: bytes) -> None:
            with _naming(path):
                if not files:
                    make_folder(os.path.dirname(path))
                    files.append(stack.enter_context(open(path, "ab", buffering=0)))
                files[0].write(line.removesuffix(b"\n") + b"\n")

        yield refuse


@contextlib.contextmanager
def _naming(path: bytes) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise SpaceError(f"{escape_name(path)}: {error.strerror}") from None
