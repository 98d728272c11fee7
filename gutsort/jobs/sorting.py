"""The job behind extsort: what is read, how it is sorted, and where it goes."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, BinaryIO

from gutsort.errors import ReadError, UsageError
from gutsort.formats import escape_name, read_line_blocks
from gutsort.sort import external
from gutsort.sort.folder import naming, private_folder
from gutsort.sort.memory import SMALLEST, parse_size
from gutsort.sort.merge import Slice, merge_slices, packed
from gutsort.sort.order import find_disorder
from gutsort.sort.plan import Plan, make_plan
from gutsort.sort.runfile import Run, write_all
from gutsort.sort.source import TAKE, Input, Source, descriptor
from gutsort.sort.spools import Spool

BACK = 256 << 10  # bytes read at once of a file that is read from its end


class SortJob:
    """A sort of `inputs` by `plan`; `merge` says that each is sorted already, `reverse` that the result is turned round."""

    def __init__(self, inputs: Sequence[Input], plan: Plan, *, merge: bool = False, reverse: bool = False) -> None:
        self._inputs, self._plan, self._merge, self._reverse = inputs, plan, merge and not reverse, reverse

    @classmethod
    def from_options(cls, options: Mapping[str, Any], stdin: BinaryIO) -> SortJob:
        """The job that the options of extsort ask for. Raises UsageError, ReadError."""
        names = operands(options, stdin)
        if (options["check"] or options["check_quiet"]) and len(names) > 1:
            raise UsageError("-c and -C check one FILE")
        plan = plan_of(options, unique=options["unique"])
        return cls(open_inputs(names, stdin), plan, merge=options["merge"], reverse=options["reverse"])

    def describe(self) -> str:
        """The plan in words."""
        return describe(self._plan)

    def write(self, file: BinaryIO) -> None:
        """Sort, and write the lines to `file`. Raises SpaceError, BudgetError, OrderError, ReadError."""
        if self._reverse:
            self._write_reversed(file)
        elif self._merge:
            pass_on(self._merged(), file)
        else:
            with contextlib.closing(self._source()) as source:
                pass_on(external.sort_source(source, self._plan, target=regular(file)), file)

    def disorder(self) -> str | None:
        """Where the input is not in order, as a message; None where it is."""
        item = self._inputs[0]
        name = escape_name(item.path) if item.path is not None else "-"
        with open(item.path, "rb") if item.path is not None else contextlib.nullcontext(item.file) as file:
            found = find_disorder(read_line_blocks(file, self._plan.separator), reverse=self._reverse, strict=self._plan.unique)
        return found and f"{name}:{found[0]}: disorder: {found[1].decode('utf-8', 'backslashreplace')}"

    def _source(self) -> Source:
        return source_of(self._inputs, self._plan)

    def _merged(self) -> Iterator[bytes]:
        plan = self._plan
        with private_folder(plan.dirs) as folder, external.collector_off():
            runs = []
            for number, item in enumerate(self._inputs):
                path = item.path
                if path is None:
                    path = os.fsencode(folder.path(f"input-{number}", number))
                    _spool(item.file, path)
                runs.append(Run(os.fsdecode(path), 0, os.stat(path).st_size, 0, -1, -1, 0))
            slices = [Slice(run, 0, run.size, 0) for run in runs]
            slices = external.reduce_slices(slices, folder, plan._replace(parallel=1))
            yield from external.plain_form(plan)(merge_slices(slices, plan.budget, separator=plan.separator, check=True), None)

    def _write_reversed(self, file: BinaryIO) -> None:
        with private_folder(self._plan.dirs) as folder, contextlib.closing(self._source()) as source:
            path = folder.path("ascending")
            with naming(os.path.dirname(path)), open(path, "w+b", 0) as spool:
                for text in external.sort_source(source, self._plan, target=spool):
                    _spill_on(text, spool)
                spool.flush()
            with open(path, "rb", 0) as spool:
                for text in reversed_texts(spool, self._plan.separator):
                    file.write(text)


def plan_of(options: Mapping[str, Any], **more: Any) -> Plan:
    """The plan that -S, -T, -z and --parallel ask for."""
    size = options.get("buffer_size")
    budget = None if size is None else max(SMALLEST, parse_size(size))
    separator = b"\0" if options.get("zero_terminated") else b"\n"
    dirs = options.get("temporary_directory") or ()
    return make_plan(budget, dirs=dirs, parallel=options.get("parallel"), separator=separator, **more)


def describe(plan: Plan) -> str:
    """A plan in words."""
    return f"memory {plan.budget >> 20} MiB, {plan.parallel} processes, at most {plan.fan_in} runs merged at once"


def operands(options: Mapping[str, Any], stdin: BinaryIO) -> list[str]:
    """The names of the inputs: the operands, or what --files0-from names. Raises UsageError, ReadError."""
    names = options["files"]
    if options["files0_from"] is None:
        return names
    if names:
        raise UsageError("--files0-from and FILE do not go together")
    return read_names(options["files0_from"], stdin)


def source_of(inputs: Sequence[Input], plan: Plan) -> Source:
    """A source of `inputs` whose texts fit the plan; what has no descriptor is read by this process alone."""
    take = max(256, min(TAKE, plan.share // 16))
    return Source(inputs, separator=plan.separator, take=take, longest=plan.budget // 2)


def read_names(operand: str, stdin: BinaryIO) -> list[str]:
    """The file names, each ended by NUL, in the file `operand` (`-`: standard input)."""
    with open_plain(operand) if operand != "-" else contextlib.nullcontext(stdin) as file:
        names = [os.fsdecode(name) for name in file.read().split(b"\0")]
    if names and not names[-1]:
        names.pop()
    if "" in names:
        raise ReadError(f"{operand}: an empty file name")
    if not names:
        raise ReadError(f"{operand}: no file names")
    return names


def open_plain(name: str) -> BinaryIO:
    """A file opened for reading. Raises ReadError."""
    try:
        return open(name, "rb", 0)
    except OSError as error:
        raise ReadError(f"{escape_name(os.fsencode(name))}: {error.strerror}") from None


def open_inputs(names: Sequence[str], stdin: BinaryIO) -> list[Input]:
    """What the operands name. Regular files are opened when they are read, pipes and devices now. Raises ReadError."""
    inputs = []
    for name in names or ("-",):
        if name == "-":
            inputs.append(Input(None, stdin))
            continue
        try:
            mode = os.stat(name).st_mode
        except OSError as error:
            raise ReadError(f"{escape_name(os.fsencode(name))}: {error.strerror}") from None
        if stat.S_ISDIR(mode):
            raise ReadError(f"{escape_name(os.fsencode(name))}: Is a directory")
        if stat.S_ISREG(mode):
            if not os.access(name, os.R_OK):
                raise ReadError(f"{escape_name(os.fsencode(name))}: Permission denied")
            inputs.append(Input(os.fsencode(name)))
        else:
            inputs.append(Input(None, open_plain(name)))
    return inputs


def pass_on(items: Generator[bytes | Spool, None, None], file: BinaryIO) -> None:
    """Write what a sort yields to `file`; where that fails, the sort ends and cleans up first."""
    with contextlib.closing(items):
        for item in items:
            if isinstance(item, bytes):
                file.write(item)
            else:
                item.copy_to(file)
            del item  # before the next is made


def regular(file: BinaryIO) -> BinaryIO | None:
    """`file`, where it is a regular file in which places can be written to; else None."""
    handle = descriptor(file)
    if handle is None or not stat.S_ISREG(os.fstat(handle).st_mode) or fcntl.fcntl(handle, fcntl.F_GETFL) & os.O_APPEND:
        return None
    return file


def reversed_texts(file: BinaryIO, separator: bytes) -> Iterator[bytes]:
    """Yield the lines of a file from the last to the first, in texts. Memory: two blocks, or the longest line."""
    place, want = os.fstat(file.fileno()).st_size, BACK
    while place:
        start = max(0, place - want)
        data = os.pread(file.fileno(), place - start, start)
        first = data.find(separator, 0, len(data) - 1) + 1 if start else 0
        if start and not first:
            want *= 2
            continue
        lines = data[first:-1].split(separator)
        lines.reverse()
        yield packed(lines, separator)
        place, want = start + first, BACK


def _spill_on(item: bytes | Spool, file: BinaryIO) -> None:
    for data in [item] if isinstance(item, bytes) else item.texts():
        write_all(file.fileno(), data)


def _spool(file: BinaryIO, path: bytes) -> None:
    with naming(os.fsdecode(os.path.dirname(path))), open(path, "xb") as spool:
        while data := file.read(TAKE):
            spool.write(data)
