"""Carrying out what somebody means to write.

    async with open_session(accounts, account) as session:
        written = await execute(act.drafts, session=session, store=path)

Strategy: recorded, sent, acknowledged, taken into the store, forgotten: in this order, each step durable before the
next begins, so that whoever is killed anywhere leaves what the next run needs. One process at a time writes for an
account, and what an earlier one left goes first: acts reach the repo in the order in which they were meant.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

import attrs
from anyio import to_thread

from radial_io.accounts.errors import AccountError
from radial_io.accounts.locking import alone
from radial_io.accounts.session import Session
from radial_io.errors import AddressError, RequestError
from radial_io.store.errors import StoreError
from radial_io.store.outbox import Entry, Outbox, open_outbox
from radial_io.writing.errors import KeptError, WriteError, WriteRefusedError
from radial_io.writing.intents import Intent
from radial_io.writing.letters import batches, letters_of
from radial_io.writing.taking import bring_home
from radial_io.writing.writer import Manners, Writer
from radial_io.writing.written import Delivered, Refused, Written

_NO_BLOB: Final = "BlobNotFound"  # the server has let go of a file that no record named for too long


def _nobody(_refused: Refused) -> None:
    """Tell nobody."""


async def execute(
    intents: Sequence[Intent],
    *,
    session: Session,
    store: Path,
    manners: Manners | None = None,
    tell: Callable[[Refused], None] = _nobody,
) -> tuple[Written, ...]:
    """Write these to the session's own repo, in order; several new records go together or not at all where they fit.

    They are recorded in the outbox beside `store` first. What the outbox still holds of this account from before is
    sent before them; what of that is refused stays there, and `tell` is told of it at once. Raises `TooLongError`
    before anything is recorded; `ConflictError`, `WriteRefusedError` and `WrittenOtherwiseError` when the act is over;
    `KeptError` when it is kept to be sent later; `StoreError` when the outbox cannot be used, before anything is sent.
    """
    letters = letters_of(intents, session.did, secrets.token_hex(8))
    with open_outbox(store) as outbox:
        async with alone(_lock(outbox, session)):
            entries = outbox.add(letters, _now())
            delivery = _Delivery(Writer(session, manners or Manners()), outbox, own=entries, tell=tell)
            try:
                await delivery.deliver()
            finally:
                await _home(outbox, store)
    return tuple(delivery.own_written)


async def send_pending(*, session: Session, store: Path, manners: Manners | None = None) -> Delivered:
    """Send what the outbox holds of this account, looking first whether it was written.

    What is refused stays in the outbox, marked so. Raises `KeptError`, `StoreError`.
    """
    with open_outbox(store) as outbox:
        async with alone(_lock(outbox, session)):
            delivery = _Delivery(Writer(session, manners or Manners()), outbox)
            try:
                await delivery.deliver()
            finally:
                await _home(outbox, store)
    return Delivered(tuple(delivery.earlier_written), tuple(delivery.refused))


@attrs.define
class _Delivery:
    """One way through the outbox of an account. `own` is what this run has just recorded."""

    writer: Writer
    outbox: Outbox
    own: tuple[Entry, ...] = ()
    tell: Callable[[Refused], None] = _nobody
    own_written: list[Written] = attrs.field(factory=list)
    earlier_written: list[Written] = attrs.field(factory=list)
    refused: list[Refused] = attrs.field(factory=list)
    stopped: dict[str, str] = attrs.field(factory=dict)  # acts of earlier runs that are over, and why

    async def deliver(self) -> None:
        """Send everything that is pending."""
        own = {entry.number for entry in self.own}
        pending = self.outbox.entries(self.writer.session.did, state="pending")
        sent = 0
        try:
            for batch in batches(pending):
                if batch[0].number in own:
                    self._note(batch, await self.writer.send(batch, look_first=False), self.own_written)
                else:
                    await self._send_earlier(batch)
                sent += len(batch)
        except WriteError as error:
            self._give_up(error)
            raise
        except (RequestError, AddressError, AccountError) as cause:
            kept = KeptError(cause, len(pending) - sent)
            kept.written = tuple(self.own_written)
            raise kept from cause

    async def _send_earlier(self, batch: tuple[Entry, ...]) -> None:
        """Send what an earlier run left; where a part of an act is refused, what follows of it is not sent."""
        act = batch[0].letter.act
        if act in self.stopped:
            self._refuse(batch, self.stopped[act])
            return
        try:
            written = await self.writer.send(batch, look_first=True)
        except WriteError as error:
            self._note(batch, error.written, self.earlier_written)
            self.stopped[act] = str(error)
            self._refuse(batch, str(error))
        else:
            self._note(batch, written, self.earlier_written)

    def _note(self, batch: tuple[Entry, ...], written: Sequence[Written], told: list[Written]) -> None:
        """Record what of a batch is written."""
        entries = {entry.letter.uri: entry for entry in batch}
        for rev in dict.fromkeys(one.rev for one in written):
            self.outbox.mark_written([entries[one.uri] for one in written if one.rev == rev], rev, _now())
        told.extend(written)

    def _refuse(self, batch: tuple[Entry, ...], words: str) -> None:
        """Record that the rest of a batch is not written and will not be."""
        done = {one.uri for one in self.earlier_written}
        rest = [entry for entry in batch if entry.letter.uri not in done]
        self.outbox.mark_refused(rest, words, _now())
        for entry in rest:
            refused = Refused(entry.letter.uri, words)
            self.refused.append(refused)
            self.tell(refused)

    def _give_up(self, error: WriteError) -> None:
        """Forget what is left of this run's own act: somebody is told of it now."""
        self._note(self.own, error.written, self.own_written)
        done = {one.uri for one in self.own_written}
        self.outbox.drop([entry for entry in self.own if entry.letter.uri not in done])
        if isinstance(error, WriteRefusedError) and error.name == _NO_BLOB:
            self.outbox.forget_uploads(self.writer.session.did)
        error.written = tuple(self.own_written)


def _lock(outbox: Outbox, session: Session) -> Path:
    """Give the file that is locked while somebody writes for this account."""
    name = hashlib.sha256(session.did.encode()).hexdigest()[:16]
    return outbox.file.with_name(f"{outbox.file.name}.{name}.lock")


async def _home(outbox: Outbox, store: Path) -> None:
    """Take what was written into the store; if that fails it stays in the outbox, and is written all the same."""
    with suppress(StoreError):
        await to_thread.run_sync(partial(bring_home, outbox, store, _now()))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
