"""Zstandard by the interpreter's own module (Python 3.14), else by the program `zstd`, where one of them is there."""

from __future__ import annotations

import contextlib
import importlib
import os
import select
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any

from gutsort.errors import WorkerError
from gutsort.extract.spool import BLOCK
from gutsort.extract.stream import Broken

MISSING = "needs the program zstd, or Python 3.14, to be read"
CHECKED = 4  # the bit of a frame's fifth byte that says whether it ends with a check sum (RFC 8878, sec. 3.1.1.1.1)


def zstd_module() -> ModuleType | None:
    """compression.zstd, or None where the interpreter has none."""
    try:
        return importlib.import_module("compression.zstd")
    except ImportError:
        return None


def program_blocks(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The content of zstd data, all frames, by the program. Raises Broken where there is no program or the data is damaged."""
    if shutil.which("zstd") is None:
        raise Broken(MISSING)
    with contextlib.closing(_Program("-dcq")) as program:
        for block in blocks:
            yield from program.exchange(block)
        yield from program.end()
        if program.status:
            raise Broken("damaged zstd data")


def zstd_compressor(head: bytes) -> Any:
    """A compressor with `compress` and `flush`, for a file that began with `head`."""
    checked = len(head) > 4 and bool(head[4] & CHECKED)
    module = zstd_module()
    if module is None:
        return _ProgramCompressor("-cq", "--check" if checked else "--no-check")
    return module.ZstdCompressor(options={module.CompressionParameter.checksum_flag: int(checked)})


class _ProgramCompressor:
    def __init__(self, *options: str) -> None:
        self._program = _Program(*options)

    def compress(self, data: bytes) -> bytes:
        return b"".join(self._program.exchange(data))

    def flush(self) -> bytes:
        data = b"".join(self._program.end())
        if self._program.status:
            raise WorkerError(f"zstd ended with status {self._program.status}")
        return data


class _Program:
    """The program as a filter that is fed and read in turns, so that neither side can wait for the other."""

    def __init__(self, *options: str) -> None:
        self._process = subprocess.Popen(
            ["zstd", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        os.set_blocking(self._process.stdin.fileno(), False)  # type: ignore[union-attr]
        self.status: int | None = None

    def exchange(self, data: bytes) -> Iterator[bytes]:
        """Write all of `data`; yield what comes out meanwhile. A program that has ended takes everything: its status tells."""
        rest = memoryview(data)
        inlet, outlet = self._process.stdin.fileno(), self._process.stdout.fileno()  # type: ignore[union-attr]
        poll = select.poll()
        poll.register(inlet, select.POLLOUT)
        poll.register(outlet, select.POLLIN)
        while rest:
            for number, _ in poll.poll():
                if number == inlet:
                    try:
                        rest = rest[os.write(inlet, rest) :]
                    except BlockingIOError:
                        continue
                    except BrokenPipeError:
                        return
                elif out := os.read(outlet, BLOCK):
                    yield out
                else:
                    poll.unregister(outlet)

    def end(self) -> Iterator[bytes]:
        """Close its input, yield the rest of its output, and set `status`."""
        self._process.stdin.close()  # type: ignore[union-attr]
        while out := os.read(self._process.stdout.fileno(), BLOCK):  # type: ignore[union-attr]
            yield out
        self.status = self._process.wait()

    def close(self) -> None:
        """End it, wherever it is."""
        if self._process.poll() is None:
            self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
        self._process.wait()

    def __del__(self) -> None:
        self.close()
