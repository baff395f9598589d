"""Agents and images: records that stand in no place, and belong to every space of their author (T7, M4, M5).

Strategy: whether such a record counts is a matter of its author alone. So authors are looked at, not records: those who
became or ceased to be members, with all that they wrote of these kinds, and those who wrote something new. A profile is
shown in the spaces of its author; an image is listed and shown nowhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from radial_core.entries import in_order
from radial_core.persistent import Draft
from radial_core.records import Agent, Image
from radial_core.rulings import Ruling
from radial_core.watching import grown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from radial_core.entries import Entry
    from radial_core.filing import Filing, Uris
    from radial_core.shelving import Shelving


class Straying:
    """What becomes of agents and images in one filing; `before` is the last one."""

    def __init__(
        self,
        before: Filing,
        entries: Draft[str, Entry[Any]],
        refused: Draft[str, Ruling],
        shelving: Shelving,
    ) -> None:
        self.before = before
        self.entries = entries
        self.refused = refused
        self.shelving = shelving
        self.images = Draft(before.images)
        self.neighbours = Draft(before.neighbours)
        self.moved: dict[str, dict[str, bool | None]] = {}  # by author, what came (`True`) and what went
        self.joined: dict[str, dict[str, bool]] = {}  # by DID, the spaces that it joined or left
        self.strays = before.strays

    def note_members(self, space: str, before: set[str], now: set[str]) -> None:
        """Remember who became a member of a space, and who ceased to be one."""
        for did in now ^ before:
            self.joined.setdefault(did, {})[space] = did in now

    def note(self, entry: Entry[Any]) -> None:
        """Remember that a record is new, or differs from what it was."""
        self.moved.setdefault(entry.did, {})[entry.uri] = True

    def drop(self, entry: Entry[Any]) -> None:
        """Forget a record of which no version is left (V5)."""
        self.moved.setdefault(entry.did, {})[entry.uri] = None
        self.refused.put(entry.uri, None)

    def judge(self) -> None:
        """T7: a record counts when its author is a member of some space."""
        for did, spaces in self.joined.items():
            left = {space for space, is_member in spaces.items() if not is_member}
            now = (self.before.spaces_of(did) | spaces.keys()) - left
            self.neighbours.put(did, frozenset(now) or None)
        self.strays = grown(self.before.strays, self.moved)
        for did in {*self.moved, *self.joined}:
            is_member = self.neighbours.get(did) is not None
            uris = self._written_by(did) if did in self.joined else self.moved[did]
            for entry in self._found(uris):
                self._judge_one(entry, is_member=is_member)
        self._show_agents()

    def _judge_one(self, entry: Entry[Any], *, is_member: bool) -> None:
        self.refused.put(entry.uri, None if is_member else _homeless(entry.did))
        if entry.record.__class__ is Image:
            self.images.put(entry.uri, entry if is_member else None)

    def _show_agents(self) -> None:
        """Let the spaces of everybody who has other profiles or other spaces than before show those."""
        shown: dict[str, list[Entry[Agent]]] = {}
        touched: set[str] = set()
        for did in {*self.moved, *self.joined}:
            profiles = self._touched_profiles(did)
            touched |= profiles
            now = self.neighbours.get(did) or frozenset[str]()
            for space in (now | self.before.spaces_of(did)) if profiles else ():
                shown.setdefault(space, []).extend(self._found(profiles) if space in now else ())
        for space, agents in shown.items():
            change = self.shelving.change(space)
            kept = (entry for entry in change.agents if entry.uri not in touched)
            change.agents = tuple(in_order((*kept, *agents)))

    def _touched_profiles(self, did: str) -> set[str]:
        """Give the profiles of an author that are new, changed or gone; all, if the author's spaces are others now."""
        uris = {*self.moved.get(did, ()), *(self._written_by(did) if did in self.joined else ())}
        both = (self.entries.get(uri) or self.before.entries.get(uri) for uri in uris)
        return {entry.uri for entry in both if entry is not None and entry.record.__class__ is Agent}

    def _written_by(self, did: str) -> Uris:
        return self.strays.get(did) or ()

    def _found(self, uris: Iterable[str]) -> list[Entry[Any]]:
        return [entry for uri in uris if (entry := self.entries.get(uri)) is not None]


def _homeless(did: str) -> Ruling:
    return Ruling("T5", f"{did} is not a member of any space seen here")
