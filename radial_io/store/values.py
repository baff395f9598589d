"""What adapters hand to the store, and what it tells of itself.

Strategy: an adapter knows where it reads and what it saw; it knows nothing of tables. All that it saw at one step and
the cursor that covers it travel in one `Batch`, so that both become durable together or not at all. Values here are
what the adapter vouches for: a `Seen` has been checked (O5: its CID is that of its value), what cannot be vouched for
is `Spoiled`. They check nothing themselves: twenty thousand of them are made for one repo.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

Adapter: TypeAlias = Literal["poll", "repo", "firehose", "jetstream", "jetstream2", "tap", "import", "own"]
Form: TypeAlias = Literal["cbor", "json"]
State: TypeAlias = Literal[
    "active", "deactivated", "takendown", "suspended", "deleted", "unreachable", "desynchronized", "throttled"
]


@attrs.frozen
class Source:
    """Where something is read: the key of a cursor. Cursors of two sources never mix.

    `host` is the origin (`https://pds.example`), `file` for an import, `outbox` for what was written here; `subject` is
    the DID whose repo is read there, empty for a whole stream.
    """

    adapter: Adapter
    host: str
    subject: str = ""


@attrs.frozen
class Seen:
    """A repo was seen to hold a record (O1), and the CID was found to be that of its value (O5).

    `raw` is the bytes as received: a DAG-CBOR block, or the JSON text of `value` in UTF-8; `form` says which. `rev` is
    the repo's revision then, a TID. `seen_at` is set by nobody but an import of what this same observer exported: a
    datetime, when it first stored this version; for all others that is the moment of `Store.take`.
    """

    did: str
    collection: str
    rkey: str
    cid: str
    rev: str | None
    raw: bytes
    form: Form
    seen_at: str | None = None


@attrs.frozen
class Gone:
    """A repo was seen to hold nothing there any more (O2). `seen_at` as in `Seen`."""

    did: str
    collection: str
    rkey: str
    rev: str | None
    seen_at: str | None = None


@attrs.frozen
class Spoiled:
    """Something was received that cannot be taken: what names it, as far as that is known, and the reason in words.

    `raw` is what was received of it; the store keeps its first bytes (`tables.MOST_RAW`) and its length.
    """

    did: str
    collection: str | None
    rkey: str | None
    cid: str | None
    rev: str | None
    reason: str
    raw: bytes


@attrs.frozen
class Account:
    """The state of an account, as its host or its server tells it."""

    did: str
    state: State


@attrs.frozen
class RepoState:
    """A repo was read wholly by `source`, up to revision `rev`; `root` is the CID of its tree (`data` in the commit).

    It ends an earlier failure to read that repo from that source.
    """

    did: str
    rev: str | None
    root: str | None
    source: Source


@attrs.frozen
class Failure:
    """A repo could not be read from a source: the last error, in words for a person and without secrets.

    `did` is empty when it is the source itself that failed, as a stream that broke off.
    """

    did: str
    source: Source
    words: str


@attrs.frozen(kw_only=True)
class Batch:
    """All that one step brought, and the cursor that covers it; None leaves the source's cursor as it is."""

    source: Source
    cursor: str | None = None
    seen: tuple[Seen, ...] = ()
    gone: tuple[Gone, ...] = ()
    spoiled: tuple[Spoiled, ...] = ()
    accounts: tuple[Account, ...] = ()
    repos: tuple[RepoState, ...] = ()
    failures: tuple[Failure, ...] = ()


@attrs.frozen
class Taken:
    """What a batch changed: versions that are `new`, that were `known`, deletions and spoiled things not yet there."""

    new: int = 0
    known: int = 0
    gone: int = 0
    spoiled: int = 0


@attrs.frozen
class Standing:
    """What the store last saw at one place of a repo: the version, and the greatest revision in which it was seen."""

    collection: str
    rkey: str
    cid: str
    rev: str | None


@attrs.frozen
class Repo:
    """What is known of one repo. Times are datetimes; what was never told is None.

    `read_at` is when it was last read wholly; `rev`, `root`, `source` are of the reading that went furthest, and of
    those in the same revision the last one that saw its tree. `failure` and `failed_at` are of the last error since.
    """

    did: str
    state: State | None = None
    state_since: str | None = None
    rev: str | None = None
    root: str | None = None
    source: Source | None = None
    read_at: str | None = None
    failure: str | None = None
    failed_at: str | None = None


@attrs.frozen
class SourceState:
    """How far a source was read: its cursor, when something was last taken from it, and its last error since.

    `is_live` tells whether it is being read at this moment: a writer has the store open, has taken from this source,
    and no error has come since. When it is not, how fresh the store is in this respect is unknown (RK-16.4).
    """

    source: Source
    cursor: str | None
    taken_at: str | None
    failure: str | None
    failed_at: str | None
    is_live: bool


@attrs.frozen
class Quarantined:
    """Something that could not be taken. `raw` may be cut: `length` is what was received. `times` it was met."""

    did: str
    collection: str | None
    rkey: str | None
    cid: str | None
    rev: str | None
    reason: str
    raw: bytes = attrs.field(repr=False)
    length: int
    source: Source
    first_at: str
    last_at: str
    times: int


@attrs.frozen
class Damage:
    """A stored version whose bytes do not yield its value any more: the disk, or an adapter, is at fault."""

    uri: str
    cid: str
    reason: str


@attrs.frozen
class Stats:
    """How much a store holds; sizes in bytes."""

    schema: int
    versions: int
    deletions: int
    records: int
    repos: int
    quarantined: int
    last_row: int
    size: int
    wal_size: int
    free: int
