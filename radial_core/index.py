"""The index: every view, and the questions one can ask of it (protocol §14, §15).

Strategy: an index is a value. What counts where is settled when it is made; the view of a space, and the tables by
which questions are answered, are made when they are first needed and never change. It computes no rule: who wants to
know why a record counts gets the place where it stands, or the ruling that keeps it out, as the fold left them.
"""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from radial_core import answers
from radial_core.assembly import assemble
from radial_core.comparison import Difference, differences
from radial_core.entries import in_order
from radial_core.instants import Instant, parse_instant
from radial_core.jsonviews import to_plain
from radial_core.ledger import observations_in
from radial_core.observations import Record
from radial_core.rules.provenance import Edge, closure, place_edges
from radial_core.views import ArtifactView, GoalView, ProjectView, RequestView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import TypeAlias

    from radial_core.answers import Explanation
    from radial_core.digest import Digests
    from radial_core.entries import Entry
    from radial_core.leases import Lease
    from radial_core.ledger import Ledger
    from radial_core.observations import Observation
    from radial_core.places import Estate, Register
    from radial_core.rules.claims import Ranking
    from radial_core.rulings import EditRow, IgnoredRow
    from radial_core.views import AgentView, ImageView, SpaceView

    _View: TypeAlias = ProjectView | GoalView | RequestView | ArtifactView


class Findings(NamedTuple):
    """What a fold found: what counts where, the claims of each place, the digests, and the rows of §15."""

    estates: Mapping[str, Estate]
    register: Register
    rankings: Mapping[str, Ranking]
    digests: Digests
    strays: Mapping[str, Entry[Any]]  # agents and images that count
    images: tuple[ImageView, ...]
    ignored: tuple[IgnoredRow, ...]
    edits: tuple[EditRow, ...]


VIEW = TypeVar("VIEW", ProjectView, GoalView, RequestView, ArtifactView)
_SHOWN: Final = ("digest", "spaces", "images", "ignored", "edits")


def _places_in(space: SpaceView) -> Iterator[ProjectView | GoalView]:
    return chain(space.projects, space.goals)


def _views_in(space: SpaceView) -> Iterator[_View]:
    for place in _places_in(space):
        yield place
        yield from place.requests
        yield from place.artifacts


class Index:
    """The state that a set of observations amounts to; the same for everybody who holds the same set.

    Made by `radial_core.materialize`. Equal to another when everything that §15 shows is equal.
    """

    def __init__(
        self, ledger: Ledger, findings: Findings, extend: Callable[[Ledger, Iterable[Observation]], Index]
    ) -> None:
        self._ledger = ledger
        self._findings = findings
        self._extend = extend
        self._shown: dict[str, SpaceView] = {}  # the spaces that somebody has looked at
        self._tables: dict[str, dict[str, _View]] = {}  # what stands in them, by URI

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Index):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _SHOWN)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<Index of {len(self._ledger)} records in {len(self._findings.estates)} spaces, {self.digest}>"

    # What §15 shows

    @property
    def digest(self) -> str:
        """The CID over everything that two observers of the same trusted records agree on (D1, D2)."""
        return self._findings.digests.root

    @cached_property
    def spaces(self) -> tuple[SpaceView, ...]:
        """The spaces, by URI."""
        return tuple(self._show(uri) for uri in sorted(self._findings.estates))

    @property
    def images(self) -> tuple[ImageView, ...]:
        """The images of members, in order (createdAt, URI); they change nothing else (M4)."""
        return self._findings.images

    @property
    def ignored(self) -> tuple[IgnoredRow, ...]:
        """One row for every record that does not count, with the rule and the reason, by URI."""
        return self._findings.ignored

    @property
    def edits(self) -> tuple[EditRow, ...]:
        """The URIs where more was seen than the version that counts, by URI (V6)."""
        return self._findings.edits

    def to_json(self) -> dict[str, Any]:
        """Give the whole index as §15's JSON: fresh dicts and lists with camel-cased keys."""
        return {name: to_plain(getattr(self, name)) for name in _SHOWN}

    # Growing and comparing

    def extend(self, records: Iterable[Observation]) -> Index:
        """Give the index of these observations and the ones held already; this one stays as it is.

        Equal to `materialize([*earlier, *records])`, whatever the batches. Raises as `materialize` does.
        """
        return self._extend(self._ledger, records)

    def diff(self, other: Index) -> tuple[Difference, ...]:
        """Walk down both digest trees: the spaces, projects and goals that differ, and the records that do it (D2)."""
        mine, theirs = self._findings.digests.places, other._findings.digests.places
        parted = sorted(
            uri for uri in {*self._findings.estates, *other._findings.estates} if mine.get(uri) != theirs.get(uri)
        )
        here, there = ([view for uri in parted if (view := index.space(uri))] for index in (self, other))
        return differences(here, there, self.entry, other.entry)

    # Looking up

    def space(self, uri: str) -> SpaceView | None:
        """Give the space at a URI."""
        return self._show(uri) if uri in self._findings.estates else None

    def _show(self, uri: str) -> SpaceView:
        if uri not in self._shown:
            findings = self._findings
            self._shown[uri] = assemble(findings.estates[uri], findings.rankings, findings.digests.places)
        return self._shown[uri]

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
        """Look a view up in its own space: no other is shown for it."""
        home = self._findings.register.homes.get(uri)
        if home is None:
            return None
        space = home.estate.space.uri
        if space not in self._tables:
            self._tables[space] = {view.uri: view for view in _views_in(self._show(space))}
        found = self._tables[space].get(uri)
        return found if isinstance(found, kind) else None

    def entry(self, uri: str) -> Entry[Any] | None:
        """Give a record that counts, with the value of the version that does; images and agents included."""
        return self._findings.register.entries.get(uri) or self._findings.strays.get(uri)

    def place_of(self, uri: str) -> str | None:
        """Give the URI of the space, project or goal where a record counts; nothing for agents and images."""
        home = self._findings.register.homes.get(uri)
        return home.entry.uri if home is not None else None

    def capable(self, space: str, artifact_type: str) -> tuple[AgentView, ...]:
        """List the profiles of a space's members that produce a type, by URI (M5); none for an unknown space."""
        view = self.space(space)
        return () if view is None else tuple(agent for agent in view.agents if artifact_type in agent.artifact_types)

    # Leases (C3–C5): give these to `radial_core.winner`, with this observer's own clock

    def leases(self, request: str) -> tuple[Lease, ...]:
        """List the leases on a request in rank order (C3)."""
        home = self._findings.register.homes.get(request)
        return () if home is None else self._findings.rankings[home.entry.uri].leases.get(request, ())

    def sightings(self, request: str) -> dict[tuple[str, str], Instant | None]:
        """Map each `(uri, cid)` of the leases on a request to the instant of its first known sighting (C4, C5)."""
        return {(lease.uri, lease.cid): self._first_seen(lease.uri, lease.cid) for lease in self.leases(request)}

    def _first_seen(self, uri: str, cid: str) -> Instant | None:
        held = observations_in(self._ledger[uri])
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
        edits = self._edits.get(uri)
        home = self._findings.register.homes.get(uri)
        if home is not None:
            return answers.explain_filed(self._findings.register.entries[uri], home, edits)
        if uri in self._ignored:
            return answers.explain_ignored(self._ignored[uri], edits)
        stray = self._findings.strays.get(uri)
        if stray is None:
            return answers.explain_unknown(uri)
        if stray.record.kind == "image":
            return answers.explain_image(uri, edits)
        homes = [estate for estate in self._findings.estates.values() if estate.trust.is_member(stray.did)]
        return answers.explain_agent(stray, homes, edits)

    # Tables, built when first asked for

    @cached_property
    def _ignored(self) -> dict[str, IgnoredRow]:
        return {row.uri: row for row in self.ignored}

    @cached_property
    def _edits(self) -> dict[str, EditRow]:
        return {row.uri: row for row in self.edits}

    @cached_property
    def _edges(self) -> dict[str, list[Edge]]:
        edges: dict[str, list[Edge]] = {}
        for view in self._places():
            place = self._findings.register.homes[view.uri]
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

    def _places(self) -> Iterator[ProjectView | GoalView]:
        return (place for space in self.spaces for place in _places_in(space))
