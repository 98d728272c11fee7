"""The budget: sizes as GNU sort reads them, limits of containers."""

import os

import pytest

from gutsort.errors import UsageError
from gutsort.sort.memory import MIB, least_limit, parse_size, usable_cpus


@pytest.mark.parametrize(
    ("text", "size"), [("7", 7 << 10), ("7b", 7), ("7k", 7 << 10), ("7K", 7 << 10), ("64M", 64 << 20), ("2g", 2 << 30), ("1T", 1 << 40)]
)
def test_sizes_are_read_as_gnu_sort_does(text, size):
    assert parse_size(text) == size


def test_a_percentage_is_of_physical_memory():
    assert parse_size("50%") == os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


@pytest.mark.parametrize("text", ["", "M", "-1", "1.5M", "1X", "1MB", "٣"])
def test_a_size_that_is_none_is_refused(text):
    with pytest.raises(UsageError):
        parse_size(text)


def tree(root, files):
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return f"{root}/"


def test_the_limit_of_an_outer_control_group_counts(tmp_path):
    files = {
        "proc/self/cgroup": "0::/job/step\n",
        "sys/fs/cgroup/job/memory.max": f"{64 * MIB}\n",
        "sys/fs/cgroup/job/memory.current": f"{24 * MIB}\n",
        "sys/fs/cgroup/job/step/memory.max": "max\n",
        "sys/fs/cgroup/job/cpu.max": "150000 100000\n",
    }
    root = tree(tmp_path, files)
    assert least_limit(root) == 40 * MIB
    assert usable_cpus(root) == min(2, usable_cpus())


def test_a_version_1_limit_counts_and_no_limit_does_not(tmp_path):
    cgroup = "4:cpu,memory:/a\n2:pids:/a\n"
    base = "sys/fs/cgroup/memory/"
    files = {
        "proc/self/cgroup": cgroup,
        base + "memory.limit_in_bytes": "9223372036854771712",
        base + "a/memory.limit_in_bytes": str(32 * MIB),
    }
    assert least_limit(tree(tmp_path, files)) == 32 * MIB
