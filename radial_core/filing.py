"""From entries to the places where they count: anchors, trust, and each family's refusals (L5, T, P–M).

Strategy: anchors form a fixed ladder (space, project, goal, request or blessing, artifact, what hangs on it), so kinds
are filed rung by rung, and the anchor of a record has been judged before the record is. On every rung the same
questions are asked in the protocol's order: is the anchor there (L5), is it of this space (T7), is the author a member
(T5), what does the record's own family say. A table names the anchor and the family's question for each kind.
Membership comes between the spaces and everything else: trust is a function of the grants current at the end (T5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from radial_core.entries import in_order
from radial_core.places import Estate, Place, Register, grouped
from radial_core.records import (
    AddMember,
    Agent,
    ArchiveGoal,
    ArchiveProject,
    Artifact,
    ArtifactRequest,
    ArtifactType,
    BlessComment,
    Checkrun,
    Claim,
    CloseGoal,
    EditProject,
    Goal,
    Image,
    Join,
    Merge,
    Message,
    Project,
    RadialRecord,
    RemoveMember,
    RetractBless,
    RetractRequest,
    Review,
    SetAutoReview,
    SetGuestComments,
    Space,
)
from radial_core.rules import artifacts, claims, guests, projects, registry, requests
from radial_core.rules.membership import fold_membership
from radial_core.rulings import Ruling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from radial_core.entries import Entry


class Filing(NamedTuple):
    """All spaces with what counts in them, the images that count, and the rulings on everything else, by URI."""

    estates: dict[str, Estate]
    register: Register
    images: list[Entry[Image]]
    refused: dict[str, Ruling]


class _Kind(NamedTuple):
    """How one kind is filed: the fields that hold its anchor (one of them does), and what its family has against it."""

    anchors: tuple[str, ...]
    refuse: Callable[[Entry[Any], Place], Ruling | None] | None = None


# T7: where each kind is anchored, rung by rung. Spaces, membership, agents and images come before and beside.
_LADDER: Final[tuple[dict[type[RadialRecord], _Kind], ...]] = (
    {
        Join: _Kind(("space",)),
        Project: _Kind(("space",)),
        ArtifactType: _Kind(("space",), registry.refuse_type),
        SetGuestComments: _Kind(("space",), guests.refuse_switch),
    },
    {
        EditProject: _Kind(("project",), projects.refuse_change),
        ArchiveProject: _Kind(("project",), projects.refuse_change),
        SetAutoReview: _Kind(("project",), projects.refuse_switch),
        Goal: _Kind(("project",)),
    },
    {
        CloseGoal: _Kind(("goal",)),
        ArchiveGoal: _Kind(("goal",)),
        BlessComment: _Kind(("goal",)),
        ArtifactRequest: _Kind(("goal", "project"), requests.refuse_request),
    },
    {
        RetractRequest: _Kind(("request",), requests.refuse_retraction),
        Claim: _Kind(("request",), claims.refuse_claim),
        RetractBless: _Kind(("bless",), guests.refuse_retraction),
        Artifact: _Kind(("goal", "project"), artifacts.refuse_artifact),
    },
    {
        Review: _Kind(("subject",), artifacts.refuse_review),
        Checkrun: _Kind(("artifact",)),
        Merge: _Kind(("artifact",)),
        Message: _Kind(("goal", "artifact")),
    },
)


def file_entries(entries: Iterable[Entry[Any]]) -> Filing:
    """File every entry: where it counts, or under the ruling that keeps it out."""
    by_kind: dict[type[RadialRecord], list[Entry[Any]]] = {}
    for entry in entries:
        by_kind.setdefault(entry.record.__class__, []).append(entry)
    filer = _Filer(by_kind)
    filer.open_estates()
    for rung in _LADDER:
        for kind, how in rung.items():
            for entry in in_order(by_kind.get(kind, ())):
                filer.file(entry, how)
    return Filing(filer.estates, filer.register, filer.file_unanchored(), filer.refused)


class _Filer:
    """The filing while it is under way. The register holds every record that counts at a place so far."""

    def __init__(self, by_kind: Mapping[type[RadialRecord], list[Entry[Any]]]) -> None:
        self.by_kind = by_kind
        self.estates: dict[str, Estate] = {}
        self.register = Register({}, {})
        self.refused: dict[str, Ruling] = {}

    def open_estates(self) -> None:
        """T1–T4: a space and its membership stand before everything in it."""
        events = [*self.by_kind.get(AddMember, ()), *self.by_kind.get(RemoveMember, ())]
        log = grouped((entry.record.space, entry) for entry in events)
        for space in in_order(self.by_kind.get(Space, ())):
            membership = fold_membership(space, log.pop(space.uri, ()))
            estate = self.estates[space.uri] = Estate(space, membership.trust, membership.grants, self.register)
            self.refused |= membership.refused
            for entry in (space, *membership.effective):
                self.place(entry, estate.place)
        for space_uri, lost in log.items():
            self.refused |= {entry.uri: _unplaced(space_uri) for entry in lost}

    def file(self, entry: Entry[Any], how: _Kind) -> None:
        place = self.home(entry, how.anchors)
        if isinstance(place, Place):
            ruling = self.objection(entry, place, how)
            if ruling is None:
                self.place(entry, place)
                return
        else:
            ruling = place
        self.refused[entry.uri] = ruling

    def home(self, entry: Entry[Any], anchors: tuple[str, ...]) -> Place | Ruling:
        """L5: a record stands where its anchor does, if that counts."""
        anchor = getattr(entry.record, anchors[0]) or getattr(entry.record, anchors[-1])
        home = self.register.homes.get(anchor)
        if home is None:
            return _unplaced(anchor)
        return self.goal_home(entry, home) if entry.record.__class__ is Goal else home

    def goal_home(self, goal: Entry[Goal], project: Place) -> Place | Ruling:
        """T7: a goal is placed by its space and its project, and both must be of one space."""
        space = goal.record.space
        if space not in self.estates:
            return _unplaced(space)
        if project.estate.space.uri != space:
            return Ruling("T7", f"its project stands in another space, {project.estate.space.uri}")
        return project

    def objection(self, entry: Entry[Any], place: Place, how: _Kind) -> Ruling | None:
        if not place.estate.trust.is_member(entry.did):
            return _stranger(entry.did)
        return how.refuse(entry, place) if how.refuse is not None else None

    def place(self, entry: Entry[Any], place: Place) -> None:
        """Let an entry count at a place; a project and a goal open one of their own."""
        estate = place.estate
        if entry.record.__class__ is Project:
            place = Place(entry, estate)
            estate.projects.append(place)
        elif entry.record.__class__ is Goal:
            place = Place(entry, estate, place)
            estate.goals.append(place)
        place.file(entry)
        self.register.entries[entry.uri] = entry
        self.register.homes[entry.uri] = place

    def file_unanchored(self) -> list[Entry[Image]]:
        """T7: agents and images belong to every space of their author; M4: an image is only listed."""
        homes: dict[str, list[Estate]] = {}
        for estate in self.estates.values():
            for did in {estate.trust.root, *estate.trust.grants}:
                homes.setdefault(did, []).append(estate)
        strays = [*self.by_kind.get(Agent, ()), *self.by_kind.get(Image, ())]
        self.refused |= {entry.uri: _homeless(entry.did) for entry in strays if entry.did not in homes}
        for entry in in_order(self.by_kind.get(Agent, ())):
            for estate in homes.get(entry.did, ()):
                estate.agents.append(entry)
        return in_order(entry for entry in self.by_kind.get(Image, ()) if entry.did in homes)


def _unplaced(anchor: str) -> Ruling:
    return Ruling("L5", f"it stands on {anchor}, which is not here or does not count")


def _stranger(did: str) -> Ruling:
    return Ruling("T5", f"{did} is not a member of the space: it holds no current grant")


def _homeless(did: str) -> Ruling:
    return Ruling("T5", f"{did} is not a member of any space seen here")
