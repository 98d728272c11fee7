"""The first pass: the keys of all documents, as blocks of lines or in shards."""

from __future__ import annotations

import contextlib
import functools
import os
import resource
from collections.abc import Iterable, Iterator

from gutsort.errors import UsageError
from gutsort.extract.units import Settings, document_keys
from gutsort.formats import write_lines
from gutsort.jobs.target import make_folder, whole_file
from gutsort.jobs.workers import map_in_order
from gutsort.records import Document, Skipped
from gutsort.sort.shard import by_shard

SPARE_DESCRIPTORS = 8  # the standard streams, the document, a directory being walked


def key_blocks(documents: Iterable[Document | Skipped], settings: Settings, processes: int = 1) -> Iterator[list[bytes] | Skipped]:
    """Yield the keys of each document as one list of lines, or why it was skipped, in the order of the documents."""
    read = functools.partial(read_keys, settings=settings)
    return map_in_order(lambda number: (read, int), documents, processes, [])


def read_keys(document: Document | Skipped, settings: Settings) -> list[bytes] | Skipped:
    """The keys of one document, or why it was skipped."""
    if isinstance(document, Skipped):
        return document
    try:
        with document.open() as file:
            return document_keys(file, settings)
    except OSError as error:
        return Skipped(document.path, error.strerror or str(error))


def write_shards(blocks: Iterable[list[bytes]], folder: bytes, shards: int) -> list[bytes]:
    """Write lines to `shards` files in `folder`, each line to the one its hash names, and return the names of the files.

    All of a key is in one shard, so counts of shards are counts of the whole. Raises UsageError for more shards than
    descriptors. Memory: one block and a buffer a shard.
    """
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0] - SPARE_DESCRIPTORS
    if shards > limit:
        raise UsageError(f"{shards} shards, but only {limit} files may be open at once (ulimit -n)")
    make_folder(folder)
    width = len(str(shards - 1))
    names = [os.path.join(folder, b"shard-%0*d" % (width, number)) for number in range(shards)]
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(whole_file(name, sync=False)) for name in names]
        for block in blocks:
            for file, lines in zip(files, by_shard(block, shards), strict=True):
                write_lines(file, lines)
    return names
