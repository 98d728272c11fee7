"""PDF and PostScript to the XHTML that the metadata room reads, by poppler's pdftotext and Ghostscript's ps2pdf.

Neither is a dependency: where one is missing, the error names the package that has it. A converter is a foreign program on foreign
input: it runs in a process group of its own, for a limited time, and the whole group is ended with it, however this one is left.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile

from gutsort.errors import ReadError

TIME_LIMIT = 60.0  # seconds for one document and program; a ten-page paper takes one
PAGES = 10  # pages that are converted: three are searched, the rest show what recurs at page ends
PACKAGES = {"pdftotext": "poppler-utils", "ps2pdf": "ghostscript"}


def to_bbox(path: bytes, kind: str, *, time_limit: float = TIME_LIMIT) -> bytes:
    """The first PAGES pages of a file of `kind` pdf or ps as `pdftotext -bbox-layout` writes them.

    Raises ReadError where a program is missing, fails, or takes more than `time_limit` seconds.
    """
    path = os.path.abspath(path)  # never an option, whatever the name begins with
    if kind == "pdf":
        return _pdf_to_bbox(path, time_limit)
    with tempfile.TemporaryDirectory(prefix=".gutsort-") as folder:
        pdf = os.path.join(os.fsencode(folder), b"paper.pdf")
        _output_of("ps2pdf", [path, pdf], time_limit)
        return _pdf_to_bbox(pdf, time_limit)


def _pdf_to_bbox(path: bytes, time_limit: float) -> bytes:
    return _output_of("pdftotext", [b"-q", b"-bbox-layout", b"-l", b"%d" % PAGES, path, b"-"], time_limit)


def _output_of(program: str, arguments: list[bytes], time_limit: float) -> bytes:
    """What a program writes to its standard output."""
    if shutil.which(program) is None:
        raise ReadError(f"{program} is not installed; it is in the package {PACKAGES[program]}")
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    child = subprocess.Popen([program.encode(), *arguments], **streams, start_new_session=True)
    try:
        output, messages = child.communicate(timeout=time_limit)
    except subprocess.TimeoutExpired:
        raise ReadError(f"{program} took more than {time_limit:g} seconds") from None
    finally:
        _end(child)
    if child.returncode != 0:
        first = messages.decode("utf-8", "replace").strip().partition("\n")[0]
        raise ReadError(f"{program} failed: {first or f'status {child.returncode}'}")
    return output


def _end(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        for stream in (child.stdout, child.stderr):
            stream.close()
