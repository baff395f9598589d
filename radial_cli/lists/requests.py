"""The list of requests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from radial_cli.lists.table import Cell, Row, print_rows, print_views
from radial_cli.pictures.words import request_state
from radial_cli.reading import Reading
from radial_core.views import GoalView, ProjectView, RequestView, SpaceView

_COLUMNS: Final = ("state", "type", "for", "claimed by", "uri", "place")


def print_requests(found: Reading, space: str | None, *, is_open: bool, dispatchable: bool, as_json: bool) -> None:
    """Print the requests of all spaces or one: all, the open ones, or those that still want work."""

    def is_wanted(request: RequestView) -> bool:
        return (request.open or not is_open) and (request.dispatchable or not dispatchable)

    chosen = [(each, [pair for pair in _requests(each) if is_wanted(pair[1])]) for each in found.spaces(space)]
    if as_json:
        pairs = ((each, place, request) for each, requests in chosen for place, request in requests)
        items = (({"space": each.uri, "place": place.uri}, request) for each, place, request in pairs)
        print_views(found.index, "requests", items)
        return
    rows = ((each, [_row(place, request, found) for place, request in requests]) for each, requests in chosen)
    print_rows(_COLUMNS, rows, none="there are no such requests")


def _requests(space: SpaceView) -> Iterator[tuple[ProjectView | GoalView, RequestView]]:
    places: tuple[ProjectView | GoalView, ...] = (*space.projects, *space.goals)
    for place in places:
        for request in place.requests:
            yield place, request


def _row(place: ProjectView | GoalView, request: RequestView, found: Reading) -> Row:
    names = found.names
    state = request_state(request)
    holder = found.holder(request) if request.open else None
    assignee = request.assignee
    title = place.title if isinstance(place, GoalView) else place.name
    return (
        Cell(state, state[0]),
        Cell(request.type, request.type),
        Cell(names.did(assignee) if assignee is not None else "", assignee or ""),
        Cell(names.did(holder) if holder is not None else "", holder or ""),
        Cell((names.record(request.uri), "name"), request.uri),
        Cell(title, place.uri),
    )
