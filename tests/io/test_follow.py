"""A whole space, over real sockets, from servers of which some are not well."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from threading import Barrier, Lock
from typing import Any

import anyio
import attrs
import httpx
import pytest

from radial_core.observations import Record, read_jsonl, to_line
from radial_core.records import COLLECTIONS
from radial_io.atproto.identity import DidResolver, FixedPds, Resolver
from radial_io.atproto.retries import Patience
from radial_io.atproto.xrpc import XrpcClient, open_client
from radial_io.errors import (
    IdentityError,
    RadialIoError,
    RateLimitError,
    RefusedError,
    SpaceNotFoundError,
    SpaceUriError,
    UnreachableError,
)
from radial_io.ingest.follow import Event, Progress, RepoFailed, RepoRead, Summary, fetch_space
from radial_io.ingest.limits import Limits
from radial_io.ingest.pages import SetAside
from tests.io.fakes import ALICE, BOB, CAROL, DAVE, LOOPBACK, REV, SPACE, FakePds, FakePlc, Reply, serving

NOW = "2026-03-01T12:00:00Z"
URI = f"at://{ALICE}/{SPACE}/main"


@attrs.define
class World:
    """A directory and two PDSes: Alice and Bob are on the first, Carol and Dave on the second."""

    plc: FakePlc
    first: FakePds
    second: FakePds
    urls: list[str]

    def events(self, uri: str = URI, **more: Any) -> list[Event]:
        """Fetch the space in a loop of its own. `front` may put something before the client; `limits` bound it."""
        return anyio.run(partial(self._events, uri, **more))

    async def _events(
        self,
        uri: str,
        *,
        front: Callable[[XrpcClient], XrpcClient] = lambda client: client,
        resolver: Callable[[XrpcClient], Resolver] | None = None,
        **more: Any,
    ) -> list[Event]:
        events: list[Event] = []
        async with httpx.AsyncClient(timeout=5, trust_env=False) as http:
            plain = XrpcClient(http, patience=Patience(attempts=1))
            who = DidResolver(plain, self.urls[0], LOOPBACK) if resolver is None else resolver(plain)
            more = {"tell": events.append, **more}
            await fetch_space(uri, resolver=who, client=front(plain), clock=lambda: NOW, **more)
        return events


@pytest.fixture
def world() -> Iterator[World]:
    """Alice made a space; she grants Bob, an admin, who grants Carol, who is none and tries to grant Dave."""
    plc, first, second = FakePlc(), FakePds(), FakePds()
    with ExitStack() as stack:
        urls = [stack.enter_context(serving(part.answer)) for part in (plc, first, second)]
        for did, url in {ALICE: urls[1], BOB: urls[1], CAROL: urls[2], DAVE: urls[2]}.items():
            plc.register(did, url)
        space = first.put(ALICE, "space", "main", name="Lab")
        _grant(first, ALICE, BOB, role="admin", space=first.ref(space), createdAt="2026-01-01T00:01:00Z")
        _grant(first, BOB, CAROL, role="member", space=first.ref(space), createdAt="2026-01-01T00:02:00Z")
        _grant(second, CAROL, DAVE, role="member", space=first.ref(space), createdAt="2026-01-01T00:03:00Z")
        second.put(DAVE, "join", "main", space=first.ref(space))
        yield World(plc, first, second, urls)


def _grant(pds: FakePds, author: str, did: str, **fields: Any) -> str:
    return pds.put(author, "addMember", f"to-{did[-3:]}", did=did, kind="human", **fields)


def _dids(events: list[Event], kind: type[RepoRead | RepoFailed]) -> list[str]:
    return [event.did for event in events if isinstance(event, kind)]


def _asked(pds: FakePds) -> set[str]:
    return {query.get("repo") or query["did"] for _, query in pds.asked}


def test_members_are_followed_and_nobody_else(world: World) -> None:
    events = world.events()
    assert _dids(events, RepoRead) == [ALICE, BOB, CAROL]
    assert _asked(world.first) | _asked(world.second) == {ALICE, BOB, CAROL}
    records = [event for event in events if isinstance(event, Record)]
    assert [record.uri for record in records] == [
        URI,
        f"at://{ALICE}/com.disnetdev.radial.addMember/to-bbb",
        f"at://{BOB}/com.disnetdev.radial.addMember/to-ccc",
        f"at://{CAROL}/com.disnetdev.radial.addMember/to-ddd",
    ]
    assert {(record.rev, record.seen_at) for record in records} == {(REV, NOW)}
    assert events[-1] == Summary(repos=3, records=4)
    assert events[-1].is_whole


def test_what_is_written_reads_back(world: World) -> None:
    records = [event for event in world.events() if isinstance(event, Record)]
    assert [*read_jsonl([to_line(record) for record in records])] == records


def test_one_pds_for_all_needs_no_directory(world: World) -> None:
    world.first.repos[CAROL] = world.second.repos[CAROL]
    world.plc.documents.clear()
    events = world.events(resolver=lambda _client: FixedPds(world.urls[1]))
    assert _dids(events, RepoRead) == [ALICE, BOB, CAROL]


def test_a_dead_pds_stops_nobody_else(world: World) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        world.plc.register(BOB, f"http://127.0.0.1:{taken.getsockname()[1]}")
    _grant(world.first, ALICE, CAROL, role="member", space=world.first.ref(URI), createdAt="2026-01-01T00:02:00Z")
    events = world.events()
    assert _dids(events, RepoRead) == [ALICE, CAROL]
    (failed,) = (event for event in events if isinstance(event, RepoFailed))
    assert failed.did == BOB
    assert isinstance(failed.error, UnreachableError)
    assert "run the command again" in failed.error.explained()
    assert events[-1] == Summary(repos=2, failed=1, records=4)
    assert not events[-1].is_whole


@pytest.mark.parametrize(
    ("document", "error"), [(404, IdentityError), (410, IdentityError), ({}, IdentityError), (418, RefusedError)]
)
def test_a_member_whose_document_is_no_use(world: World, document: Any, error: type[RadialIoError]) -> None:
    world.plc.documents[BOB] = document
    events = world.events()
    assert _dids(events, RepoRead) == [ALICE]
    assert [type(event.error) for event in events if isinstance(event, RepoFailed)] == [error]


def test_a_member_whose_repo_is_gone(world: World) -> None:
    del world.first.repos[BOB]
    (failed,) = (event for event in world.events() if isinstance(event, RepoFailed))
    assert failed.did == BOB
    assert "RepoNotFound" in str(failed.error)


def test_a_members_document_cannot_point_inwards(world: World) -> None:
    """Nothing on this machine is contacted because of what a document says."""
    world.plc.documents[ALICE]["service"][0]["serviceEndpoint"] = "https://pds.example.com"
    world.plc.register(BOB, world.urls[2].replace("http:", "https:"))
    events = world.events(
        resolver=lambda client: DidResolver(client, world.urls[0]),
        front=lambda _client: _Front(world.first),
    )
    (failed,) = (event for event in events if isinstance(event, RepoFailed))
    assert failed.did == BOB
    assert "is not public" in str(failed.error)
    assert world.second.asked == []


class _Front(XrpcClient):
    """Plays one public PDS from memory, and leaves every other server to a guarded client."""

    def __init__(self, pds: FakePds) -> None:
        self._pds = pds

    async def query(self, server: str, question: Any) -> bytes:
        if server == "https://pds.example.com":
            return self._pds.ask(question)
        async with open_client() as guarded:
            return await guarded.query(server, question)


def test_a_removed_member_is_not_read(world: World) -> None:
    membership = world.first.ref(f"at://{ALICE}/com.disnetdev.radial.addMember/to-bbb")
    removal = {"membership": membership, "did": BOB, "createdAt": "2026-01-02T00:00:00Z"}
    world.first.put(ALICE, "removeMember", "bob", space=world.first.ref(URI), **removal)
    assert _dids(world.events(), RepoRead) == [ALICE]
    assert _asked(world.first) == {ALICE}


def test_a_member_of_another_space_of_the_root_is_not_read(world: World) -> None:
    other = world.first.put(ALICE, "space", "other", name="Elsewhere")
    _grant(world.first, ALICE, DAVE, role="member", space=world.first.ref(other))
    assert DAVE not in _asked(world.second)
    assert _dids(world.events(), RepoRead) == [ALICE, BOB, CAROL]


def test_what_is_set_aside_is_named(world: World) -> None:
    def intercept(_nsid: str, query: dict[str, str]) -> Reply | None:
        if query.get("collection") != SPACE or query.get("repo") != BOB:
            return None
        return Reply.json({"records": [{"uri": f"at://{BOB}/{SPACE}/x", "cid": "bafywrong", "value": {}}]})

    world.first.intercept = intercept
    events = world.events()
    assert [event.uri for event in events if isinstance(event, SetAside)] == [f"at://{BOB}/{SPACE}/x"]
    assert events[-1] == Summary(repos=3, records=4, set_aside=1)
    assert not events[-1].is_whole


def test_a_repo_that_cannot_be_read_to_its_end(world: World) -> None:
    world.second.intercept = lambda _nsid, query: (
        Reply.json({"error": "InternalServerError"}, 500) if query.get("collection", "").endswith(".goal") else None
    )
    events = world.events()
    carol = next(event for event in events if isinstance(event, RepoRead) and event.did == CAROL)
    assert (carol.records, len(carol.faults), carol.pds) == (1, 1, world.urls[2])
    assert events[-1] == Summary(repos=3, records=4, faults=1)


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "at://alice.example.com/com.disnetdev.radial.space/main",
        f"at://{ALICE}/com.disnetdev.radial.goal/main",
        f"at://{ALICE}/{SPACE}",
        f"at://{ALICE}/{SPACE}/main/x",
    ],
)
def test_a_uri_that_is_no_spaces(world: World, uri: str) -> None:
    with pytest.raises(SpaceUriError):
        world.events(uri)
    assert world.first.asked == []


def test_a_space_that_is_not_there(world: World) -> None:
    with pytest.raises(SpaceNotFoundError, match="gone"):
        world.events(f"at://{ALICE}/{SPACE}/gone")
    assert _asked(world.first) == {ALICE}


def test_a_root_that_was_read_in_part_does_not_say_that_the_space_is_not_there(world: World) -> None:
    """The first page tells of another space, and the second, where ours may be, is not to be had."""
    world.first.put(ALICE, "space", "a", name="Other")

    def intercept(_nsid: str, query: dict[str, str]) -> Reply | None:
        if query.get("collection") != SPACE:
            return None
        if "cursor" in query:
            return Reply.json({"error": "Unavailable"}, 503)
        page = world.first.page(ALICE, {**query, "limit": "1"})
        return Reply.json(page)

    world.first.intercept = intercept
    with pytest.raises(RefusedError, match="503"):
        world.events()


def test_a_root_that_goes_in_a_circle_does_not_say_so_either(world: World) -> None:
    del world.first.repos[ALICE][SPACE]
    other = {"records": [{"uri": "x"}]}
    world.first.intercept = lambda _nsid, query: (
        Reply.json(other | {"cursor": "b" if query.get("cursor") == "a" else "a"})
        if query.get("collection") == SPACE
        else None
    )
    with pytest.raises(RadialIoError, match="goes in a circle") as caught:
        world.events()
    assert not isinstance(caught.value, SpaceNotFoundError)


def test_a_space_that_cannot_be_taken_is_there(world: World) -> None:
    value = world.first.repos[ALICE][SPACE]["main"]
    world.first.intercept = lambda _nsid, query: (
        Reply.json({"records": [{"uri": URI, "cid": "bafywrong", "value": value}]})
        if query.get("collection") == SPACE
        else None
    )
    with pytest.raises(RadialIoError, match="cannot be taken: its cid") as caught:
        world.events()
    assert not isinstance(caught.value, SpaceNotFoundError)


def test_a_busy_server_is_a_failed_repo_and_is_left_alone(world: World) -> None:
    world.second.intercept = lambda nsid, _query: Reply.json({}, 429) if nsid.endswith("listRecords") else None
    events = world.events()
    (failed,) = (event for event in events if isinstance(event, RepoFailed))
    assert (failed.did, type(failed.error)) == (CAROL, RateLimitError)
    assert [nsid.rpartition(".")[2] for nsid, _ in world.second.asked] == ["getLatestCommit", "listRecords"]
    assert events[-1] == Summary(repos=2, failed=1, records=3)


def test_the_bytes_of_one_repo_are_bounded(world: World) -> None:
    for number in range(5):
        world.second.put(CAROL, "goal", f"g{number}", title="x" * 10_000)
    events = world.events(limits=Limits(bytes=40_000))
    carol = next(event for event in events if isinstance(event, RepoRead) and event.did == CAROL)
    assert (carol.rev, carol.records, len(carol.faults)) == (None, 6, 1)
    assert "limit of 40000 bytes" in carol.faults[0]
    assert _dids(events, RepoRead) == [ALICE, BOB, CAROL]


def test_without_the_root_there_is_nothing(world: World) -> None:
    del world.first.repos[ALICE]
    with pytest.raises(RefusedError, match="RepoNotFound"):
        world.events()


def test_the_number_of_repos_is_bounded(world: World) -> None:
    events = world.events(limits=Limits(repos=2))
    assert (_dids(events, RepoRead), _dids(events, RepoFailed)) == ([ALICE, BOB], [CAROL])
    assert "limit of 2 repos" in str(next(event for event in events if isinstance(event, RepoFailed)).error)


def test_a_slow_server_does_not_keep_the_others_waiting(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bob's server takes 100 s for each answer, and 1,000 s is what a repo may take. What was read by then is kept."""
    now = 0.0

    def tarpit(_nsid: str, query: dict[str, str]) -> None:
        nonlocal now
        now += 100 if BOB in query.values() else 0

    world.first.intercept = tarpit
    monkeypatch.setattr("radial_io.ingest.follow.current_time", lambda: now)
    events = world.events(limits=Limits(seconds=1000))
    bob = next(event for event in events if isinstance(event, RepoRead) and event.did == BOB)
    assert (bob.rev, len(bob.faults)) == (None, 1)
    assert "1000 s" in bob.faults[0]
    assert len([nsid for nsid, query in world.first.asked if BOB in query.values()]) == 10
    assert _dids(events, RepoRead) == [ALICE, BOB, CAROL]
    assert events[-1] == Summary(repos=3, records=4, faults=1)


def test_members_are_read_at_the_same_time(world: World) -> None:
    """Bob's server answers when Carol's was asked, and Carol's when Bob's was: one after the other would never end."""
    _grant(world.first, ALICE, CAROL, role="member", space=world.first.ref(URI), createdAt="2026-01-01T00:02:00Z")
    both = Barrier(2, timeout=20)

    def meet(nsid: str, query: dict[str, str]) -> None:
        if nsid.endswith("listRecords") and query["collection"] == SPACE and query["repo"] in {BOB, CAROL}:
            both.wait()

    world.first.intercept = world.second.intercept = meet
    events = world.events()
    assert set(_dids(events, RepoRead)) == {ALICE, BOB, CAROL}
    assert events[-1] == Summary(repos=3, records=5)


def test_whoever_is_told_may_fail_in_their_own_way(world: World) -> None:
    """A full disk stays a full disk, and nothing is told after it."""
    told: list[Event] = []

    def write(event: Event) -> None:
        told.append(event)
        if len(told) == 3:
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        world.events(tell=write)
    assert len(told) == 3


def test_so_many_at_a_time_and_no_more(world: World) -> None:
    most, running, lock = [0], set[str](), Lock()
    for number in range(6):
        did = f"did:plc:{'e' * 23}{'abcdef'[number]}"
        world.plc.register(did, world.urls[1])
        world.first.repos[did] = {}
        _grant(world.first, ALICE, did, role="member", space=world.first.ref(URI), createdAt="2026-01-01T00:02:00Z")

    def note(nsid: str, query: dict[str, str]) -> None:
        did = query.get("repo") or query["did"]
        with lock:
            running.add(did)
            most[0] = max(most[0], len(running))
            if nsid.endswith("getLatestCommit") and world.first.asked.count((nsid, query)) == 2:
                running.discard(did)

    world.first.intercept = note
    assert world.events(limits=Limits(repos_at_once=2))[-1] == Summary(repos=9, records=10)
    assert most == [2]


def test_progress(world: World) -> None:
    said: list[Progress] = []
    world.events(on_progress=said.append)
    alice = [progress for progress in said if progress.did == ALICE]
    # Two for the revision, one for each collection, one more for each that is not empty.
    assert [progress.answers for progress in alice] == [*range(2 + len(COLLECTIONS) + 2 + 1)]
    assert alice[0].collection is None
    assert {progress.collection for progress in alice} - {None} == COLLECTIONS


def test_the_lines_are_plain_json(world: World) -> None:
    record = next(event for event in world.events() if isinstance(event, Record))
    assert json.loads(to_line(record)) == {
        "uri": record.uri,
        "cid": record.cid,
        "value": record.value,
        "rev": REV,
        "seenAt": NOW,
    }
