"""Copies are told from new documents, by one process and by several, up to the size of the table."""

import os
import random

from gutsort.jobs import seen as module
from gutsort.jobs.seen import Seen


def test_first_is_true_once_for_each_list():
    rng = random.Random(3)
    lists = [[b"%d" % rng.randint(0, 20)] * rng.randint(1, 3) for _ in range(500)]
    seen, oracle = Seen(), set()
    for lines in lists:
        assert seen.first(lines) == (tuple(lines) not in oracle)
        oracle.add(tuple(lines))
    assert seen.copies == len(lists) - len(oracle)


def test_order_and_borders_of_lines_count():
    seen = Seen()
    assert all(seen.first(lines) for lines in ([b"a", b"b"], [b"b", b"a"], [b"ab"], [], [b""]) if lines != [b""])


def test_processes_share_what_they_saw():
    seen = Seen()
    children = []
    for _ in range(3):
        pid = os.fork()
        if not pid:
            os._exit(sum(seen.first([b"%d" % n]) for n in range(80)))
        children.append(pid)
    assert sum(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children) == 80
    assert seen.copies == 160


def test_a_full_table_takes_no_more_and_loses_no_document(monkeypatch):
    monkeypatch.setattr(module, "SLOTS", 8)
    monkeypatch.setattr(module, "FULL", 7)
    seen = Seen()
    lists = [[b"%d" % n] for n in range(20)]
    assert all(seen.first(lines) for lines in lists)
    assert [seen.first(lines) for lines in lists[:7]] == [False] * 7
    assert all(seen.first(lines) for lines in lists[7:])
