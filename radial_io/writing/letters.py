"""From what somebody means to what the outbox keeps, and from there to what is sent.

Strategy: everything is fixed here, before the first attempt: the place, the text of the value, its CID. The author is
the session's DID and comes from nowhere else. A value that is no atproto data, or is longer than a server takes in one
request, is refused before it is recorded. New records of one act go in one commit where they fit, so that an act is
there wholly or not at all; a batch is bounded by its bytes and by its number. What replaces a version goes alone: only
there can be said what it replaces.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from radial_core.canonical import cid_of, measure
from radial_core.jsonform import to_json
from radial_io.atproto.procedures import Procedure
from radial_io.store.outbox import Entry, Letter, Operation
from radial_io.writing.errors import TooLongError
from radial_io.writing.intents import Intent, Removal

MOST_BYTES: Final = 150 * 1024  # of one request: what the reference server reads
MOST_WRITES: Final = 200  # in one commit
PUT: Final = "com.atproto.repo.putRecord"
DELETE: Final = "com.atproto.repo.deleteRecord"
APPLY: Final = "com.atproto.repo.applyWrites"


def letters_of(intents: Iterable[Intent], did: str, act: str) -> tuple[Letter, ...]:
    """Fix what an act of this author is to write. Raises `TooLongError`; `ValueError` for no record, or one twice."""
    letters = tuple(_letter(intent, did, act) for intent in intents)
    if len({letter.uri for letter in letters}) < len(letters):
        raise ValueError("an act writes one place once")
    for letter in letters:
        length = len(request([letter]).body)
        if length > MOST_BYTES:
            raise TooLongError(f"{letter.uri} takes {length:,} bytes to send, and servers take {MOST_BYTES:,}")
    return letters


def _letter(intent: Intent, did: str, act: str) -> Letter:
    place = {"act": act, "did": did, "collection": intent.collection, "rkey": intent.rkey}
    if isinstance(intent, Removal):
        return Letter(**place, operation="delete", replaces=intent.replaces)
    value = dict(intent.value)
    misfit = measure(value)
    if misfit is not None:
        raise ValueError(str(misfit))
    operation: Operation = "create" if intent.replaces is None else "update"
    text = _text(to_json(value))
    return Letter(**place, operation=operation, cid=cid_of(value), replaces=intent.replaces, value=text)


def batches(entries: Sequence[Entry]) -> Iterator[tuple[Entry, ...]]:
    """Put together, in order, what goes in one request."""
    for (_, operation), group in groupby(entries, key=lambda entry: (entry.letter.act, entry.letter.operation)):
        run = list(group)
        yield from _bounded(run) if operation == "create" else ((entry,) for entry in run)


def _bounded(entries: Iterable[Entry]) -> Iterator[tuple[Entry, ...]]:
    batch: list[Entry] = []
    length = 0
    for entry in entries:
        bytes_more = len(_write(entry.letter).encode()) + 1
        if batch and (len(batch) == MOST_WRITES or length + bytes_more > MOST_BYTES):
            yield tuple(batch)
            batch, length = [], 0
        length = length or len(_apply(entry.letter.did, ""))
        batch.append(entry)
        length += bytes_more
    yield tuple(batch)


def request(letters: Sequence[Letter]) -> Procedure:
    """Give the request for one letter, or for several new records together."""
    if len(letters) > 1:
        return Procedure(APPLY, _apply(letters[0].did, ",".join(map(_write, letters))))
    (letter,) = letters
    place = {"repo": letter.did, "collection": letter.collection, "rkey": letter.rkey}
    if letter.operation == "delete":
        swap = {} if letter.replaces is None else {"swapRecord": letter.replaces}
        return Procedure(DELETE, _text(place | swap).encode())
    head = _text(place | {"swapRecord": letter.replaces})
    return Procedure(PUT, f'{head[:-1]},"record":{letter.value}}}'.encode())


def _apply(did: str, writes: str) -> bytes:
    return f'{{"repo":{_text(did)},"writes":[{writes}]}}'.encode()


def _write(letter: Letter) -> str:
    head = _text({"$type": f"{APPLY}#create", "collection": letter.collection, "rkey": letter.rkey})
    return f'{head[:-1]},"value":{letter.value}}}'


def _text(tree: Any) -> str:
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":"))
