"""Writing what is no observation: how far a source was read, accounts, repos, errors, what could not be taken."""

from __future__ import annotations

import sqlite3
from typing import Final

from radial_io.store import tables
from radial_io.store.naming import Names
from radial_io.store.values import Batch, Failure, Spoiled

_ADVANCE: Final = """
UPDATE sources SET cursor = coalesce(?2, cursor), taken = ?3, session = ?4, failure = NULL, failed = NULL
WHERE source = ?1
"""
_BREAK_OFF: Final = "UPDATE sources SET failure = ?2, failed = ?3 WHERE source = ?1"
_ACCOUNT: Final = """
INSERT INTO accounts (did, state, since) VALUES (?, ?, ?)
ON CONFLICT (did) DO UPDATE SET state = excluded.state, since = excluded.since WHERE state <> excluded.state
"""
_READ: Final = """
INSERT INTO readings (did, source, rev, root, at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (did) DO UPDATE SET at = excluded.at
"""
# A reader and a stream tell of the same repo, each when it is done: who comes late must not move it back.
_FURTHER: Final = """
UPDATE readings SET source = ?2, rev = ?3, root = ?4
WHERE did = ?1 AND (rev IS NULL OR ?3 > rev OR (?3 = rev AND (?4 IS NOT NULL OR root IS NULL)))
"""
_MENDED: Final = "DELETE FROM failures WHERE did = ? AND source = ?"
_FAILED: Final = """
INSERT INTO failures (did, source, words, at) VALUES (?, ?, ?, ?)
ON CONFLICT (did, source) DO UPDATE SET words = excluded.words, at = excluded.at
"""
_SET_ASIDE: Final = """
INSERT INTO quarantine (did, collection, rkey, cid, rev, reason, length, source, first, last, times, raw)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, 1, ?10) ON CONFLICT (did, collection, rkey, cid, reason) DO NOTHING
"""
_MET_AGAIN: Final = """
UPDATE quarantine SET times = times + 1, last = ?7, rev = coalesce(?6, rev)
WHERE did = ?1 AND collection = ?2 AND rkey = ?3 AND cid = ?4 AND reason = ?5
"""
_RELEASE: Final = """
DELETE FROM quarantine WHERE did = ?1 AND EXISTS (
    SELECT 1 FROM places JOIN versions USING (place)
    WHERE places.did = ?1 AND places.collection = quarantine.collection
      AND versions.rkey = quarantine.rkey AND versions.cid = quarantine.cid)
"""
_HELD: Final = """
SELECT 1 FROM places JOIN versions USING (place) WHERE did = ? AND collection = ? AND rkey = ? AND cid = ?
"""
_SPOILED: Final = "SELECT count(*) FROM quarantine WHERE did = ?"
_TOO_MANY: Final = f"more than {tables.MOST_SPOILED} things of this repo could not be taken: the rest is only counted"


def keep_progress(db: sqlite3.Connection, names: Names, batch: Batch, now: str, session: int) -> None:
    """Write the cursor, and what a batch says of accounts, repos and errors."""
    is_news = batch.cursor is not None or not batch.failures
    source = names.source(batch.source)
    if is_news:
        db.execute(_ADVANCE, (source, batch.cursor, now, session))
    db.executemany(_ACCOUNT, [(account.did, account.state, now) for account in batch.accounts])
    for repo in batch.repos:
        stands = (repo.did, names.source(repo.source), repo.rev, repo.root)
        db.execute(_READ, (*stands, now))
        db.execute(_FURTHER, stands)
        db.execute(_MENDED, stands[:2])
    for failure in batch.failures:
        _fail(db, names, failure, now)


def _fail(db: sqlite3.Connection, names: Names, failure: Failure, now: str) -> None:
    source, words = names.source(failure.source), _text(failure.words, tables.MOST_WORDS)
    if failure.did:
        db.execute(_FAILED, (failure.did, source, words, now))
    else:
        db.execute(_BREAK_OFF, (source, words, now))


def set_aside(db: sqlite3.Connection, names: Names, batch: Batch, now: str) -> int:
    """Write what could not be taken; give how many are new. What could be taken after all leaves the quarantine."""
    for did in {one.did for one in batch.seen}:
        db.execute(_RELEASE, (did,))
    if not batch.spoiled:
        return 0
    source = names.source(batch.source)
    dids = {_text(one.did, tables.MOST_WORDS) for one in batch.spoiled}
    room = {did: tables.MOST_SPOILED - db.execute(_SPOILED, (did,)).fetchone()[0] for did in dids}
    return sum(_set_one_aside(db, source, one, now, room) for one in batch.spoiled)


def _set_one_aside(db: sqlite3.Connection, source: int, one: Spoiled, now: str, room: dict[str, int]) -> bool:
    parts = (one.did, one.collection, one.rkey, one.cid, one.reason)
    did, *uri, reason = (_text(part or "", tables.MOST_WORDS) for part in parts)
    rev = None if one.rev is None else _text(one.rev, tables.MOST_WORDS)
    if db.execute(_HELD, (did, *uri)).fetchone() or db.execute(_MET_AGAIN, (did, *uri, reason, rev, now)).rowcount:
        return False
    if room[did] > 0:
        raw, length = bytes(one.raw[: tables.MOST_RAW]), len(one.raw)
        room[did] -= db.execute(_SET_ASIDE, (did, *uri, rev, reason, length, source, now, raw)).rowcount
    elif not db.execute(_MET_AGAIN, (did, "", "", "", _TOO_MANY, None, now)).rowcount:
        db.execute(_SET_ASIDE, (did, "", "", "", None, _TOO_MANY, 0, source, now, b""))
    return True


def _text(text: str, most: int) -> str:
    """Give a text as the database can hold it: cut, and without halves of surrogate pairs."""
    return text[:most].encode("utf-8", "backslashreplace").decode()
