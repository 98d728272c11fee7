"""Forked worker processes: started once the work is known, told apart from their parent by what they may do.

`os.fork` and a pipe, not multiprocessing, whose import alone costs as much as the interpreter's start. A worker's result, or
its error, comes back through its pipe; it ignores SIGINT, because the terminal sends that to the whole group and the parent
decides; it ends when its parent has gone. It must never unwind into the parent's `with` blocks: those folders are not its own.
"""

from __future__ import annotations

import gc
import marshal
import os
import select
import signal
from collections.abc import Callable, Iterator
from typing import Any

from gutsort import errors


class Crew:
    """Workers of one process, ended with the `with` block that holds them.

    `start(function)` forks a worker that runs `function()` and hands back what it returns, of types that `marshal` knows;
    `alive` is the read end of a pipe that a waiting worker polls, and that closes with the parent. `results()` yields the workers'
    results as they end, raising the
    first error.
    """

    def __init__(self) -> None:
        self._pids: dict[int, int] = {}
        self.alive, self._life = os.pipe()

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for pid in self._pids.values():
            os.kill(pid, signal.SIGKILL)
        for fd, pid in self._pids.items():
            os.close(fd)
            os.waitpid(pid, 0)
        os.close(self.alive)
        os.close(self._life)
        self._pids.clear()

    def start(self, function: Callable[[], Any]) -> None:
        """Fork a worker that runs `function()`."""
        result, send = os.pipe()
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
        try:
            pid = os.fork()
            if pid == 0:
                _become_worker(self, result, send, function, blocked)
            self._pids[result] = pid
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        os.close(send)

    def close_life(self) -> None:
        """In a worker: let go of the parent's end of the pipe that shows that the parent lives."""
        os.close(self._life)

    def wait_for(self, fd: int) -> bool:
        """Wait until `fd` can be read; False where a worker has ended before."""
        waiting = select.poll()
        for each in (fd, *self._pids):
            waiting.register(each, select.POLLIN)
        return fd in {each for each, _ in waiting.poll()}

    def results(self) -> Iterator[Any]:
        """Yield each worker's result as it ends. Raises the first worker's error, or WorkerError where one was killed."""
        waiting = select.poll()
        parts: dict[int, list[bytes]] = {fd: [] for fd in self._pids}  # of each worker's message
        for fd in parts:
            waiting.register(fd, select.POLLIN)
        while parts:
            for fd, _ in waiting.poll():
                if data := os.read(fd, 1 << 16):
                    parts[fd].append(data)
                    continue
                waiting.unregister(fd)
                os.close(fd)
                _, status = os.waitpid(self._pids.pop(fd), 0)
                yield _opened(b"".join(parts.pop(fd)), status)


def _become_worker(crew: Crew, result: int, send: int, function: Callable[[], Any], blocked: Any) -> None:
    """Run `function` in the worker and end the process; never returns."""
    status = 1
    try:
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        crew.close_life()
        os.close(result)
        gc.disable()
        try:
            message = ("result", function())
        except errors.GutsortError as error:
            message = ("error", type(error).__name__, str(error))
        except BrokenPipeError:
            message = ("pipe",)
        except OSError as error:
            message = ("system", error.errno, error.strerror, os.fsdecode(error.filename or ""))
        except MemoryError:
            message = ("error", "BudgetError", "out of memory: try a smaller -S or --parallel 1")
        except BaseException:
            import traceback

            message = ("bug", traceback.format_exc())
        _send(send, marshal.dumps(message))
        status = 0
    finally:
        os._exit(status)


def _send(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _opened(data: bytes, status: int) -> Any:
    """The result in a worker's message; raises what it reports."""
    if not data or status:
        number = os.waitstatus_to_exitcode(status)
        raise errors.WorkerError(f"a worker ended with {'signal' if number < 0 else 'status'} {abs(number)}")
    kind, *rest = marshal.loads(data)
    if kind == "result":
        return rest[0]
    if kind == "error":
        raise getattr(errors, rest[0])(rest[1])
    if kind == "pipe":
        raise BrokenPipeError
    if kind == "system":
        raise OSError(rest[0], rest[1], rest[2] or None)
    raise RuntimeError("in a worker: " + rest[0])
