"""How a command ends.

Strategy: one table says what each exit status means; the help and the documentation print it. Whatever goes wrong
becomes a `Failure`, whose text says what happened and what to do next, and one place (`main`) turns it into two lines
on standard error and a status.
"""

from __future__ import annotations

from typing import Final

OK: Final = 0
FAILURE: Final = 1
USAGE: Final = 2
NOT_FOUND: Final = 3
TRY_AGAIN: Final = 75
INTERRUPTED: Final = 130
TERMINATED: Final = 143

MEANINGS: Final = {
    OK: "done",
    FAILURE: "failed: malformed input; validate found faults; diff found a difference",
    USAGE: "the command line is wrong, or names a file that is not there",
    NOT_FOUND: "no such record or space, in the input or at the root's server",
    TRY_AGAIN: "a server was not reached or read in full, or the store is busy: try later",
    INTERRUPTED: "interrupted",
    TERMINATED: "asked to end (SIGTERM)",
}


class Failure(Exception):  # noqa: N818 - it is said to a person, not raised to a program
    """A command cannot do what it was asked: what happened, what to do next (`advice`), and the exit status."""

    def __init__(self, message: str, advice: str = "", status: int = FAILURE) -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice
        self.status = status


class Silent(Failure):
    """The command has said all there is to say, and ends with this status."""

    def __init__(self, status: int) -> None:
        super().__init__("", status=status)


class ReaderGone(BaseException):
    """Whoever read our output wants no more of it (`| head`): the rest need not be worked out."""
