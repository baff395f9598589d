"""What a store tells of itself: repos, sources, what was set aside, how much there is."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from radial_io.store.moments import shown
from radial_io.store.opening import schema
from radial_io.store.taking import last_row
from radial_io.store.values import Failure, Quarantined, Repo, Source, SourceState, Standing, Stats

_REPOS: Final = """
WITH known (did) AS (
    SELECT did FROM places UNION SELECT did FROM accounts UNION SELECT did FROM readings UNION SELECT did FROM failures
)
SELECT known.did, accounts.state, accounts.since, readings.rev, readings.root, readings.at,
    sources.adapter, sources.host, sources.subject, failed.words, failed.at
FROM known
LEFT JOIN accounts ON accounts.did = known.did
LEFT JOIN readings ON readings.did = known.did
LEFT JOIN sources ON sources.source = readings.source
LEFT JOIN (SELECT did, words, max(at) AS at FROM failures GROUP BY did) AS failed
    ON failed.did = known.did AND (readings.at IS NULL OR failed.at >= readings.at)
"""
_FAILURES: Final = """
SELECT did, adapter, host, subject, words, at FROM failures JOIN sources USING (source) ORDER BY did, at
"""
_UNREAD: Final = """
SELECT wanted.value FROM json_each(?) AS wanted LEFT JOIN readings ON readings.did = wanted.value
WHERE readings.did IS NULL
"""
_SOURCES: Final = """
SELECT adapter, host, subject, cursor, taken, session, failure, failed FROM sources ORDER BY adapter, host, subject
"""
_QUARANTINE: Final = """
SELECT did, collection, rkey, cid, rev, reason, raw, length, adapter, host, subject, first, last, times
FROM quarantine JOIN sources USING (source) WHERE ?1 IS NULL OR did = ?1 ORDER BY did, collection, rkey, cid, entry
"""
_COUNTS: Final = """
SELECT (SELECT count(*) FROM versions), (SELECT count(*) FROM deletions),
    (SELECT count(*) FROM (SELECT place, rkey FROM versions UNION SELECT place, rkey FROM deletions)),
    (SELECT count(DISTINCT did) FROM places), (SELECT count(*) FROM quarantine)
"""
_LATEST: Final = """
SELECT collection, rkey, cid, high, seen, row FROM places JOIN versions USING (place) WHERE did = ?
"""
_LATEST_DELETED: Final = """
SELECT collection, rkey, rev, seen FROM places JOIN deletions USING (place) WHERE did = ?
"""
_KEYS: Final = """
SELECT DISTINCT rkey FROM places JOIN versions USING (place)
WHERE did = ? AND collection = ? AND rkey > ? ORDER BY rkey LIMIT ?
"""
_LATEST_BETWEEN: Final = """
SELECT rkey, cid, high, seen, row FROM places JOIN versions USING (place)
WHERE did = ? AND collection = ? AND rkey > ? AND rkey <= ?
"""
_DELETED_BETWEEN: Final = """
SELECT rkey, rev, seen FROM places JOIN deletions USING (place)
WHERE did = ? AND collection = ? AND rkey > ? AND rkey <= ?
"""


def repos(db: sqlite3.Connection, did: str | None = None) -> tuple[Repo, ...]:
    """Tell what is known of one repo, or of all by DID."""
    if did is None:
        rows = db.execute(f"{_REPOS} ORDER BY known.did")
    else:
        rows = db.execute(f"{_REPOS} WHERE known.did = ?", (did,))
    return tuple(map(_repo, rows))


def _repo(row: tuple[Any, ...]) -> Repo:
    did, state, since, rev, root, at, adapter, host, subject, words, failed = row
    source = None if adapter is None else Source(adapter, host, subject)
    return Repo(did, state, _shown(since), rev, root, source, _shown(at), words, _shown(failed))


def _shown(moment: str | None) -> str | None:
    return None if moment is None else shown(moment)


def failures(db: sqlite3.Connection) -> tuple[tuple[Failure, str], ...]:
    """Give the last error of each repo from each source, and when it was."""
    rows = db.execute(_FAILURES)
    return tuple((Failure(did, Source(*source), words), shown(at)) for did, *source, words, at in rows)


def unread(db: sqlite3.Connection, dids: Collection[str]) -> tuple[str, ...]:
    """RK-16.3: give those whose repo was never read wholly."""
    return tuple(did for (did,) in db.execute(_UNREAD, (json.dumps(list(dids)),)))


def sources(db: sqlite3.Connection, present: int | None) -> tuple[SourceState, ...]:
    """RK-16.4: tell how far each source was read, and which are live in the session of who writes at present."""
    return tuple(
        SourceState(
            Source(adapter, host, subject),
            cursor,
            _shown(taken),
            failure,
            _shown(failed),
            is_live=failure is None and taken is not None and present is not None and met == present,
        )
        for adapter, host, subject, cursor, taken, met, failure, failed in db.execute(_SOURCES)
    )


def quarantine(db: sqlite3.Connection, did: str | None) -> Iterator[Quarantined]:
    """Stream what was set aside."""
    for row in db.execute(_QUARANTINE, (did,)):
        of, collection, rkey, cid, rev, reason, raw, length, adapter, host, subject, first, last, times = row
        names = (collection or None, rkey or None, cid or None, rev)
        source = Source(adapter, host, subject)
        yield Quarantined(of, *names, reason, raw, length, source, shown(first), shown(last), times)


def held(db: sqlite3.Connection, did: str) -> dict[tuple[str, str], tuple[str, str | None]]:
    """Give what a repo holds as last seen.

    By revision, where all that was seen at a URI has one, else by the moment of its first sighting (as O3 orders).
    """
    versions = (((collection, rkey), *found) for collection, rkey, *found in db.execute(_LATEST, (did,)))
    deletions = (((collection, rkey), *found) for collection, rkey, *found in db.execute(_LATEST_DELETED, (did,)))
    return _last(versions, deletions)


def held_page(db: sqlite3.Connection, did: str, collection: str, after: str, size: int) -> tuple[Standing, ...]:
    """Give the same for one collection in the order of the record keys: some of what comes after one of them.

    Nothing is given only when there is no more.
    """
    while True:
        keys = [rkey for (rkey,) in db.execute(_KEYS, (did, collection, after, size))]
        if not keys:
            return ()
        between = (did, collection, after, keys[-1])
        last = _last(db.execute(_LATEST_BETWEEN, between), db.execute(_DELETED_BETWEEN, between))
        if last:
            return tuple(Standing(collection, rkey, *last[rkey]) for rkey in keys if rkey in last)
        after = keys[-1]


def _last(
    versions: Iterable[tuple[Any, ...]], deletions: Iterable[tuple[Any, ...]]
) -> dict[Any, tuple[str, str | None]]:
    """Give the last version at each key, where no deletion came after it, and its greatest revision."""
    gone: dict[Any, list[tuple[str, str]]] = {}
    for key, rev, seen in deletions:
        gone.setdefault(key, []).append((rev, seen))
    met: dict[Any, list[tuple[str, str, str, int]]] = {}
    for key, cid, high, seen, row in versions:
        met.setdefault(key, []).append((cid, high or "", seen, row))
    # O3: one order for all that was seen at a URI; to compare pair by pair, each in its own way, may go in a circle.
    last = {
        key: max(all_of, key=_by_rev if all(one[1] for one in all_of) else _by_moment) for key, all_of in met.items()
    }
    return {
        key: (found[0], found[1] or None)
        for key, found in last.items()
        if key not in gone or all(_is_later(found, *deletion) for deletion in gone[key])
    }


def _by_rev(found: tuple[str, str, str, int]) -> tuple[str, str]:
    return found[1], found[0]


def _by_moment(found: tuple[str, str, str, int]) -> tuple[str, int]:
    return found[2], found[3]


def _is_later(found: tuple[str, str, str, int], rev: str, seen: str) -> bool:
    """V5: later by revision where both are known, else by sighting."""
    return found[1] > rev if found[1] and rev else found[2] > seen


def stats(db: sqlite3.Connection, path: Path) -> Stats:
    """Count what there is."""
    versions, deletions, records, known, quarantined = db.execute(_COUNTS).fetchone()
    page, free = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_size", "freelist_count"))
    wal = path.with_name(path.name + "-wal")
    return Stats(
        schema=schema(db),
        versions=versions,
        deletions=deletions,
        records=records,
        repos=known,
        quarantined=quarantined,
        last_row=last_row(db),
        size=path.stat().st_size,
        wal_size=wal.stat().st_size if wal.exists() else 0,
        free=page * free,
    )
