"""Reading a whole Radial space from its members' repos: what `radial fetch` does.

    async with open_servers(pds=url) as (client, resolver):    # or open_servers(plc=url), or open_servers()
        await fetch_space(space_uri, resolver=resolver, client=client, clock=now, tell=print)

`fetch_space` tells of one repo after the other, of each in this order: the repo's records, each a `radial_core.Record`
to be written as a line; `SetAside` for each record that was listed and cannot be taken; then one `RepoRead`, or for a
repo that cannot be read one `RepoFailed` and nothing else; at the very end one `Summary`. `clock` gives the observer's
own time as a datetime string, which becomes `seenAt`. `on_progress` is called after every answer. The caller decides
what to print, where to write and how to exit; `Summary.is_whole` says whether anything is missing.

Strategy: the root's repo first, for the space and the root's grants stand there. Then the repos of the members that
these grants name, and of those whom their grants name, until nobody new turns up: who is a member is asked of the core,
over what is known so far, and only members' repos are ever read. Membership rests on three kinds of record, so only
those are folded. Some repos are read at the same time, and told of in the order in which they are done. One repo that
fails never stops the others; without the root's, there is nothing to read.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Final, TypeAlias

import anyio
import attrs
from anyio import current_time

from radial_core import materialize
from radial_core.identifiers import record_parts
from radial_core.observations import Record
from radial_core.records import PREFIX
from radial_io.atproto.identity import Resolver
from radial_io.atproto.xrpc import Get, XrpcClient
from radial_io.errors import (
    LimitError,
    RadialIoError,
    RequestError,
    SpaceNotFoundError,
    SpaceUriError,
    UnreachableError,
    quoted,
)
from radial_io.ingest.driving import drive
from radial_io.ingest.limits import Limits
from radial_io.ingest.listing import TRUST, Listing, list_repo
from radial_io.ingest.pages import SetAside

_SPACE: Final = f"{PREFIX}space"


@attrs.frozen
class Progress:
    """One more answer about a repo; `collection` is None while its place or its revision is asked for."""

    did: str
    collection: str | None
    answers: int


@attrs.frozen(kw_only=True)
class RepoRead:
    """A repo was read: from where, in which revision if in one, and how it went. `faults` are what is missing.

    `error` is the first failed request behind them, if any.
    """

    did: str
    pds: str
    rev: str | None
    records: int
    set_aside: int
    faults: tuple[str, ...]
    notes: tuple[str, ...]
    error: RequestError | None = None


@attrs.frozen
class RepoFailed:
    """A member's repo could not be read at all. `error.explained()` says why and what to do."""

    did: str
    error: RadialIoError


@attrs.frozen(kw_only=True)
class Summary:
    """The whole: repos read and failed, records given and set aside, and faults within repos that were read."""

    repos: int = 0
    failed: int = 0
    records: int = 0
    set_aside: int = 0
    faults: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether every record of every member was given."""
        return not (self.failed or self.set_aside or self.faults)


Event: TypeAlias = Record | SetAside | RepoRead | RepoFailed | Summary


async def fetch_space(
    space_uri: str,
    *,
    resolver: Resolver,
    client: XrpcClient,
    clock: Callable[[], str],
    tell: Callable[[Event], None],
    on_progress: Callable[[Progress], None] = lambda _progress: None,
    limits: Limits | None = None,
) -> None:
    """Read a space's records from the repos of its members; `tell` is called with the events described above.

    Raises `SpaceUriError` when the URI is no space's, `SpaceNotFoundError` when the root's repo was read and does not
    hold it, and another `RadialIoError` when the root's repo cannot be read so far as to tell.
    """
    root = root_of(space_uri)
    limits = limits or Limits()
    reader = _Reader(resolver, client, clock, on_progress, limits)
    notes = _Notes(space_uri, root, tell)
    waiting, met = [root], {root}
    while waiting:
        room = max(0, limits.repos - notes.total.repos - notes.total.failed)
        await reader.read_each(waiting[:room], notes.take)
        for did in waiting[room:]:
            notes.take(did, [RepoFailed(did, RadialIoError(f"the limit of {limits.repos} repos was reached"))])
        waiting = [did for did in _members(space_uri, notes.trust) if did not in met]
        met.update(waiting)
    tell(notes.total)


@attrs.define
class _Notes:
    """What was told so far: what trust rests on, and the numbers."""

    space_uri: str
    root: str
    tell: Callable[[Event], None]
    trust: list[Record] = attrs.field(factory=list)
    total: Summary = attrs.field(factory=Summary)

    def take(self, did: str, events: Iterable[Event]) -> None:
        """Tell of one repo. Raises when it is the root's and shows that the space is not to be had."""
        for event in events:
            if isinstance(event, Record) and any(f"/{collection}/" in event.uri for collection in TRUST):
                self.trust.append(event)
            if did == self.root and (error := _missing(self.space_uri, event, self.trust)) is not None:
                raise error
            self.total = _counted(self.total, event)
            self.tell(event)


def _missing(space_uri: str, event: Event, trust: Iterable[Record]) -> RadialIoError | None:
    """Say why the space is not to be had from its root, once that shows.

    Only a repo that was read to its end tells that a space is not there.
    """
    if isinstance(event, RepoFailed):
        return event.error
    is_telling = isinstance(event, RepoRead) or (isinstance(event, SetAside) and event.uri == space_uri)
    if not is_telling or any(record.uri == space_uri for record in trust):
        return None
    if isinstance(event, SetAside):
        return RadialIoError(f"{space_uri} is there and cannot be taken: {event.reason}")
    if isinstance(event, RepoRead) and event.faults:
        return event.error or RadialIoError(f"the repo of {event.did} was not read to its end: {event.faults[0]}")
    return SpaceNotFoundError(f"{space_uri} is not in the repo of {root_of(space_uri)}")


def root_of(space_uri: str) -> str:
    """T1: the author of the space record is the root. Raises `SpaceUriError`."""
    parts = record_parts(space_uri)
    if parts is None or parts[1] != _SPACE:
        raise SpaceUriError(f"{quoted(space_uri)} is not the URI of a Radial space")
    return parts[0]


def _members(space_uri: str, trust: Iterable[Record]) -> list[str]:
    """Tell who is a member, as far as is known."""
    space = materialize(trust).space(space_uri)
    return [] if space is None else [member.did for member in space.members]


def _counted(total: Summary, event: Event) -> Summary:
    match event:
        case Record():
            return attrs.evolve(total, records=total.records + 1)
        case SetAside():
            return attrs.evolve(total, set_aside=total.set_aside + 1)
        case RepoRead():
            return attrs.evolve(total, repos=total.repos + 1, faults=total.faults + len(event.faults))
        case RepoFailed():
            return attrs.evolve(total, failed=total.failed + 1)
        case Summary():
            return event


@attrs.frozen
class _Reader:
    """Reads repos."""

    resolver: Resolver
    client: XrpcClient
    clock: Callable[[], str]
    on_progress: Callable[[Progress], None]
    limits: Limits

    async def read_each(self, dids: Iterable[str], take: Callable[[str, Iterable[Event]], None]) -> None:
        """Read these repos, some at the same time. `take` gets the events of one after the other."""
        waiting = iter(dids)
        failed: list[Exception] = []

        async def work() -> None:
            try:
                for did in waiting:
                    take(did, await self._read(did))
            except Exception as error:  # noqa: BLE001 - it is raised below; the group would wrap it
                failed.append(error)
                workers.cancel_scope.cancel()

        async with anyio.create_task_group() as workers:
            for _ in range(self.limits.repos_at_once):
                workers.start_soon(work)
        if failed:
            raise failed[0]

    async def _read(self, did: str) -> Iterator[Event]:
        try:
            self.on_progress(Progress(did, None, 0))
            pds = (await self.resolver.identity(did)).pds
            listing = await drive(list_repo(did, limits=self.limits), self._ask(did, pds))
        except RadialIoError as error:
            return iter([RepoFailed(did, error)])
        return _events(listing, pds, self.clock())

    def _ask(self, did: str, pds: str) -> Callable[[Get], Awaitable[bytes]]:
        answers = taken = 0
        end = current_time() + self.limits.seconds

        async def ask(question: Get) -> bytes:
            nonlocal answers, taken
            if current_time() >= end:
                raise UnreachableError(pds, f"its {self.limits.seconds:.0f} s for this repo are over")
            if taken >= self.limits.bytes:
                raise LimitError(pds, f"the limit of {self.limits.bytes} bytes for this repo was reached")
            body = await self.client.query(pds, question)
            answers += 1
            taken += len(body)
            self.on_progress(Progress(did, dict(question.parameters).get("collection"), answers))
            return body

        return ask


def _events(listing: Listing, pds: str, now: str) -> Iterator[Event]:
    yield from listing.observations(now)
    yield from listing.set_aside
    yield _read(listing, pds)


def _read(listing: Listing, pds: str) -> RepoRead:
    return RepoRead(
        did=listing.did,
        pds=pds,
        rev=listing.rev,
        records=len(listing.held),
        set_aside=len(listing.set_aside),
        faults=listing.faults,
        notes=listing.notes,
        error=listing.error,
    )
