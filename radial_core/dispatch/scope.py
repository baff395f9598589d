"""What a request is about: its project, its goals, and the records that it is based on.

Strategy: a request on a goal draws on that goal. A request on a project (a capture) draws on the goals of what it is
based on, reached through `basedOn` and `subject`. The basis is what the request names, in its own order; then what that
was based on, one step further, since a plan is what its implementation is judged by; then earlier versions, followed
through `prev` without recursion, each once. References that do not resolve stay in the list.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar, cast

from radial_core.records import Artifact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from radial_core.entries import Entry
    from radial_core.index import Index
    from radial_core.views import ArtifactView, GoalView, ProjectView, Ref, RequestView

FOUND = TypeVar("FOUND")
_SUBJECTS: Final = {"review": "it is to be reviewed", "answer": "it is to be answered"}


class Basis(NamedTuple):
    """A record of the basis: why it is there, how far from the request (0, 1, 2), and the reference to it."""

    ref: Ref
    why: str
    distance: int


class Scope:
    """A request in its index. Raises `ValueError` for a URI at which no request counts."""

    def __init__(self, index: Index, request: str) -> None:
        view, entry, home = index.request(request), index.entry(request), index.place_of(request)
        if view is None or entry is None or home is None:
            raise ValueError(f"no request counts at {request}")
        self.index = index
        self.request: RequestView = view
        self.entry: Entry[Any] = entry
        self.goal: GoalView | None = index.goal(home)
        self.project: ProjectView = _known(index.project(self.goal.project.uri if self.goal is not None else home))
        self.space: str = _known(index.entry(self.project.uri)).record.space

    @cached_property
    def goals(self) -> tuple[GoalView, ...]:
        """The goal of the request; for a request on the project those of what it names."""
        if self.goal is not None:
            return (self.goal,)
        homes = dict.fromkeys(self.index.place_of(ref.uri) for ref, _ in self._named() if ref.resolved)
        return tuple(goal for home in homes if home is not None and (goal := self.index.goal(home)) is not None)

    @cached_property
    def basis(self) -> tuple[Basis, ...]:
        """The records that the request builds on, nearest first, each once."""
        found: dict[str, Basis] = {}
        for ref, why in self._named():
            found.setdefault(ref.uri, Basis(ref, why, 0))
        for artifact in self._artifacts(list(found.values())):
            for ref in self._grounds(artifact):
                found.setdefault(ref.uri, Basis(ref, f"{artifact.uri} was based on it", 1))
        waiting = self._artifacts(list(found.values()))
        for artifact in waiting:  # it grows while it is walked; each URI enters it once
            prev = artifact.prev
            if prev is not None and prev.resolved and prev.uri not in found:
                found[prev.uri] = Basis(prev, f"an earlier version of {artifact.uri}", 2)
                waiting += self._artifacts([found[prev.uri]])
        return tuple(found.values())

    @cached_property
    def artifacts(self) -> tuple[ArtifactView, ...]:
        """The artifacts among the basis."""
        return tuple(self._artifacts(self.basis))

    @cached_property
    def followed(self) -> dict[str, str]:
        """Which artifacts of the basis a newer version in it has followed, and which; no cycle follows itself."""
        order = {artifact.uri: _known(self.index.entry(artifact.uri)).order for artifact in self.artifacts}
        followers: dict[str, str] = {}
        for artifact in self.artifacts:
            prev = artifact.prev
            if prev is not None and prev.uri in order and order[prev.uri] < order[artifact.uri]:
                followers.setdefault(prev.uri, artifact.uri)
        return followers

    @cached_property
    def _currents(self) -> dict[str, dict[str, str]]:
        return {}

    def current(self, artifact: str) -> str:
        """Give the current version of the chain that an artifact is in (X2)."""
        home = _known(self.index.place_of(artifact))
        if home not in self._currents:
            place = cast("GoalView | ProjectView", self.index.goal(home) or self.index.project(home))
            self._currents[home] = {uri: chain.current for chain in place.chains for uri in chain.versions}
        return self._currents[home][artifact]

    def _named(self) -> Iterator[tuple[Ref, str]]:
        if self.request.subject is not None:
            yield self.request.subject, _SUBJECTS.get(self.request.type, "it is the subject of the request")
        for ref in self.request.based_on or ():
            yield ref, "the request is based on it"

    def _artifacts(self, basis: tuple[Basis, ...] | list[Basis]) -> list[ArtifactView]:
        views = (self.index.artifact(one.ref.uri) for one in basis if one.ref.resolved)
        return [view for view in views if view is not None]

    def _grounds(self, artifact: ArtifactView) -> Iterator[Ref]:
        """Give the artifacts that an artifact's own request was based on."""
        request = self.index.request(artifact.request.uri) if artifact.request.resolved else None
        for ref in (request.based_on or ()) if request is not None else ():
            found = self.index.entry(ref.uri) if ref.resolved else None
            if found is not None and found.record.__class__ is Artifact:
                yield ref


def _known(found: FOUND | None) -> FOUND:
    """Give what the fold has made sure of: a request stands on a goal or project, a goal on a project (T7)."""
    return cast("FOUND", found)
