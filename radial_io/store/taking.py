"""Writing a batch.

Strategy: first everything that is new is inserted, at the speed of `executemany`; what was there already is left alone
by the database and counted as known. Only when something was known is a second pass made over the batch, for the
revisions that widen what is known (O4). The first sighting of a version is never moved by seeing it again; an import of
one's own export, which says when it was, can move it back in time. At last the rows are numbered anew that a reader who
has met them must meet again.

All of this is a function of the set of what was seen, whatever the batches: least and greatest, once or never.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Final

from radial_core.identifiers import is_tid
from radial_core.rules.versions import RETIRABLE
from radial_io.store.moments import kept
from radial_io.store.naming import Names
from radial_io.store.values import Batch, Gone, Seen

_INSERT: Final = """
INSERT INTO versions (row, place, rkey, cid, low, high, bare, seen, json, raw)
VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?5 IS NULL, ?6, ?7, ?8)
ON CONFLICT (place, rkey, cid) DO NOTHING
"""

# Whether anything else was seen at the URI of this version: only then is its place in an order asked for.
_IN_COMPANY: Final = """
(EXISTS (SELECT 1 FROM versions AS other
         WHERE other.place = ?1 AND other.rkey = ?2 AND other.cid <> ?3)
 OR EXISTS (SELECT 1 FROM deletions WHERE deletions.place = ?1 AND deletions.rkey = ?2))
"""

_WIDEN: Final = f"""
UPDATE versions SET
    low = min(coalesce(low, ?4), coalesce(?4, low)),
    high = max(coalesce(high, ?4), coalesce(?4, high)),
    bare = bare OR ?4 IS NULL,
    seen = min(seen, coalesce(?5, seen)),
    silent = NOT ({_IN_COMPANY} OR coalesce(?5 < seen, 0)),
    row = CASE WHEN {_IN_COMPANY} OR ?5 < seen THEN ?6 ELSE row END
WHERE place = ?1 AND rkey = ?2 AND cid = ?3
  AND (?4 < low OR ?4 > high OR (low IS NULL AND ?4 IS NOT NULL) OR (?4 IS NULL AND NOT bare) OR ?5 < seen)
"""  # noqa: S608 - nothing but our own text is in it

_SIGHT: Final = "INSERT INTO sightings (place, rkey, cid, rev) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING"

_AGAIN: Final = f"UPDATE versions SET row = ?4 WHERE place = ?1 AND rkey = ?2 AND cid = ?3 AND {_IN_COMPANY}"  # noqa: S608

_DELETE: Final = """
INSERT INTO deletions (row, place, rkey, rev, seen) VALUES (?1, ?2, ?3, coalesce(?4, ''), ?5)
ON CONFLICT DO NOTHING
"""

_DELETED_EARLIER: Final = """
UPDATE deletions SET seen = ?4, row = ?5 WHERE place = ?1 AND rkey = ?2 AND rev = coalesce(?3, '') AND ?4 < seen
"""

# What must be met again: versions whose sightings were widened unseen, now that another version stands beside them …
_NO_LONGER_ALONE: Final = """
SELECT old.row FROM versions AS new
CROSS JOIN versions AS old INDEXED BY silent_versions ON old.place = new.place AND old.rkey = new.rkey AND old.silent
WHERE new.row > ?1 AND old.row <= ?1
"""
# … and all versions at the URI of a new deletion, which decides what is told of their sightings (V5).
_NOW_DELETED: Final = """
SELECT old.row FROM deletions AS new
CROSS JOIN versions AS old ON old.place = new.place AND old.rkey = new.rkey
WHERE new.row > ?1
"""

_RENUMBER: Final = "UPDATE versions SET row = ?1, silent = 0 WHERE row = ?2"

_LAST_ROW: Final = (
    "SELECT max(coalesce((SELECT max(row) FROM versions), 0), coalesce((SELECT max(row) FROM deletions), 0))"
)


def last_row(db: sqlite3.Connection) -> int:
    """Give the greatest row number in use."""
    return int(db.execute(_LAST_ROW).fetchone()[0])


def require_revisions(batch: Batch) -> None:
    """Raise `ValueError` for a revision that is no TID: what names nothing must not order anything."""
    for rev in {one.rev for one in batch.seen} | {one.rev for one in batch.gone}:
        if rev is not None and not is_tid(rev):
            raise ValueError(f"rev must be a TID, not {rev!r}")


def take_observations(db: sqlite3.Connection, names: Names, batch: Batch, now: str) -> tuple[int, int]:
    """Write what was seen and what is gone; give how many versions and how many deletions are new."""
    before = last_row(db)
    rows = count(before + 1)
    new = _insert(db, names, batch.seen, now, rows)
    if new < len(batch.seen):
        _widen(db, names, batch.seen, now, rows)
    _sight(db, names, batch.seen, rows, all_new=new == len(batch.seen))
    gone = _delete(db, names, batch.gone, now, rows)
    _number_anew(db, before, rows)
    return new, gone


def _insert(db: sqlite3.Connection, names: Names, seen: Iterable[Seen], now: str, rows: Iterator[int]) -> int:
    place = names.place
    return db.executemany(
        _INSERT,
        (
            (
                row,
                place(one.did, one.collection),
                one.rkey,
                one.cid,
                one.rev,
                _moment(one, now),
                one.form == "json",
                one.raw,
            )
            for one, row in zip(seen, rows, strict=False)
        ),
    ).rowcount


def _widen(db: sqlite3.Connection, names: Names, seen: Iterable[Seen], now: str, rows: Iterator[int]) -> None:
    place = names.place
    db.executemany(
        _WIDEN,
        (
            (place(one.did, one.collection), one.rkey, one.cid, one.rev, _told(one, now), row)
            for one, row in zip(seen, rows, strict=False)
        ),
    )


def _sight(db: sqlite3.Connection, names: Names, seen: Iterable[Seen], rows: Iterator[int], *, all_new: bool) -> None:
    """V5: of a version that a deletion can take away, keep every revision in which it was seen."""
    sighted = [
        (names.place(one.did, one.collection), one.rkey, one.cid, one.rev)
        for one in seen
        if one.collection in RETIRABLE and one.rev is not None
    ]
    if all_new:
        db.executemany(_SIGHT, sighted)
        return
    for key in sighted:
        if db.execute(_SIGHT, key).rowcount:
            db.execute(_AGAIN, (*key[:3], next(rows)))


def _delete(db: sqlite3.Connection, names: Names, gone: Iterable[Gone], now: str, rows: Iterator[int]) -> int:
    new = 0
    for one in gone:
        place, moment = names.place(one.did, one.collection), _moment(one, now)
        if db.execute(_DELETE, (next(rows), place, one.rkey, one.rev, moment)).rowcount:
            new += 1
        elif one.seen_at is not None:
            db.execute(_DELETED_EARLIER, (place, one.rkey, one.rev, moment, next(rows)))
    return new


def _moment(one: Seen | Gone, now: str) -> str:
    """Give when it was first stored: now, or earlier if this observer itself says so."""
    return now if one.seen_at is None else min(now, kept(one.seen_at))


def _told(one: Seen, now: str) -> str | None:
    return None if one.seen_at is None else min(now, kept(one.seen_at))


def _number_anew(db: sqlite3.Connection, before: int, rows: Iterator[int]) -> None:
    found = {old for query in (_NO_LONGER_ALONE, _NOW_DELETED) for (old,) in db.execute(query, (before,))}
    db.executemany(_RENUMBER, [(next(rows), old) for old in sorted(found)])
