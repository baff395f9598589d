"""A filing: what counts where, what is refused and why, and what the next filing has to know.

Strategy: a filing is a value of persistent maps, so that the next one shares whatever it does not change. Beside the
answers it keeps who *watches* what. A record that is refused may be judged otherwise once its anchor is there, or once
its author is a member; one that names a request of another place, once that request changes. They are filed here under
what they wait for; whatever rests on a record of its own place is found on that place's shelf.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from radial_core.persistent import PersistentMap
from radial_core.places import Holding, Register, Shelf

if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import TypeAlias

    from radial_core.entries import Entry
    from radial_core.records import Image
    from radial_core.rulings import Ruling

    # A set of URIs, changed by `watching.grown`. Nearly every one is small.
    Uris: TypeAlias = tuple[str, ...] | PersistentMap[str, bool]


class Filing(NamedTuple):
    """What counts where, and what is refused and why, by URI.

    `entries` are all records that V chose; `homes` give the place of each that counts at one, `spaces` the space of
    each place. `images` count in no place. `watchers` are by a URI, or by a DID with the space in which it is no
    member. `logs` hold the membership events of each space, `strays` the agents and images of each author, and
    `neighbours` the spaces of each member.
    """

    entries: PersistentMap[str, Entry[Any]]
    homes: PersistentMap[str, str]
    spaces: PersistentMap[str, str]
    holdings: PersistentMap[str, Holding]
    refused: PersistentMap[str, Ruling]
    images: PersistentMap[str, Entry[Image]]
    watchers: PersistentMap[Hashable, Uris]
    logs: PersistentMap[str, tuple[str, ...]]
    strays: PersistentMap[str, Uris]
    neighbours: PersistentMap[str, frozenset[str]]

    @property
    def register(self) -> Register:
        """Where everything counts."""
        return Register(self.entries, self.homes, self.spaces)

    def watchers_of(self, key: Hashable) -> Uris:
        """Give the records that wait for a URI, or for a DID to be a member of a space."""
        return self.watchers.get(key) or ()

    def spaces_of(self, did: str) -> frozenset[str]:
        """Give the spaces of which somebody is a member."""
        return self.neighbours.get(did) or frozenset()

    def holding_of(self, uri: str) -> Holding | None:
        """Give the space in which a record counts at a place."""
        space = self.register.space_of(uri)
        return None if space is None else self.holdings.get(space)

    def shelf_of(self, uri: str) -> Shelf | None:
        """Give the shelf of the place at which a record counts."""
        holding, home = self.holding_of(uri), self.homes.get(uri)
        return None if holding is None or home is None else holding.shelf(home)


NOTHING_FILED: Final = Filing(*(PersistentMap({}) for _ in Filing._fields))
