"""Batches made by hand."""

from __future__ import annotations

import json
from typing import Any, Final

from radial_core.canonical import encode
from radial_core.identifiers import record_parts
from radial_core.jsonform import from_json
from radial_io.store.values import Batch, Gone, Seen, Source
from tests.oracle.canonical import cid_of

ADA: Final = "did:plc:ada"
BEN: Final = "did:plc:ben"
GOAL: Final = "com.disnetdev.radial.goal"
CLAIM: Final = "com.disnetdev.radial.claim"
REPO: Final = Source("repo", "https://pds.example", ADA)
STREAM: Final = Source("firehose", "https://relay.example")
REV_1, REV_2, REV_3, REV_4, REV_5, REV_6 = (f"3kaaaaaaaaa{place}2" for place in "abcdef")
NOON, LATER, LATEST = "2026-03-01T12:00:00Z", "2026-03-01T12:09:00Z", "2026-03-01T13:00:00Z"


def seen(
    value: Any,
    rkey: str = "a",
    rev: str | None = REV_1,
    *,
    did: str = ADA,
    collection: str = GOAL,
    form: str = "cbor",
    seen_at: str | None = None,
) -> Seen:
    """Make what an adapter hands over for a value in JSON form."""
    raw = encode(from_json(value)) if form == "cbor" else json.dumps(value).encode()
    return Seen(did, collection, rkey, cid_of(value), rev, raw, "cbor" if form == "cbor" else "json", seen_at)


def gone(rkey: str = "a", rev: str | None = REV_2, *, did: str = ADA, collection: str = GOAL) -> Gone:
    """Make a deletion."""
    return Gone(did, collection, rkey, rev)


def batch(*items: Seen | Gone, source: Source = REPO, cursor: str | None = None) -> Batch:
    """Make a batch."""
    return Batch(
        source=source,
        cursor=cursor,
        seen=tuple(item for item in items if isinstance(item, Seen)),
        gone=tuple(item for item in items if isinstance(item, Gone)),
    )


def handed_over(observation: dict[str, Any], form: str = "cbor") -> Seen | Gone | None:
    """Turn an observation in wire form into what an adapter would hand over; None for a URI that no repo can have."""
    parts = record_parts(observation["uri"])
    if parts is None:
        return None
    did, collection, rkey = parts
    if "value" not in observation:
        return gone(rkey, observation.get("rev"), did=did, collection=collection)
    return seen(observation["value"], rkey, observation.get("rev"), did=did, collection=collection, form=form)
