"""What was decided about something, and how its checks went last (RK-16.1).

Strategy: a decision is a record that refers to what it decides about. Of a goal or a project, what was decided about
its current artifacts belongs to it. Of check runs only the last one of each artifact still says anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from radial_core.query.standing import currents_in, place_view
from radial_core.records import Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from radial_core.entries import Entry
    from radial_core.index import Index
    from radial_core.query.web import Web

_DECISIONS: Final = frozenset(
    {
        "archiveGoal", "archiveProject", "closeGoal", "editProject", "merge", "removeMember", "retractBless",
        "retractRequest", "review", "setAutoReview", "setGuestComments",
    }
)  # fmt: skip


def decided(index: Index, web: Web, entry: Entry[Any]) -> Sequence[str]:
    """List the URIs of what was decided about a record, and of the last check runs, in order (createdAt, URI)."""
    place = place_view(index, entry.uri)
    about = {entry.uri} | (currents_in(place) if place is not None and place.uri == entry.uri else set[str]())
    found = {uri for target in about for uri in _on(index, web, target)}
    return [each.uri for each in sorted(index.filing.entries[uri] for uri in found)]


def _on(index: Index, web: Web, target: str) -> Iterable[str]:
    naming = [index.filing.entries[edge.source] for edge in web.into(target)]
    runs = [entry.uri for entry in naming if entry.record.kind == "checkrun"]
    return [*(entry.uri for entry in naming if _decides(entry)), *runs[-1:]]


def _decides(entry: Entry[Any]) -> bool:
    record = entry.record
    return record.kind in _DECISIONS or (isinstance(record, Message) and bool(record.declines))
