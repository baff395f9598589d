"""One's own records, on their way from the outbox into the store; and for readers while they are not there yet.

Strategy: what the server confirmed was seen by us: it is an observation (O1) like any other, and what was already known
changes nothing. If nobody else writes to the store it is taken at once. A watcher meets the record by itself; until
then whoever reads is told of it beside the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from radial_core.jsonform import parse_json
from radial_core.observations import Deletion, Record
from radial_io.store.errors import StoreBusyError
from radial_io.store.outbox import Entry, Outbox, peek_outbox
from radial_io.store.store import Store, open_store
from radial_io.store.values import Batch, Gone, Seen, Source

if TYPE_CHECKING:
    from radial_core.observations import Observation

_HOST: Final = "outbox"


def own_writes(store: Path) -> tuple[Observation, ...]:
    """Tell what this machine has written that the store may not hold yet. Raises `StoreError`."""
    return tuple(_observation(entry) for entry in peek_outbox(store) if entry.state == "written")


def waiting_writes(store: Path, did: str) -> tuple[str, ...]:
    """Give the URIs of what an account has meant to write and is still to be sent, in order. Raises `StoreError`."""
    return tuple(
        entry.letter.uri for entry in peek_outbox(store) if entry.state == "pending" and entry.letter.did == did
    )


def meant_records(store: Path, did: str) -> tuple[Record, ...]:
    """Give the new records that an account has meant to write and that are still to be sent. Raises `StoreError`."""
    return tuple(
        Record(uri=entry.letter.uri, cid=entry.letter.cid, value=parse_json(entry.letter.value))
        for entry in peek_outbox(store)
        if entry.state == "pending" and entry.letter.did == did and entry.letter.operation == "create"
        if entry.letter.cid is not None and entry.letter.value is not None
    )


def bring_home(outbox: Outbox, store: Path, now: str) -> None:
    """Take what was written into the store, unless somebody else writes to it, and let go of what it holds.

    Raises `StoreError` for a store that cannot be used.
    """
    written = outbox.entries(state="written")
    if not written:
        return
    try:
        with open_store(store, write=True) as shelf:
            for did, entries in _by_author(written).items():
                shelf.take(_batch(did, entries), now)
    except StoreBusyError:
        with open_store(store, write=False) as shelf:
            outbox.drop(_held(written, shelf))
    else:
        outbox.drop(written)


def _by_author(entries: Iterable[Entry]) -> Mapping[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.letter.did, []).append(entry)
    return found


def _batch(did: str, entries: Iterable[Entry]) -> Batch:
    told = [_told(entry) for entry in entries]
    return Batch(
        source=Source("own", _HOST, did),
        seen=tuple(one for one in told if isinstance(one, Seen)),
        gone=tuple(one for one in told if isinstance(one, Gone)),
    )


def _told(entry: Entry) -> Seen | Gone:
    letter = entry.letter
    if letter.cid is None or letter.value is None:
        return Gone(letter.did, letter.collection, letter.rkey, entry.rev)
    return Seen(
        letter.did, letter.collection, letter.rkey, letter.cid, entry.rev, letter.value.encode(), "json", entry.ended
    )


def _held(entries: Iterable[Entry], shelf: Store) -> list[Entry]:
    """Give those that the store knows of, or has gone beyond."""
    held = {did: shelf.held(did) for did in {entry.letter.did for entry in entries}}
    return [entry for entry in entries if _is_known(entry, held[entry.letter.did])]


def _is_known(entry: Entry, held: Mapping[tuple[str, str], tuple[str, str | None]]) -> bool:
    cid, rev = held.get((entry.letter.collection, entry.letter.rkey), (None, None))
    is_later = rev is not None and entry.rev is not None and rev > entry.rev
    return cid == entry.letter.cid or is_later


def _observation(entry: Entry) -> Observation:
    letter = entry.letter
    seen: dict[str, Any] = {"rev": entry.rev, "seen_at": entry.ended}
    if letter.cid is None or letter.value is None:
        return Deletion(uri=letter.uri, **seen)
    return Record(uri=letter.uri, cid=letter.cid, value=parse_json(letter.value), **seen)
