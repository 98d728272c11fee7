"""How much memory a sort may use, and what lines cost.

The budget is accounted, not measured: what a line costs is known, and asking the system costs more than it tells. The default
is a modest share of what the machine, the control group and the resource limits leave, so that a job in a small container is
not killed for having looked at its host's memory.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from gutsort.errors import UsageError

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
SMALLEST = MIB  # below it the interpreter's own tables are most of the memory
DEFAULT_SHARE, DEFAULT_LEAST, DEFAULT_MOST = 8, 16 * MIB, GIB
UNLIMITED = 1 << 60  # control groups say "no limit" with numbers near 2**63

LINE_COST = 49 + 8 + 8 + 6  # an ASCII str's header, its slot in the list, the sort's temporary slot, rounding
WIDE_COST = 24  # what the header of a str with other characters has more
ENTRY_COST = 130  # a dict's entry, its share of the index and of the doubling, and the count

_SIZE = re.compile(r"([0-9]+)([%bKkMmGgTtPpEe]?)", re.ASCII)
_POWER = {"b": 0, "": 1, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}


def parse_size(text: str) -> int:
    """Bytes in a size as GNU sort's -S reads it: a bare number is KiB, `%` is of physical memory. Raises UsageError.

    >>> parse_size("64M") == 64 * parse_size("1024") == 67108864
    True
    """
    found = _SIZE.fullmatch(text)
    if not found:
        raise UsageError(f"{text!r} is not a size such as 64M, 512K or 10%")
    number, unit = int(found[1]), found[2]
    if unit == "%":
        return number * _physical() // 100
    return number * 1024 ** _POWER[unit if unit == "b" else unit.upper()]


def default_budget() -> int:
    """Bytes a sort uses without -S: an eighth of the least of free memory and the limits, from 16 MiB to 1 GiB."""
    return max(DEFAULT_LEAST, min(least_limit() // DEFAULT_SHARE, DEFAULT_MOST))


def least_limit(root: str = "/") -> int:
    """Bytes still to be had: the least of free memory, what the control groups leave, and the resource limits."""
    limits = [_physical(), *_free(root), *_group_limits(root), *_resource_limits()]
    return min(limit for limit in limits if 0 <= limit < UNLIMITED)


def _physical() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _free(root: str) -> Iterator[int]:
    for line in _read(f"{root}proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            yield int(line.split()[1]) * KIB
            return
    try:
        import psutil
    except ImportError:
        return
    yield psutil.virtual_memory().available


def _group_limits(root: str) -> Iterator[int]:
    """What each control group of this process leaves, version 2 and version 1, up to the root of the tree."""
    for line in _read(f"{root}proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            base, names = f"{root}sys/fs/cgroup", ("memory.max", "memory.current")
        elif "memory" in controllers.split(","):
            base, names = f"{root}sys/fs/cgroup/memory", ("memory.limit_in_bytes", "memory.usage_in_bytes")
        else:
            continue
        parts = [part for part in path.split("/") if part and part != ".."]
        for depth in range(len(parts) + 1):
            limit, used = (_read("/".join([base, *parts[:depth], name])).strip() for name in names)
            if limit.isdigit() and int(limit) < UNLIMITED:
                yield max(0, int(limit) - (int(used) if used.isdigit() else 0))


def _resource_limits() -> Iterator[int]:
    """What RLIMIT_AS and RLIMIT_DATA leave; they hold for each process alone, so they are the least one may count on."""
    import resource

    used = _read("/proc/self/statm").split()
    page = os.sysconf("SC_PAGE_SIZE")
    for kind, column in ((resource.RLIMIT_AS, 0), (resource.RLIMIT_DATA, 5)):
        limit = resource.getrlimit(kind)[0]
        if limit != resource.RLIM_INFINITY:
            yield max(0, limit - (int(used[column]) * page if len(used) > column else 0))


def usable_cpus(root: str = "/") -> int:
    """Processors this process may use: its affinity, and the quota of its control groups rounded up."""
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    for line in _read(f"{root}proc/self/cgroup").splitlines():
        if line.startswith("0::"):
            parts = [part for part in line[3:].split("/") if part and part != ".."]
            for depth in range(len(parts) + 1):
                quota = _read("/".join([f"{root}sys/fs/cgroup", *parts[:depth], "cpu.max"])).split()
                if len(quota) == 2 and quota[0].isdigit():
                    cpus = min(cpus, max(1, -(-int(quota[0]) // int(quota[1]))))
    return max(1, cpus)


def _read(path: str) -> str:
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
