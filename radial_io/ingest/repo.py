"""Reading a whole repo as its owner signed it: `getRepo`.

    reading = yield from read_repo(did)

Strategy: the repo comes as one CAR, which is believed whole or not at all: it has no length, blocks in any order, and
no word on what is missing, so all of it has to be there before the first record is. Then every record is an observation
in the revision that was signed, and what the store holds and the tree does not, is gone in it. A CAR that is refused
leaves everything as it was; the reason is kept in words. When only the signature is wrong, the key is looked up afresh,
once: keys are changed, and accounts move.

An interruption costs little. Until the CAR is whole nothing was done. From then on it is kept in a file, until all of
it is in the store: whoever goes on reads the file, verifies it like any other, and passes by what was written before.
If the repo has changed meanwhile, the kept one is finished first, as a sighting of what was; what is missing from it
proves nothing about today, so that is left to the new one, which is read next.

`since` is not asked for: such a CAR proves nothing by itself and shows no deletions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from radial_core.records import COLLECTIONS
from radial_io.atproto.documents import Identity
from radial_io.atproto.repository import Entry, Repository, RepositoryReader
from radial_io.atproto.xrpc import Get
from radial_io.errors import CommitError, DisprovedError, SignatureError
from radial_io.ingest.limits import Limits
from radial_io.ingest.merging import merge
from radial_io.ingest.requests import Download, Drop, Flow, NextChunk, Resolve
from radial_io.ingest.settling import Whole
from radial_io.ingest.visiting import Reading, Visit, visit
from radial_io.store.values import Seen, Source, Spoiled

GET_REPO: Final = "com.atproto.sync.getRepo"
_OURS: Final = tuple(f"{collection}/" for collection in sorted(COLLECTIONS))


def read_repo(did: str, limits: Limits | None = None) -> Flow[Reading]:
    """Look at a repo; read it whole if it changed. Never raises for what servers do."""
    limits = limits or Limits()

    def read(seen: Visit) -> Flow[Reading]:
        if _is_proven(seen):
            return Reading(did=seen.did, source=seen.source, how="unchanged", rev=seen.head)
        return (yield from read_whole(seen, limits))

    return (yield from visit(did, "repo", read))


def _is_proven(seen: Visit) -> bool:
    """Tell whether a stream has followed the signed repo up to its head."""
    stands = seen.repo.source is not None and seen.repo.source.adapter in {"repo", "firehose"}
    return stands and seen.head is not None and seen.repo.rev == seen.head and seen.repo.failure is None


def read_whole(seen: Visit, limits: Limits, note: str = "") -> Flow[Reading]:
    """Read a repo whole. `note` says why, if that is for a reader. Raises `RadialIoError` when it cannot be had."""
    kept = yield from _read_once(seen, limits)
    reading = (yield from _read_once(seen, limits)) if kept is None or kept.rev is None else kept
    if reading is None or reading.rev is None:
        raise CommitError(f"{seen.identity.pds} gives revision after revision of {seen.did}, none of them the latest")
    return Reading(
        did=seen.did,
        source=seen.source,
        how="read",
        rev=reading.rev,
        taken=reading.taken,
        words=(note,) if note else (),
    )


def _read_once(seen: Visit, limits: Limits) -> Flow[Reading | None]:
    """Read what is kept, or else the server's answer. None for something kept that was no use.

    The `rev` of the result is None when it was read and is not how the repo is now.
    """
    question = Get(GET_REPO, (("did", seen.did),))
    is_kept: bool = yield Download(seen.identity.pds, question, limits.download, seen.did)
    try:
        with RepositoryReader(_OURS, limits.repository) as reader:
            chunk: bytes | None
            while (chunk := (yield NextChunk())) is not None:
                reader.feed(chunk)
            repository = yield from _verified(reader, seen)
            reading = yield from _settle(repository, seen, limits, is_kept=is_kept)
    except DisprovedError:
        yield Drop(seen.did)
        if is_kept:
            return None
        raise
    yield Drop(seen.did)
    return reading


def _verified(reader: RepositoryReader, seen: Visit) -> Flow[Repository]:
    """Verify with the key that is known; when that did not sign, with the one that is named now."""
    identity = seen.identity
    if identity.key is not None:
        try:
            return reader.verify(seen.did, identity.key, latest=seen.latest)
        except SignatureError:
            pass
    fresh: Identity = yield Resolve(seen.did, fresh=True)
    if fresh.key is None:
        raise CommitError(f"the document of {seen.did} names no key: nothing that is signed can be verified")
    return reader.verify(seen.did, fresh.key, latest=seen.latest)


def _settle(repository: Repository, seen: Visit, limits: Limits, *, is_kept: bool) -> Flow[Reading]:
    commit = repository.commit
    is_older = seen.cursor is not None and commit.rev < seen.cursor
    is_latest = commit.rev == seen.head if is_kept else not is_older
    whole = Whole(
        did=seen.did,
        source=seen.source,
        rev=commit.rev,
        root=str(commit.data),
        found=_found(repository, seen.did),
        by=Source("repo", seen.identity.pds, seen.did),
        is_latest=is_latest,
    )
    taken = yield from merge(whole, limits)
    if is_older and not is_kept:
        raise CommitError(f"{seen.identity.pds} is back at revision {commit.rev} of {seen.did}, from {seen.cursor}")
    return Reading(did=seen.did, source=seen.source, how="read", rev=commit.rev if is_latest else None, taken=taken)


def _found(repository: Repository, did: str) -> Iterator[Seen | Spoiled]:
    rev = repository.commit.rev
    for entry in repository.entries():
        if isinstance(entry, Entry):
            yield Seen(did, entry.collection, entry.rkey, entry.cid, rev, entry.raw, "cbor")
        else:
            yield Spoiled(did, entry.collection, entry.rkey, entry.cid, rev, entry.reason, entry.raw)
