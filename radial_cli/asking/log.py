"""`radial log`: what happened lately, by goal.

Strategy: the latest things are chosen first, wherever they happened; then what happened at one place is told together,
in the order in which it happened, the place where something happened last at the end, where a person reads first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from radial_cli.exits import USAGE, Failure
from radial_cli.lists.table import Columns, Group, Row, print_groups
from radial_cli.output import out_json, say
from radial_cli.pictures.happening import happening
from radial_cli.pictures.words import brief_title, counted, moment
from radial_cli.reading import Reading
from radial_cli.untrusted import one_line
from radial_core import Instant, parse_instant
from radial_core.jsonviews import to_plain
from radial_core.query.happenings import Lately, lately
from radial_core.query.notes import Note

_COLUMNS: Final = Columns(
    cells=("when", "who", "what"),
    fields=("when", "who", "standing", "what", "kind", "uri", "place", "title"),
)
_MIDNIGHT: Final = "00:00:00Z"
_AGO: Final = re.compile(r"(\d{1,9})(min|h|d|w)").fullmatch
_SECONDS: Final = {"min": 60, "h": 3600, "d": 86_400, "w": 604_800}


def print_log(
    found: Reading, within: str | None, *, since: str | None, by: str | None, limit: int, as_json: bool
) -> None:
    """Print the latest happenings: of everything, or of one space, project or goal. Raises `Failure`."""
    place = None if within is None else _place(within, found)
    start = None if since is None else _instant(since, found.now)
    told = lately(found.index, limit, since=start, within=place, by=by)
    if as_json:
        out_json(_json(told, found))
    else:
        print_groups(_COLUMNS, _groups(told.notes, found), none="nothing happened")
    if told.truncated:
        say(f"radial: {counted(told.total - len(told.notes), 'thing')} happened before that: --limit shows more")


def _place(name: str, found: Reading) -> str:
    uri = found.names.find(name)
    if found.index.place_of(uri) != uri:
        raise Failure(
            f"{one_line(name, 200)} is no space, project or goal here", "`radial show` has a timeline.", USAGE
        )
    return uri


def _instant(since: str, now: Instant) -> Instant:
    ago = _AGO(since)
    if ago is not None:
        return now.plus(-int(ago[1]) * _SECONDS[ago[2]])
    try:
        return parse_instant(since if "T" in since else f"{since}T{_MIDNIGHT}")
    except ValueError as fault:
        advice = "Say 3d, 12h, 2w or 30min, a date (2026-03-02), or a datetime with its zone."
        raise Failure(f"{one_line(since, 100)} is no time: {fault}", advice, USAGE) from fault


def _json(told: Lately, found: Reading) -> dict[str, Any]:
    return {
        "digest": found.index.digest,
        "happenings": [to_plain(note) for note in told.notes],
        "total": told.total,
        "truncated": told.truncated,
    }


def _groups(notes: Sequence[Note], found: Reading) -> list[Group]:
    held: dict[str, list[Note]] = {}
    for note in reversed(notes):  # so that the place where something happened last comes first, to be turned around
        held.setdefault(note.place or "", []).append(note)
    return [
        Group(_title(place, found), found.names.record(place), [_row(note, found) for note in reversed(group)])
        for place, group in reversed(held.items())
    ]


def _title(place: str, found: Reading) -> str:
    """Give the title of a place, behind the word for what it is."""
    entry = found.index.entry(place)
    if entry is None:
        return ""
    project = found.index.project(place)
    name = project.name if project is not None else entry.value.get("title") or entry.value.get("name")
    return f"{entry.record.kind} “{brief_title(str(name))}”"


def _row(note: Note, found: Reading) -> Row:
    what = happening(note, found)
    name = (f"  {found.names.record(note.uri)}", "quiet")
    words = what if isinstance(what, str) else what[0]
    return Row(
        cells=(moment(note.created_at, found), (found.names.did(note.author), "name"), [what, name]),
        fields=(
            note.created_at, note.author, note.standing, words, note.kind, note.uri, note.place or "", note.title or "",
        ),
    )  # fmt: skip
