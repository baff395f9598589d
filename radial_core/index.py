"""The index: every view, and the questions one can ask of it (protocol §14, §15).

Strategy: an index is a value. What counts where is settled when it is made; the views, the digests, and the tables by
which questions are answered are made when they are first needed and never change. It computes no rule: who wants to
know why a record counts gets the place where it stands, or the ruling that keeps it out, as the fold left them. An
index that grew from another shares with it whatever the new observations did not touch, views included.
"""

from __future__ import annotations

from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from radial_core import answers
from radial_core.assembly import Assembly, in_places
from radial_core.comparison import Difference, differences
from radial_core.digest import digest_tree, index_digest, space_digest
from radial_core.entries import in_order
from radial_core.instants import Instant, parse_instant
from radial_core.jsonviews import to_plain
from radial_core.ledger import observations_in
from radial_core.observations import Record
from radial_core.places import Estate, Place
from radial_core.rules.claims import rank
from radial_core.rules.provenance import Edge, closure, place_edges
from radial_core.rules.versions import passed_over
from radial_core.rulings import IgnoredRow
from radial_core.views import ArtifactView, GoalView, ImageView, ProjectView, RequestView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from radial_core.answers import Explanation
    from radial_core.assembly import Memos, PlaceView
    from radial_core.entries import Entry
    from radial_core.filing import Filing
    from radial_core.leases import Lease
    from radial_core.ledger import Held, Ledger
    from radial_core.observations import Observation
    from radial_core.persistent import PersistentMap
    from radial_core.places import Holding
    from radial_core.rulings import EditRow, Ruling
    from radial_core.views import AgentView, SpaceView

    _View: TypeAlias = ProjectView | GoalView | RequestView | ArtifactView


class Findings(NamedTuple):
    """What a fold found: what was observed, what counts where, and the rows of what V and L keep out."""

    ledger: Ledger
    filing: Filing
    unread: PersistentMap[str, IgnoredRow]


class Memories(NamedTuple):
    """What indexes that grew from one another have shown: views by place, and V6's rows by URI with their grounds."""

    views: Memos
    edits: dict[str, tuple[Held, EditRow | None]]


VIEW = TypeVar("VIEW", ProjectView, GoalView, RequestView, ArtifactView)
_STRAY: Final = frozenset({"agent", "image"})  # they stand at no place (T7)
_SHOWN: Final = ("digest", "spaces", "images", "ignored", "edits")


class Index:
    """The state that a set of observations amounts to; the same for everybody who holds the same set.

    Made by `radial_core.materialize`. Equal to another when everything that §15 shows is equal.
    """

    def __init__(
        self, findings: Findings, extend: Callable[[Findings, Iterable[Observation]], Findings], memories: Memories
    ) -> None:
        """Made by the fold alone. `memories` are shared with the indexes that it grew from or into."""
        self._findings = findings
        self._filing = findings.filing
        self._extend = extend
        self._memories = memories
        self._assemblies: dict[str, Assembly] = {}
        self._spaces: dict[str, SpaceView] = {}  # those that somebody has looked at
        self._tables: dict[str, dict[str, _View]] = {}  # what stands at a project or goal, by URI

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Index):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _SHOWN)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        spaces = len(self._filing.holdings)
        return f"<Index of {len(self._findings.ledger)} records in {spaces} spaces, {self.digest}>"

    # What §15 shows

    @cached_property
    def digest(self) -> str:
        """The CID over everything that two observers of the same trusted records agree on (D1, D2)."""
        return index_digest(self._filing.holdings)

    @cached_property
    def spaces(self) -> tuple[SpaceView, ...]:
        """The spaces, by URI."""
        return tuple(self._space(uri) for uri in sorted(self._filing.holdings))

    @cached_property
    def images(self) -> tuple[ImageView, ...]:
        """The images of members, in order (createdAt, URI); they change nothing else (M4)."""
        return tuple(ImageView(e.uri, e.cid, e.did, e.value["blob"]) for e in in_order(self._filing.images.values()))

    @cached_property
    def ignored(self) -> tuple[IgnoredRow, ...]:
        """One row for every record that does not count, with the rule and the reason, by URI."""
        refused = (self._refused(uri, ruling) for uri, ruling in self._filing.refused.items())
        return tuple(sorted((*self._findings.unread.values(), *refused), key=attrgetter("uri")))

    def _refused(self, uri: str, ruling: Ruling) -> IgnoredRow:
        entry = self._filing.entries.get(uri)
        return IgnoredRow(uri, entry.cid if entry is not None else None, *ruling)

    @cached_property
    def edits(self) -> tuple[EditRow, ...]:
        """The URIs where more was seen than the version that counts, by URI (V6)."""
        several = (uri for uri, held in self._findings.ledger.items() if isinstance(held, tuple))
        rows = (self._edits_at(uri) for uri in {*several, *self._findings.unread})
        return tuple(sorted((row for row in rows if row is not None), key=attrgetter("uri")))

    def _edits_at(self, uri: str) -> EditRow | None:
        """V6: a row is a function of what was observed at its URI, and holds as long as that is the same."""
        held = self._findings.ledger.get(uri)
        if held is None:
            return None
        ground, row = self._memories.edits.get(uri, (None, None))
        if ground is not held:
            row = passed_over(uri, held)
            self._memories.edits[uri] = (held, row)
        return row

    def digest_tree(self) -> dict[str, Any]:
        """Give the digests of everything as JSON, each beside the projection that it is the digest of (D2).

        Whoever keeps it can compare it with another's later, without the records: `radial_core.trees.read_tree`.
        """
        return digest_tree(self._filing.holdings)

    def to_json(self) -> dict[str, Any]:
        """Give the whole index as §15's JSON: fresh dicts and lists with camel-cased keys."""
        return {name: to_plain(getattr(self, name)) for name in _SHOWN}

    @property
    def filing(self) -> Filing:
        """What counts where, below the views: for the rooms that stand on the index, no part of its face."""
        return self._filing

    # Growing and comparing

    def extend(self, records: Iterable[Observation]) -> Index:
        """Give the index of these observations and the ones held already; this one stays as it is.

        Equal to `materialize([*earlier, *records])`, whatever the batches. Raises as `materialize` does.
        """
        found = self._extend(self._findings, records)
        return self if found is self._findings else Index(found, self._extend, self._memories)

    def diff(self, other: Index) -> tuple[Difference, ...]:
        """Walk down both digest trees: the spaces, projects and goals that differ, and the records that do it (D2)."""
        mine, theirs = self._filing.holdings, other._filing.holdings
        parted = [uri for uri in sorted({*mine, *theirs}) if _differ(mine.get(uri), theirs.get(uri))]
        here, there = ([view for uri in parted if (view := index.space(uri))] for index in (self, other))
        return differences(here, there, self.entry, other.entry)

    # Looking up

    def space(self, uri: str) -> SpaceView | None:
        """Give the space at a URI."""
        return self._space(uri) if uri in self._filing.holdings else None

    def _space(self, uri: str) -> SpaceView:
        if uri not in self._spaces:
            self._spaces[uri] = self._assembly(uri).space()
        return self._spaces[uri]

    def _assembly(self, space: str) -> Assembly:
        assembly = self._assemblies.get(space)
        if assembly is None:
            holding = self._filing.holdings[space]
            assembly = self._assemblies[space] = Assembly(self._filing, holding, self._memories.views)
        return assembly

    def project(self, uri: str) -> ProjectView | None:
        """Give the project at a URI."""
        return self._find(uri, ProjectView)

    def goal(self, uri: str) -> GoalView | None:
        """Give the goal at a URI."""
        return self._find(uri, GoalView)

    def request(self, uri: str) -> RequestView | None:
        """Give the request at a URI."""
        return self._find(uri, RequestView)

    def artifact(self, uri: str) -> ArtifactView | None:
        """Give the artifact at a URI."""
        return self._find(uri, ArtifactView)

    def _find(self, uri: str, kind: type[VIEW]) -> VIEW | None:
        """Look a view up at its own place: no other is shown for it."""
        home = self._filing.homes.get(uri)
        if home is None:
            return None
        if home not in self._tables:
            self._tables[home] = self._table(home)
        found = self._tables[home].get(uri)
        return found if isinstance(found, kind) else None

    def _table(self, home: str) -> dict[str, _View]:
        space, shelf = self._filing.spaces[home], self._filing.shelf_of(home)
        if shelf is None or home == space:
            return {}
        view = self._assembly(space).place(shelf)
        return {found.uri: found for found in (view, *view.requests, *view.artifacts)}

    def entry(self, uri: str) -> Entry[Any] | None:
        """Give a record that counts, with the value of the version that does; images and agents included."""
        entry = self._filing.entries.get(uri)
        if entry is None or uri in self._filing.homes:
            return entry
        return entry if entry.record.kind in _STRAY and self._filing.spaces_of(entry.did) else None

    def place_of(self, uri: str) -> str | None:
        """Give the URI of the space, project or goal where a record counts; nothing for agents and images."""
        return self._filing.homes.get(uri)

    def capable(self, space: str, artifact_type: str) -> tuple[AgentView, ...]:
        """List the profiles of a space's members that produce a type, by URI (M5); none for an unknown space."""
        view = self.space(space)
        return () if view is None else tuple(agent for agent in view.agents if artifact_type in agent.artifact_types)

    # Leases (C3–C5): give these to `radial_core.winner`, with this observer's own clock

    def leases(self, request: str) -> tuple[Lease, ...]:
        """List the leases on a request in rank order (C3)."""
        shelf = self._filing.shelf_of(request)
        return () if shelf is None else shelf.fact(rank).leases.get(request, ())

    def sightings(self, request: str) -> dict[tuple[str, str], Instant | None]:
        """Map each `(uri, cid)` of the leases on a request to the instant of its first known sighting (C4, C5)."""
        return {(lease.uri, lease.cid): self.first_seen(lease.uri, lease.cid) for lease in self.leases(request)}

    @property
    def held(self) -> Callable[[str], Held | None]:
        """Give what was observed at a URI: the very same object for as long as nothing else was observed there."""
        return self._findings.ledger.get

    def first_seen(self, uri: str, cid: str) -> Instant | None:
        """Give the instant of the first known sighting of a version, by this observer's clock (C4, C5)."""
        held = observations_in(self._findings.ledger[uri])
        seen = (one for one in held if isinstance(one, Record) and one.cid == cid)
        return min((parse_instant(one.seen_at) for one in seen if one.seen_at is not None), default=None)

    # Provenance: what came from what

    def edges(self, uri: str) -> tuple[Edge, ...]:
        """List what a record depends on directly, each with its pin and whether it resolves (N1)."""
        return tuple(self._edges.get(uri, ()))

    def upstream(self, uri: str) -> tuple[str, ...]:
        """List everything that a record came from, through any number of steps, in order (createdAt, URI) (N2)."""
        reached = closure(uri, lambda at: (edge.target.uri for edge in self._edges.get(at, ()) if edge.target.resolved))
        return self._in_order(reached)

    def downstream(self, uri: str) -> tuple[str, ...]:
        """List everything that came from a record, through any number of steps, in order (createdAt, URI) (N2)."""
        return self._in_order(closure(uri, lambda at: self._dependents.get(at, ())))

    def _in_order(self, uris: Iterable[str]) -> tuple[str, ...]:
        entries = (entry for uri in uris if (entry := self.entry(uri)) is not None)
        return tuple(entry.uri for entry in in_order(entries))

    # Explaining

    def explain(self, uri: str) -> Explanation:
        """Say where a record counts and why, or the rule that keeps it out, or that it was never seen."""
        edits = self._edits_at(uri)
        shelf, holding = self._filing.shelf_of(uri), self._filing.holding_of(uri)
        if shelf is not None and holding is not None:
            project = holding.projects.get(shelf.project)
            standing = answers.Standing(shelf.entry, None if project is None else project.entry, holding.trust)
            return answers.explain_filed(self._filing.entries[uri], standing, edits)
        row = self.ignored_at(uri)
        if row is not None:
            return answers.explain_ignored(row, edits)
        stray = self.entry(uri)
        if stray is None:
            return answers.explain_unknown(uri)
        if stray.record.kind == "image":
            return answers.explain_image(uri, edits)
        return answers.explain_agent(stray, sorted(self._filing.spaces_of(stray.did)), edits)

    def ignored_at(self, uri: str) -> IgnoredRow | None:
        """Give the row of `ignored` for a URI, if its record does not count."""
        ruling = self._filing.refused.get(uri)
        return self._refused(uri, ruling) if ruling is not None else self._findings.unread.get(uri)

    # Tables of provenance, built when first asked for

    @cached_property
    def _edges(self) -> dict[str, list[Edge]]:
        edges: dict[str, list[Edge]] = {}
        for place, view in self._places():
            for edge in place_edges(place, view.requests, view.artifacts):
                edges.setdefault(edge.source, []).append(edge)
        return edges

    @cached_property
    def _dependents(self) -> dict[str, list[str]]:
        dependents: dict[str, list[str]] = {}
        for source, edges in self._edges.items():
            for edge in edges:
                if edge.target.resolved:
                    dependents.setdefault(edge.target.uri, []).append(source)
        return dependents

    def _places(self) -> Iterator[tuple[Place, PlaceView]]:
        for uri in sorted(self._filing.holdings):
            holding, assembly = self._filing.holdings[uri], self._assembly(uri)
            estate = Estate(uri, holding.trust, self._filing.register)
            for shelf in (*in_places(holding.projects), *in_places(holding.goals)):
                yield Place(shelf, estate), assembly.place(shelf)


def _differ(one: Holding | None, other: Holding | None) -> bool:
    if one is None or other is None or one is other:
        return one is not other
    return one.fact(space_digest) != other.fact(space_digest)
