"""Site mode: count what recurs over the pages of each site, then cut it, one site at a time.

The three steps of the project. `page_features` gives the lines of each page; any sorter and counter makes the site list of them;
`strip_sites` goes through the
list, which is in order of site, and cuts the pages of each with its counts. A site is a directory, or the host that pages name
(`SITE_FROM`).
"""

from __future__ import annotations

import functools
import io
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from gutsort.count.exact import Support
from gutsort.formats import escape_name, format_tsv, read_frequent, write_lines
from gutsort.jobs.clean import Sorting
from gutsort.jobs.freq import count_runs
from gutsort.jobs.pages import HOLDS_PAGES, holds_pages, read_document, read_file
from gutsort.jobs.report import done_row, skipped_row
from gutsort.jobs.sorting import reversed_texts
from gutsort.jobs.target import whole_file
from gutsort.jobs.workers import Finish, Work, map_in_order, one_each
from gutsort.pages.blocks import Page, parse
from gutsort.pages.charset import cuts_of_bytes, view
from gutsort.pages.maintext import MainText, Reading, main_text, read_page
from gutsort.pages.site import feature_lines, template_cuts
from gutsort.pages.styletree import noisy_names, style_cuts, style_lines, tree_nodes
from gutsort.pages.weights import SiteWeights, weight_cuts, weight_lines, weight_rows
from gutsort.records import Counted, Cut, Document, Skipped
from gutsort.sort.folder import Folder, private_folder
from gutsort.sort.plan import make_plan
from gutsort.sort.runfile import Run
from gutsort.sort.runs import RunWriter
from gutsort.strip.guard import NOTHING_LEFT, Verdict
from gutsort.strip.rewrite import rewrite

CutPage = Callable[[Reading], Iterable[Cut]]
SiteOf = Callable[[Document], bytes]

_URL_TAG = re.compile(rb"""<(?:link|meta|base)\b[^>]{0,400}?(?:canonical|og:url|<base)[^>]{0,400}?>""", re.IGNORECASE)
_URL = re.compile(rb"""(?:href|content)\s*=\s*["']?\s*(https?://[^\s"'>]{1,300})""", re.IGNORECASE)
_HEAD = 64 << 10  # bytes of a page in which its address is looked for


class Method(NamedTuple):
    """A way to find what recurs: the lines of a page; the least count its list needs; from a site's part of the list, in order, what cuts
    a page."""

    lines: Callable[[Page, bytes], list[bytes]]
    support: int
    cutter: Callable[[Iterator[Counted], str], CutPage]


class Stripped(NamedTuple):
    """A page that was cut: what is left of its bytes, its row of the report, and its main text where that was asked for."""

    document: Document
    data: bytes
    row: dict[str, Any]
    main: MainText | None


def site_by_directory(document: Document) -> bytes:
    """The directory a page stands in, as a name without TAB and LF."""
    return escape_name(os.path.dirname(document.path)).encode()


def site_by_host(document: Document) -> bytes:
    """The host in the address that a page gives itself (canonical link, og:url), or its directory where it gives none."""
    try:
        with document.open() as file:
            head = file.read(_HEAD)
    except OSError:
        head = b""
    for tag in _URL_TAG.finditer(head):
        if found := _URL.search(tag[0]):
            return escape_name(urlsplit(found[1].decode("latin-1")).netloc.lower().encode("latin-1")).encode()
    return site_by_directory(document)


SITE_FROM: dict[str, SiteOf] = {"directory": site_by_directory, "url-host": site_by_host}


def page_features(
    documents: Iterable[Document | Skipped], method: str, site_of: SiteOf, processes: int = 1
) -> Iterator[list[bytes] | Skipped]:
    """Yield the lines of each page, or why it was skipped, in the order of the documents. Memory: a page a process."""
    read = functools.partial(_features, method=method, site_of=site_of)
    return map_in_order(one_each(read), documents, processes, [])


def _features(document: Document | Skipped, method: str, site_of: SiteOf) -> list[bytes] | Skipped:
    data = read_document(document)
    if isinstance(data, Skipped) or isinstance(document, Skipped):
        return data
    return METHODS[method].lines(parse(view(data).source), site_of(document))


def count_pages(documents: Iterable[Document | Skipped], method: str, site_of: SiteOf, path: bytes, sorting: Sorting) -> None:
    """Write the site list of all pages to `path`: extract --pages, extsort and countfreq in one. Memory: the sorting budget."""
    with private_folder(sorting.dirs) as folder, whole_file(path) as file:
        ends: list[list[tuple]] = []
        make = functools.partial(_feature_runs, folder, method, site_of, sorting.budget // sorting.processes)
        for _ in map_in_order(make, documents, sorting.processes, ends):
            pass
        runs = [Run(*row) for rows in ends for row in rows]
        plan = make_plan(sorting.budget, dirs=sorting.dirs, parallel=sorting.processes)
        for keys, counts in count_runs(runs, folder, plan, Support(METHODS[method].support)):
            write_lines(file, format_tsv(counts, keys))


def _feature_runs(folder: Folder, method: str, site_of: SiteOf, budget: int, number: int) -> tuple[Work, Finish]:
    writer = RunWriter(folder, budget, name=str(number))

    def work(document: Document | Skipped) -> tuple[()]:
        lines = _features(document, method, site_of)
        if not isinstance(lines, Skipped):
            writer.add(lines)
        return ()

    return work, lambda: [tuple(run) for run in writer.finish()]


def strip_sites(
    documents: Iterable[Document | Skipped],
    counted: Iterable[Counted],
    name: str,
    method: str,
    site_of: SiteOf,
    *,
    text: bool = False,
    processes: int = 1,
) -> Iterator[Stripped | Skipped]:
    """Cut from each page what its site's part of the list shows to recur; yield the pages site by site, each in the order of the documents.

    `counted` is the site list in byte order and `name` what messages call it; `text` also gives the main text of what is left. A page of
    a site that the list does not have stays as it is. A page of which nothing would be left stays too, and is a suspect; one that loses
    more than half is none, for most do.
    Memory: the documents' names, one site's counts, a page a process. Raises FormatError.
    """
    by_site: dict[bytes, list[Document]] = {}
    for document in documents:
        if isinstance(document, Skipped):
            yield document
        else:
            by_site.setdefault(site_of(document), []).append(document)
    for site, entries in _sites(counted, name):
        pages = by_site.pop(site, None)
        if pages is not None:
            yield from _strip_site(pages, METHODS[method].cutter(entries, name), text, processes)
    for _, pages in sorted(by_site.items()):
        yield from _strip_site(pages, lambda reading: (), text, processes)


def weight_table(
    documents: Iterable[Document | Skipped], counted: Iterable[Counted], name: str, site_of: SiteOf
) -> Iterator[list[bytes] | Skipped]:
    """Yield the feature weights of each page, site by site: lines `PAGE TAB PATH TAB TEXT TAB WEIGHT` (`weights.weight_rows`)."""
    by_site: dict[bytes, list[Document]] = {}
    for document in documents:
        if isinstance(document, Skipped):
            yield document
        else:
            by_site.setdefault(site_of(document), []).append(document)
    for site, entries in _sites(counted, name):
        weights = SiteWeights({entry.key: entry.count for entry in entries})
        for document in by_site.pop(site, ()):
            data = read_document(document)
            yield data if isinstance(data, Skipped) else weight_rows(parse(view(data).source), weights, escape_name(document.path).encode())


def _sites(counted: Iterable[Counted], name: str) -> Iterator[tuple[bytes, Iterator[Counted]]]:
    """The list site by site, the keys without the site."""
    for site, group in groupby(counted, key=lambda entry: entry.key.partition(b"\t")[0]):
        yield site, (Counted(entry.count, entry.key[len(site) + 1 :]) for entry in group)


def _strip_site(pages: list[Document], cutter: CutPage, text: bool, processes: int) -> Iterator[Stripped | Skipped]:
    strip = functools.partial(_strip_page, cutter=cutter, text=text)
    return map_in_order(one_each(strip), pages, processes if len(pages) > 1 else 1, [])


def _strip_page(document: Document, cutter: CutPage, text: bool) -> Stripped | Skipped:
    data = read_file(document)
    if isinstance(data, Skipped):
        return data
    if holds_pages(document, data):
        skipped = Skipped(document.path, HOLDS_PAGES)
        return skipped if text else Stripped(document, data, skipped_row(skipped), None)
    reading = read_page(data, texts=text)
    cuts = list(cutter(reading))
    suspect = []
    if cuts and len(cuts) == len(reading.page.blocks):
        cuts, suspect = [], [NOTHING_LEFT]
    main = _text_of(reading, cuts) if text else None
    cuts = list(cuts_of_bytes(cuts, reading.view))
    left = io.BytesIO()
    written = rewrite(io.BytesIO(data), left, cuts)
    return Stripped(document, left.getvalue(), done_row(document, Verdict(cuts, suspect), written), main)


def _text_of(reading: Reading, cuts: list[Cut]) -> MainText:
    starts = {cut.start for cut in cuts}
    return main_text(reading, "auto", template=[passage.start in starts for passage in reading.texts], titled=False)._replace(kept=[])


def _block_cutter(entries: Iterator[Counted], name: str) -> CutPage:
    counts = {entry.key: entry.count for entry in entries if entry.count > 1}
    return lambda reading: template_cuts(reading.page, counts)


def _weight_cutter(entries: Iterator[Counted], name: str) -> CutPage:
    weights = SiteWeights({entry.key: entry.count for entry in entries})
    return lambda reading: weight_cuts(reading.page, weights)


def _style_cutter(entries: Iterator[Counted], name: str, *, minimum: bool = True) -> CutPage:
    """The tree is read from its end, so it goes to a file first; only names of noisy nodes are held."""
    pages = 0
    with tempfile.TemporaryFile() as spool:
        for entry in entries:
            pages += entry.count if entry.key.startswith(b"\tS") else 0
            write_lines(spool, format_tsv([entry.count], [entry.key]))
        spool.flush()
        backwards = (entry for text in reversed_texts(spool, b"\n") for entry in read_frequent(io.BytesIO(text), name))
        noisy = noisy_names(tree_nodes(backwards, name), pages, minimum=minimum)
    return lambda reading: style_cuts(reading.page, noisy)


METHODS: dict[str, Method] = {
    "blocks": Method(feature_lines, 2, _block_cutter),
    "weights": Method(weight_lines, 1, _weight_cutter),
    "style-tree": Method(style_lines, 1, _style_cutter),
    "style-tree-all": Method(style_lines, 1, functools.partial(_style_cutter, minimum=False)),
}
