"""One comment of a guest: fetched from the guest's own repo, proven, and judged like every other record.

Strategy: the repo proves what it holds, with a signature of the key in the guest's DID document. A document without a
usable key cannot be held to that; then the record's CID alone is checked, and the comment says so. What was fetched
counts as a comment only if it is a well-formed message (L1, L6) that names the goal that was asked about.
"""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

import attrs

from radial_core.canonical import measure
from radial_core.structure import structural_faults
from radial_io.atproto.answers import CAR
from radial_io.atproto.commits import latest_rev
from radial_io.atproto.dagcbor import decode
from radial_io.atproto.documents import Identity
from radial_io.atproto.identity import Resolver
from radial_io.atproto.keys import SigningKey
from radial_io.atproto.moving import where_it_is
from radial_io.atproto.repository import SpoiledEntry
from radial_io.atproto.single import GET_PROVEN, LONGEST_PROOF, prove_record
from radial_io.atproto.xrpc import Get, Span, XrpcClient
from radial_io.errors import quoted
from radial_io.ingest.pages import SetAside, read_item
from radial_io.viewing.backlinks import MESSAGES, Hit

_GET_RECORD: Final = "com.atproto.repo.getRecord"
_SPAN: Final = Span(longest=LONGEST_PROOF, seconds=60.0, stall=20.0)
_MOST_FAULTS: Final = 3


@attrs.frozen(kw_only=True)
class Comment:
    """What somebody outside the space said. `proven`: the guest's repo is signed to hold it."""

    uri: str
    cid: str
    guest: str
    created_at: str
    body: str
    proven: bool


class NotShownError(Exception):
    """A record that is no comment on the goal; the text says why."""


class _Held(NamedTuple):
    cid: str
    value: Any
    proven: bool


async def fetch_comment(hit: Hit, goal: str, *, client: XrpcClient, resolver: Resolver, now: str) -> Comment:
    """Fetch the comment that a hit names, on the goal with this URI.

    Raises `NotShownError` for what is no comment on it, `RadialIoError` for what cannot be fetched or is not proven.
    """

    async def attempt(identity: Identity) -> _Held:
        if identity.key is None:
            return await _unproven(hit, identity, client)
        return await _proven(hit, identity, identity.key, client, latest_rev(now))

    return _judged(hit, await where_it_is(hit.did, resolver, attempt), goal)


async def _proven(hit: Hit, identity: Identity, key: SigningKey, client: XrpcClient, latest: str) -> _Held:
    question = Get(GET_PROVEN, (("did", hit.did), ("collection", MESSAGES), ("rkey", hit.rkey)))
    raw = await client.collect(identity.pds, question, _SPAN, CAR)
    entry = prove_record(raw, hit.did, hit.path, key, latest=latest)
    if entry is None:
        raise NotShownError("is not in its author's repo, or no longer")
    if isinstance(entry, SpoiledEntry):
        raise NotShownError(entry.reason)
    return _Held(entry.cid, decode(entry.raw), proven=True)


async def _unproven(hit: Hit, identity: Identity, client: XrpcClient) -> _Held:
    question = Get(_GET_RECORD, (("repo", hit.did), ("collection", MESSAGES), ("rkey", hit.rkey)))
    body = await client.query(identity.pds, question)
    try:
        item = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise NotShownError("is not answered for with JSON that can be read") from error
    held = read_item(item, f"at://{hit.did}/{MESSAGES}/")
    if isinstance(held, SetAside):
        raise NotShownError(held.reason)
    if held.uri != hit.uri:
        raise NotShownError(f"is answered for with {held.uri}")
    return _Held(held.cid, held.value, proven=False)


def _judged(hit: Hit, held: _Held, goal: str) -> Comment:
    misfit = measure(held.value)
    if misfit is not None:  # L6, and what is no atproto data
        raise NotShownError(f"is no record: {misfit}")
    faults = structural_faults(MESSAGES, held.value)  # L1
    if faults:
        raise NotShownError("is no message: " + "; ".join(quoted(fault) for fault in faults[:_MOST_FAULTS]))
    anchor = held.value.get("goal", {}).get("uri")
    if anchor != goal:
        raise NotShownError(f"names {anchor or 'an artifact'} and not this goal")
    return Comment(
        uri=hit.uri,
        cid=held.cid,
        guest=hit.did,
        created_at=held.value["createdAt"],
        body=held.value["body"],
        proven=held.proven,
    )
