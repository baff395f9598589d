"""Where records stand: spaces, projects and goals, and how references are resolved there (T5, T7, T8, L4).

Strategy: what counts is kept in values that never change, so that two indexes share whatever they agree on. A `Shelf`
holds the records that count at one space, project or goal, by kind; a `Holding` is a space: whom it trusts, and the
shelves of its places. The `Register` says of every record whether and where it counts. The rules are asked about less:
an `Estate` resolves a reference by URI, within one space, to a record that counts and is of the kind that the field
names (L4), there and nowhere else; a `Site` is where a record would stand, a `Place` is a shelf with its estate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from radial_core.entries import in_order
from radial_core.persistent import Draft, PersistentMap
from radial_core.views import Ref

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import TypeAlias

    from radial_core.entries import RECORD, Entry, Order
    from radial_core.records import AddMember, Agent, RadialRecord, Space
    from radial_core.rulings import Ruling

    Entries: TypeAlias = PersistentMap[str, Entry[Any]] | Draft[str, Entry[Any]]
    Uris: TypeAlias = PersistentMap[str, str] | Draft[str, str]

FACT = TypeVar("FACT")


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

    def dids(self) -> set[str]:
        """Give all members."""
        return {self.root, *self.grants}


class End(NamedTuple):
    """What became of a grant, by which event, and whose it was."""

    state: str
    by: str
    did: str


class Membership(NamedTuple):
    """A membership log, folded (T1–T4): whom it trusts, its grants in the order of the log, and the ends of some.

    `effective` and `refused` are of the events that were folded last; `last` is the order of the last of all events.
    """

    trust: Trust
    granted: tuple[Entry[AddMember], ...]
    ends: Mapping[str, End]
    effective: tuple[Entry[Any], ...]
    refused: Mapping[str, Ruling]
    last: Order | None


class _Facts:
    """What can be read off a value that never changes: found out once, when first asked for."""

    __slots__ = ("_facts",)

    def __init__(self) -> None:
        self._facts: dict[Callable[[Any], Any], Any] | None = None

    def fact(self, find: Callable[[Any], FACT]) -> FACT:
        """Give `find(self)`, which depends on nothing else."""
        facts = self._facts
        if facts is None:  # two threads may come here at the same time: what each keeps is right by itself
            facts = self._facts = {}
        if find not in facts:
            facts[find] = find(self)
        return cast("FACT", facts[find])


class Shelf(_Facts):
    """The records that count at one space, project or goal, whose own record is `entry`.

    `project` is the URI of a goal's project, elsewhere that of the place itself. `records` are by kind, in order.
    """

    __slots__ = ("entry", "project", "records")

    def __init__(self, entry: Entry[Any], project: str, records: Mapping[type[RadialRecord], list[Entry[Any]]]) -> None:
        super().__init__()
        self.entry = entry
        self.project = project
        self.records = records

    def all(self, kind: type[RECORD]) -> list[Entry[RECORD]]:
        """Give the records of one kind, in order (createdAt, URI)."""
        return self.records.get(kind, [])

    def everything(self) -> list[Entry[Any]]:
        """Give all records that count here, in order."""
        return in_order(entry for entries in self.records.values() for entry in entries)


class Holding(_Facts):
    """A space: its membership, the shelves of its places by URI, the profiles it shows."""

    __slots__ = ("agents", "goals", "membership", "own", "projects", "space")

    def __init__(
        self,
        membership: Membership,
        own: Shelf,
        projects: PersistentMap[str, Shelf],
        goals: PersistentMap[str, Shelf],
        agents: tuple[Entry[Agent], ...],
    ) -> None:
        super().__init__()
        self.space: Entry[Space] = own.entry
        self.membership = membership
        self.own = own
        self.projects = projects
        self.goals = goals
        self.agents = agents

    @property
    def trust(self) -> Trust:
        """Whom the space trusts."""
        return self.membership.trust

    def shelf(self, uri: str) -> Shelf | None:
        """Give the shelf of one of the places."""
        return self.own if uri == self.space.uri else self.goals.get(uri) or self.projects.get(uri)

    def shelves(self) -> Iterator[Shelf]:
        """Give the space's own shelf, then those of its projects and goals."""
        yield self.own
        yield from self.projects.values()
        yield from self.goals.values()


class Register(NamedTuple):
    """Every record that V chose, by URI; for each that counts its place; for each place its space."""

    entries: Entries
    homes: Uris
    spaces: Uris

    def space_of(self, uri: str) -> str | None:
        """Give the space in which a record counts at a place."""
        home = self.homes.get(uri)
        return None if home is None else self.spaces.get(home)


class Estate:
    """A space as the rules ask about it: whom it trusts, and what a reference in it resolves to (L4)."""

    def __init__(self, uri: str, trust: Trust, register: Register) -> None:
        self.uri = uri
        self.trust = trust
        self.register = register

    def find(self, uri: str | None, *kinds: type[RadialRecord]) -> Entry[Any] | None:
        """Resolve a reference (L4): to a record that counts in this space and is of one of the kinds, if any."""
        found = self.register.entries.get(uri) if uri is not None else None
        if found is None or (kinds and found.record.__class__ not in kinds):
            return None
        return found if self.register.space_of(found.uri) == self.uri else None

    def known(self, uri: str) -> Entry[Any]:
        """Give a record that is known to count, such as the anchor of one that does."""
        return self.register.entries[uri]

    def home(self, uri: str) -> str | None:
        """Give the URI of the place where a record counts."""
        return self.register.homes.get(uri)


class Site(NamedTuple):
    """Where a record would stand: the space, project or goal whose record is `entry`, and its estate."""

    entry: Entry[Any]
    estate: Estate


class Place(NamedTuple):
    """A space, project or goal to be shown: what counts there, and its estate."""

    shelf: Shelf
    estate: Estate

    @property
    def entry(self) -> Entry[Any]:
        """The record that makes the place."""
        return self.shelf.entry

    def all(self, kind: type[RECORD]) -> list[Entry[RECORD]]:
        """Give the records of one kind, in order (createdAt, URI)."""
        return self.shelf.all(kind)


def show(reference: Mapping[str, str], found: Entry[Any] | None) -> Ref:
    """Show a reference, as it stands in a record's value, beside the record that it resolves to, if any (L4)."""
    uri, cid = reference["uri"], reference["cid"]
    if found is None:
        return Ref(uri, cid, None, resolved=False)
    pin = "held" if cid == found.cid else "edited" if found.was_seen_as(cid) else "unseen"
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
