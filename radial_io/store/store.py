"""The store's face: open it, take batches, read what it holds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from radial_io.store.values import Batch, Damage, Quarantined, Repo, Source, SourceState, Stats, Taken

if TYPE_CHECKING:
    from radial_core.observations import Observation


def open_store(path: Path, *, write: bool, busy_wait: float = 0.0) -> AbstractContextManager[Store]:
    """Open the store at `path` for the block; for writing, make it if it is not there.

    One process may write; `busy_wait` is how many seconds to wait for another one to end. Readers never wait and are
    never waited for. Raises a `StoreError`: `StoreBusyError` while somebody else writes, `NewerStoreError`,
    `NoStoreError`, `DamagedStoreError`, `StoreAccessError`.
    """
    raise NotImplementedError


class Store:
    """An open store. Its methods may be called from several threads; each is one transaction of its own."""

    def take(self, batch: Batch, now: str) -> Taken:
        """Keep all of a batch and its cursor in one transaction, or nothing of it.

        `now` is the observer's own clock, a datetime: the first sighting of what is new (O1). That of a version which
        is known stays. Raises `StoreError` when nothing could be kept (disk full), `ValueError` for a caller's mistake.
        """
        raise NotImplementedError

    def cursor(self, source: Source) -> str | None:
        """Give the cursor up to which all that this source told is in the store."""
        raise NotImplementedError

    def held(self, did: str) -> dict[tuple[str, str], tuple[str, str | None]]:
        """Give what a repo holds as last seen: `{(collection, rkey): (cid, greatest rev known)}`."""
        raise NotImplementedError

    def observations(
        self,
        *,
        dids: Collection[str] | None = None,
        collections: Collection[str] | None = None,
        after: int = 0,
        on_damage: Callable[[Damage], None] | None = None,
    ) -> Iterator[tuple[int, Observation]]:
        """Stream observations with their row numbers, in ascending order, as the store stands at the first step.

        A row is one version or one deletion; it has an observation for each sighting that the fold can tell apart. A
        row that gets a sighting which may matter is numbered anew, so that `index.extend` over what comes `after` the
        last number met gives the index of the whole. A version whose bytes are damaged goes to `on_damage`, without it
        `DamagedStoreError` is raised.
        """
        raise NotImplementedError

    def last_row(self) -> int:
        """Give the greatest row number in use."""
        raise NotImplementedError

    def repo(self, did: str) -> Repo:
        """Tell what is known of a repo, also of one that was never heard of."""
        raise NotImplementedError

    def repos(self) -> tuple[Repo, ...]:
        """Tell what is known of every repo, by DID."""
        raise NotImplementedError

    def unread(self, dids: Collection[str]) -> tuple[str, ...]:
        """Give those whose repo was never read wholly: while there are any, the store is not ready for them."""
        raise NotImplementedError

    def sources(self) -> tuple[SourceState, ...]:
        """Tell how far each source was read."""
        raise NotImplementedError

    def quarantine(self, did: str | None = None) -> Iterator[Quarantined]:
        """Stream what could not be taken, by DID, collection and record key."""
        raise NotImplementedError

    def stats(self) -> Stats:
        """Count what there is."""
        raise NotImplementedError

    def meta(self, key: str) -> str | None:
        """Give a note that somebody made with `note`."""
        raise NotImplementedError

    def note(self, notes: Mapping[str, str | None]) -> None:
        """Keep notes, all or none; None takes one away."""
        raise NotImplementedError
