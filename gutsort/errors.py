"""Every error that a user can cause, each with the exit status it stands for.

A `GutsortError` ends a program with its message and no traceback; any other exception is a bug and keeps its traceback.
"""

from __future__ import annotations


class GutsortError(Exception):
    """Base of the errors a user can cause; `exit_status` is what the program ends with."""

    exit_status = 2


class UsageError(GutsortError):
    """Options or operands that do not go together."""


class FormatError(GutsortError):
    """Input that is not in the format it should be in; the message names file, line and what was expected."""


class OrderError(GutsortError):
    """Input that should be sorted and is not."""

    exit_status = 2


class BudgetError(GutsortError):
    """Work that does not fit the memory budget, such as one line longer than it."""


class SpaceError(GutsortError):
    """A file or folder that could not be written; the message names it and the system's reason."""


class ReadError(GutsortError):
    """An operand that could not be read, where going on without it would be wrong."""


class WorkerError(GutsortError):
    """A worker process that ended before its work was done, such as one killed for want of memory."""
