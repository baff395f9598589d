"""How things stand, as the store tells it: what `radial status` shows and `radial doctor` judges."""

from __future__ import annotations

from datetime import UTC, datetime

import attrs

from radial_io.ingest.follow import root_of
from radial_io.ingest.health import Health, Notes, health
from radial_io.ingest.listing import TRUST
from radial_io.ingest.tail import Tail
from radial_io.store.store import Store
from radial_io.store.values import Damage, Failure, SourceState, Stats


@attrs.frozen(kw_only=True)
class Situation:
    """All of it, at `now`; `names` are those of the spaces that are there, by URI."""

    now: str
    notes: Notes
    names: dict[str, str]
    repos: list[Health]
    sources: tuple[SourceState, ...]
    failures: tuple[tuple[Failure, str], ...]
    stats: Stats
    damages: list[Damage]

    @property
    def members(self) -> list[Health]:
        """The repos that belong to a space which is followed; to any, where none was ever followed."""
        spaces = self.notes.followed.keys() or self.names.keys()
        return [repo for repo in self.repos if not spaces.isdisjoint(repo.spaces)]

    @property
    def is_ready(self) -> bool:
        """Whether there is a space, and the repo of each member of each was read wholly (RK-16.3)."""
        is_there = bool(self.names) and self.notes.followed.keys() <= self.names.keys()
        return is_there and all(repo.is_ready for repo in self.members)


def situation(store: Store) -> Situation:
    """Read it from the store."""
    notes, damages = Notes.of(store), list[Damage]()
    index = Tail(store, frozenset(TRUST), damages.append).catch_up()
    members: dict[str, set[str]] = {root_of(uri): {uri} for uri in notes.followed}
    for space in index.spaces:
        for member in space.members:
            members.setdefault(member.did, set()).add(space.uri)
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    sources = store.sources()
    spaces = {did: tuple(sorted(uris)) for did, uris in members.items()}
    return Situation(
        now=now,
        notes=notes,
        names={space.uri: space.name for space in index.spaces},
        repos=health(store.repos(), sources, spaces, notes.ways, now),
        sources=sources,
        failures=store.failures(),
        stats=store.stats(),
        damages=damages,
    )
