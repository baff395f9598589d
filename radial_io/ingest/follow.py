"""Reading a whole Radial space from its members' repos: what `radial fetch` does.

    with open_servers(pds=url) as (client, resolver):    # or open_servers(plc=url), or open_servers()
        for event in fetch_space(space_uri, resolver=resolver, client=client, clock=now):
            ...

`fetch_space` yields, repo by repo and in this order: the repo's records, each a `radial_core.Record` to be written as a
line; `SetAside` for each record that was listed and cannot be taken; then one `RepoRead`, or for a repo that cannot be
read one `RepoFailed` and nothing else; at the very end one `Summary`. `clock` gives the observer's own time as a
datetime string, which becomes `seenAt`. `on_progress` is called after every answer. The caller decides what to print,
where to write and how to exit; `Summary.is_whole` says whether anything is missing.

Strategy: the root's repo first, for the space and the root's grants stand there. Then the repos of the members that
these grants name, and of those whom their grants name, until nobody new turns up: who is a member is asked of the core,
over what is known so far, and only members' repos are ever read. Membership rests on three kinds of record, so only
those are folded. One repo that fails never stops the others; without the root's, there is nothing to read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import Final, TypeAlias

import attrs

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
from radial_io.ingest.listing import TRUST, Limits, Listing, drive, list_repo
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


def fetch_space(
    space_uri: str,
    *,
    resolver: Resolver,
    client: XrpcClient,
    clock: Callable[[], str],
    on_progress: Callable[[Progress], None] = lambda _progress: None,
    limits: Limits | None = None,
) -> Iterator[Event]:
    """Read a space's records from the repos of its members; the events are described above.

    Raises `SpaceUriError` when the URI is no space's, `SpaceNotFoundError` when the root's repo was read and does not
    hold it, and another `RadialIoError` when the root's repo cannot be read so far as to tell.
    """
    root = _root(space_uri)
    limits = limits or Limits()
    reader = _Reader(resolver, client, clock, on_progress, limits)
    trust: list[Record] = []
    total = Summary()
    waiting, met = [root], {root}
    while waiting:
        for did in waiting:
            for event in reader.read(did) if total.repos + total.failed < limits.repos else _left_out(did, limits):
                if isinstance(event, Record) and any(f"/{collection}/" in event.uri for collection in TRUST):
                    trust.append(event)
                if did == root and (error := _missing(space_uri, event, trust)) is not None:
                    raise error
                total = _counted(total, event)
                yield event
        waiting = [did for did in _members(space_uri, trust) if did not in met]
        met.update(waiting)
    yield total


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
    return SpaceNotFoundError(f"{space_uri} is not in the repo of {_root(space_uri)}")


def _root(space_uri: str) -> str:
    """T1: the author of the space record is the root."""
    parts = record_parts(space_uri)
    if parts is None or parts[1] != _SPACE:
        raise SpaceUriError(f"{quoted(space_uri)} is not the URI of a Radial space")
    return parts[0]


def _members(space_uri: str, trust: Iterable[Record]) -> list[str]:
    """Tell who is a member, as far as is known."""
    space = materialize(trust).space(space_uri)
    return [] if space is None else [member.did for member in space.members]


def _left_out(did: str, limits: Limits) -> Iterator[Event]:
    yield RepoFailed(did, RadialIoError(f"the limit of {limits.repos} repos was reached"))


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
    """Reads one repo after another."""

    resolver: Resolver
    client: XrpcClient
    clock: Callable[[], str]
    on_progress: Callable[[Progress], None]
    limits: Limits

    def read(self, did: str) -> Iterator[Event]:
        try:
            self.on_progress(Progress(did, None, 0))
            pds = self.resolver.identity(did).pds
            listing = drive(list_repo(did, limits=self.limits), self._ask(did, pds))
        except RadialIoError as error:
            yield RepoFailed(did, error)
            return
        yield from listing.observations(self.clock())
        yield from listing.set_aside
        yield _read(listing, pds)

    def _ask(self, did: str, pds: str) -> Callable[[Get], bytes]:
        answers = taken = 0
        end = monotonic() + self.limits.seconds

        def ask(question: Get) -> bytes:
            nonlocal answers, taken
            if monotonic() >= end:
                raise UnreachableError(pds, f"its {self.limits.seconds:.0f} s for this repo are over")
            if taken >= self.limits.bytes:
                raise LimitError(pds, f"the limit of {self.limits.bytes} bytes for this repo was reached")
            body = self.client.query(pds, question)
            answers += 1
            taken += len(body)
            self.on_progress(Progress(did, dict(question.parameters).get("collection"), answers))
            return body

        return ask


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
