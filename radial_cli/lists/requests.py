"""The list of requests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from radial_cli.lists.numbers import numbers
from radial_cli.lists.table import Columns, Group, Row, print_groups, print_views
from radial_cli.pictures.words import brief_title, brief_type, request_notes, request_state
from radial_cli.reading import Reading
from radial_core.views import GoalView, ProjectView, RequestView, SpaceView

_COLUMNS: Final = Columns(
    cells=("", "type", "state", "name", ""),
    fields=("state", "type", "for", "claimed by", "uri", "place", "space", "number"),
)


def print_requests(found: Reading, space: str | None, *, is_open: bool, dispatchable: bool, as_json: bool) -> None:
    """Print the requests of all spaces or one: all, the open ones, or those that still want work."""

    def is_wanted(request: RequestView) -> bool:
        return (request.open or not is_open) and (request.dispatchable or not dispatchable)

    chosen = [
        (each, place, [request for request in place.requests if is_wanted(request)])
        for each in found.spaces(space)
        for place in _places(each)
    ]
    if as_json:
        items = (
            ({"space": each.uri, "place": place.uri}, request)
            for each, place, requests in chosen
            for request in requests
        )
        print_views(found.index, "requests", items)
        return
    groups = (
        Group(_title(place), found.names.record(place.uri), [*_rows(requests, place, each, found)])
        for each, place, requests in chosen
    )
    print_groups(_COLUMNS, groups, none="there are no such requests")


def _places(space: SpaceView) -> tuple[ProjectView | GoalView, ...]:
    return (*space.projects, *space.goals)


def _title(place: ProjectView | GoalView) -> str:
    return brief_title(place.title if isinstance(place, GoalView) else place.name)


def _rows(
    requests: Iterable[RequestView], place: ProjectView | GoalView, space: SpaceView, found: Reading
) -> Iterator[Row]:
    numbered = numbers(found.index, "artifactRequest", space.uri)
    return (_row(request, numbered[request.uri], place, space, found) for request in requests)


def _row(request: RequestView, number: str, place: ProjectView | GoalView, space: SpaceView, found: Reading) -> Row:
    state = request_state(request)
    name = (found.names.record(request.uri), "name")
    holder = found.holder(request) if request.open else None
    return Row(
        cells=(number, brief_type(request.type), state, name, "; ".join(request_notes(request, found))),
        fields=(
            state[0],
            request.type,
            request.assignee or "",
            holder or "",
            request.uri,
            place.uri,
            space.uri,
            number,
        ),
    )
