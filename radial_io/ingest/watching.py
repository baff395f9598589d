"""Following spaces live: repos are looked at from time to time, or streams tell of them, and an index grows with it.

    await watch_spaces(Following(spaces, …), jitter=random.random, on_index=print)         # until it is cancelled

Strategy: what is to be done is a `Plan`, made anew whenever the members, the servers of their repos or the state of a
stream may have changed; to carry it out is to start and stop tasks. Some workers look at whoever is due; each stream
is a task of its own, with lookers for what it doubts. The index is a task too: it takes in what was taken, in a thread,
as much as there is each time, so that a flood is one step and a single record is there at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeAlias

import anyio
from anyio import current_time, to_thread
from anyio.abc import TaskGroup

from radial_core import Index
from radial_io.ingest.agenda import Agenda
from radial_io.ingest.attending import Rereads, StreamFlow
from radial_io.ingest.bells import Gong
from radial_io.ingest.choosing import Plan, Way, planned
from radial_io.ingest.firehose import firehose
from radial_io.ingest.following import Following, Settings
from radial_io.ingest.jetstream import LIMITS as UNVERIFIED, jetstream
from radial_io.ingest.news import BrokeOff, Damaged, NoSpace, Opened
from radial_io.ingest.noticing import announced
from radial_io.ingest.streaming import run_stream
from radial_io.ingest.tail import Tail
from radial_io.ingest.tap import tap
from radial_io.ingest.visiting import Reading
from radial_io.store.errors import StoreError
from radial_io.store.values import Adapter, Source

Jitter: TypeAlias = Callable[[], float]
OnIndex: TypeAlias = Callable[[Index | None, Index], None]

_NOTES: Final = 60.0  # seconds between two notes of how things stand


async def watch_spaces(following: Following, *, jitter: Jitter, on_index: OnIndex | None = None) -> None:
    """Follow these spaces until this is cancelled. Raises `StoreError` when nothing can be kept any more.

    `on_index` is called with the index before and after, each time that it changed, and at first with None and what the
    store held. `jitter` draws from 0 to 1.
    """
    await following.begin()
    watch = _Watch(following, jitter, on_index)
    async with anyio.create_task_group() as tasks:
        await watch.start(tasks)
    if watch.failed:
        raise watch.failed[0]


class _Watch:
    """One run: the plan, and what is running because of it."""

    def __init__(self, following: Following, jitter: Jitter, on_index: OnIndex | None) -> None:
        self.following = following
        self.jitter = jitter
        self.on_index = on_index
        self.agenda = Agenda(following.settings.pace)
        self.plan = Plan({}, {}, {})
        self.streams: dict[Way, anyio.CancelScope] = {}
        self.down: set[Way] = set()
        self.due = Gong()
        self.missing: set[str] = set()
        self.failed: list[StoreError] = []

    async def start(self, tasks: TaskGroup) -> None:
        """Start everything that runs all the time."""
        self.tasks = tasks
        works = [self._attend, self._note_on, *[self._look_on] * self.following.settings.limits.repos_at_once]
        for work in works if self.on_index is None else [*works, self._fold]:
            tasks.start_soon(self._guarded, work)

    async def _guarded(self, work: Callable[[], object]) -> None:
        """An error of the store ends everything; it is raised at the end, for a group would wrap it."""
        try:
            await work()  # type: ignore[misc]
        except StoreError as error:
            self.failed.append(error)
            self.tasks.cancel_scope.cancel()

    # The plan

    async def _attend(self) -> None:
        """Make the plan, and make it anew when something may have changed."""
        while True:
            await self.following.refresh()
            await self._replan()
            await self.following.doubted.heard()

    async def _replan(self) -> None:
        following = self.following
        before = self.plan.chosen
        self.plan = planned(following.followed, following.homes, following.settings.choice, self.down)
        later = {did for did, way in self.plan.chosen.items() if way.is_stream}
        self.agenda.keep(self.plan.looks, current_time(), later)
        self.due.strike()
        for way in self.streams.keys() - self.plan.streams.keys():
            self.streams.pop(way).cancel()
            self.down.discard(way)
        for way in self.plan.streams.keys() - self.streams.keys():
            scope = self.streams[way] = anyio.CancelScope()
            self.tasks.start_soon(self._guarded, partial(self._stream, way, scope))
        if before != self.plan.chosen:
            await following.note(self.plan.chosen)

    async def _note_on(self) -> None:
        while True:
            await anyio.sleep(_NOTES)
            await self.following.note(self.plan.chosen)

    # Looks

    async def _look_on(self) -> None:
        """Look at whoever is due, for ever."""
        while True:
            did = self.agenda.begin(current_time())
            if did is None:
                await self.due.heard(self.agenda.wait(current_time()))
                continue
            failed = True
            try:
                reading = await self._look(did, self.plan.looks.get(did, "repo"))
                failed = reading is not None and reading.how == "failed"
            finally:
                self.agenda.end(did, current_time(), failed=failed)

    async def _look(self, did: str, adapter: Adapter) -> Reading | None:
        home = self.following.homes.get(did)
        reading = await self.following.look(did, adapter)
        if home != self.following.homes.get(did):
            self.following.doubted.ring()
        if reading is not None:
            self._tell_missing({did: reading})
        return reading

    def _tell_missing(self, readings: Mapping[str, Reading]) -> None:
        for uri in self.following.missing_spaces(readings):
            if uri not in self.missing:
                self.missing.add(uri)
                self.following.tell(NoSpace(uri))

    # Streams

    async def _stream(self, way: Way, scope: anyio.CancelScope) -> None:
        following = self.following
        flow = announced(
            _flow(way, following.settings, self.jitter), way, Source(way.adapter, way.host), self._tell_of_stream
        )
        with scope:
            await run_stream(
                flow,
                following.world,
                followed=lambda: self.plan.streams.get(way, frozenset()),
                look=lambda did, _why: self._look(did, "repo"),
                rereads=Rereads(following.settings.spacing),
            )

    def _tell_of_stream(self, news: Opened | BrokeOff) -> None:
        """While a stream is broken off, those of whom it should tell are looked at."""
        self.following.tell(news)
        was_down = news.way in self.down
        (self.down.discard if isinstance(news, Opened) else self.down.add)(news.way)
        if was_down != (news.way in self.down):
            self.following.doubted.ring()

    # The index

    async def _fold(self) -> None:
        following = self.following
        tail = Tail(following.store, on_damage=lambda damage: following.tell(Damaged(damage)))
        before: Index | None = None
        while True:
            after = await to_thread.run_sync(tail.catch_up)
            if self.on_index is not None and after is not before:
                await to_thread.run_sync(self.on_index, before, after)
            before = after
            await following.taken.heard()


def _flow(way: Way, settings: Settings, jitter: Jitter) -> StreamFlow[None]:
    match way.adapter:
        case "jetstream" | "jetstream2":
            version = 1 if way.adapter == "jetstream" else 2
            return jetstream(way.host, version=version, jitter=jitter, limits=settings.streams or UNVERIFIED)
        case "tap":
            password = settings.tap_password
            return tap(way.host, jitter=jitter, password=password, limits=settings.streams or UNVERIFIED)
        case _:
            return firehose(way.host, jitter=jitter, limits=settings.streams)
