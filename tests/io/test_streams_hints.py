"""Hosts without proof that lie about whom to trust: what they make up is nowhere, and leads to nobody's repo."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, pairwise
from pathlib import Path
from typing import Any, Final

import anyio
import attrs
import pytest

from radial_core import materialize
from radial_io.atproto.documents import Identity
from radial_io.atproto.xrpc import open_client
from radial_io.ingest.attending import Reread, Rereads, StreamFlow
from radial_io.ingest.choosing import read_choice
from radial_io.ingest.firehose import firehose
from radial_io.ingest.following import Following, Servers, Settings
from radial_io.ingest.jetstream import jetstream
from radial_io.ingest.reconnecting import StreamLimits
from radial_io.ingest.requests import Receive, Send, Take
from radial_io.ingest.tap import tap
from radial_io.ingest.watching import watch_spaces
from radial_io.store.store import open_store
from tests.io.fakes import LOOPBACK, serving
from tests.io.streams_fakes import (
    ALICE,
    BOB,
    CAROL,
    PREFIX,
    SPACE,
    TRUST,
    FakeStore,
    Stage,
    Step,
    Told,
    record,
    ref,
    story,
    told_whole,
    wrote,
)
from tests.io.streams_fakes_hosts import FirehoseHost, JetstreamHost, StreamHost, TapHost
from tests.io.streams_fakes_repo import Commit, SignedRepo, Signer, spelled
from tests.io.test_streams_served import LIMITS, NOW, Directory, _pds, _served

MALLORY: Final = "did:plc:" + "m" * 24
HOST: Final = "https://host.example"
PATIENT: Final = StreamLimits(idle=3.0, check=900.0)
HINTED: Final = "a stream without proof hints at a space, a grant or a removal"

Make = Callable[[], tuple[StreamHost, StreamFlow[None]]]


def half() -> float:
    return 0.5


KINDS: Final[dict[str, Make]] = {
    "jetstream": lambda: (JetstreamHost(), jetstream(HOST, version=1, jitter=half, limits=PATIENT)),
    "jetstream2": lambda: (JetstreamHost(version=2), jetstream(HOST, version=2, jitter=half, limits=PATIENT)),
    "tap": lambda: (TapHost(), tap(HOST, jitter=half, limits=PATIENT)),
}
of_every_kind = pytest.mark.parametrize("kind", KINDS)


def lies(ticks: count[int]) -> list[tuple[str, Commit]]:
    """What somebody who holds nobody's key can make up of Alice's and Bob's repos, every CID right: whose, and what.

    The story's own space, grant and removal are rewritten and deleted as well.
    """
    play = story()
    space, grant, project = play[0].writes[0].value, play[1].writes[0].value, play[1].writes[2].value
    whole = ref(ALICE, "space/main", space)
    let_in = record("addMember", 3, space=whole, did=MALLORY, kind="human", role="admin")
    put_out = record("removeMember", 3, space=whole, did=BOB, membership=ref(ALICE, "addMember/bob", grant))
    made_up = [
        wrote(ALICE, "addMember/bob", grant, "space/main", space, "project/p", project, "removeMember/carol", put_out),
        wrote(ALICE, "addMember/mallory", let_in),
        wrote(BOB, "addMember/mallory", let_in),
        wrote(ALICE, "removeMember/bob", put_out),
        wrote(ALICE, "space/mallory", space | {"name": MALLORY}),
        wrote(ALICE, "space/main", space | {"name": MALLORY}),
        wrote(ALICE, "addMember/bob", let_in),
        wrote(ALICE, "addMember/mallory", None),
        wrote(ALICE, "addMember/bob", None, "space/main", None, "removeMember/carol", None, "removeMember/bob", None),
        wrote(MALLORY, "addMember/mallory", let_in),
    ]
    forged = {did: SignedRepo(did, Signer.numbered(99), ticks) for did in (ALICE, BOB, MALLORY)}
    told = [(step.did, forged[step.did].commit(*step.writes)) for step in made_up]
    return told[1:]  # the first is but the ground for the others


@attrs.define
class Lied(Stage):
    """A stage on which those are followed whom the fold of what was stored calls members."""

    requests: list[Any] = attrs.field(factory=list)
    lied: int = 0

    def answer(self, request: Any) -> Any:
        """Answer, and lie after each commit of the play."""
        assert MALLORY not in repr(request)  # RAD-4.30: nobody is asked about her, nor is anything of her kept
        self.requests.append(request)
        answer = super().answer(request)
        self.follow()
        return answer

    def follow(self) -> None:
        space = materialize(list(self.store.observations())).space(SPACE)
        members = () if space is None else space.members
        self.followed = frozenset({ALICE} | {member.did for member in members})

    def perform(self) -> None:
        super().perform()
        for number, (did, commit) in enumerate(lies(count(10_000 + 100 * self.performed)), start=1):
            self.lied += 1
            self.host.tell(Told(1_000 * self.performed + number, did, commit))


def lied_to(kind: str, **options: Any) -> tuple[Lied, StreamFlow[None]]:
    host, flow = KINDS[kind]()
    repos = {CAROL: SignedRepo(CAROL, Signer.numbered(3))}
    return Lied(host, repos=repos, followed=frozenset({ALICE}), **options), flow


def trust_in(store: FakeStore) -> set[tuple[str, ...]]:
    return {key for key in store.seen if key[1] in TRUST} | {gone[:3] for gone in store.gone if gone[1] in TRUST}


@of_every_kind
@pytest.mark.parametrize("delay", [1, 7, 40])
def test_nothing_that_a_host_makes_up_of_trust_is_ever_stored_counted_or_followed(kind: str, delay: int) -> None:
    stage, flow = lied_to(kind, timing=lambda step: step % delay == 0)
    met: set[str] = set()

    def hook(stage: Stage, _step: int) -> None:
        assert trust_in(stage.store) <= trust_in(told_whole(stage))
        assert not stage.store.spoiled
        met.update(stage.followed)

    stage.hook = hook
    stage.run(flow)
    assert stage.lied > 50
    assert met == {ALICE, BOB, CAROL}
    assert stage.followed == {ALICE, BOB}
    assert stage.store.digest() == told_whole(stage).digest()
    assert {reread.did for reread in stage.asked} == {ALICE, BOB, CAROL}
    assert HINTED in {reread.why for reread in stage.asked}


@of_every_kind
def test_without_a_look_at_the_repos_a_host_makes_nobody_a_member_and_no_space(kind: str) -> None:
    stage, flow = lied_to(kind, has_rereads=False, has_finale=False)
    stage.run(flow)
    assert trust_in(stage.store) == set()
    assert stage.followed == {ALICE}


def test_tap_is_told_that_a_hint_arrived_once_its_batch_is_written() -> None:
    stage, flow = lied_to("tap", play=story()[:1], has_rereads=False, has_finale=False)
    stage.run(flow)
    assert isinstance(stage.host, TapHost)
    assert sorted(stage.host.acked) == list(range(1, stage.host.number + 1))
    is_taken = False
    for request in stage.requests:
        if isinstance(request, Receive | Take):
            is_taken = isinstance(request, Take)
        assert is_taken or not isinstance(request, Send)


@attrs.define
class Spaced(Lied):
    """A stage on which repos are looked at as `Rereads` allows it, by nobody; a step takes a quarter of a second."""

    rereads: Rereads = attrs.field(factory=Rereads)
    begun: list[tuple[str, float]] = attrs.field(factory=list)

    def on_reread(self, request: Reread) -> None:
        self.asked.append(request)
        self.rereads.ask(request.did, request.why)
        while (due := self.rereads.begin(self.steps / 4)) is not None:
            self.begun.append((due[0], self.steps / 4))
            self.rereads.end(due[0])


@of_every_kind
def test_hints_without_end_have_a_repo_read_once_in_a_while(kind: str) -> None:
    host, flow = KINDS[kind]()
    stage = Spaced(host, followed=frozenset({ALICE}))
    stage.run(flow)
    begun = [seconds for did, seconds in stage.begun if did == ALICE]
    assert sum(reread.why == HINTED for reread in stage.asked) > len(begun) > 1
    assert all(later - earlier >= stage.rereads.spacing for earlier, later in pairwise(begun))


# --- what that costs --------------------------------------------------------------------------------------------------


def rewritten() -> list[Step]:
    """A grant of Bob's is rewritten, Carol's is taken back by deleting it, and nobody looks in between."""
    space = record("space", 0, name="Lab")
    whole = ref(ALICE, "space/main", space)
    grant = record("addMember", 1, space=whole, did=BOB, kind="human", role="member")
    other = record("addMember", 1, space=whole, did=CAROL, kind="human", role="member")
    return [
        wrote(ALICE, "space/main", space),
        wrote(ALICE, "addMember/bob", grant, "addMember/carol", other),
        wrote(ALICE, "addMember/bob", grant | {"role": "admin"}, "addMember/carol", None),
    ]


@pytest.mark.parametrize("kind", [*KINDS, "firehose"])
def test_of_a_grant_that_is_rewritten_between_two_looks_only_the_last_version_is_seen(kind: str) -> None:
    make = KINDS.get(kind, lambda: (FirehoseHost(), firehose(HOST, jitter=half, oldest=True)))
    host, flow = make()
    stage = Stage(host, play=rewritten(), timing=lambda _step: False)
    stage.run(flow)
    first, last = stage.repos[ALICE].commits[1:]
    grants = {f"{PREFIX}addMember/{name}" for name in ("bob", "carol")}
    ever = {(path, cid(commit, path)) for commit in (first, last) for path in grants & commit.records.keys()}
    seen = {(f"{key[1]}/{key[2]}", key[3]) for key in stage.store.seen if key[1] == f"{PREFIX}addMember"}
    bob = f"{PREFIX}addMember/bob"
    assert seen == (ever if kind == "firehose" else {(bob, cid(last, bob))})


def cid(commit: Commit, path: str) -> str:
    (op,) = (op for op in commit.ops if op["path"] == path)
    return spelled(op["cid"].value[1:])


# --- over real sockets ------------------------------------------------------------------------------------------------


@attrs.frozen
class Register(Directory):
    """A directory that remembers who was looked up."""

    looked_up: list[str] = attrs.field(factory=list)

    async def identity(self, did: str, *, fresh: bool = False) -> Identity:
        self.looked_up.append(did)
        return await super().identity(did, fresh=fresh)


@pytest.mark.anyio
@of_every_kind
async def test_a_watcher_asks_for_nobody_s_repo_because_a_host_made_somebody_a_member(
    kind: str, tmp_path: Path
) -> None:
    host, _ = KINDS[kind]()
    stage = Stage(host)
    for _ in stage.play:
        stage.perform()
    pds = _pds(stage)
    with serving(pds.answer) as home, open_store(tmp_path / "store.db", write=True) as store:
        async with _served(host) as (url, served), open_client(LOOPBACK) as client:
            directory = Register(stage, home)
            settings = Settings(choice=read_choice([f"{kind}={url}"]), streams=LIMITS, tap_password="s3cret")
            servers = Servers(client=client, resolver=directory, clock=lambda: NOW)
            following = Following([SPACE], store=store, servers=servers, settings=settings)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(lambda: watch_spaces(following, jitter=half))
                await _until(lambda: not store.unread([ALICE, BOB]) and host.queue is not None and _hears(host))
                for number, (did, commit) in enumerate(lies(count(10_000)), start=1):
                    host.tell(Told(1_000 + number, did, commit))
                stage.play.append(wrote(ALICE, "message/last", record("message", 20, body="The last.")))
                stage.performed = len(stage.play) - 1
                stage.perform()
                await _until(lambda: (f"{PREFIX}message", "last") in store.held(ALICE))
                assert following.followed == {ALICE, BOB}
                tasks.cancel_scope.cancel()
        assert materialize(told for _, told in store.observations()).digest == told_whole(stage).digest()
    assert set(directory.looked_up) == {query["did"] for _, query in pds.asked} == {ALICE, BOB}
    assert MALLORY not in repr([served.opened, served.posts, host.sent])
    assert MALLORY.encode() not in (tmp_path / "store.db").read_bytes()


def _hears(host: StreamHost) -> bool:
    """Whether a Jetstream of version 2 was opened for Bob as well; the others are told of him."""
    return not isinstance(host, JetstreamHost) or not host.dids or BOB in host.dids


async def _until(is_so: Callable[[], bool]) -> None:
    for _ in range(400):
        if is_so():
            return
        await anyio.sleep(0.05)
    raise AssertionError("it does not come")
