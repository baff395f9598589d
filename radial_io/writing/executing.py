"""Carrying out what somebody means to write.

    async with open_session(accounts, account) as session:
        written = await execute(act.drafts, session=session, desk=desk)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import attrs

from radial_io.accounts.session import Session
from radial_io.writing.intents import Intent


@attrs.frozen
class Written:
    """A record as it now stands in the author's repo; `cid` is None where it was taken away, `rev` where it is unknown.

    `how` tells whether this run wrote it, or found it there: an earlier one had, whose answer was lost.
    """

    uri: str
    cid: str | None
    rev: str | None
    how: Literal["written", "was there already"]


async def execute(intents: Sequence[Intent], *, session: Session, store: Path) -> tuple[Written, ...]:
    """Write these to the session's own repo, in order; several new records go together or not at all where they fit.

    They are recorded in the outbox beside `store` first. What the outbox still holds of this account from before is
    sent first. Raises `RecordTooLargeError` before anything is recorded; `ConflictError` and `WriteRefusedError` when a
    record was not written and will not be; `OutcomeUnknownError`, `UnreachableError`, `RateLimitError` and
    `SessionEndedError` when it is kept in the outbox, to be sent later.
    """
    raise NotImplementedError


async def send_pending(*, session: Session, store: Path) -> tuple[Written, ...]:
    """Send what the outbox holds of this account, looking first whether it was written. Raises as `execute` does."""
    raise NotImplementedError
