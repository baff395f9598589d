"""How a record stands now, in the words that a program branches on, and which records others took the place of.

Strategy: a table pairs each kind that has a state with a function from the views; nothing is decided here that a view
does not say. A version is *superseded* when a later one names it as its `prev` and it is not what its chain shows as
current (X2): on a cycle, where each names another, one stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from radial_core.records import (
    AddMember,
    Artifact,
    ArtifactRequest,
    BlessComment,
    Goal,
    Message,
    Project,
    RadialRecord,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from radial_core.entries import Entry
    from radial_core.index import Index
    from radial_core.views import GoalView, ProjectView, SpaceView


def place_view(index: Index, uri: str) -> GoalView | ProjectView | None:
    """Give the goal or the project at which a record counts; nothing for one that counts elsewhere."""
    home = index.place_of(uri)
    return None if home is None else index.goal(home) or index.project(home)


def places_of(space: SpaceView) -> Sequence[GoalView | ProjectView]:
    """Give the projects of a space, then its goals."""
    return (*space.projects, *space.goals)


def superseded_in(place: GoalView | ProjectView) -> frozenset[str]:
    """Give the artifacts of a place of which a later version took the place."""
    followed = {artifact.prev.uri for artifact in place.artifacts if artifact.prev is not None}
    return frozenset(artifact.uri for artifact in place.artifacts if artifact.uri in followed) - currents_in(place)


def currents_in(place: GoalView | ProjectView) -> frozenset[str]:
    """Give the current versions of a place's chains."""
    return frozenset(chain.current for chain in place.chains)


def state_of(index: Index, entry: Entry[Any]) -> tuple[str, ...]:
    """Give the words that hold of a record that counts; none for a kind that has no state."""
    find = _STATES.get(entry.record.__class__)
    return () if find is None else tuple(find(index, entry.uri))


def _goal(index: Index, uri: str) -> Iterator[str]:
    goal = index.goal(uri)
    yield "ended" if goal is not None and goal.ended else "open"


def _project(index: Index, uri: str) -> Iterator[str]:
    project = index.project(uri)
    yield "archived" if project is not None and project.archived else "open"


def _request(index: Index, uri: str) -> Iterator[str]:
    request = index.request(uri)
    holds = () if request is None else (
        ("open", request.open),
        ("dispatchable", request.dispatchable),
        ("awaiting input", request.awaiting_input),
        ("fulfilled", bool(request.fulfilled_by)),
        ("declined", request.declined_by is not None),
        ("retracted", request.retracted_by is not None),
    )  # fmt: skip
    return (word for word, is_so in holds if is_so)


def _artifact(index: Index, uri: str) -> Iterator[str]:
    place, artifact = place_view(index, uri), index.artifact(uri)
    assert place is not None  # noqa: S101 - an artifact that counts stands at a goal or a project
    assert artifact is not None  # noqa: S101 - and is shown there
    if uri in superseded_in(place):
        yield "superseded"
    else:
        yield "current" if uri in currents_in(place) else "rival"
    if artifact.merged is not None:
        yield "merged"


def _message(index: Index, uri: str) -> Iterator[str]:
    entry = index.entry(uri)
    request = None if entry is None or entry.record.re is None else index.request(entry.record.re)
    asked = () if request is None else request.questions
    for question in asked:
        if question.uri == uri:
            yield "question"
            yield "unanswered" if question.answered_by is None else "answered"


def _blessing(index: Index, uri: str) -> Iterator[str]:
    goal = index.goal(index.place_of(uri) or "")
    yield "standing" if goal is not None and any(guest.bless == uri for guest in goal.guests) else "withdrawn"


def _grant(index: Index, uri: str) -> Iterator[str]:
    space = index.space(index.place_of(uri) or "")
    return (grant.state for grant in (() if space is None else space.grants) if grant.uri == uri)


_STATES: Final[Mapping[type[RadialRecord], Callable[[Index, str], Iterator[str]]]] = {
    AddMember: _grant,
    Artifact: _artifact,
    ArtifactRequest: _request,
    BlessComment: _blessing,
    Goal: _goal,
    Message: _message,
    Project: _project,
}
