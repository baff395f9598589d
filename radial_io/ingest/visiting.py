"""What every way to read one repo has in common: who has it, whether it changed, and what is said when it fails.

    reading: Reading = yield from visit(did, "poll", read)

Strategy: first one cheap question, the repo's head. When it is where this source stands, that is all. Otherwise `read`
reads the repo. Whatever fails, the reason is kept in words beside the repo, and nothing else of it changes: no failure
and no state of an account is ever taken for the deletion of a record, for only a repo that is there can say that a
record is not. So an account that was deactivated, suspended, taken down or deleted leaves its records as they were last
seen; membership is for the space to end, and leases end by themselves.

A server that does not answer for a repo may no longer be the one that has it: the identity is looked up afresh, once,
and the new server asked. Why a server refuses, its own word on the account says (`getRepoStatus`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeAlias, cast, get_args

import attrs

from radial_core.identifiers import is_tid
from radial_io.atproto.commits import latest_rev
from radial_io.atproto.documents import Identity
from radial_io.atproto.retries import RETRIED
from radial_io.atproto.xrpc import Get
from radial_io.errors import (
    DisprovedError,
    RadialIoError,
    RateLimitError,
    RefusedError,
    RequestError,
    UnreachableError,
)
from radial_io.ingest.listing import LATEST_COMMIT
from radial_io.ingest.requests import Ask, CursorOf, Flow, Now, RepoOf, Resolve, Take
from radial_io.ingest.settling import standing
from radial_io.store.values import Account, Adapter, Batch, Failure, Repo, RepoState, Source, State, Taken

REPO_STATUS: Final = "com.atproto.sync.getRepoStatus"
_STATES: Final = frozenset(get_args(State)) - {"active", "unreachable"}
_INACTIVE: Final[Mapping[str, State]] = {
    "RepoDeactivated": "deactivated",
    "RepoTakendown": "takendown",
    "RepoSuspended": "suspended",
}
_SERVER_ERROR: Final = 500

How: TypeAlias = Literal["unchanged", "read", "failed"]


@attrs.frozen(kw_only=True)
class Visit:
    """One look at a repo: who it is, where this reading's cursor stands, and the head that was found.

    `head` is a rev, None when the server tells none. `latest` is the greatest rev that is believed now.
    """

    identity: Identity
    source: Source
    cursor: str | None
    head: str | None
    latest: str
    repo: Repo

    @property
    def did(self) -> str:
        """Whose repo it is."""
        return self.identity.did


@attrs.frozen(kw_only=True)
class Reading:
    """What came of a visit. `words` say what failed or what a reader should know, each in a sentence."""

    did: str
    source: Source
    how: How
    rev: str | None = None
    taken: Taken = attrs.field(factory=Taken)
    words: tuple[str, ...] = ()


Read: TypeAlias = Callable[[Visit], Flow[Reading]]


def visit(did: str, adapter: Adapter, read: Read) -> Flow[Reading]:
    """Look at a repo, and have it read when it changed. Never raises for what servers do."""
    source = Source(adapter, "", did)
    try:
        identity: Identity = yield Resolve(did)
        source = Source(adapter, identity.pds, did)
        try:
            return (yield from _look(identity, source, read))
        except RequestError as error:
            moved = yield from _moved(identity, error)
            if moved is None:
                raise
            source = Source(adapter, moved.pds, did)
            return (yield from _look(moved, source, read))
    except RadialIoError as error:
        return (yield from _failed(did, source, error))


def _moved(identity: Identity, error: RequestError) -> Flow[Identity | None]:
    """Look up afresh who has a repo that a server does not give; None when it is the same one still."""
    if isinstance(error, RateLimitError):
        return None
    try:
        fresh: Identity = yield Resolve(identity.did, fresh=True)
    except RequestError:
        return None
    return fresh if fresh.pds != identity.pds else None


def _look(identity: Identity, source: Source, read: Read) -> Flow[Reading]:
    cursor: str | None = yield CursorOf(source)
    head = yield from head_of(identity)
    latest = latest_rev((yield Now()))
    if head is not None and head > latest:
        raise DisprovedError(f"{identity.pds} tells of revision {head}, which is in the future")
    repo: Repo = yield RepoOf(identity.did)
    if head is not None and head == cursor:
        return (yield from _unchanged(identity.did, source, head, repo))
    seen = Visit(identity=identity, source=source, cursor=cursor, head=head, latest=latest, repo=repo)
    return (yield from read(seen))


def head_of(identity: Identity) -> Flow[str | None]:
    """Ask for a repo's revision; None when the server does not tell. Raises when it does not have this repo now."""
    try:
        body: bytes = yield Ask(identity.pds, Get(LATEST_COMMIT, (("did", identity.did),)))
    except RefusedError as error:
        if error.name in _INACTIVE or error.name == "RepoNotFound" or isinstance(error, RateLimitError):
            raise
        if error.status in RETRIED:
            raise
        return None
    rev = _field(body, "rev")
    return rev if isinstance(rev, str) and is_tid(rev) else None


def _unchanged(did: str, source: Source, head: str, repo: Repo) -> Flow[Reading]:
    """Nothing new; but whatever was wrong before is over."""
    if repo.failure is not None or repo.state not in {None, "active"}:
        state = standing(repo, RepoState(did, head, repo.root if repo.rev == head else None, source))
        yield Take(Batch(source=source, accounts=(Account(did, "active"),), repos=(state,)))
    return Reading(did=did, source=source, how="unchanged", rev=head)


def _failed(did: str, source: Source, error: RadialIoError) -> Flow[Reading]:
    """Keep the reason. A refusal of this repo is looked into: it may be the account's state."""
    state = yield from _state_behind(did, source, error)
    notes = getattr(error, "__notes__", ())
    words = f"the account is {state}: what was read of it before stands"
    words = words if _is_inactive(state) else "; ".join([*notes, error.explained()])
    accounts = () if state is None else (Account(did, state),)
    yield Take(Batch(source=source, accounts=accounts, failures=(Failure(did, source, words),)))
    return Reading(did=did, source=source, how="failed", words=(words,))


def _is_inactive(state: State | None) -> bool:
    return state not in {None, "active", "unreachable"}


def _state_behind(did: str, source: Source, error: RadialIoError) -> Flow[State | None]:
    """Tell what a failure says about the account; None when it says nothing."""
    if isinstance(error, UnreachableError):
        return "unreachable" if error.url.startswith(source.host or "\0") else None
    if not isinstance(error, RefusedError) or isinstance(error, RateLimitError) or error.status >= _SERVER_ERROR:
        return None
    try:
        body: bytes = yield Ask(source.host, Get(REPO_STATUS, (("did", did),)))
    except RefusedError as refused:
        # The server has no such repo, and no other server is named in its owner's document.
        return "deleted" if refused.name == "RepoNotFound" else _INACTIVE.get(error.name)
    except RadialIoError:
        return _INACTIVE.get(error.name)
    if _field(body, "active") is True:
        return "active"
    status = _field(body, "status")
    return cast("State", status) if status in _STATES else _INACTIVE.get(error.name)


def _field(body: bytes, name: str) -> Any:
    """Read one field of a JSON object; None where there is none."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return said.get(name) if isinstance(said, dict) else None
