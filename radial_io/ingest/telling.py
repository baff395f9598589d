"""What a host tells without proof: Jetstream and Tap send records as JSON, without the author's signature.

Strategy: the CID can be checked, for the value is there: it is encoded and hashed, and the canonical bytes are what is
kept, the same that the repo holds. Everything else is the host's word, so a host is chosen, not found: it could invent
a record, or hold one back. The repos are read and verified every now and then (`Reread`), which finds what a host held
back; `ASSURANCE` is what a status says of each way until then.

JSON does not carry every value faithfully: byte strings and links have spellings that are read as something else. Where
the CID does not fit and there is such a thing in it, nobody is to blame and the repo is read; else the record is set
aside with the reason, and the repo is read too.

Whom a space trusts is not for a host to say. A space, a grant and a removal count for ever once they are seen (V5), so
a host that invents one could let anybody in, and no later reading would undo it. What it tells of these three kinds,
deletions too, is a hint and nothing more: the repo is read, and what its author signed is taken. A hint that is lost
with the process costs nothing, because every repo is looked at when a stream begins.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import attrs

from radial_core.canonical import CanonicalError, cid_of_bytes, encode
from radial_core.identifiers import is_did, is_nsid, is_record_key, is_tid
from radial_core.jsonform import JsonError, from_json
from radial_core.records import COLLECTIONS
from radial_io.errors import quoted
from radial_io.ingest.attending import StreamFlow
from radial_io.ingest.listing import TRUST
from radial_io.ingest.proving import Taking, take_account
from radial_io.store.values import Adapter, Gone, Seen, Spoiled, State

_UNVERIFIED: Final = "unverified until the repo is read whole; spaces, grants and removals from the repo alone"
ASSURANCE: Final[Mapping[Adapter, str]] = {
    "poll": "as its server lists it, every CID checked; not proven complete",
    "repo": "signed by its author and complete",
    "firehose": "signed by its author",
    "jetstream": f"as the Jetstream host tells it: {_UNVERIFIED}",
    "jetstream2": f"as the Jetstream host tells it: {_UNVERIFIED}",
    "tap": f"as Tap tells it: {_UNVERIFIED}",
    "import": "as another observer wrote it down",
}
_LOSSY: Final = frozenset({"$bytes", "$link"})
_ACTIONS: Final = frozenset({"create", "update", "delete"})


@attrs.frozen
class Change:
    """A record was created, updated or deleted. `tree` is its parsed JSON, None where none was sent."""

    did: str
    collection: str
    rkey: str
    action: str
    rev: str
    cid: str | None
    tree: Any = attrs.field(repr=False)


@attrs.frozen
class AccountChange:
    """An account is in a state now."""

    did: str
    state: State


@attrs.frozen
class IdentityChange:
    """The document of a DID may have changed."""

    did: str


@attrs.frozen
class NewState:
    """A repo was set to a new state, in which nobody tells what."""

    did: str


@attrs.frozen
class Unusable:
    """A message, or an event, that cannot be used; `did` where it could be made out."""

    reason: str
    did: str | None = None


Told: TypeAlias = Change | AccountChange | IdentityChange | NewState | Unusable


def parse_object(text: str) -> dict[str, Any] | None:
    """Parse one JSON object; nothing when it is none, or nested too deep."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None


def did_in(fields: Mapping[str, Any]) -> str | None:
    """Give the DID that an event names, if it does."""
    did = fields.get("did")
    return did if isinstance(did, str) and is_did(did) else None


def read_change(fields: Mapping[str, Any], did: str, action: object, latest: str) -> Change | Unusable:
    """Read the fields that all hosts have in common. `latest` is the greatest rev that is not in the future."""
    collection, rkey, rev, cid = (fields.get(name) for name in ("collection", "rkey", "rev", "cid"))
    tests = {
        "collection": isinstance(collection, str) and is_nsid(collection),
        "rkey": isinstance(rkey, str) and is_record_key(rkey),
        "rev": isinstance(rev, str) and is_tid(rev) and rev <= latest,
        "action": isinstance(action, str) and action in _ACTIONS,
        "cid": cid is None or isinstance(cid, str),
    }
    wrong = [name for name, is_right in tests.items() if not is_right]
    if wrong:
        return Unusable(f"an event whose {' and '.join(wrong)} cannot be used", did)
    return Change(did, str(collection), str(rkey), str(action), str(rev), cid, fields.get("record"))


def take_told(told: Told, text: str, followed: frozenset[str], taking: Taking, quarantine: int) -> StreamFlow[None]:
    """Take what was told of a followed repo. `text` is the message it came in, for the quarantine."""
    if told.did is not None and told.did not in followed:
        return
    match told:
        case Change(collection=collection) if collection in COLLECTIONS:
            _take_change(told, taking, _bounded(text, quarantine))
        case AccountChange(did, state):
            yield from take_account(did, state, taking)
        case IdentityChange(did):
            taking.moved.add(did)
        case NewState(did):
            taking.doubt(did, "its host set it to a new state")
        case Unusable(reason, did):
            taking.spoiled.append(Spoiled(did or "", None, None, None, None, reason, _bounded(text, quarantine)))
            taking.doubt_all(followed if did is None else {did}, reason)


def _bounded(text: str, length: int) -> bytes:
    return text[:length].encode(errors="replace")[:length]


def _take_change(change: Change, taking: Taking, raw: bytes) -> None:
    if change.collection in TRUST:
        taking.doubt(change.did, "a stream without proof hints at a space, a grant or a removal")
        return
    if change.action == "delete":
        taking.gone.append(Gone(change.did, change.collection, change.rkey, change.rev))
        return
    if change.cid is None or change.tree is None:
        taking.doubt(change.did, "a record was told without its content")
        return
    canonical, reason = _canonical(change.tree, change.cid)
    if canonical is not None:
        seen = Seen(change.did, change.collection, change.rkey, change.cid, change.rev, canonical, "cbor")
        taking.seen.append(seen)
        return
    taking.doubt(change.did, reason)
    if not _holds_lossy(change.tree):
        cid = quoted(change.cid)
        taking.spoiled.append(Spoiled(change.did, change.collection, change.rkey, cid, change.rev, reason, raw))


def _canonical(tree: Any, cid: str) -> tuple[bytes | None, str]:
    """Give the canonical bytes of a record, or the reason why these are not of this CID (O5)."""
    try:
        raw = encode(from_json(tree))
    except (JsonError, CanonicalError) as fault:
        return None, quoted(fault)
    computed = cid_of_bytes(raw)
    return (raw, "") if computed == cid else (None, f"its cid is not that of its value, which is {computed}")


def _holds_lossy(tree: Any) -> bool:
    """Tell whether there is a byte string or a link anywhere in it."""
    waiting = [tree]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            if not _LOSSY.isdisjoint(item):
                return True
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
    return False
