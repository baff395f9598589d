"""What moved between two indexes: goals and requests that came, went, or are in another state.

Strategy: an index that grew from another shares with it every view that nothing touched, so those are passed by at a
glance. What is compared are the states in words, as pictures and lists show them; a record that changes no state, such
as talk, moves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import attrs

from radial_cli.pictures.words import brief_title, brief_type, goal_state, request_state
from radial_core import Index
from radial_core.views import GoalView, ProjectView, SpaceView

_Place: TypeAlias = ProjectView | GoalView


@attrs.frozen
class Move:
    """A goal or a request (`kind`) went from one state to another; None where it was not there or does not count.

    `place` is the goal or project of a request; `title` is the goal's, or the request's type.
    """

    kind: str
    uri: str
    space: str
    place: str | None
    title: str
    before: str | None
    after: str | None

    def to_json(self) -> dict[str, Any]:
        """Give it with the documented keys."""
        return attrs.asdict(self)


@attrs.frozen
class _Standing:
    kind: str
    place: str | None
    title: str
    state: str


def moves(before: Index, after: Index, spaces: Iterable[str]) -> list[Move]:
    """List what moved in these spaces: by space, then by place, goals before their requests."""
    return [move for uri in spaces for move in _in_space(uri, before.space(uri), after.space(uri))]


def _in_space(space: str, before: SpaceView | None, after: SpaceView | None) -> Iterator[Move]:
    if before is after:
        return
    was, now = _places(before), _places(after)
    for place in [*now, *(uri for uri in was if uri not in now)]:
        if was.get(place) is not now.get(place):
            yield from _at_place(space, was.get(place), now.get(place))


def _places(space: SpaceView | None) -> Mapping[str, _Place]:
    places: tuple[_Place, ...] = () if space is None else (*space.projects, *space.goals)
    return {place.uri: place for place in places}


def _at_place(space: str, before: _Place | None, after: _Place | None) -> Iterator[Move]:
    was, now = _standings(before), _standings(after)
    for uri in [*now, *(uri for uri in was if uri not in now)]:
        one, other = was.get(uri), now.get(uri)
        known = other or one
        states = (one.state if one else None, other.state if other else None)
        if known is not None and states[0] != states[1]:
            yield Move(known.kind, uri, space, known.place, known.title, *states)


def _standings(place: _Place | None) -> dict[str, _Standing]:
    if place is None:
        return {}
    found = {}
    if isinstance(place, GoalView):
        found[place.uri] = _Standing("goal", None, brief_title(place.title), goal_state(place)[0])
    for request in place.requests:
        found[request.uri] = _Standing("request", place.uri, brief_type(request.type), request_state(request)[0])
    return found


def in_words(move: Move) -> str:
    """Say how it moved."""
    if move.before is None:
        return f"new: {move.after}"
    return f"{move.before} → {move.after}" if move.after is not None else f"{move.before} → counts no more"
