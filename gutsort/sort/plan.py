"""How a sort is to be done: what is not said is taken from the machine and its limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gutsort.errors import UsageError
from gutsort.sort.memory import MIB, default_budget, usable_cpus

LEAST_SHARE = 2 * MIB  # memory below which a further process is not worth its own tables


class Plan(NamedTuple):
    """How a sort is to be done: see `make_plan`."""

    budget: int
    dirs: tuple[str, ...]
    parallel: int
    fan_in: int
    separator: bytes
    unique: bool = False
    head: bool = False

    @property
    def share(self) -> int:
        """Bytes that each process may use."""
        return self.budget // self.parallel


def make_plan(
    budget: int | None = None,
    *,
    dirs: Sequence[str] = (),
    parallel: int | None = None,
    fan_in: int | None = None,
    separator: bytes = b"\n",
    unique: bool = False,
    head: bool = False,
) -> Plan:
    """A plan with what is not said filled in: budget in bytes for all processes, temporary directories, processes, runs merged at once.

    `unique` keeps one of equal lines; `head` says that `form` is to know the settings record and its count beforehand. Raises UsageError
    where a number makes no sense.
    """
    budget = default_budget() if budget is None else budget
    parallel = usable_cpus() if parallel is None else parallel
    if budget < 1 or parallel < 1 or (fan_in is not None and fan_in < 2):
        raise UsageError("a sort needs a budget and a process, and a merge two runs")
    parallel = max(1, min(parallel, budget // LEAST_SHARE))
    return Plan(budget, tuple(dirs), parallel, fan_in or descriptors_left(), separator, unique, head)


def descriptors_left() -> int:
    """Files that may still be opened at once, at least two."""
    import resource

    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return max(2, min(limit if limit > 0 else 1 << 16, 1 << 16) - 12)
