"""The two passes of `clean` on a Spark cluster. The stages are those of `jobs.stages`; this module is the wiring.

Documents are named, not sent: every machine sees the same files under the same names (a shared file system). Spark's `textFile` and
`wholeTextFiles` lose bytes. The names, one note a document that has copies, the parts of the list and the rows of the report pass through
the driver; lines do not. A task that is run twice (a lost executor, speculation) writes the same document twice, each whole, by rename.
"""

from __future__ import annotations

import functools
import io
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pyspark import RDD, SparkConf, SparkContext

from gutsort import errors
from gutsort.count.exact import Support
from gutsort.count.frequent import FrequentLines, merge_lists
from gutsort.formats import format_tsv, read_frequent, write_lines
from gutsort.jobs.clean import Engine, Options, strip_tree
from gutsort.jobs.stages import Item, Ledger, counted, extracted, partition_of, portable, read_ledger, taken_off
from gutsort.jobs.target import whole_file

MEMORY = 64 << 20  # bytes that a task's combiner holds; several times less than the 512 MB that Spark gives a Python worker
TASKS_A_CORE = 4  # so that one long document does not keep the other cores waiting

_OURS = re.compile(r"^gutsort\.errors\.(\w+): (.*)$", re.MULTILINE)
_LOST = re.compile(r"Job aborted[^\n]*")


def open_context(master: str | None, settings: dict[str, str], python: str) -> SparkContext:
    """A context with these settings of Spark; `master` (default: what spark-submit says, else local[*]); `python`: what runs tasks on this machine."""
    conf = SparkConf().setIfMissing("spark.master", "local[*]").setIfMissing("spark.app.name", "gutsort")
    conf.setIfMissing("spark.ui.showConsoleProgress", "false").setAll(settings.items())
    if master:
        conf.setMaster(master)
    if conf.get("spark.master").startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", python)  # Spark's own default is any python3 on the path
    return SparkContext(conf=conf)


def engine(context: SparkContext) -> Engine:
    """The passes of `jobs.clean.clean` on a cluster."""
    return Engine(functools.partial(count_ends, context), functools.partial(strip, context))


def count_ends(context: SparkContext, documents: Iterable[Item], options: Options, path: bytes) -> int:
    """As jobs.clean.count_ends. Raises UsageError where the options ask for an approximate counter: the shuffle sorts."""
    if options.counter is not None:
        raise errors.UsageError("--counter does not go with Spark, which counts exactly")
    items = list(enumerate(map(portable, documents)))
    partitions = _tasks(context, items)
    place = functools.partial(partition_of, partitions=partitions)
    settings = options.settings
    pairs = context.parallelize(items, partitions).mapPartitions(lambda rows: extracted(rows, settings, MEMORY)).partitionBy(partitions, place)
    with _own_errors(), whole_file(path) as file:
        ledger = _ledger(context, pairs, place)
        if ledger.again:
            texts: dict[int, set[int]] = defaultdict(set)
            for number, text in ledger.again:
                texts[number].add(text)
            wanted = [(items[number][1], numbers) for number, numbers in texts.items()]
            off = context.parallelize(wanted, partitions).mapPartitions(lambda rows: taken_off(rows, settings, MEMORY))
            pairs = pairs.union(off.partitionBy(partitions, place))
        _write_list(file, pairs, place, options.support, ledger._replace(again=[]))
    return ledger.copies


def strip(
    context: SparkContext,
    documents: Iterable[Item],
    options: Options,
    *,
    frequent: FrequentLines,
    target: bytes,
    refuse: Callable[[bytes], object],
    keep_cuts: bytes | None = None,
) -> Iterator[dict[str, Any]]:
    """As jobs.clean.strip_tree: a job without a shuffle, the list sent once to each machine."""
    items = list(map(portable, documents))
    shared = context.broadcast(frequent)
    target, keep_cuts = os.path.abspath(target), keep_cuts and os.path.abspath(keep_cuts)

    def work(part: Iterator[Item]) -> Iterator[tuple[dict[str, Any], list[bytes]]]:
        refused: list[bytes] = []
        for row in strip_tree(part, options, shared.value, target, refuse=refused.append, keep_cuts=keep_cuts):
            yield row, refused[:]
            refused.clear()

    with _own_errors():
        rows = context.parallelize(items, _tasks(context, items)).mapPartitions(work).collect()
    for row, lines in rows:
        for line in lines:
            refuse(line)
        yield row


def _tasks(context: SparkContext, items: list) -> int:
    return max(1, min(len(items), TASKS_A_CORE * context.defaultParallelism))


def _ledger(context: SparkContext, pairs: RDD, place: Callable[[bytes], int]) -> Ledger:
    """What the first partition says; the shuffle that this makes is used again by the count."""
    first = pairs.repartitionAndSortWithinPartitions(pairs.getNumPartitions(), place)
    return context.runJob(first, lambda rows: [read_ledger(rows)], [0])[0]


def _write_list(file: Any, pairs: RDD, place: Callable[[bytes], int], support: Support, ledger: Ledger) -> None:
    """Count the sorted pairs of each partition, and write the parts as one list in byte order. Memory: the list."""
    ordered = pairs.repartitionAndSortWithinPartitions(place.keywords["partitions"], place)
    parts = ordered.mapPartitions(lambda rows: counted(rows, support, ledger)).collect()
    keys, counts = merge_lists(read_frequent(io.BytesIO(part), "a part of the list") for part in parts)
    write_lines(file, format_tsv(counts, keys))


class _own_errors:  # noqa: N801 - reads as the context manager it is
    """Raises what a task raised, where it is an error of gutsort, and WorkerError where Spark gave the job up."""

    def __enter__(self) -> None:
        """Nothing to do yet."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if (cause := getattr(error, "java_exception", None)) is None:  # what py4j calls an error of the other side
            return
        text = str(cause)
        if found := _OURS.search(text):
            raise getattr(errors, found[1])(found[2]) from None
        if "Traceback" not in text and (lost := _LOST.search(text)):
            raise errors.WorkerError(lost[0]) from None
