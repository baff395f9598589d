"""Reading spaces once: every repo that belongs to them, until nobody new turns up.

    synced = await sync_spaces(Following(spaces, store=store, servers=servers))

Strategy: the roots first, for the spaces and the first grants stand there; then those who are members by then, some at
the same time; and again, as long as somebody is a member who was not looked at. One repo that fails stops nobody. What
was read before an interruption is in the store, and a repo that has not changed since costs one question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import anyio
import attrs

from radial_io.ingest.choosing import LOOKS, Way
from radial_io.ingest.following import Following
from radial_io.ingest.news import NoSpace
from radial_io.ingest.settling import added
from radial_io.ingest.visiting import Reading
from radial_io.store.errors import StoreError
from radial_io.store.values import Adapter, Taken


@attrs.frozen
class Synced:
    """How it went: of each repo, by DID, the last look; and the spaces that are not there."""

    readings: dict[str, Reading]
    missing_spaces: tuple[str, ...]

    @property
    def taken(self) -> Taken:
        """What all looks together changed."""
        total = Taken()
        for reading in self.readings.values():
            total = added(total, reading.taken)
        return total


async def sync_spaces(following: Following) -> Synced:
    """Look at every repo that belongs to these spaces. Raises `StoreError` when nothing can be kept any more."""
    await following.begin()
    readings: dict[str, Reading] = {}
    met: set[str] = set()
    waiting = set(following.roots.values())
    while waiting:
        met |= waiting
        readings |= await _look_at_each(following, sorted(waiting))
        await following.refresh()
        waiting = set(following.followed - met)
    missing = following.missing_spaces(readings)
    for uri in missing:
        following.tell(NoSpace(uri))
    await following.note({did: Way(_adapter(following, did)) for did in following.followed})
    return Synced({did: reading for did, reading in readings.items() if did in following.followed}, missing)


async def _look_at_each(following: Following, dids: Iterable[str]) -> dict[str, Reading]:
    readings: dict[str, Reading] = {}
    failed: list[StoreError] = []

    async def work(waiting: Iterator[str]) -> None:
        try:
            for did in waiting:
                reading = await following.look(did, _adapter(following, did))
                if reading is not None:
                    readings[did] = reading
                await following.refresh()
        except StoreError as error:  # raised below: a group would wrap it
            failed.append(error)
            workers.cancel_scope.cancel()

    waiting = iter(dids)
    async with anyio.create_task_group() as workers:
        for _ in range(following.settings.limits.repos_at_once):
            workers.start_soon(work, waiting)
    if failed:
        raise failed[0]
    return readings


def _adapter(following: Following, did: str) -> Adapter:
    """Give the way to look: where a stream was chosen, what stands in for it."""
    way = following.settings.choice.of(did, following.homes.get(did))
    return way.adapter if way.adapter in LOOKS else "repo"
