"""Where records stand: spaces, projects and goals, and how references are resolved there (T5, T7, T8, L4).

Strategy: a `Place` gathers the records that count at one space, project or goal, by kind; an `Estate` is a space with
its membership and all the places in it. Both are filled while records are filed and only read afterwards. A reference
resolves by URI, within the estate of the record that holds it, to a record that counts and is of the kind the field
names (L4): that is asked here and nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from radial_core.views import Ref

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from radial_core.entries import RECORD, Entry
    from radial_core.identifiers import StrongRef
    from radial_core.records import AddMember, Agent, RadialRecord, Space
    from radial_core.views import GrantView


class Trust(NamedTuple):
    """Who is trusted in a space: its root, and the grants that are current at the end of the fold, by DID."""

    root: str
    grants: Mapping[str, Entry[AddMember]]

    def is_member(self, did: str) -> bool:
        """T5: root, or the holder of a current grant."""
        return did == self.root or did in self.grants

    def is_admin(self, did: str) -> bool:
        """T8: root, or the holder of a current grant with the role admin."""
        return did == self.root or (did in self.grants and self.grants[did].record.role == "admin")

    def is_agent(self, did: str) -> bool:
        """Tell whether a member is called an agent by its grant; root is a human (T1)."""
        return did != self.root and did in self.grants and self.grants[did].record.member_kind == "agent"


class Place:
    """One space, project or goal, with the records that count there."""

    def __init__(self, entry: Entry[Any], estate: Estate, project: Place | None = None) -> None:
        self.entry = entry
        self.estate = estate
        self.project = project if project is not None else self  # a goal's project; elsewhere the place itself
        self.records: dict[type[RadialRecord], list[Entry[Any]]] = {}

    def file(self, entry: Entry[Any]) -> None:
        """Let a record count here."""
        self.records.setdefault(entry.record.__class__, []).append(entry)

    def all(self, kind: type[RECORD]) -> list[Entry[RECORD]]:
        """Give the records of one kind, in order (createdAt, URI) once everything is filed."""
        return self.records.get(kind, [])

    def everything(self) -> list[Entry[Any]]:
        """Give all records that count here, in order."""
        return sorted(entry for entries in self.records.values() for entry in entries)


class Filed(NamedTuple):
    """A record that counts, and where."""

    entry: Entry[Any]
    place: Place


class Estate:
    """A space: whom it trusts, what became of its grants, and its places.

    `filed` holds every record that counts at any place of any space, by URI: an anchor that counts is found there.
    """

    def __init__(
        self, space: Entry[Space], trust: Trust, grants: tuple[GrantView, ...], filed: Mapping[str, Filed]
    ) -> None:
        self.space = space
        self.trust = trust
        self.grants = grants
        self.filed = filed
        self.place = Place(space, self)
        self.projects: list[Place] = []
        self.goals: list[Place] = []
        self.agents: list[Entry[Agent]] = []

    def places(self) -> Iterator[Place]:
        """Give the space's own place, then its projects and goals."""
        yield self.place
        yield from self.projects
        yield from self.goals

    def find(self, reference: StrongRef | None, *kinds: type[RadialRecord]) -> Filed | None:
        """Resolve a reference by URI (L4): to a record that counts in this space and is of one of the kinds."""
        found = self.filed.get(reference.uri) if reference is not None else None
        if found is None or found.place.estate is not self or (kinds and found.entry.record.__class__ not in kinds):
            return None
        return found


def show(reference: StrongRef, found: Entry[Any] | None) -> Ref:
    """Show a reference beside the record that it resolves to, if any (L4)."""
    uri, cid = reference
    if found is None:
        return Ref(uri, cid, None, resolved=False)
    pin = "held" if cid == found.cid else "edited" if cid in found.others else "unseen"
    return Ref(uri, cid, pin, resolved=True)


def grouped(pairs: Iterable[tuple[str, Entry[RECORD]]]) -> dict[str, list[Entry[RECORD]]]:
    """Gather records by what they name, each list in the order of the pairs."""
    groups: dict[str, list[Entry[RECORD]]] = {}
    for key, entry in pairs:
        groups.setdefault(key, []).append(entry)
    return groups
