"""Sending what the outbox holds, until it is known what became of it.

Strategy: a letter says which version it replaces, so sending it twice writes once, and what stands there tells whether
it was written. The server's word goes before our guess of when to ask again, but never below our own back-off: a header
that says "at once", or is wrong, must not make us hammer. What is asked for beyond our patience is left for later.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import Final

import anyio
import attrs

from radial_io.accounts.session import Session
from radial_io.atproto.procedures import Answer, UnsentError
from radial_io.atproto.retries import Patience
from radial_io.errors import NotJsonError, RadialIoError, RateLimitError, RefusedError, RequestError, UnreachableError
from radial_io.store.outbox import Entry
from radial_io.writing.errors import ConflictError, WriteError, WriteRefusedError, WrittenOtherwiseError
from radial_io.writing.letters import request
from radial_io.writing.looking import Standing, standing
from radial_io.writing.verdicts import Verdict, cids_in, revision_in, verdict
from radial_io.writing.written import How, Written

_TOO_MANY: Final = 429
_IMPLAUSIBLE: Final = 86_400.0  # seconds: no limit is longer than a day, so whoever asks for more is mistaken


@attrs.frozen
class Manners:
    """How a writer waits. `jitter` is drawn from 0 to 1."""

    patience: Patience = attrs.field(factory=lambda: Patience(attempts=6, longest_asked_wait=330.0))
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    jitter: Callable[[], float] = random.random

    def wait(self, attempt: int, asked: float | None, url: str) -> float:
        """Give the seconds to wait after an attempt. Raises `RateLimitError` for more than we keep anybody for."""
        if asked is not None and asked > _IMPLAUSIBLE:
            asked = None
        if asked is not None and asked > self.patience.longest_asked_wait:
            raise RateLimitError(url, _TOO_MANY, asked)
        own = self.patience.wait(attempt, None, self.jitter())
        return own if asked is None else max(own, self.patience.wait(attempt, asked, self.jitter()))


@attrs.define
class Writer:
    """Writes to the repo of its session, and to no other."""

    session: Session
    manners: Manners = attrs.field(factory=Manners)

    async def send(self, entries: tuple[Entry, ...], *, look_first: bool) -> tuple[Written, ...]:
        """Write one entry, or several new records in one commit; `look_first` when it may be written already.

        Raises a `WriteError` when something was not written and will not be (its `written` says what was), else a
        `RequestError` or an `AccountError`: then it is not known, or was put off.
        """
        task = _Task(entries)
        try:
            await self._carry_out(task, look_first=look_first)
        except WriteError as error:
            error.written = task.written()
            raise
        return task.written()

    async def _carry_out(self, task: _Task, *, look_first: bool) -> None:
        if look_first:
            await self._look(task)
        attempt = 0
        while task.left:
            attempt += 1
            trouble = await self._attempt(task)
            if trouble is not None and trouble.look:
                await self._look(task)
            if trouble is None or not task.left:
                continue
            if attempt >= self.manners.patience.attempts:
                raise trouble.error
            await self.manners.sleep(self.manners.wait(attempt, trouble.asked, self.session.pds))

    async def _attempt(self, task: _Task) -> _Trouble | None:
        """Ask once; what is known to be done leaves the task. Gives what stood in the way."""
        entries = task.left
        try:
            answer = await self.session.call(request([entry.letter for entry in entries]))
        except UnsentError as error:
            return _Trouble(error)
        except UnreachableError as error:
            return _Trouble(error, look=True)
        match verdict(answer, entries):
            case Verdict.DONE:
                task.take(entries, answer)
                return None
            case Verdict.SPLIT:
                await self._halves(task)
                return None
            case Verdict.REFUSED:
                raise _refusal(answer, entries)
            case Verdict.AGAIN:
                return _Trouble(RateLimitError(self.session.pds, answer.status, answer.asked), asked=answer.asked)
            case Verdict.LOOK:
                return _Trouble(_unclear(answer, self.session.pds), asked=answer.asked, look=True)

    async def _look(self, task: _Task) -> None:
        """See which of what is left was written. A server that does not answer says nothing."""
        for entry in task.left:
            try:
                task.see(entry, await standing(self.session, entry.letter))
            except RequestError as error:
                if isinstance(error, RefusedError) and error.status < 500:  # noqa: PLR2004
                    raise
                return

    async def _halves(self, task: _Task) -> None:
        """Send in two parts what is too large for this server."""
        middle = len(task.left) // 2
        for part in (task.left[:middle], task.left[middle:]):
            half = _Task(part)
            try:
                await self._carry_out(half, look_first=False)
            finally:
                task.done |= half.done


@attrs.frozen
class _Trouble:
    """What an attempt failed with, how long the server asks us to wait, and whether it may have been written."""

    error: RadialIoError
    asked: float | None = None
    look: bool = False


@attrs.define
class _Task:
    """Entries that are sent together, and what became of each."""

    entries: tuple[Entry, ...]
    done: dict[int, Written] = attrs.field(factory=dict)

    @property
    def left(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.number not in self.done)

    def written(self) -> tuple[Written, ...]:
        """Give what is written by now, in order."""
        return tuple(self.done[entry.number] for entry in self.entries if entry.number in self.done)

    def take(self, entries: tuple[Entry, ...], answer: Answer) -> None:
        """Believe a good answer; of a deletion, one that tells of no commit found nothing there."""
        rev = revision_in(answer.value)
        for entry, cid in zip(entries, cids_in(answer.value, entries), strict=True):
            letter = entry.letter
            if letter.cid != cid and letter.operation != "delete":
                raise WrittenOtherwiseError(f"{letter.uri}: {cid} was written instead of {letter.cid}")
            how: How = "was there already" if rev is None else "written"
            self.done[entry.number] = Written(letter.uri, letter.cid, rev, how)

    def see(self, entry: Entry, found: Standing) -> None:
        """Compare what stands there with what should, and with what stood there before."""
        letter = entry.letter
        if found.cid == letter.cid:
            self.done[entry.number] = Written(letter.uri, letter.cid, found.rev, "was there already")
        elif found.cid != letter.replaces and (letter.operation != "delete" or letter.replaces is not None):
            raise ConflictError(letter.uri, found.cid)


def _unclear(answer: Answer, server: str) -> RequestError:
    """Say of an answer that leaves open what was done what there is to say."""
    if answer.is_good:
        return NotJsonError(server, "does not say what it has written", b"")
    return RefusedError(server, answer.status, answer.name, answer.message)


def _refusal(answer: Answer, entries: tuple[Entry, ...]) -> WriteRefusedError:
    uris = ", ".join(entry.letter.uri for entry in entries[:3]) + (" …" if len(entries) > 3 else "")  # noqa: PLR2004
    said = ": ".join(part for part in (answer.name, answer.message) if part) or "no reason given"
    return WriteRefusedError(f"{uris}: refused with status {answer.status} ({said})", answer.status, answer.name)
