"""Looking after a store: is it sound, is it as small as it can be, is there a copy?"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from radial_io.store.raws import UnreadableRawError, cid_in

_ALL: Final = """
SELECT did, collection, rkey, cid, json, raw FROM versions JOIN places USING (place) ORDER BY row
"""
# What the tables promise one another.
_PROMISES: Final = {
    "versions without a place": "SELECT count(*) FROM versions WHERE place NOT IN (SELECT place FROM places)",
    "deletions without a place": "SELECT count(*) FROM deletions WHERE place NOT IN (SELECT place FROM places)",
    "rows numbered twice": "SELECT count(*) FROM versions JOIN deletions USING (row)",
    "versions whose least revision is not the least": "SELECT count(*) FROM versions WHERE low > high",
    "revisions of versions that are not there": (
        "SELECT count(*) FROM sightings AS s WHERE NOT EXISTS"
        " (SELECT 1 FROM versions AS v WHERE v.place = s.place AND v.rkey = s.rkey AND v.cid = s.cid)"
    ),
    "readings of unknown sources": "SELECT count(*) FROM readings WHERE source NOT IN (SELECT source FROM sources)",
}


def faults(db: sqlite3.Connection) -> Iterator[str]:
    """Name everything that is wrong: in the file, between the tables, and in the bytes of each version (O5)."""
    try:
        yield from (f"the file: {told}" for (told,) in db.execute("PRAGMA integrity_check(20)") if told != "ok")
        for words, query in _PROMISES.items():
            (number,) = db.execute(query).fetchone()
            if number:
                yield f"{number} {words}"
        yield from _wrong_bytes(db)
    except sqlite3.DatabaseError as error:
        yield f"the file: {error}"


def _wrong_bytes(db: sqlite3.Connection) -> Iterator[str]:
    for did, collection, rkey, cid, is_json, raw in db.execute(_ALL):
        try:
            found = cid_in(raw, is_json=bool(is_json))
        except UnreadableRawError as fault:
            found = str(fault)
        if found != cid:
            yield f"at://{did}/{collection}/{rkey} ({cid}): its bytes are those of {found}"


def shrink(db: sqlite3.Connection) -> None:
    """Give free room back to the disk."""
    db.execute("VACUUM")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def copy(db: sqlite3.Connection, target: Path) -> None:
    """Write a copy, as the store stands now, into a file that is not there or empty."""
    db.execute("VACUUM INTO ?", (str(target),))
