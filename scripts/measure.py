#!/usr/bin/env python3
"""Run commands and say how long they took and how much memory all their processes held together.

usage: measure.py COMMAND... (a shell pipeline is one argument)

Memory is the sum of PSS (what is shared is counted once) over the tree of processes, read from /proc every 50 ms; its peak is given, in MB.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import NamedTuple

EVERY = 0.05  # seconds between two looks


class Measured(NamedTuple):
    """One run: wall and processor seconds, the peak of the memory of all processes in bytes, and the exit status."""

    wall: float
    cpu: float
    peak: int
    status: int


def measure(command: list[str], **kwargs) -> Measured:
    """Run a command to its end."""
    start, before = time.perf_counter(), os.times()
    peak = 0
    with subprocess.Popen(command, **kwargs) as process:
        while process.poll() is None:
            peak = max(peak, sum(map(pss, family(process.pid))))
            time.sleep(EVERY)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Measured(time.perf_counter() - start, cpu, peak, process.returncode)


def family(pid: int) -> list[int]:
    """A process and all below it."""
    found = [pid]
    for parent in found:
        try:
            for task in os.listdir(f"/proc/{parent}/task"):
                with open(f"/proc/{parent}/task/{task}/children", encoding="ascii") as file:
                    found += map(int, file.read().split())
        except OSError:
            continue
    return found


def pss(pid: int) -> int:
    """Bytes of memory of one process; 0 where it has ended."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            return next((int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:")), 0)
    except OSError:
        return 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for text in sys.argv[1:]:
        run = measure(["sh", "-c", text])
        print(f"{run.wall:8.1f} s wall {run.cpu:8.1f} s cpu {run.peak / 1e6:8.1f} MB  status {run.status}  {text}", flush=True)
