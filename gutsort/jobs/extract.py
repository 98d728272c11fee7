"""The first pass: the keys of all documents, as blocks of lines or in shards."""

from __future__ import annotations

import contextlib
import functools
import os
import resource
from collections.abc import Iterable, Iterator

from gutsort.errors import UsageError
from gutsort.extract.containers import texts
from gutsort.extract.units import Settings, anywhere_keys, document_keys, page_keys
from gutsort.formats import write_lines
from gutsort.jobs.seen import Seen
from gutsort.jobs.target import make_folder, whole_file
from gutsort.jobs.workers import map_in_order
from gutsort.records import Document, Skipped, Text
from gutsort.sort.shard import by_shard

SPARE_DESCRIPTORS = 8  # the standard streams, the document, a directory being walked


def key_blocks(documents: Iterable[Document | Skipped], settings: Settings, processes: int = 1, seen: Seen | None = None) -> Iterator[list[bytes] | Skipped]:
    """Yield the keys of each document as one list of lines, or why it was skipped, in the order of the documents.

    `documents` are those of the walk; a container's are as many as are in it. `seen`: see `read_keys`.
    """
    read = functools.partial(read_keys, settings=settings, seen=seen)
    return map_in_order(lambda number: (read, int), documents, processes, [])


def read_keys(document: Document | Skipped, settings: Settings, seen: Seen | None = None) -> Iterator[list[bytes] | Skipped]:
    """Yield the keys of each document in one file of the walk, one list a document (a page; two with `interior`), or why it was skipped.

    With `seen`, a document whose keys it has met before adds nothing: its list is empty. Memory: one list; never a container's documents.
    """
    if isinstance(document, Skipped):
        yield document
        return
    try:
        with document.open() as file:
            for text in texts(document, file, jsonl_field=settings.jsonl_field):
                if isinstance(text, Skipped):
                    yield text
                else:
                    yield from _text_keys(text, settings, seen)
    except OSError as error:
        yield Skipped(document.path, error.strerror or str(error))


def _text_keys(text: Text, settings: Settings, seen: Seen | None) -> Iterator[list[bytes]]:
    if settings.key == "page":
        yield from page_keys(text.file, settings, text.head)
        return
    keys = document_keys(text.file, settings, text.head)
    first = seen is None or seen.first(keys)
    yield keys if first else []
    if first and settings.interior and settings.key == "odds":
        yield anywhere_keys(text.file, settings, text.head)


def counts_copies_once(settings: Settings) -> Seen | None:
    """A `Seen` where keys are counted by documents and places; the other keys count every document, as `uniq -c` would."""
    return Seen() if settings.key == "odds" else None


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
