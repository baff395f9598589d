"""From a whole reading of one repo to batches for the store.

Strategy: only what is news is written. A record is none when its version was the last one seen there, in this revision
or an earlier one; any other sighting may matter to the order of versions (O3), also an old one. What the store holds
and the reading has not met is gone (O2), in the revision that was read; not so where the store saw it in a later one.
Batches are of bounded size, and the last one alone carries the cursor and says that the repo was read wholly: a reading
that is cut off half-way begins anew, and what was written of it is no news then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

import attrs

from radial_core.records import COLLECTIONS
from radial_io.ingest.limits import Limits
from radial_io.ingest.requests import Flow, HeldOf, RepoOf, Take
from radial_io.store.values import Account, Batch, Gone, Repo, RepoState, Seen, Source, Spoiled, Taken

Place: TypeAlias = tuple[str, str]
Held: TypeAlias = Mapping[Place, tuple[str, str | None]]
Found: TypeAlias = Seen | Spoiled | Place  # a place alone: what is there is what the store holds already


@attrs.frozen(kw_only=True)
class Whole:
    """A reading: all that a repo held in `rev`. `root` is the CID of its tree, if it was seen.

    `source` is whose cursor it moves; `by` is the source that could tell it, when that is another one.
    `is_latest` tells whether this is how the repo is now: only then does what is missing count as gone, and only then
    is the repo said to be read up to there.
    """

    did: str
    source: Source
    rev: str
    root: str | None
    found: Iterable[Found]
    by: Source | None = None
    is_latest: bool = True


def settle(whole: Whole, limits: Limits) -> Flow[Taken]:
    """Write a whole reading. Gives what changed."""
    held: Held = yield HeldOf(whole.did)
    met: set[Place] = set()
    total = Taken()
    for batch in _batches(_news(whole, held, met), whole.source, limits):
        total = added(total, (yield Take(batch)))
    if not whole.is_latest:
        return total
    gone = [Gone(whole.did, *place, whole.rev) for place in sorted(_missing(whole, held, met))]
    for start in range(limits.batch, len(gone) + 1, limits.batch):
        batch = Batch(source=whole.source, gone=tuple(gone[start - limits.batch : start]))
        total = added(total, (yield Take(batch)))
    rest = gone[len(gone) - len(gone) % limits.batch :]
    repo: Repo = yield RepoOf(whole.did)
    return added(total, (yield Take(last_batch(whole, tuple(rest), repo))))


def added(one: Taken, other: Taken) -> Taken:
    """Add up what two batches changed."""
    return Taken(*(getattr(one, name) + getattr(other, name) for name in ("new", "known", "gone", "spoiled")))


def _news(whole: Whole, held: Held, met: set[Place]) -> Iterator[Seen | Spoiled]:
    """Give what the store has to be told; fill `met` with all places where something is."""
    for found in whole.found:
        if isinstance(found, tuple):
            met.add(found)
            continue
        if found.collection is not None and found.rkey is not None:
            met.add((found.collection, found.rkey))
        if isinstance(found, Spoiled) or not _is_known(found, held):
            yield found


def _is_known(seen: Seen, held: Held) -> bool:
    cid, rev = held.get((seen.collection, seen.rkey), (None, None))
    return cid == seen.cid and rev is not None and seen.rev is not None and rev <= seen.rev


def _missing(whole: Whole, held: Held, met: set[Place]) -> Iterator[Place]:
    for place, (_, rev) in held.items():
        if place not in met and place[0] in COLLECTIONS and (rev is None or rev < whole.rev):
            yield place


def _batches(news: Iterable[Seen | Spoiled], source: Source, limits: Limits) -> Iterator[Batch]:
    """Gather news into batches of bounded number and size; the cursor stays where it is."""
    gathered: list[Seen | Spoiled] = []
    size = 0
    for item in news:
        gathered.append(item)
        size += len(item.raw)
        if len(gathered) >= limits.batch or size >= limits.batch_bytes:
            yield _batch(gathered, source)
            gathered, size = [], 0
    if gathered:
        yield _batch(gathered, source)


def _batch(items: Iterable[Seen | Spoiled], source: Source) -> Batch:
    items = tuple(items)
    seen = tuple(item for item in items if isinstance(item, Seen))
    return Batch(source=source, seen=seen, spoiled=tuple(item for item in items if isinstance(item, Spoiled)))


def last_batch(whole: Whole, gone: tuple[Gone, ...], repo: Repo) -> Batch:
    """Make the batch that says how far the repo was read."""
    state = standing(repo, RepoState(whole.did, whole.rev, whole.root, whole.by or whole.source))
    account = Account(whole.did, "active")
    return Batch(source=whole.source, cursor=whole.rev, gone=gone, accounts=(account,), repos=(state,))


def standing(repo: Repo, state: RepoState) -> RepoState:
    """Give the further of two states: a stream may have followed the repo beyond what a reading found."""
    if repo.rev is None or repo.source is None or state.rev is None or repo.rev <= state.rev:
        return state
    return RepoState(repo.did, repo.rev, repo.root, repo.source)
