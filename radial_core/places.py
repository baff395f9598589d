"""Where records stand: spaces, projects and goals, and how references are resolved there (T5, T7, T8, L4).

Strategy: a `Place` gathers the records that count at one space, project or goal, by kind; an `Estate` is a space with
its membership and all the places in it. Both are filled while records are filed and only read afterwards. A reference
resolves by URI, within the estate of the record that holds it, to a record that counts and is of the kind the field
names (L4): that is asked here and nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from radial_core.entries import in_order
from radial_core.views import Ref

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from radial_core.entries import RECORD, Entry
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
        return in_order(entry for entries in self.records.values() for entry in entries)


class Register(NamedTuple):
    """Every record that counts at a place of any space, and where, by URI."""

    entries: dict[str, Entry[Any]]
    homes: dict[str, Place]


class Estate:
    """A space: whom it trusts, what became of its grants, and its places.

    The `register` is shared by all spaces: an anchor that counts is found there.
    """

    def __init__(self, space: Entry[Space], trust: Trust, grants: tuple[GrantView, ...], register: Register) -> None:
        self.space = space
        self.trust = trust
        self.grants = grants
        self.register = register
        self.place = Place(space, self)
        self.projects: list[Place] = []
        self.goals: list[Place] = []
        self.agents: list[Entry[Agent]] = []

    def places(self) -> Iterator[Place]:
        """Give the space's own place, then its projects and goals."""
        yield self.place
        yield from self.projects
        yield from self.goals

    def find(self, uri: str | None, *kinds: type[RadialRecord]) -> Entry[Any] | None:
        """Resolve a reference (L4): to a record that counts in this space and is of one of the kinds, if any."""
        found = self.register.entries.get(uri) if uri is not None else None
        if found is None or (kinds and found.record.__class__ not in kinds):
            return None
        return found if self.register.homes[found.uri].estate is self else None

    def known(self, uri: str) -> Entry[Any]:
        """Give a record that is known to count, such as the anchor of one that does."""
        return self.register.entries[uri]


def show(reference: Mapping[str, str], found: Entry[Any] | None) -> Ref:
    """Show a reference, as it stands in a record's value, beside the record that it resolves to, if any (L4)."""
    uri, cid = reference["uri"], reference["cid"]
    if found is None:
        return Ref(uri, cid, None, resolved=False)
    pin = "held" if cid == found.cid else "edited" if cid in found.others else "unseen"
    return Ref(uri, cid, pin, resolved=True)


def show_field(entry: Entry[Any], field: str, found: Entry[Any] | None) -> Ref | None:
    """Show the reference in a field of a record, by its wire name; nothing when it has none."""
    reference = entry.value.get(field)
    return None if reference is None else show(reference, found)


def grouped(pairs: Iterable[tuple[str, Entry[RECORD]]]) -> dict[str, list[Entry[RECORD]]]:
    """Gather records by what they name, each list in the order of the pairs."""
    groups: dict[str, list[Entry[RECORD]]] = {}
    for key, entry in pairs:
        groups.setdefault(key, []).append(entry)
    return groups
