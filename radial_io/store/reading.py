"""Reading observations back.

Strategy: a version's row stands for all its sightings; it is told as the few observations between which the fold can
tell a difference. O3 and O4 compare the least and the greatest revision, and whether one is unknown. V5 drops what is
not later than a deletion, and then the least of the rest counts: it is told too. All carry the moment at which this
observer first stored the version (O1). What was seen again and again, and nothing else there (`silent`), is told once.
For an export every revision that is kept is told: another store may know of a deletion that this one has not met.

Rows stream: memory does not grow with the store.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterator
from heapq import merge
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from radial_core.observations import Deletion, Record
from radial_io.store.errors import DamagedStoreError
from radial_io.store.moments import shown
from radial_io.store.raws import UnreadableRawError, value_of
from radial_io.store.values import Damage

if TYPE_CHECKING:
    from radial_core.observations import Observation

OnDamage = Callable[[Damage], None]

_VERSIONS: Final = """
SELECT v.row, v.place, v.rkey, v.cid, v.low, v.high, v.bare, v.silent, v.seen, v.json, v.raw,
    CASE WHEN v.low < v.high THEN (
        SELECT min(s.rev) FROM sightings AS s
        WHERE s.place = v.place AND s.rkey = v.rkey AND s.cid = v.cid
          AND s.rev > (SELECT max(d.rev) FROM deletions AS d WHERE d.place = v.place AND d.rkey = v.rkey)) END
FROM versions AS v
"""
_DELETIONS: Final = "SELECT d.row, d.place, d.rkey, d.rev, d.seen FROM deletions AS d"
_OF_SOME_VERSIONS: Final = (
    " WHERE v.row IN (SELECT row FROM versions WHERE row > ?1"
    " AND place IN (SELECT value FROM json_each(?2))) ORDER BY v.row"
)
_OF_SOME_DELETIONS: Final = " WHERE d.row > ?1 AND d.place IN (SELECT value FROM json_each(?2)) ORDER BY d.row"
_SIGHTINGS: Final = "SELECT rev FROM sightings WHERE place = ? AND rkey = ? AND cid = ?"
_PLACES: Final = "SELECT place, did, collection FROM places ORDER BY did, collection"


class Places:
    """The collections of repos, by number, and which of them are wanted."""

    def __init__(
        self, db: sqlite3.Connection, dids: Collection[str] | None, collections: Collection[str] | None
    ) -> None:
        self.is_all = dids is None and collections is None
        self.prefixes = {
            place: f"at://{did}/{collection}/"
            for place, did, collection in db.execute(_PLACES)
            if (dids is None or did in dids) and (collections is None or collection in collections)
        }


def observations(
    db: sqlite3.Connection, places: Places, after: int, on_damage: OnDamage | None
) -> Iterator[tuple[int, Observation]]:
    """Stream what is wanted by row number."""
    teller = Teller(places.prefixes, on_damage)
    if places.is_all:
        versions = db.execute(f"{_VERSIONS} WHERE v.row > ?1 ORDER BY v.row", (after,))
        deletions = db.execute(f"{_DELETIONS} WHERE d.row > ?1 ORDER BY d.row", (after,))
    else:
        wanted = (after, json.dumps(list(places.prefixes)))
        versions = db.execute(_VERSIONS + _OF_SOME_VERSIONS, wanted)
        deletions = db.execute(_DELETIONS + _OF_SOME_DELETIONS, wanted)
    told = (teller.versions(versions), teller.deletions(deletions))
    yield from merge(*told, key=itemgetter(0))


def in_order_of_uri(db: sqlite3.Connection, places: Places, on_damage: OnDamage | None) -> Iterator[Observation]:
    """Stream every sighting that is kept, by DID, collection, record key and CID."""
    teller = Teller(places.prefixes, on_damage, inner=lambda *key: [rev for (rev,) in db.execute(_SIGHTINGS, key)])
    for place in places.prefixes:
        versions = db.execute(f"{_VERSIONS} WHERE v.place = ? ORDER BY v.rkey, v.cid", (place,))
        deletions = db.execute(f"{_DELETIONS} WHERE d.place = ? ORDER BY d.rkey, d.rev", (place,))
        told = (teller.versions(versions), teller.deletions(deletions))
        for _, observation in merge(*told, key=lambda pair: pair[1].uri):
            yield observation


class Teller:
    """Turns rows into observations. `inner` gives revisions to be told besides those of the row."""

    def __init__(
        self,
        prefixes: dict[int, str],
        on_damage: OnDamage | None,
        inner: Callable[[int, str, str], list[str]] | None = None,
    ) -> None:
        self._prefixes = prefixes
        self._on_damage = on_damage
        self._inner = inner

    def versions(self, rows: Iterator[Any]) -> Iterator[tuple[int, Observation]]:
        """Tell rows of versions."""
        for row, place, rkey, cid, low, high, bare, silent, seen, is_json, raw, later in rows:
            uri = self._prefixes[place] + rkey
            try:
                value = value_of(raw, is_json=bool(is_json))
            except UnreadableRawError as fault:
                self._complain(Damage(uri, cid, str(fault)))
                continue
            seen_at = shown(seen)
            inner = (later,) if self._inner is None else self._inner(place, rkey, cid)
            revs = {rev: None for rev in (low, *sorted(rev for rev in inner if rev), high) if rev is not None}
            told = (*revs, None) if bare else tuple(revs)
            for rev in told[:1] if silent and self._inner is None else told:
                yield row, Record(uri=uri, cid=cid, value=value, rev=rev, seen_at=seen_at)

    def deletions(self, rows: Iterator[Any]) -> Iterator[tuple[int, Observation]]:
        """Tell rows of deletions."""
        for row, place, rkey, rev, seen in rows:
            yield row, Deletion(uri=self._prefixes[place] + rkey, rev=rev or None, seen_at=shown(seen))

    def _complain(self, damage: Damage) -> None:
        if self._on_damage is None:
            raise DamagedStoreError(f"{damage.uri} ({damage.cid}): {damage.reason}")
        self._on_damage(damage)
