"""From what moved to the new holdings: shelves without what left them and with what came (§15's lists, in order).

Strategy: while records are judged nothing is rebuilt; it is only written down which place loses and which gains what.
At the end each place that something happened to gets a new shelf, and its space a new holding, each once. Every other
shelf and holding is the same object in the filing before and in the one after.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from radial_core.entries import in_order
from radial_core.persistent import Draft, PersistentMap
from radial_core.places import Holding, Membership, Shelf, Trust
from radial_core.records import Goal, Project, RadialRecord, Space

if TYPE_CHECKING:
    from radial_core.entries import Entry
    from radial_core.places import Register

_NO_SHELVES: PersistentMap[str, Shelf] = PersistentMap({})
_NOBODY = Membership(Trust("", {}), (), {}, (), {}, None)


class _Shift:
    """What one place loses, by URI, and gains, by kind."""

    def __init__(self) -> None:
        self.lost: dict[str, type[RadialRecord]] = {}
        self.gained: dict[type[RadialRecord], list[Entry[Any]]] = {}


class _Change:
    """What a space is to be: what it was, with new shelves by kind of place (`None` for one that is no more)."""

    def __init__(self, before: Holding | None) -> None:
        self.shelves: dict[type[RadialRecord], dict[str, Shelf | None]] = {Space: {}, Project: {}, Goal: {}}
        self.membership, self.agents = (_NOBODY, ()) if before is None else (before.membership, before.agents)

    def holding(self, before: Holding | None) -> Holding:
        """Make the holding; a space that was not there before has been given a shelf of its own."""
        own = [*self.shelves[Space].values(), None if before is None else before.own][0]
        projects, goals = (_NO_SHELVES, _NO_SHELVES) if before is None else (before.projects, before.goals)
        return Holding(
            self.membership,
            cast("Shelf", own),
            projects.updated(self.shelves[Project]),
            goals.updated(self.shelves[Goal]),
            self.agents,
        )


class Shelving:
    """The moves of one filing. `was` and `now` are its register before and after, `holdings` those before."""

    def __init__(self, was: Register, now: Register, holdings: PersistentMap[str, Holding]) -> None:
        self.was, self.now = was, now
        self.before = holdings
        self.shifts: dict[str, _Shift] = {}
        self.changes: dict[str, _Change] = {}

    def take(self, entry: Entry[Any], place: str) -> None:
        """Let a record leave a place."""
        self._shift(place).lost[entry.uri] = entry.record.__class__

    def put(self, entry: Entry[Any], place: str) -> None:
        """Let a record stand at a place."""
        gained = self._shift(place).gained
        kind = entry.record.__class__
        if kind in gained:
            gained[kind].append(entry)
        else:
            gained[kind] = [entry]

    def _shift(self, place: str) -> _Shift:
        shift = self.shifts.get(place)
        if shift is None:
            shift = self.shifts[place] = _Shift()
        return shift

    def change(self, space: str) -> _Change:
        """Give what is to happen to a space, to be added to."""
        if space not in self.changes:
            self.changes[space] = _Change(self.before.get(space))
        return self.changes[space]

    def shelf_before(self, place: str) -> Shelf | None:
        """Give the shelf that a place had."""
        space = self.was.spaces.get(place)
        holding = self.before.get(space) if space is not None else None
        return holding.shelf(place) if holding is not None else None

    def holdings(self) -> PersistentMap[str, Holding]:
        """Give all holdings, with what moved in its new place."""
        for uri, shift in self.shifts.items():
            self._reshelve(uri, shift)
        draft = Draft(self.before)
        for space, change in self.changes.items():
            draft.put(space, change.holding(self.before.get(space)))
        return draft.done()

    def _reshelve(self, uri: str, shift: _Shift) -> None:
        was, now = self.was.spaces.get(uri), self.now.spaces.get(uri)
        if was is not None and was != now:
            self.change(was).shelves[self.was.entries[uri].record.__class__][uri] = None
        if now is not None:
            entry = self.now.entries[uri]
            project = entry.record.project if entry.record.__class__ is Goal else uri
            shelf = Shelf(entry, project, self._records(uri, shift))
            self.change(now).shelves[entry.record.__class__][uri] = shelf

    def _records(self, uri: str, shift: _Shift) -> dict[type[RadialRecord], list[Entry[Any]]]:
        before = self.shelf_before(uri)
        if before is None:
            return shift.gained  # kind by kind, and each in order, as they were judged
        records, thinned = dict(before.records), {*shift.lost.values()}
        for kind in thinned | shift.gained.keys():
            held = records.get(kind, [])
            if kind in thinned:
                held = [entry for entry in held if entry.uri not in shift.lost]
            records[kind] = in_order((*held, *shift.gained.get(kind, ())))
        return records
