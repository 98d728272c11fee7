"""gutsort: find and cut the boilerplate that people paste into documents, by counting lines in bounded memory.

A line that opens or closes many documents is boilerplate (Kaser & Lemire 2007). The pipe, and its library:

    extract books/ | extsort | countfreq > frequent.txt
    stripfreq frequent.txt books/ -o clean/

`clean` does all of it. Below it: `walk` yields documents, `document_keys` the keys of one, `external_sort` sorts any number of lines in
bounded memory, `count_blocks` counts them, `load_frequent` reads a frequent list as a mapping, `gap_stripper` makes a rule of it and
`strip_document` cuts. Each room (`gutsort.extract`, `.sort`, `.count`, `.strip`) explains itself in its own docstring.
"""

from __future__ import annotations

from typing import Any

COMMANDS = {
    "clean": "the whole pipe in one command: SRC... -o DST",
    "extract": "the lines at the ends of documents, as a line stream",
    "extsort": "sort any line stream in bounded memory",
    "countfreq": "the frequent lines of a sorted stream",
    "approxfreq": "the frequent lines of a stream in any order, by a counter of fixed size",
    "freq": "sort and count in one: the frequent lines of any input",
    "stripfreq": "cut what a frequent list knows from documents",
    "model": "a frequent list as checksums and counts, to strip documents seen alone",
    "explain": "why a document is cut where it is, line by line",
    "restore": "documents as they were before they were stripped",
    "maintext": "the main text of web pages, one page at a time",
    "title": "the title of web pages",
    "metadata": "abstract, keywords, MSC codes and language of preprints",
}

_HOMES = {
    "clean": "gutsort.jobs.clean",
    "walk": "gutsort.extract.documents",
    "document_of_bytes": "gutsort.extract.documents",
    "document_keys": "gutsort.extract.units",
    "Settings": "gutsort.extract.units",
    "external_sort": "gutsort.sort.external",
    "approximate": "gutsort.count.approximate",
    "count_blocks": "gutsort.count.exact",
    "load_frequent": "gutsort.count.frequent",
    "gap_stripper": "gutsort.jobs.strip",
    "strip_document": "gutsort.jobs.strip",
    "GutsortError": "gutsort.errors",
}

__all__ = ["COMMANDS"] + list(_HOMES)  # noqa: PLE0605, RUF005


def __getattr__(name: str) -> Any:
    """Load a name of the API on first use (PEP 562): start-up time is part of a filter's speed."""
    import importlib

    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    if name == "__version__":
        from gutsort.version import __version__

        return __version__
    raise AttributeError(f"module 'gutsort' has no attribute {name!r}")
