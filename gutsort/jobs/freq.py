"""Sort and count in one process tree: the lines of any input that occur often, without a sorted stream in between.

The count is done by the worker that has just merged a region of the key space, while its lines are still in memory, so only
frequent lines leave it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gutsort.count.exact import Counts, Support, count_blocks
from gutsort.formats import format_tsv
from gutsort.sort.external import merge_runs, sort_source
from gutsort.sort.folder import Folder
from gutsort.sort.merge import Block
from gutsort.sort.plan import Plan
from gutsort.sort.runfile import Run
from gutsort.sort.source import Source
from gutsort.sort.spools import read_back


def count_source(source: Source, plan: Plan, support: Support) -> Iterator[Counts]:
    """Yield in order, in lists, the lines of `source` that `support` keeps, as `bytes`, and their counts.

    Memory: the plan's budget. Time: that of the sort.
    """
    plan = plan._replace(head=True)
    return _counts(read_back(sort_source(source, plan, form=counting_form(support, plan.separator)), plan.separator), plan.separator)


def count_runs(runs: Sequence[Run], folder: Folder, plan: Plan, support: Support) -> Iterator[Counts]:
    """As `count_source`, of runs that writers have left in `folder`."""
    plan = plan._replace(head=True)
    return _counts(read_back(merge_runs(runs, folder, plan, form=counting_form(support, plan.separator)), plan.separator), plan.separator)


def counting_form(support: Support, separator: bytes):
    """What a merge does with its blocks: count them, and pass on what is kept as a frequent list."""

    def form(blocks: Iterator[Block], head: tuple[bytes, int] | None) -> Iterator[bytes]:
        for keys, counts in count_blocks(blocks, support, head):
            lines = format_tsv(counts, [key.encode("latin-1") for key in keys])
            yield separator.join(lines) + separator

    return form


def _counts(texts: Iterator[bytes], separator: bytes) -> Iterator[Counts]:
    for text in texts:
        rows = [line.partition(b"\t") for line in text[:-1].split(separator)]
        yield [key for _, _, key in rows], [int(number) for number, _, _ in rows]
