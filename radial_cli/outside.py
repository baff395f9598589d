"""What servers fail with, as commands end with it: the words, the advice, the exit status."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from radial_cli.exits import FAILURE, NOT_FOUND, TRY_AGAIN, USAGE, Failure
from radial_cli.untrusted import one_line
from radial_io.accounts.errors import NoAccountError, NoNameError
from radial_io.errors import (
    GivenUrlError,
    RadialIoError,
    RateLimitError,
    RefusedError,
    SpaceNotFoundError,
    SpaceUriError,
    UnreachableError,
)
from radial_io.writing.errors import KeptError

_SERVER_ERROR: Final = 500


def status_of(error: RadialIoError) -> int:
    """Give the exit status for what a server, or the way to it, failed with."""
    match error:
        case GivenUrlError() | SpaceUriError() | NoAccountError() | NoNameError():
            return USAGE
        case SpaceNotFoundError() | RefusedError(name="RepoNotFound"):
            return NOT_FOUND
        case UnreachableError() | RateLimitError():
            return TRY_AGAIN
        case KeptError():  # it goes on later, so it is not over, whatever it was
            return TRY_AGAIN
        case RefusedError() if error.status >= _SERVER_ERROR:
            return TRY_AGAIN
        case _:
            return FAILURE


@contextmanager
def told(what: str = "") -> Iterator[None]:
    """Turn what servers fail with in the block into a `Failure`, which says first `what` could not be done."""
    try:
        yield
    except RadialIoError as error:
        raise Failure(what + one_line(str(error)), error.advice, status_of(error)) from error
