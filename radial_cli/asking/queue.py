"""`radial queue`: what is to be worked on, the oldest first."""

from __future__ import annotations

from typing import Any, Final

from radial_cli.lists.numbers import numbers
from radial_cli.lists.table import Columns, Group, Row, print_groups
from radial_cli.output import out_json
from radial_cli.pictures.words import brief_title, brief_type, moment, request_notes, request_state
from radial_cli.reading import Reading
from radial_core.jsonviews import to_plain
from radial_core.query.lists import Queued, queue

_COLUMNS: Final = Columns(
    cells=("", "since", "type", "state", "name", ""),
    fields=("created", "type", "state", "for", "claimed by", "uri", "place", "space", "number"),
)


def print_queue(found: Reading, space: str | None, *, as_json: bool) -> None:
    """Print the requests that still want work, of all spaces or one."""
    spaces = {each.uri: each for each in found.spaces(space)}
    queued = [each for each in queue(found.index) if each.space in spaces]
    if as_json:
        out_json({"digest": found.index.digest, "requests": [_json(each, found) for each in queued]})
        return
    numbered = {uri: numbers(found.index, "artifactRequest", uri) for uri in spaces}
    groups = (
        Group(
            brief_title(each.name),
            uri,
            [_row(one, numbered[uri][one.request.uri], found) for one in queued if one.space == uri],
        )
        for uri, each in spaces.items()
    )
    print_groups(_COLUMNS, groups, none="nothing is to be worked on")


def _json(queued: Queued, found: Reading) -> dict[str, Any]:
    return {
        "space": queued.space,
        "place": queued.place,
        "claimedBy": found.holder(queued.request),
        **to_plain(queued.request),
    }


def _row(queued: Queued, number: str, found: Reading) -> Row:
    request = queued.request
    state, holder = request_state(request), found.holder(request) or ""
    return Row(
        cells=(
            number,
            moment(request.created_at, found),
            brief_type(request.type),
            state,
            (found.names.record(request.uri), "name"),
            "; ".join(request_notes(request, found)),
        ),
        fields=(
            request.created_at, request.type, state[0], request.assignee or "", holder, request.uri, queued.place,
            queued.space, number,
        ),
    )  # fmt: skip
