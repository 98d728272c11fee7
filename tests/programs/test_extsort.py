"""extsort as a program: what GNU sort prints, byte for byte, and its conduct when things go wrong."""

import hashlib
import io
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gutsort.programs import extsort

GNU = shutil.which("sort")
needs_gnu = pytest.mark.skipif(not GNU, reason="GNU sort is the oracle")
C = {**os.environ, "LC_ALL": "C", "PYTHONPATH": str(Path(__file__).parents[2])}
PROGRAM = [sys.executable, "-c", "from gutsort.programs.extsort import main; main()"]


def ours(*options, data=b"", env=None, **more):
    return subprocess.run(
        [*PROGRAM, *map(str, options)], input=data, capture_output=True, check=False, env={**C, **(env or {})}, timeout=120, **more
    )


def gnu(*options, data=b""):
    return subprocess.run([GNU, *map(str, options)], input=data, capture_output=True, env=C, check=True).stdout


def run_inside(*options, data=b""):
    out = io.BytesIO()
    status = extsort.run(extsort.build_parser().parse_args(list(map(str, options))), io.BytesIO(data), out)
    return status, out.getvalue()


def random_text(seed, size, distinct=None, longest=60, separator=b"\n"):
    rng = random.Random(seed)
    lines, total = [], 0
    pool = [rng.randbytes(rng.randint(0, longest)).replace(separator, b"") for _ in range(distinct)] if distinct else None
    while total < size:
        line = rng.choice(pool) if pool else rng.randbytes(rng.randint(0, longest)).replace(separator, b"")
        lines.append(line)
        total += len(line) + 1
    return separator.join(lines) + (separator if rng.random() < 0.5 else b"")


@needs_gnu
@pytest.mark.parametrize("options", [[], ["-u"], ["-r"], ["-r", "-u"], ["-z"], ["-z", "-u", "-r"]])
@pytest.mark.parametrize("parallel", [1, 3])
@pytest.mark.parametrize("distinct", [None, 300])
def test_output_is_that_of_gnu_sort(tmp_path, options, parallel, distinct):
    text = random_text(1, 6 << 20, distinct, separator=b"\0" if "-z" in options else b"\n")
    got = ours(*options, "--parallel", parallel, "-S", "6M", "-T", tmp_path, data=text)
    assert (got.returncode, got.stderr) == (0, b"")
    assert got.stdout == gnu(*options, data=text)
    assert os.listdir(tmp_path) == []


@needs_gnu
def test_output_is_the_same_for_any_number_of_processes_order_of_files_and_budget(tmp_path):
    names = []
    for number in range(3):
        names.append(tmp_path / f"{number}")
        names[-1].write_bytes(random_text(number, 2 << 20))
    digests = set()
    for parallel, size, order in [(1, "1M", 1), (2, "4M", -1), (3, "16M", 1), (8, "16M", -1)]:
        out = tmp_path / "out"
        assert ours("--parallel", parallel, "-S", size, "-o", out, *names[::order], env={"LC_ALL": "C.UTF-8"}).returncode == 0
        digests.add(hashlib.sha256(out.read_bytes()).hexdigest())
    assert digests == {hashlib.sha256(gnu(*names)).hexdigest()}


@needs_gnu
def test_standard_output_may_be_a_file_that_is_not_empty_or_appended_to(tmp_path):
    text = random_text(3, 6 << 20)
    expected = b"before\n" + gnu(data=text)
    for mode in ("wb", "ab"):
        with open(tmp_path / "out", mode) as out:
            if mode == "ab":
                out.truncate(0)
            out.write(b"before\n")
            out.flush()
            subprocess.run([*PROGRAM, "--parallel", "2", "-S", "8M"], input=text, stdout=out, env=C, check=True)
        assert (tmp_path / "out").read_bytes() == expected


@needs_gnu
@pytest.mark.parametrize("seed", range(10))
def test_small_input_of_every_shape_is_sorted_as_gnu_does(seed):
    text = random_text(seed, random.Random(seed).choice([0, 1, 5, 3000]), longest=3)
    for options in ([], ["-u"], ["-r"], ["-z"]):
        status, got = run_inside(*options, data=text)
        assert (status, got) == (0, gnu(*options, data=text))


def test_a_missing_last_line_feed_does_not_fuse_lines_of_two_files(tmp_path):  # case 11
    (tmp_path / "a").write_bytes(b"d\nb\na\ne")
    (tmp_path / "b").write_bytes(b"c")
    assert run_inside(tmp_path / "a", tmp_path / "b") == (0, b"a\nb\nc\nd\ne\n")
    assert run_inside("-m", tmp_path / "b", tmp_path / "b") == (0, b"c\nc\n")


def test_a_line_longer_than_the_buffer_stays_whole():  # case 12
    lines = [bytes([c]) * 1_200_000 for c in b"cab"]
    got = ours("-S", "8M", "--parallel", 2, data=b"\n".join([*lines, *[b"%d" % n for n in range(700_000)]]))
    assert got.returncode == 0
    assert got.stdout.endswith(b"".join(line + b"\n" for line in sorted(lines)))


def test_a_line_that_does_not_fit_is_refused(tmp_path):  # case 13
    (tmp_path / "long").write_bytes(b"A" * (5 << 20))
    got = ours("-S", "8M", "-T", tmp_path, tmp_path / "long")
    assert (got.returncode, got.stdout) == (2, b"")
    assert b"line longer than the limit" in got.stderr
    got = ours("-S", "16M", "-T", tmp_path, tmp_path / "long")
    assert got.stdout == b"A" * (5 << 20) + b"\n"
    assert os.listdir(tmp_path) == ["long"]


@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "tr_TR.UTF-8", ""])
def test_order_is_byte_order_in_every_locale(locale):  # case 14
    lines = ["co-op", "coop", "co op", "Coop", "co\u00f6p", "CO-OP", "zebra"]
    text = "\n".join(lines).encode() + b"\n"
    expected = b"".join(line + b"\n" for line in sorted(line.encode() for line in lines))
    assert ours("-u", data=text + text, env={"LC_ALL": locale}).stdout == expected


def test_nul_and_other_line_ends_are_data():  # cases 21, 22
    lines = [b"b\0x", b"b", b"\0", b"a\r", b"a\x0b\x0c", b"a\xc2\x85", b"a\xe2\x80\xa8"]
    assert run_inside(data=b"\n".join(lines)) == (0, b"".join(line + b"\n" for line in sorted(lines)))


def test_a_closed_reader_ends_it_silently(tmp_path):  # case 24
    text = b"".join(b"line %07d\n" % n for n in range(600_000))
    with subprocess.Popen(
        [*PROGRAM, "-S", "4M", "--parallel", "2", "-T", str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=C,
    ) as process:
        process.stdin.write(text)
        process.stdin.close()
        assert process.stdout.readline() == b"line 0000000\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == -signal.SIGPIPE
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_output_is_named_and_an_earlier_file_stays(tmp_path):  # case 25
    with open("/dev/full", "wb") as full:
        got = subprocess.run(PROGRAM, input=b"b\na\n" * 200_000, stdout=full, stderr=subprocess.PIPE, env=C, check=False)
    assert got.returncode == 2
    assert b"standard output: No space left on device" in got.stderr


@pytest.mark.parametrize("parallel", [1, 2])
def test_a_full_temporary_directory_is_named(tmp_path, parallel):  # case 25
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))  # noqa: E731
    (tmp_path / "out").write_bytes(b"earlier")
    text = b"%d\n" * (3 << 20)
    got = ours("-S", "4M", "--parallel", parallel, "-T", tmp_path, "-o", tmp_path / "out", data=random_text(1, 5 << 20), preexec_fn=limit)
    assert got.returncode == 2, text[:0]
    assert str(tmp_path).encode() in got.stderr and b"File too large" in got.stderr
    assert os.listdir(tmp_path) == ["out"]
    assert (tmp_path / "out").read_bytes() == b"earlier"


def start_endless(tmp_path):
    feeder = subprocess.Popen(["yes", "some line"], stdout=subprocess.PIPE)
    process = subprocess.Popen(
        [*PROGRAM, "-S", "4M", "--parallel", "2", "-T", str(tmp_path)],
        stdin=feeder.stdout,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=C,
    )
    feeder.stdout.close()
    for _ in range(200):
        time.sleep(0.05)
        if any("turn" in files for _, _, files in os.walk(tmp_path)):
            break
    return feeder, process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_removes_the_folder_and_ends_with_it(tmp_path, number):  # case 26
    feeder, process = start_endless(tmp_path)
    process.send_signal(number)
    assert process.wait(30) == -number
    assert process.stderr.read() == b""
    feeder.kill()
    feeder.wait()
    assert os.listdir(tmp_path) == []


def test_what_a_killed_sort_leaves_is_removed_by_a_later_one(tmp_path):  # case 26
    feeder, process = start_endless(tmp_path)
    process.kill()
    process.wait()
    feeder.kill()
    feeder.wait()
    assert len(os.listdir(tmp_path)) == 1
    deadline = time.monotonic() + 30
    while os.listdir(tmp_path) and time.monotonic() < deadline:  # until its workers have noticed
        time.sleep(0.1)
        ours("-S", "1M", "-T", tmp_path, data=random_text(1, 1 << 20))
    assert os.listdir(tmp_path) == []


@needs_gnu
@pytest.mark.parametrize("parallel", [1, 2])
def test_many_runs_merge_under_a_low_descriptor_limit(tmp_path, parallel):  # case 27
    rng = random.Random(27)
    text = b"".join(b"%d\n" % rng.randrange(10**9) for _ in range(500_000))
    limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))  # noqa: E731
    got = ours("-S", "1M" if parallel == 1 else "4M", "--parallel", parallel, "-T", tmp_path, data=text, preexec_fn=limit)
    assert (got.returncode, got.stderr) == (0, b"")
    assert got.stdout == gnu(data=text)


def test_more_files_than_descriptors_are_merged(tmp_path):
    for number in range(40):
        (tmp_path / f"{number:02}").write_bytes(b"%02d\n%02d\n" % (number, number + 1))
    limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))  # noqa: E731
    files = sorted(tmp_path.iterdir())
    got = ours("-m", *files, preexec_fn=limit)
    assert got.stdout.split() == sorted(b"%02d" % (n + d) for n in range(40) for d in (0, 1))
    assert all(file.exists() for file in files)


@needs_gnu
def test_an_address_space_limit_is_respected_without_a_size():  # case 28
    text = random_text(28, 30 << 20)
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (200_000 << 10, 200_000 << 10))  # noqa: E731
    got = ours(data=text, preexec_fn=limit)
    assert (got.returncode, got.stderr) == (0, b"")
    assert got.stdout == gnu(data=text)


def test_the_output_may_be_an_input(tmp_path):  # case 29
    file, other = tmp_path / "f", tmp_path / "g"
    file.write_bytes(b"c\na\nb\n")
    other.write_bytes(b"aa\n")
    assert ours("-o", file, file).returncode == 0
    assert file.read_bytes() == b"a\nb\nc\n"
    assert ours("-m", "-o", file, file, other).returncode == 0
    assert file.read_bytes() == b"a\naa\nb\nc\n"


def test_names_come_from_a_nul_list(tmp_path):  # case 33
    names = []
    for number in range(2000):
        names.append(tmp_path / f"{number}.txt")
        names[-1].write_bytes(b"shared line\nown %d\n" % number)
    limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))  # noqa: E731
    got = ours("--files0-from", "-", "--parallel", 2, data=b"\0".join(os.fsencode(n) for n in names), preexec_fn=limit)
    assert got.stdout.count(b"shared line\n") == 2000
    assert len(got.stdout.splitlines()) == 4000


def test_a_second_standard_input_is_empty():  # case 38
    assert ours("-", "-", data=b"b\nc\na\n").stdout == b"a\nb\nc\n"
    assert ours("/dev/fd/0", data=b"b\nc\na\n").stdout == b"a\nb\nc\n"


@pytest.mark.parametrize(
    "options", [["-S", "x"], ["--parallel", "0"], ["--files0-from", "/dev/null"], ["/nonexistent"], ["-c", "a", "b"], ["/"], ["--nope"]]
)
def test_what_cannot_be_done_is_status_2(options):
    got = ours(*options)
    assert (got.returncode, got.stdout) == (2, b"")
    assert got.stderr
