"""An index that follows a store.

Strategy: everything is folded once; from then on only what came after the last row that was met. The index is the same
value until something is new. Reading has a connection of its own, so whoever writes is never kept waiting; a caller in
an event loop does it in a thread.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Protocol

import attrs

from radial_core import Index, materialize
from radial_io.store.values import Damage

if TYPE_CHECKING:
    from radial_core.observations import Observation


class Observed(Protocol):
    """What is asked of the store."""

    def observations(
        self,
        *,
        dids: Collection[str] | None = None,
        collections: Collection[str] | None = None,
        after: int = 0,
        on_damage: Callable[[Damage], None] | None = None,
    ) -> Iterator[tuple[int, Observation]]:
        """Stream observations with their rows."""


@attrs.define
class Tail:
    """The index of what a store holds, in some collections or in all (None), up to `row`."""

    store: Observed
    collections: Collection[str] | None = None
    on_damage: Callable[[Damage], None] | None = None
    row: int = 0
    index: Index = attrs.field(factory=lambda: materialize(()))

    def catch_up(self) -> Index:
        """Take in what is new; give the index."""
        rows = self.store.observations(collections=self.collections, after=self.row, on_damage=self.on_damage)
        met = self._met(rows)
        self.index = self.index.extend(met) if self.row else materialize(met)
        return self.index

    def _met(self, rows: Iterator[tuple[int, Observation]]) -> Iterator[Observation]:
        for row, observation in rows:
            self.row = row
            yield observation
