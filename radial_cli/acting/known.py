"""What a machine knows: the store, and what it has written or read that the store may not hold yet.

Strategy: an act looks several times within a second, so everything is folded once, and from then on only what is new.
What was seen beside the store and then in it is one version with two sightings (O4).
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from radial_cli.reading import Reading
from radial_cli.storing.place import Damages, told as store_told
from radial_core import Instant, materialize, parse_instant
from radial_io.ingest.health import Notes
from radial_io.store.store import open_store
from radial_io.writing.taking import meant_records, own_writes, waiting_writes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from radial_core.observations import Observation, Record
    from radial_io.ingest.skew import Skew


_DAY: Final = 86_400  # seconds


class Known:
    """What was known at the last look: `reading`. A store that is not there holds nothing."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._row = 0
        self._learnt: list[Observation] = []
        self.skew: Skew | None = None  # as the servers told it last
        self.reading = Reading(materialize(()), [], _now())

    def catch_up(self) -> None:
        """Look. Raises `Failure` for a store that cannot be read."""
        new = [*self._stored(), *self._beside(), *self._learnt]
        self._learnt = []
        before = self.reading
        index = before.index.extend(new) if before.observed else materialize(new)
        self.reading = Reading(index, [*before.observed, *new], _now())

    def learn(self, seen: Iterable[Observation]) -> None:
        """Take in with the next look what was seen and is not in the store."""
        self._learnt += seen

    def waiting(self, did: str) -> tuple[str, ...]:
        """Give the URIs of what earlier acts of an account left to be sent. Raises `Failure`."""
        with store_told():
            return waiting_writes(self._store, did)

    def meant(self, did: str) -> tuple[Record, ...]:
        """Give the new records among what waits. Raises `Failure`."""
        with store_told():
            return meant_records(self._store, did)

    def _stored(self) -> list[Observation]:
        if not self._store.exists():
            return []
        damages = Damages()
        with store_told(), open_store(self._store, write=False) as store:
            rows = list(store.observations(after=self._row, on_damage=damages))
            self.skew = _skew(Notes.of(store))
        self._row = max((row for row, _ in rows), default=self._row)
        return [observation for _, observation in rows]

    def _beside(self) -> list[Observation]:
        with store_told():
            return list(own_writes(self._store))


def _skew(notes: Notes) -> Skew | None:
    """Give how far the clock is off; not what was measured when it may have been another one."""
    if notes.skew_at is None:
        return None
    age = _now().seconds - parse_instant(notes.skew_at).seconds
    return notes.skew if 0 <= age < _DAY else None


def _now() -> Instant:
    return parse_instant(datetime.now(UTC).isoformat())
