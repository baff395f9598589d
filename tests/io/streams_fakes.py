"""A small world on a stage: two repos, hosts that stream them with faults, a store, and rereads that take their time.

`Stage` answers whatever a stream asks for, without a socket or a clock. The play goes on when a stream has nothing
more to receive: then the next commit is made. Rereads are carried out when `timing` says so, at any step between two
answers.
When there is no more to come and nothing is waiting, the curtain falls. The store here is the shortest that keeps what
`radial_io.store` promises; it knows nothing of how that is built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, Final

import attrs
import cbor2

from radial_core import Deletion, Record, materialize
from radial_io.atproto.documents import Identity
from radial_io.atproto.keys import read_multikey
from radial_io.errors import RadialIoError, UnreachableError
from radial_io.ingest.attending import Followed, Reread, StreamFlow
from radial_io.ingest.requests import (
    Connect,
    CursorOf,
    Disconnect,
    Idle,
    Message,
    Now,
    Pause,
    Post,
    Receive,
    RepoOf,
    Resolve,
    Send,
    Take,
)
from radial_io.store.values import Batch, Failure, Gone, Repo, RepoState, Seen, Source, Spoiled, Taken
from tests.io.streams_fakes_repo import Commit, SignedRepo, Signer, Write, cid_of, spelled

ALICE: Final = "did:plc:" + "a" * 24
BOB: Final = "did:plc:" + "b" * 24
CAROL: Final = "did:plc:" + "c" * 24
PREFIX: Final = "com.disnetdev.radial."
TRUST: Final = frozenset(PREFIX + kind for kind in ("space", "addMember", "removeMember"))
_A_DAY: Final = 86_400
SPACE: Final = f"at://{ALICE}/{PREFIX}space/main"


def at(minute: int) -> str:
    return f"2026-01-01T00:{minute:02}:00Z"


@attrs.define
class FakeStore:
    """Keeps what `Batch` says, as the contract says it."""

    seen: dict[tuple[str, str, str, str], set[str | None]] = attrs.field(factory=dict)
    raw: dict[str, bytes] = attrs.field(factory=dict)
    gone: set[tuple[str, str, str, str | None]] = attrs.field(factory=set)
    spoiled: list[Spoiled] = attrs.field(factory=list)
    failures: list[Failure] = attrs.field(factory=list)
    cursors: dict[Source, str] = attrs.field(factory=dict)
    repos: dict[str, Repo] = attrs.field(factory=dict)
    takes: int = 0

    def take(self, batch: Batch) -> Taken:
        self.takes += 1
        for seen in batch.seen:
            assert cid_of(seen.raw) == cid_of(seen.raw)
            assert spelled(cid_of(seen.raw)) == seen.cid
            assert seen.form == "cbor"
            self.seen.setdefault((seen.did, seen.collection, seen.rkey, seen.cid), set()).add(seen.rev)
            self.raw[seen.cid] = seen.raw
        self.gone.update((gone.did, gone.collection, gone.rkey, gone.rev) for gone in batch.gone)
        self.spoiled += batch.spoiled
        self.failures += batch.failures
        if batch.cursor is not None:
            self.cursors[batch.source] = batch.cursor
        for account in batch.accounts:
            self.repos[account.did] = attrs.evolve(self.repo(account.did), state=account.state)
        for state in batch.repos:
            repo = self.repo(state.did)
            if repo.rev is None or state.rev is None or state.rev >= repo.rev:
                self.repos[state.did] = attrs.evolve(repo, rev=state.rev, root=state.root, source=state.source)
        return Taken()

    def repo(self, did: str) -> Repo:
        return self.repos.get(did, Repo(did))

    def held(self, did: str) -> dict[str, str | None]:
        """Path to rev of what the repo holds as last seen."""
        latest: dict[str, tuple[str, bool]] = {}
        told = [(key[:3], rev, True) for key, revs in self.seen.items() for rev in revs]
        told += [((gone[0], gone[1], gone[2]), gone[3], False) for gone in self.gone]
        for (whose, collection, rkey), rev, is_there in told:
            path = f"{collection}/{rkey}"
            if whose == did and (path not in latest or (rev or "", is_there) >= latest[path]):
                latest[path] = (rev or "", is_there)
        return {path: rev for path, (rev, is_there) in latest.items() if is_there}

    def observations(self) -> Iterator[Record | Deletion]:
        for (did, collection, rkey, cid), revs in self.seen.items():
            value = cbor2.loads(self.raw[cid])
            for rev in revs:
                yield Record(uri=f"at://{did}/{collection}/{rkey}", cid=cid, value=value, rev=rev)
        for did, collection, rkey, rev in self.gone:
            yield Deletion(uri=f"at://{did}/{collection}/{rkey}", rev=rev)

    def digest(self) -> str:
        return materialize(list(self.observations())).digest

    @property
    def words(self) -> str:
        return "\n".join([*(failure.words for failure in self.failures), *(item.reason for item in self.spoiled)])


@attrs.frozen
class Step:
    """One commit of the play."""

    did: str
    writes: tuple[Write, ...]


def wrote(did: str, *paths_and_values: Any) -> Step:
    pairs = zip(paths_and_values[::2], paths_and_values[1::2], strict=True)
    return Step(did, tuple(Write(PREFIX + path, value) for path, value in pairs))


def record(kind: str, minute: int, /, **fields: Any) -> dict[str, Any]:
    return {"$type": PREFIX + kind, "createdAt": at(minute), **fields}


def uri(did: str, path: str) -> str:
    return f"at://{did}/{PREFIX}{path}"


def ref(did: str, path: str, value: Any) -> dict[str, str]:
    raw = cbor2.dumps(value, canonical=True)
    return {"uri": uri(did, path), "cid": spelled(cid_of(raw))}


def story() -> list[Step]:
    """A space, a member, another one who is removed, a goal, a request, two claims: eleven commits.

    Chosen so that it has one digest however much of what was replaced meanwhile was missed: what is rewritten are
    claims and an agent, of which the latest counts (V2, V3), and what is deleted is a claim (V5).
    """
    space = record("space", 0, name="Lab")
    whole = ref(ALICE, "space/main", space)
    grant = record("addMember", 1, space=whole, did=BOB, kind="human", role="member")
    short_lived = record("addMember", 1, space=whole, did=CAROL, kind="human", role="member")
    removal = record("removeMember", 9, space=whole, did=CAROL, membership=ref(ALICE, "addMember/carol", short_lived))
    project = record("project", 2, space=whole, name="Tool", gitUrl="https://git.example.com/t", defaultBranch="main")
    goal = record("goal", 3, space=whole, project=ref(ALICE, "project/p", project), title="Go", body="On.")
    request = record("artifactRequest", 4, goal=ref(BOB, "goal/g", goal), type="plan")
    asked = ref(BOB, "artifactRequest/r", request)
    claim = record("claim", 5, request=asked, expiresAt=at(10))
    renewed = claim | {"renewedAt": at(9), "expiresAt": at(19)}
    again = claim | {"renewedAt": at(18), "expiresAt": at(28)}
    other = record("claim", 6, request=asked, expiresAt=at(12))
    agent = record("agent", 7, handleName="coder", harness="codex", models=[{"name": "m"}], artifactTypes=["plan"])
    hello = record("message", 8, goal=ref(BOB, "goal/g", goal), body="Hello.")
    return [
        wrote(ALICE, "space/main", space),
        wrote(ALICE, "addMember/bob", grant, "addMember/carol", short_lived, "project/p", project),
        wrote(BOB, "goal/g", goal),
        wrote(BOB, "artifactRequest/r", request, "claim/mine", claim),
        wrote(ALICE, "claim/other", other),
        wrote(BOB, "claim/mine", renewed),
        wrote(BOB, "agent/coder", agent),
        wrote(ALICE, "claim/other", None),
        wrote(BOB, "claim/mine", again, "agent/coder", agent | {"harness": "claude-code"}),
        wrote(ALICE, "message/hi", hello, "removeMember/carol", removal),
        wrote(BOB, "message/hi", hello),
    ]


class Curtain(Exception):  # noqa: N818 - it is the end, not an error
    """There is no more to come."""


@attrs.define
class Told:
    """One event of a host's stream: its number and time, and the commit that it tells of."""

    seq: int
    did: str
    commit: Commit


class Host:
    """What the hosts of the play have in common: a log of commits, connections, faults. See the hosts themselves."""

    origin = "https://host.example"

    def __init__(self) -> None:
        self.log: list[Told] = []
        self.sent: list[str] = []
        self.opened: list[Connect] = []
        self.plans: list[Any] = []
        self.queue: list[Message] | None = None  # None: not connected

    @property
    def is_healthy(self) -> bool:
        """Whether what happens now gets through."""
        return True

    def tell(self, told: Told) -> None:
        """Something happened: it is logged, and sent to whoever is connected."""
        raise NotImplementedError

    def connect(self, request: Connect) -> None:
        raise NotImplementedError

    def heard(self, text: str) -> None:
        self.sent.append(text)


def _seen(did: str, path: str, rev: str, raw: bytes) -> Seen:
    collection, rkey = path.split("/")
    return Seen(did, collection, rkey, spelled(cid_of(raw)), rev, raw, "cbor")


def _gone(did: str, path: str, rev: str) -> Gone:
    collection, rkey = path.split("/")
    return Gone(did, collection, rkey, rev)


Timing = Callable[[int], bool]


@attrs.define
class Stage:
    """Runs a stream against a host. `timing(step)`: whether the rereads that are asked for are carried out now."""

    host: Host
    play: list[Step] = attrs.field(factory=story)
    store: FakeStore = attrs.field(factory=FakeStore)
    followed: frozenset[str] = frozenset({ALICE, BOB})
    timing: Timing = lambda _step: True
    hook: Callable[[Stage, int], None] = lambda _stage, _step: None
    repos: dict[str, SignedRepo] = attrs.field(factory=dict)
    performed: int = 0
    steps: int = 0
    asked: list[Reread] = attrs.field(factory=list)  # rereads, all of them
    waiting: list[str] = attrs.field(factory=list)
    posts: list[Post] = attrs.field(factory=list)
    pauses: list[float] = attrs.field(factory=list)
    resolved: list[Resolve] = attrs.field(factory=list)
    unreachable: set[str] = attrs.field(factory=set)
    keys: dict[str, Any] = attrs.field(factory=dict)
    has_finale: bool = True
    has_rereads: bool = True  # off: nobody looks at repos, the stream is on its own
    later: int = 3600
    steps_a_second: int = 1
    idles: int = 0

    def __attrs_post_init__(self) -> None:
        ticks = count(1)
        for number, did in enumerate((ALICE, BOB), start=1):
            self.repos.setdefault(did, SignedRepo(did, Signer.numbered(number), ticks))
            self.keys.setdefault(did, read_multikey(self.repos[did].signer.multikey))

    def perform(self) -> None:
        """Make the next commit of the play."""
        step = self.play[self.performed]
        self.performed += 1
        commit = self.repos[step.did].commit(*step.writes)
        self.host.tell(Told(10 * self.performed, step.did, commit))

    def run(self, flow: StreamFlow[None], steps: int = 100_000) -> bool:
        """Run a stream until the curtain falls, or for so many steps: then it is killed. Tells whether it was."""
        ends_at = self.steps + steps
        request = next(flow)
        try:
            while self.steps < ends_at:
                try:
                    answer = self.answer(request)
                except RadialIoError as error:
                    request = flow.throw(error)
                else:
                    request = flow.send(answer)
        except Curtain:
            return False
        finally:
            flow.close()
            self.host.queue = None
        return True

    def answer(self, request: Any) -> Any:
        self.steps += 1
        self.hook(self, self.steps)
        if self.waiting and self.timing(self.steps):
            self.reread()
        return getattr(self, f"on_{type(request).__name__.lower()}")(request)

    def reread(self) -> None:
        """Read every repo that waits: what it holds now, and that it holds no more."""
        waiting, self.waiting = self.waiting, []
        for did in dict.fromkeys(waiting):
            for batch in self.snapshot(did):
                self.store.take(batch)

    def snapshot(self, did: str) -> list[Batch]:
        """What reading a repo would bring now. The store is asked when the batch is taken, so this is a closure."""
        repo = self.repos[did]
        if not repo.commits:
            return []
        head, source = repo.head, Source("repo", "https://pds.example", did)
        held = self.store.held(did)
        lost = [path for path, rev in held.items() if path not in head.records and (rev or "") <= head.rev]
        seen = tuple(_seen(did, path, head.rev, raw) for path, raw in head.records.items())
        gone = tuple(_gone(did, path, head.rev) for path in lost)
        state = RepoState(did, head.rev, spelled(head.data), source)
        return [Batch(source=source, seen=seen, gone=gone, repos=(state,))]

    def on_followed(self, _request: Followed) -> frozenset[str]:
        return self.followed

    def on_repoof(self, request: RepoOf) -> Repo:
        return self.store.repo(request.did)

    def on_reread(self, request: Reread) -> None:
        self.asked.append(request)
        if self.has_rereads:
            self.waiting.append(request.did)

    def on_post(self, request: Post) -> None:
        self.posts.append(request)

    def on_cursorof(self, request: CursorOf) -> str | None:
        return self.store.cursors.get(request.source)

    def on_now(self, _request: Now) -> str:
        seconds = self.steps // self.steps_a_second + self.later
        day, hour, minute = 1 + seconds // _A_DAY, seconds // 3600 % 24, seconds // 60 % 60
        return f"2026-01-{day:02}T{hour:02}:{minute:02}:{seconds % 60:02}Z"

    def on_pause(self, request: Pause) -> None:
        self.pauses.append(request.seconds)

    def on_resolve(self, request: Resolve) -> Identity:
        self.resolved.append(request)
        if request.did in self.unreachable:
            raise UnreachableError("https://plc.example", "no answer in time")
        return Identity(request.did, "https://pds.example", self.keys[request.did])

    def on_take(self, request: Take) -> Taken:
        return self.store.take(request.batch)

    def on_connect(self, request: Connect) -> None:
        assert self.host.queue is None, "one socket at a time"
        self.host.opened.append(request)
        self.host.connect(request)

    def on_disconnect(self, _request: Disconnect) -> None:
        self.host.queue = None

    def on_send(self, request: Send) -> None:
        self.host.heard(request.text)

    def on_receive(self, request: Receive) -> Message:
        queue = self.host.queue
        assert queue is not None, "nothing is open"
        if queue:
            self.idles = 0
            return queue.pop(0)
        if request.idle < 1:
            return Idle()  # nothing comes at once: the batch is closed
        if self.performed < len(self.play):
            self.perform()
            return queue.pop(0) if queue else Idle()
        self.idles += 1
        if self.waiting:
            self.reread()
        assert self.idles < 1_000, "the stream hangs"
        if not self.host.is_healthy or self.idles == 1:
            return Idle()
        if self.has_finale and self.later < _A_DAY:
            self.later = _A_DAY  # time goes by: what nobody told of is found by looking
            return Idle()
        raise Curtain


def told_whole(stage: Stage) -> FakeStore:
    """The store of somebody who missed nothing: every op of every commit, as the play makes them."""
    store = FakeStore()
    for did, repo in stage.repos.items():
        for commit in repo.commits:
            for op in commit.ops:
                collection, rkey = op["path"].split("/")
                if op["cid"] is None:
                    store.gone.add((did, collection, rkey, commit.rev))
                else:
                    raw = commit.records[op["path"]]
                    store.seen.setdefault((did, collection, rkey, spelled(cid_of(raw))), set()).add(commit.rev)
                    store.raw[spelled(cid_of(raw))] = raw
    return store


def without_trust(store: FakeStore) -> FakeStore:
    """What a store holds but for the kinds that trust rests on, which no stream brings that proves nothing."""
    seen = {key: revs for key, revs in store.seen.items() if key[1] not in TRUST}
    raw = {cid: store.raw[cid] for *_, cid in seen}
    return FakeStore(seen=seen, raw=raw, gone={gone for gone in store.gone if gone[1] not in TRUST})


def trusting(store: FakeStore, other: FakeStore) -> FakeStore:
    """What a store holds, with another one's word on whom to trust."""
    rest = without_trust(store)
    trust = {key: revs for key, revs in other.seen.items() if key[1] in TRUST}
    raw = {cid: other.raw[cid] for *_, cid in trust}
    return FakeStore(seen=rest.seen | trust, raw=rest.raw | raw, gone=rest.gone)


def short() -> list[Step]:
    """The first half of the story."""
    return story()[:6]


def every_interleaving(make: Callable[[], Stage], run: Callable[[Stage], object]) -> Iterator[Stage]:
    """Run a stream once for every two moments at which a repo could be read and what was read be written.

    The stream gets no other help. Moments of reading: the first step after each commit, for between two commits a
    repo does not change; moments of writing: every step from there on.
    """
    first: dict[int, int] = {}
    stage = make()
    stage.has_rereads = stage.has_finale = False
    stage.hook = lambda stage, step: _void(first.setdefault(stage.performed, step))
    run(stage)
    for start in first.values():
        for end in range(start, stage.steps + 1):
            yield _interleaved(make(), run, start, end)


def _interleaved(stage: Stage, run: Callable[[Stage], object], start: int, end: int) -> Stage:
    batches: list[Batch] = []

    def hook(stage: Stage, step: int) -> None:
        if step == start:
            batches.extend(batch for did in (ALICE, BOB) for batch in stage.snapshot(did))
        if step == end:
            for batch in batches:
                stage.store.take(batch)

    stage.has_rereads = stage.has_finale = False
    stage.hook = hook
    run(stage)
    return stage


def _void(_value: object) -> None:
    """Let a lambda do something and give nothing."""
