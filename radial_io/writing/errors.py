"""What writing can fail with.

    WriteError                    every failure of a write; `written` is what of the same act was written before it
    ├── TooLongError              a record that no server takes; nothing was sent or recorded
    ├── ConflictError             another version stands there; `standing` is its CID, None where nothing does
    ├── WriteRefusedError         the server will not have it; `status`, and its own `name` for the error
    ├── WrittenOtherwiseError     the server has written something else than it was given
    └── KeptError                 not known to be written, and kept in the outbox; `cause` says why

Strategy: after all but the last, nothing of the act is left in the outbox: it is over. After the last it goes on later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_io.accounts.errors import AccountError
from radial_io.errors import RadialIoError

if TYPE_CHECKING:
    from radial_io.writing.written import Written


class WriteError(RadialIoError):
    """Every failure of a write."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.written: tuple[Written, ...] = ()


class TooLongError(WriteError):
    """A record that no server takes. Nothing was sent or recorded."""

    advice = "Shorten it. The body of an artifact may be of any length: it goes to a file."


class ConflictError(WriteError):
    """Another version stands there than the one to be replaced."""

    advice = "Somebody wrote there meanwhile, perhaps you on another device. Sync, look, and decide again."

    def __init__(self, uri: str, standing: str | None) -> None:
        found = "nothing stands there any more" if standing is None else f"{standing} stands there"
        super().__init__(f"{uri} was not written: {found}")
        self.standing = standing


class WriteRefusedError(WriteError):
    """The server will not have it."""

    advice = "The reason is the server's. Nothing of this is kept in the outbox."

    def __init__(self, message: str, status: int, name: str) -> None:
        super().__init__(message)
        self.status = status
        self.name = name


class WrittenOtherwiseError(WriteError):
    """The server has written something else than it was given."""

    advice = "Look at the record: readers see what the server wrote. Its operator has to look at this."


class KeptError(WriteError):
    """Not known to be written, and kept in the outbox."""

    advice = (
        "`radial outbox send` sends what is kept, after looking whether it was written; `radial outbox list` lists it."
    )

    def __init__(self, cause: RadialIoError, kept: int) -> None:
        kept_words = "1 record is" if kept == 1 else f"{kept} records are"
        said = cause.explained().rstrip(".") if isinstance(cause, AccountError) else str(cause)
        super().__init__(f"{said}; {kept_words} kept in the outbox")
        self.cause = cause
        self.kept = kept
