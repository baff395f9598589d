PRAGMA application_id = 1380009036;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE accounts (
    did TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    since TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "accounts" VALUES('did:plc:ada','active','2026-03-01T12:00:00');
CREATE TABLE deletions (
    row INTEGER PRIMARY KEY,
    place INTEGER NOT NULL REFERENCES places,
    rkey TEXT NOT NULL,
    rev TEXT NOT NULL,
    seen TEXT NOT NULL,
    UNIQUE (place, rkey, rev)
) STRICT;
INSERT INTO "deletions" VALUES(2,1,'b','3kaaaaaaaaab2','2026-03-01T12:09:00');
CREATE TABLE failures (
    did TEXT NOT NULL,
    source INTEGER NOT NULL REFERENCES sources,
    words TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (did, source)
) STRICT, WITHOUT ROWID;
CREATE TABLE notes (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "notes" VALUES('note','kept');
INSERT INTO "notes" VALUES('store.session','1');
CREATE TABLE places (
    place INTEGER PRIMARY KEY,
    did TEXT NOT NULL,
    collection TEXT NOT NULL,
    UNIQUE (did, collection)
) STRICT;
INSERT INTO "places" VALUES(1,'did:plc:ada','com.disnetdev.radial.goal');
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
INSERT INTO "quarantine" VALUES(1,'did:plc:ada','com.disnetdev.radial.goal','c','','3kaaaaaaaaaa2','no map',1,1,'2026-03-01T12:00:00','2026-03-01T12:00:00',1,X'00');
CREATE TABLE readings (
    did TEXT PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES sources,
    rev TEXT,
    root TEXT,
    at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "readings" VALUES('did:plc:ada',1,'3kaaaaaaaaaa2','bafyroot','2026-03-01T12:00:00');
CREATE TABLE sightings (
    place INTEGER NOT NULL,
    rkey TEXT NOT NULL,
    cid TEXT NOT NULL,
    rev TEXT NOT NULL,
    PRIMARY KEY (place, rkey, cid, rev)
) STRICT, WITHOUT ROWID;
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
INSERT INTO "sources" VALUES(1,'repo','https://pds.example','did:plc:ada','7','2026-03-01T12:09:00',1,NULL,NULL);
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
INSERT INTO "versions" VALUES(1,1,'a','bafyreigfqy7j4pd2mndwscktqcj5ktaahdujpwrnxjupjbsehji3mgrtx4','3kaaaaaaaaaa2','3kaaaaaaaaab2',0,1,'2026-03-01T12:00:00',0,X'A1616E01');
CREATE INDEX silent_versions ON versions (place, rkey) WHERE silent;
COMMIT;
