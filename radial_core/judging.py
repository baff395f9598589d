"""From entries to the places where they count: anchors, trust, and each family's refusals (L5, T, P–M).

Strategy: the next filing is made from the last one by judging again what is new, what rests on something that is judged
otherwise than before, and nothing else; a first filing is one in which everything is new. So there is one way to judge
a record, and what a filing costs follows from what the new records touch.

On every rung of the ladder the same questions are asked in the protocol's order: is the anchor there (L5), is it of
this space (T7), is the author a member (T5), what does the record's own family say. Membership comes first: trust is a
function of the grants current at the end (T5). What is judged otherwise disturbs only what stands on higher rungs, so
one climb is enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from radial_core.entries import in_order
from radial_core.filing import Filing
from radial_core.ladder import RUNG_OF, Kind, goals_by_project, named_by, resting_on
from radial_core.persistent import Draft
from radial_core.places import Estate, Register, Site
from radial_core.records import (
    AddMember,
    Agent,
    Artifact,
    ArtifactRequest,
    BlessComment,
    Goal,
    Image,
    Project,
    RadialRecord,
    RemoveMember,
    Space,
)
from radial_core.rules.membership import fold_membership
from radial_core.rulings import Ruling
from radial_core.shelving import Shelving
from radial_core.strays import Straying
from radial_core.watching import Watching

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from radial_core.entries import Entry
    from radial_core.places import Holding, Membership, Trust

_OPENING: Final = frozenset({Project, Goal})  # their records make places of their own
_RESTED_ON: Final = frozenset({Project, Goal, ArtifactRequest, Artifact, BlessComment})


def refile(filing: Filing, entries: Mapping[str, Entry[Any] | None]) -> Filing:
    """File entries that are new or differ from those at their URIs; `None` for one that V has dropped (V5)."""
    work = _Refiling(filing, entries)
    work.judge_memberships()
    for kind, how in RUNG_OF.items():
        if kind in work.queue:
            for entry in in_order(work.queue.pop(kind).values()):
                work.judge(entry, how)
    for kind in (Agent, Image):
        for entry in work.queue.pop(kind, {}).values():
            work.straying.note(entry)
    work.straying.judge()
    return work.done()


class _Refiling:
    """One filing under way. `before` is the last one; the drafts hold what differs from it so far."""

    def __init__(self, before: Filing, entries: Mapping[str, Entry[Any] | None]) -> None:
        self.before = before
        self.is_first = not len(before.entries)
        self.entries = Draft(before.entries)
        self.homes = Draft(before.homes)
        self.spaces = Draft(before.spaces)
        self.refused = Draft(before.refused)
        self.logs = Draft(before.logs)
        self.register = Register(self.entries, self.homes, self.spaces)
        self.shelving = Shelving(before.register, self.register, before.holdings)
        self.watching = Watching(before)
        self.straying = Straying(before, self.entries, self.refused, self.shelving)
        self.estates: dict[str, Estate] = {}
        self.sites: dict[str, Site] = {}
        self.queue: dict[type[RadialRecord], dict[str, Entry[Any]]] = {}
        for uri, entry in entries.items():
            self.entries.changes[uri] = entry
            if entry is None:
                self.drop(before.entries[uri])
            else:
                self.queue.setdefault(entry.record.__class__, {})[uri] = entry

    def done(self) -> Filing:
        return Filing(
            self.entries.done(),
            self.homes.done(),
            self.spaces.done(),
            self.shelving.holdings(),
            self.refused.done(),
            self.straying.images.done(),
            self.watching.done(),
            self.logs.done(),
            self.straying.strays,
            self.straying.neighbours.done(),
        )

    # One record ------------------------------------------------------------------------------------------------------

    def judge(self, entry: Entry[Any], how: Kind) -> None:
        record = entry.record
        anchor = getattr(record, how.anchors[0]) or getattr(record, how.anchors[-1])
        home = self.homes.get(anchor)
        if home is None:
            self.refuse(entry, _unplaced(anchor), None)
            return
        site = self.sites.get(home) or self.site(home)
        ruling = self.objection(entry, how, site)
        if ruling is not None:
            self.refuse(entry, ruling, site.estate.uri)
            return
        if record.__class__ in _OPENING:
            home = entry.uri
            self.spaces.changes[home] = site.estate.uri
        named = None if how.names is None else getattr(record, how.names)
        if named is not None and self.homes.get(named) == home:
            named = None
        if named is not None or not self.is_first:
            self.watching.watch(entry, {named})
        self.count(entry, home)

    def site(self, home: str) -> Site:
        site = self.sites[home] = Site(self.entries[home], self.estate(self.spaces[home]))
        return site

    def estate(self, space: str) -> Estate:
        estate = self.estates.get(space)
        if estate is None:
            estate = self.estates[space] = Estate(space, self.before.holdings[space].trust, self.register)
        return estate

    def objection(self, entry: Entry[Any], how: Kind, site: Site) -> Ruling | None:
        trust = site.estate.trust
        if entry.record.__class__ is Goal and (ruling := self.misplaced(entry.record, site)) is not None:
            return ruling
        if not trust.is_member(entry.did):
            return _stranger(entry.did)
        return how.refuse(entry, site) if how.refuse is not None else None

    def misplaced(self, goal: Goal, project: Site) -> Ruling | None:
        """T7: a goal is placed by its space and its project, and both must be of one space."""
        if self.spaces.get(goal.space) is None:
            return _unplaced(goal.space)
        if project.estate.uri != goal.space:
            return Ruling("T7", f"its project stands in another space, {project.estate.uri}")
        return None

    def count(self, entry: Entry[Any], home: str) -> None:
        """Let a record count at a place, and whatever rests on it be judged again."""
        uri = entry.uri
        self.homes.changes[uri] = home
        if not self.is_first:
            was, old = self.before.homes.get(uri), self.before.entries.get(uri)
            if was == home and old is entry and self.before.spaces.get(home) == self.spaces.get(home):
                return
            if was is not None:
                self.shelving.take(entry, was)
            self.refused.put(uri, None)
            self.disturb(entry, was)
        self.shelving.put(entry, home)

    def refuse(self, entry: Entry[Any], ruling: Ruling, space: str | None) -> None:
        """Keep a record out; it watches whatever that rests on. `space` is where its anchor stands, if anywhere."""
        uri = entry.uri
        self.refused.changes[uri] = ruling
        self.watching.watch(entry, {*named_by(entry), None if space is None else (entry.did, space)})
        if not self.is_first and (was := self.before.homes.get(uri)) is not None:
            self.homes.changes[uri] = None
            self.spaces.put(uri, None)
            self.shelving.take(entry, was)
            self.disturb(entry, was)

    def drop(self, entry: Entry[Any]) -> None:
        """Forget a record of which no version is left: a claim, an agent or a join (V5), on which nothing rests."""
        if entry.record.__class__ is Agent:
            self.straying.drop(entry)
            return
        self.refused.put(entry.uri, None)
        self.watching.watch(entry, set())
        if (was := self.before.homes.get(entry.uri)) is not None:
            self.homes.changes[entry.uri] = None
            self.shelving.take(entry, was)

    # Who is to be judged again ---------------------------------------------------------------------------------------

    def disturb(self, entry: Entry[Any], was: str | None) -> None:
        """Let everything be judged again that rests on a record; `was` is where it counted before, if it did."""
        for uri in self.before.watchers_of(entry.uri):
            self.mark(uri)
        shelf = self.shelving.shelf_before(was) if was is not None and entry.record.__class__ in _RESTED_ON else None
        if shelf is None:
            return
        # A place may have come to stand in another space, where others are trusted.
        is_place = shelf.entry.uri == entry.uri
        for held in shelf.everything() if is_place else shelf.fact(resting_on).get(entry.uri, ()):
            if held.uri != entry.uri:
                self.mark(held.uri)
        if entry.record.__class__ is Project:
            for goal in self.goals_before(entry.uri):
                self.mark(goal.uri)

    def goals_before(self, project: str) -> Iterable[Entry[Goal]]:
        holding = self.before.holding_of(project)
        return () if holding is None else holding.fact(goals_by_project).get(project, ())

    def mark(self, uri: str) -> None:
        entry = self.entries.get(uri)
        if entry is not None:
            self.queue.setdefault(entry.record.__class__, {})[uri] = entry

    # Membership (T1–T5) ----------------------------------------------------------------------------------------------

    def judge_memberships(self) -> None:
        """T1–T4: a space and its membership stand before everything in it."""
        again = set(self.queue.pop(Space, ()))  # the spaces whose logs are folded from the beginning
        written: dict[str, list[Entry[Any]]] = {}
        for event in (*self.queue.pop(AddMember, {}).values(), *self.queue.pop(RemoveMember, {}).values()):
            written.setdefault(event.record.space, []).append(event)
            if (old := self.before.entries.get(event.uri)) is not None:
                again |= {old.record.space, event.record.space}
        for space in {*again, *written}:
            self.judge_log(space, written.get(space, []), again=space in again)

    def judge_log(self, space: str, written: list[Entry[Any]], *, again: bool) -> None:
        """Fold a space's log: on from where it was when all that is written comes later, else from the beginning."""
        held, log = self.before.holdings.get(space), self.before.logs.get(space) or ()
        last = None if held is None else held.membership.last
        if held is not None and not again and all(last is None or event.order > last for event in written):
            self.logs.put(space, (*log, *(event.uri for event in written)))
            self.judge_membership(space, written, held.membership)
            return
        kept = (uri for uri in log if self.entries[uri].record.space == space)
        log = tuple(dict.fromkeys((*kept, *(event.uri for event in written))))
        self.logs.put(space, log or None)
        self.judge_membership(space, [self.entries[uri] for uri in log], None)

    def judge_membership(self, uri: str, events: list[Entry[Any]], earlier: Membership | None) -> None:
        space = self.entries.get(uri)
        if space is None:
            self.refuse_events(events, dict.fromkeys((event.uri for event in events), _unplaced(uri)))
            return
        folded = fold_membership(space, events, earlier)
        self.shelving.change(uri).membership = folded
        self.estates[uri] = Estate(uri, folded.trust, self.register)
        self.spaces.changes[uri] = uri
        for entry in (space, *folded.effective):
            self.count(entry, uri)
        self.refuse_events(events, folded.refused)
        held = self.before.holdings.get(uri)
        dids = folded.trust.dids() if earlier is None else {event.record.did for event in folded.effective}
        if held is not None and earlier is None:
            dids |= held.trust.dids()
        self.regard(uri, held, folded.trust, dids)

    def refuse_events(self, events: Iterable[Entry[Any]], refused: Mapping[str, Ruling]) -> None:
        for event in events:
            if event.uri in refused:
                self.refused.changes[event.uri] = refused[event.uri]
                if (was := self.before.homes.get(event.uri)) is not None:
                    self.homes.changes[event.uri] = None
                    self.shelving.take(event, was)

    def regard(self, space: str, held: Holding | None, trust: Trust, dids: set[str]) -> None:
        """T5, T8: what somebody wrote is judged again when they become or cease to be a member, or an admin.

        `dids` are those for whom that may be so.
        """
        before = set[str]() if held is None else {did for did in dids if held.trust.is_member(did)}
        self.straying.note_members(space, before, {did for did in dids if trust.is_member(did)})
        if held is None:
            return
        changed = {did for did in dids if _rights(held.trust, did) != _rights(trust, did)}
        for did in changed:
            for uri in self.before.watchers_of((did, space)):
                self.mark(uri)
        for shelf in held.shelves() if changed & before else ():
            for kind, entries in shelf.records.items():
                if kind in RUNG_OF:
                    for entry in [entry for entry in entries if entry.did in changed]:
                        self.mark(entry.uri)


def _rights(trust: Trust, did: str) -> tuple[bool, bool]:
    return trust.is_member(did), trust.is_admin(did)


def _unplaced(anchor: str) -> Ruling:
    return Ruling("L5", f"it stands on {anchor}, which is not here or does not count")


def _stranger(did: str) -> Ruling:
    return Ruling("T5", f"{did} is not a member of the space: it holds no current grant")
