"""The tables, and the steps from one schema to the next.

Strategy: a version of a record is one row, written once with its bytes and the moment of its first sighting (O1). Of
the revisions in which it was seen the row keeps the least and the greatest, which is all that O4 compares. Where a
deletion takes sightings away (V5) those in between matter too: for these few kinds `sightings` has every revision.

`row` numbers versions and deletions in one ascending series. A version whose sightings change in a way that the fold
may tell apart is numbered anew; one that is the only thing ever seen at its URI is not (`silent` remembers that it
changed), because no order is asked of it: a repo that is read again and again would turn up whole each time.

A new schema is one more step at the end of `STEPS`; the steps that were released never change.
"""

from __future__ import annotations

from typing import Final

APPLICATION: Final = 0x5241444C  # "RADL": tells our files from other databases

_SCHEMA_1: Final = """
CREATE TABLE places (
    place INTEGER PRIMARY KEY,
    did TEXT NOT NULL,
    collection TEXT NOT NULL,
    UNIQUE (did, collection)
) STRICT;

CREATE TABLE versions (
    row INTEGER PRIMARY KEY,
    place INTEGER NOT NULL REFERENCES places,
    rkey TEXT NOT NULL,
    cid TEXT NOT NULL,
    low TEXT,
    high TEXT,
    bare INTEGER NOT NULL,
    silent INTEGER NOT NULL DEFAULT 0,
    seen TEXT NOT NULL,
    json INTEGER NOT NULL,
    raw BLOB NOT NULL,
    UNIQUE (place, rkey, cid)
) STRICT;
CREATE INDEX silent_versions ON versions (place, rkey) WHERE silent;

CREATE TABLE sightings (
    place INTEGER NOT NULL,
    rkey TEXT NOT NULL,
    cid TEXT NOT NULL,
    rev TEXT NOT NULL,
    PRIMARY KEY (place, rkey, cid, rev)
) STRICT, WITHOUT ROWID;

CREATE TABLE deletions (
    row INTEGER PRIMARY KEY,
    place INTEGER NOT NULL REFERENCES places,
    rkey TEXT NOT NULL,
    rev TEXT NOT NULL,
    seen TEXT NOT NULL,
    UNIQUE (place, rkey, rev)
) STRICT;

CREATE TABLE sources (
    source INTEGER PRIMARY KEY,
    adapter TEXT NOT NULL,
    host TEXT NOT NULL,
    subject TEXT NOT NULL,
    cursor TEXT,
    taken TEXT,
    session INTEGER,
    failure TEXT,
    failed TEXT,
    UNIQUE (adapter, host, subject)
) STRICT;

CREATE TABLE accounts (
    did TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    since TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE readings (
    did TEXT PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES sources,
    rev TEXT,
    root TEXT,
    at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE failures (
    did TEXT NOT NULL,
    source INTEGER NOT NULL REFERENCES sources,
    words TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (did, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE quarantine (
    entry INTEGER PRIMARY KEY,
    did TEXT NOT NULL,
    collection TEXT NOT NULL,
    rkey TEXT NOT NULL,
    cid TEXT NOT NULL,
    rev TEXT,
    reason TEXT NOT NULL,
    length INTEGER NOT NULL,
    source INTEGER NOT NULL REFERENCES sources,
    first TEXT NOT NULL,
    last TEXT NOT NULL,
    times INTEGER NOT NULL,
    raw BLOB NOT NULL,
    UNIQUE (did, collection, rkey, cid, reason)
) STRICT;

CREATE TABLE notes (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""

STEPS: Final[tuple[str, ...]] = (_SCHEMA_1,)

# Of what is set aside: the first bytes of each, and so many of each repo. A hostile repo must not fill the disk.
MOST_RAW: Final = 65_536
MOST_SPOILED: Final = 1_000
MOST_WORDS: Final = 1_000  # characters of a reason or an error
