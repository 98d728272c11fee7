"""What holds for every program: streams, statuses, options, and ways to go wrong."""

import contextlib
import os
import signal
import subprocess
import sys

import pytest

from gutsort import COMMANDS
from gutsort.version import __version__

# the programs that read standard input and write standard output, with options that keep every line
FILTERS = {"extract": ["--key", "raw"], "extsort": [], "countfreq": ["-k", "1"], "approxfreq": ["--method", "exact", "-k", "1"]}
EVERY_BYTE = bytes(b for b in range(256) if b != 10)


@pytest.fixture
def stdin_to_stdout(tmp_path):
    """Arguments with which a program reads standard input and writes standard output."""
    (tmp_path / "list.txt").write_bytes(b"20\tfrequent\n")
    return {**FILTERS, "stripfreq": [tmp_path / "list.txt"]}


@pytest.fixture(params=[*FILTERS, "stripfreq"])
def name(request):
    return request.param


@pytest.mark.parametrize("command", list(COMMANDS))
def test_help_and_version(program, command):
    done = program(command, "--help")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"usage: ")
    done = program(command, "--version")
    assert (done.returncode, done.stderr) == (0, b"")
    name = command if command in [*FILTERS, "stripfreq"] else f"gutsort {command}"
    assert done.stdout.decode() == f"{name} (gutsort) {__version__}\n"


@pytest.mark.parametrize("command", list(COMMANDS))
def test_unknown_option_is_status_2_and_says_so(program, command):
    done = program(command, "--no-such-option")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"--no-such-option" in done.stderr or b"required" in done.stderr


def test_gutsort_lists_its_commands_and_refuses_others(program):
    done = program("--help")
    assert done.returncode == 0
    assert all(f"\n  {command} ".encode() in done.stdout for command in COMMANDS)
    done = program("no-such-command")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"no-such-command" in done.stderr


def test_empty_input_gives_empty_output(program, name, stdin_to_stdout):
    done = program(name, *stdin_to_stdout[name], data=b"")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_every_byte_passes(program, name, stdin_to_stdout):
    done = program(name, *stdin_to_stdout[name], data=EVERY_BYTE + b"\n")
    count = {"countfreq": b"1\t", "approxfreq": b"1\t"}.get(name, b"")
    assert (done.returncode, done.stdout, done.stderr) == (0, count + EVERY_BYTE + b"\n", b"")


def test_a_missing_last_line_end_is_supplied_to_lines_and_not_to_documents(program, name, stdin_to_stdout):
    done = program(name, *stdin_to_stdout[name], data=b"a\nb")
    expected = {"countfreq": b"1\ta\n1\tb\n", "approxfreq": b"1\ta\n1\tb\n", "stripfreq": b"a\nb"}.get(name, b"a\nb\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, expected, b"")


def test_a_closed_reader_is_silent(name, stdin_to_stdout, tmp_path):
    data = b"".join(b"%07d\n" % n for n in range(400)) * (1 if name == "extract" else 500)
    data = b"\n".join(sorted(data.split(b"\n")))
    command = [sys.executable, "-m", "gutsort", name, *map(os.fspath, stdin_to_stdout[name])]
    if name == "extract":  # a document's ends fit into the pipe: many documents do not
        (tmp_path / "in").mkdir()
        for n in range(100):
            (tmp_path / "in" / str(n)).write_bytes(data)
        command += [os.fspath(tmp_path / "in")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.set_inheritable(process.stdout.fileno(), False)
    feeder = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=process.stdin)
    process.stdin.close()
    process.stdout.close()
    with contextlib.suppress(BrokenPipeError):
        feeder.communicate(data, timeout=60)
    assert process.stderr.read() == b""
    assert process.wait(60) == -signal.SIGPIPE  # a shell says 141
    process.stderr.close()


def test_a_full_disk_is_status_2_and_named(program, name, stdin_to_stdout):
    with open("/dev/full", "wb") as full:
        done = program(name, *stdin_to_stdout[name], data=b"a\n" * 10, stdout=full)
    assert done.returncode == 2
    assert done.stderr == f"{name}: standard output: No space left on device\n".encode()


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_a_full_disk_is_noticed_by_help_and_version(program, name, option):
    with open("/dev/full", "wb") as full:
        done = program(name, option, stdout=full)
    assert (done.returncode, done.stderr) == (2, f"{name}: standard output: No space left on device\n".encode())


def test_closed_standard_output_is_status_2(program, name, stdin_to_stdout):
    words = [sys.executable, "-m", "gutsort", name, *map(os.fspath, stdin_to_stdout[name])]
    done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *words], input=b"a\n", capture_output=True, check=False)
    assert done.returncode == 2
    assert b"standard output" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(("command", "status"), [("extract", 1), ("extsort", 2), ("countfreq", 2), ("approxfreq", 2), ("stripfreq", 1)])
def test_a_missing_file_is_named(program, stdin_to_stdout, command, status):
    done = program(command, *stdin_to_stdout[command], "no/such\nfile")
    assert (done.returncode, done.stdout) == (status, b"")
    assert b"no/such\\x0afile: No such file or directory" in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_double_dash_ends_the_options(program, name, stdin_to_stdout, tmp_path):
    (tmp_path / "-n").write_bytes(b"a\n")
    done = program(name, *stdin_to_stdout[name], "--", "-n", cwd=tmp_path, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    assert (done.returncode, done.stdout) == (0, {"countfreq": b"1\ta\n", "approxfreq": b"1\ta\n"}.get(name, b"a\n"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_silently_with_that_signal(name, stdin_to_stdout, number, tmp_path):
    command = [sys.executable, "-m", "gutsort", name, *map(os.fspath, stdin_to_stdout[name])]
    environment = os.environ | {"TMPDIR": os.fspath(tmp_path / "tmp")}
    (tmp_path / "tmp").mkdir()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        process.stdin.write(b"a\n" * 400_000)  # more than a pipe holds: it runs when this is written
        process.stdin.flush()
        process.send_signal(number)
        assert process.wait(60) == -number
        assert process.stderr.read() == b""
    assert os.listdir(tmp_path / "tmp") == []
