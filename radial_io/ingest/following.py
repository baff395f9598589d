"""Following spaces: whose repos are read, and looking at them. Shared by `syncing` (once) and `watching` (live).

    following = Following(spaces, store=store, client=client, resolver=resolver, clock=now, tell=print)
    await following.begin()

Strategy: who is a member is asked of the fold, over the three kinds of record on which membership rests, as the store
holds them; it is asked anew as soon as something that may matter was taken. The root is followed from the start, for
its repo holds the space. Nobody else's repo is ever asked for: before each look it is seen once more whether its owner
is a member still, and a look at somebody who ceased to be one is cut off. What was read before stays in the store, and
counts again when the fold says so.

One repo is looked at once at a time, whoever wants to have it looked at. Whatever a server does is a `Reading`, kept
beside the repo; only an error of the store ends everything, because from then on nothing could be kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import anyio
import attrs
from anyio import from_thread, to_thread

from radial_io.atproto.identity import Resolver
from radial_io.atproto.xrpc import XrpcClient
from radial_io.ingest.bells import Bell
from radial_io.ingest.choosing import Choice, Way
from radial_io.ingest.driving import World, carry_out
from radial_io.ingest.follow import root_of
from radial_io.ingest.keeping import Keeping
from radial_io.ingest.limits import Limits
from radial_io.ingest.listing import TRUST
from radial_io.ingest.news import ClockOff, Damaged, Joined, Left, Looked, News, TooMany
from radial_io.ingest.noticing import Noticed, stepped
from radial_io.ingest.poll import Pace, poll_repo
from radial_io.ingest.reconnecting import StreamLimits
from radial_io.ingest.repo import read_repo
from radial_io.ingest.requests import Flow
from radial_io.ingest.skew import estimated
from radial_io.ingest.tail import Tail
from radial_io.ingest.visiting import Reading
from radial_io.store.store import Store
from radial_io.store.values import Adapter

_LOOKS: Final[Mapping[Adapter, Callable[[str, Limits], Flow[Reading]]]] = {"poll": poll_repo, "repo": read_repo}
# Notes in the store, for whoever asks how things stand.
FOLLOWED: Final = "followed.spaces"
WAYS: Final = "followed.ways"
SKEW: Final = "clock.skew"

_MARKS: Final = 60.0  # seconds between two marks that a repo is as it was


@attrs.frozen(kw_only=True)
class Settings:
    """How spaces are followed: the ways, how often, within which bounds.

    `spacing` is the least time between two looks at a repo that a stream doubts, in seconds. `tap_password` is that of
    a Tap's operator.
    """

    choice: Choice = attrs.field(factory=Choice)
    pace: Pace = attrs.field(factory=Pace)
    limits: Limits = attrs.field(factory=Limits)
    streams: StreamLimits | None = None
    spacing: float = 30.0
    tap_password: str = attrs.field(default="", repr=False)


@attrs.frozen(kw_only=True)
class Servers:
    """What servers are asked with, and the observer's own clock."""

    client: XrpcClient
    resolver: Resolver
    clock: Callable[[], str]


class Following:
    """Some spaces, and whose repos belong to them now. Raises `SpaceUriError` for a URI that is no space's."""

    def __init__(
        self,
        spaces: Iterable[str],
        *,
        store: Store,
        servers: Servers,
        settings: Settings | None = None,
        tell: Callable[[News], None] = lambda _news: None,
    ) -> None:
        self.roots = {space: root_of(space) for space in dict.fromkeys(spaces)}
        self.store = store
        self.servers = servers
        self.settings = settings or Settings()
        self.tell = tell
        self.followed: frozenset[str] = frozenset()
        self.homes: dict[str, str] = {}  # the PDS of each repo that was looked at
        self.taken = Bell()  # something was taken
        self.doubted = Bell()  # the members may be others than those that are followed
        self.keeping = Keeping(store.path.with_name(f"{store.path.name}.kept"))
        self.world = World(
            client=servers.client,
            resolver=servers.resolver,
            store=Noticed(store, lambda is_trust: from_thread.run_sync(self._notice, is_trust)),
            clock=servers.clock,
            keeping=self.keeping,
            limits=self.settings.limits,
        )
        self._trust = Tail(store, frozenset(TRUST), lambda damage: tell(Damaged(damage)))
        self._is_doubtful = True
        self._refreshing = anyio.Lock()
        self._room = anyio.Semaphore(self.settings.limits.repos_at_once)
        self._turns: dict[str, anyio.Lock] = {}
        self._looks: dict[str, anyio.CancelScope] = {}
        self._marked: dict[str, float] = {}
        self._left: set[str] = set()
        self._is_warned = False

    async def begin(self) -> None:
        """Find out who is followed at first."""
        await self.refresh()
        self.keeping.drop_others(self.followed)

    # Whose repos

    def _notice(self, is_trust: bool) -> None:  # noqa: FBT001 - it comes through another thread
        self.taken.ring()
        if is_trust:
            self._is_doubtful = True
            self.doubted.ring()

    async def refresh(self) -> bool:
        """Ask the fold who is followed, if that may have changed; tell whether it has."""
        async with self._refreshing:
            return self._is_doubtful and await self._refresh()

    async def _refresh(self) -> bool:
        self._is_doubtful = False
        index = await to_thread.run_sync(self._trust.catch_up)
        spaces = {uri: index.space(uri) for uri in self.roots}
        members = {member.did for space in spaces.values() if space is not None for member in space.members}
        before, self.followed = self.followed, self._within_limits(members)
        self._tell_changes(before)
        return before != self.followed

    def _within_limits(self, members: set[str]) -> frozenset[str]:
        roots = set(self.roots.values())
        others = sorted(members - roots)
        room = max(0, self.settings.limits.repos - len(roots))
        if len(others) > room:
            self.tell(TooMany(len(members), self.settings.limits.repos))
        return frozenset(roots | set(others[:room]))

    def _tell_changes(self, before: frozenset[str]) -> None:
        for did in sorted(self.followed - before):
            self.tell(Joined(did))
        for did in sorted(before - self.followed):
            self.tell(Left(did))
            self._left.add(did)
            self.homes.pop(did, None)
            if (look := self._looks.get(did)) is not None:
                look.cancel()

    def missing_spaces(self, readings: Mapping[str, Reading]) -> tuple[str, ...]:
        """Give the spaces that are not there, though their root's repo was read."""
        found = self._trust.index
        return tuple(
            uri
            for uri, root in self.roots.items()
            if found.space(uri) is None and root in readings and readings[root].how != "failed"
        )

    # Looking

    async def look(self, did: str, adapter: Adapter) -> Reading | None:
        """Look at a repo, unless its owner is no member (any more): then nobody is asked, and None is given."""
        async with self._turns.setdefault(did, anyio.Lock()), self._room:
            if did not in self.followed:
                return None
            with anyio.CancelScope() as scope:
                self._looks[did] = scope
                try:
                    flow = _LOOKS[adapter](did, self.settings.limits)
                    marks = self._is_mark_due(did, anyio.current_time())
                    reading = await carry_out(stepped(flow, did, self.tell, marks=marks), self.world)
                finally:
                    del self._looks[did]
            if scope.cancelled_caught:
                return None
        if reading.source.host:
            self.homes[did] = reading.source.host
        self.tell(Looked(reading))
        return reading

    def _is_mark_due(self, did: str, now: float) -> bool:
        """Tell whether the store should hear that a repo is as it was: a transaction each time would be too much."""
        is_due = now >= self._marked.get(did, -_MARKS) + _MARKS
        if is_due:
            self._marked[did] = now
        return is_due

    # Notes for whoever asks how things stand

    async def note(self, ways: Mapping[str, Way]) -> None:
        """Keep in the store which spaces are followed, which repos in which way, and how far the clock is off."""
        spaces, known = (json.loads(self.store.meta(name) or "{}") for name in (FOLLOWED, WAYS))
        for did in self._left:
            known.pop(did, None)
        now = self.servers.clock()
        for uri, root in self.roots.items():
            # A URI with a slip in it is said to be none, and then forgotten: nobody would ever get rid of it.
            if self._trust.index.space(uri) is None and self.store.repo(root).read_at is not None:
                spaces.pop(uri, None)
            else:
                spaces[uri] = now
        notes = {
            FOLLOWED: json.dumps(spaces),
            WAYS: json.dumps({**known, **{did: [way.adapter, way.host] for did, way in ways.items()}}),
            **self._clock_note(now),
        }
        await self.world.ask_store(lambda: self.store.note(notes))

    def _clock_note(self, now: str) -> dict[str, str]:
        skew = estimated(self.servers.client.skews)
        if skew is None:
            return {}
        if skew.is_worth_a_warning and not self._is_warned:
            self._is_warned = True
            self.tell(ClockOff(skew))
        return {SKEW: json.dumps({"seconds": skew.seconds, "servers": skew.servers, "at": now})}
