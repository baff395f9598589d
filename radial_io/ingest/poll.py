"""Reading a repo by asking again and again: `listRecords`.

    reading = yield from poll_repo(did)                  # once
    yield from keep_polling(did, pace)                   # for ever

Strategy: a listing is no snapshot and is not signed. It is taken when the repo's head was the same before and after it,
so that every version in it was seen in that revision; a label that is only a bound could tie with what a stream saw, or
outrun it (O3). What a listing cannot tell for certain, the signed repo is read for instead (`repo.read_whole`): when
the head kept moving, when a collection or a record could not be read, when the server tells no revision or an older one
than before, and when nothing at all is left of what was there. Only when that cannot be had either is the listing taken
for what it is: what it shows was there, and nothing is missing.

A record that is missing from a whole listing is gone, in that revision. Of what is known already nothing is kept in
memory but where it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final, NoReturn

import attrs

from radial_core.canonical import encode
from radial_core.identifiers import record_parts
from radial_core.instants import parse_instant
from radial_io.atproto.retries import Patience
from radial_io.errors import LimitError, RadialIoError, UnreachableError
from radial_io.ingest.limits import Limits
from radial_io.ingest.listing import Listing, Questions, list_repo
from radial_io.ingest.pages import SetAside
from radial_io.ingest.repo import read_whole
from radial_io.ingest.requests import Ask, Flow, HeldOf, Now, Pause, Take
from radial_io.ingest.settling import Found, Held, Whole, settle
from radial_io.ingest.visiting import Reading, Visit, visit
from radial_io.store.values import Batch, Failure, Seen, Spoiled

_MOST_KEPT: Final = 65_536  # bytes of what is set aside


def poll_repo(did: str, limits: Limits | None = None) -> Flow[Reading]:
    """Look at a repo once; read it if it changed. Never raises for what servers do."""
    limits = limits or Limits()

    def read(seen: Visit) -> Flow[Reading]:
        return (yield from _read(seen, limits))

    return (yield from visit(did, "poll", read))


def _read(seen: Visit, limits: Limits) -> Flow[Reading]:
    held: Held = yield HeldOf(seen.did)
    doubt = _doubt_before(seen)
    listing: Listing | None = None
    if not doubt:
        known = {f"at://{seen.did}/{collection}/{rkey}": cid for (collection, rkey), (cid, _) in held.items()}
        fewer = attrs.evolve(limits, relistings=limits.relistings - 1)  # there is something better than a last try
        listing = yield from _put(list_repo(seen.did, limits=fewer, known=known), seen.identity.pds, limits)
        doubt = _doubt(listing, seen, held)
        if not doubt:
            return (yield from _take(listing, seen, limits))
    try:
        return (yield from read_whole(seen, limits, note=doubt))
    except RadialIoError as error:
        if listing is None or listing.rev is None or listing.rev > seen.latest:
            error.add_note(doubt)
            raise
        return (yield from _take_part(listing, seen, limits, (doubt, error.explained())))


def _doubt_before(seen: Visit) -> str:
    """Say why a listing would tell too little; empty when it may tell enough."""
    if seen.head is None:
        return "the server tells no revision of the repo"
    if seen.cursor is not None and seen.head < seen.cursor:
        return f"the server is back at revision {seen.head}, from {seen.cursor}"
    return ""


def _doubt(listing: Listing, seen: Visit, held: Held) -> str:
    """Say why a listing is not enough; empty when it is."""
    if listing.faults:
        return listing.faults[0]
    if listing.rev is None:
        return listing.notes[0]
    if listing.rev > seen.latest:
        return f"revision {listing.rev} is in the future"
    if listing.set_aside:
        return f"{listing.set_aside[0].uri}: {listing.set_aside[0].reason}"
    if held and not listing.held and not listing.unchanged:
        return "nothing is listed of what was there"
    return ""


def _take(listing: Listing, seen: Visit, limits: Limits) -> Flow[Reading]:
    """Write a listing that is whole."""
    rev = listing.rev or ""
    whole = Whole(did=seen.did, source=seen.source, rev=rev, root=None, found=_found(listing, rev))
    taken = yield from settle(whole, limits)
    return Reading(did=seen.did, source=seen.source, how="read", rev=rev, taken=taken)


def _take_part(listing: Listing, seen: Visit, limits: Limits, words: tuple[str, ...]) -> Flow[Reading]:
    """Write what a listing shows, and why it is not all."""
    rev = listing.rev or ""
    found = _found(listing, rev)
    whole = Whole(did=seen.did, source=seen.source, rev=rev, root=None, found=found, is_latest=False)
    taken = yield from settle(whole, limits)
    yield Take(Batch(source=seen.source, failures=(Failure(seen.did, seen.source, "; ".join(words)),)))
    return Reading(did=seen.did, source=seen.source, how="failed", taken=taken, words=words)


def _found(listing: Listing, rev: str) -> Iterator[Found]:
    for uri in listing.unchanged:
        if (parts := record_parts(uri)) is not None:
            yield parts[1], parts[2]
    for held in listing.held:
        if (parts := record_parts(held.uri)) is not None:
            yield Seen(*parts, held.cid, rev, encode(held.value), "cbor")
    for aside in listing.set_aside:
        yield _spoiled(aside, listing.did, rev)


def _spoiled(aside: SetAside, did: str, rev: str) -> Spoiled:
    parts = record_parts(aside.uri)
    collection, rkey = (parts[1], parts[2]) if parts is not None and parts[0] == did else (None, None)
    return Spoiled(did, collection, rkey, aside.cid, rev, aside.reason, b"")


def _put(questions: Questions[Listing], server: str, limits: Limits) -> Flow[Listing]:
    """Put questions to one server, within the bounds of bytes and seconds for one repo."""
    taken = 0
    start = parse_instant((yield Now())).seconds
    try:
        question = next(questions)
        while True:
            try:
                if parse_instant((yield Now())).seconds - start > limits.seconds:
                    raise UnreachableError(server, f"its {limits.seconds:.0f} s for this repo are over")
                if taken >= limits.bytes:
                    raise LimitError(server, f"the limit of {limits.bytes} bytes for this repo was reached")
                body: bytes = yield Ask(server, question)
            except RadialIoError as error:
                question = questions.throw(error)
            else:
                taken += len(body)
                question = questions.send(body)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]


@attrs.frozen(kw_only=True)
class Pace:
    """How often a repo is looked at: every `interval` seconds; more rarely after failures, up to `longest`."""

    interval: float = 30.0
    longest: float = 1800.0

    def first(self, did: str) -> float:
        """Give the seconds to wait before the first look: repos are spread evenly over the interval, by their DIDs."""
        return self.interval * share(did, 0)

    def next(self, did: str, turn: int, failures: int) -> float:
        """Give the seconds to wait after look number `turn`, the last `failures` of which failed."""
        patience = Patience(first_wait=2 * self.interval, longest_own_wait=max(self.interval, self.longest))
        if failures:
            return patience.wait(failures, None, share(did, turn))
        return self.interval * (0.9 + share(did, turn) / 5)


def share(did: str, turn: int) -> float:
    """Give a number from 0 to 1 that looks random and is the same for everybody."""
    return int.from_bytes(hashlib.sha256(f"{did} {turn}".encode()).digest()[:6]) / 2**48


def keep_polling(did: str, pace: Pace, limits: Limits | None = None) -> Flow[NoReturn]:
    """Look at a repo for as long as the generator lives."""
    turn = failures = 0
    yield Pause(pace.first(did))
    while True:
        reading = yield from poll_repo(did, limits)
        turn += 1
        failures = failures + 1 if reading.how == "failed" else 0
        yield Pause(pace.next(did, turn, failures))
