"""What is to be said before an act and stops nobody: that it changes nothing, comes too late, or goes unheard.

Strategy: a caution is about what will follow, never about whether the record counts: that is foreseen. So each is made
where the act is built, from the same index, and here are those that several acts share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from radial_core.acts.draft import Caution
from radial_core.acts.nouns import counted
from radial_core.dispatch.standing import current_version
from radial_core.instants import parse_instant
from radial_core.query.standing import places_of
from radial_core.records import Goal
from radial_core.rules.goals import ending
from radial_core.rules.projects import project_state

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from radial_core.acts.desk import Desk
    from radial_core.acts.draft import Draft
    from radial_core.entries import Entry
    from radial_core.views import RequestView, SpaceView


def unchanged(is_so: bool, words: str) -> tuple[Caution, ...]:  # noqa: FBT001 - it reads as the condition that it is
    """Say that things are already as the act would make them."""
    return (Caution("Unchanged", words),) if is_so else ()


def outranked(desk: Desk, draft: Draft, others: Iterable[Entry[Any]]) -> tuple[Caution, ...]:
    """P3: the latest wins, and somebody's clock may run ahead: say that a record dated later would still decide."""
    instant = parse_instant(desk.now)
    order = (*instant, draft.uri(desk.author))
    later = max((entry for entry in others if entry.order > order), default=None)
    if later is None:
        return ()
    words = f"{later.uri} is dated later, {later.created_at}: it would still decide, and this would change nothing"
    return (Caution("Outranked", words),)


def at_rest(desk: Desk, uri: str) -> Iterator[Caution]:
    """R5: say that no agent takes up work where a record stands: the goal has ended, or the project is archived."""
    place = desk.shelf(uri)
    if place.entry.record.__class__ is Goal and ending(place) is not None:
        yield Caution("GoalEnded", "the goal has ended: agents take up nothing there until it is reopened")
    if project_state(desk.shelf(place.project)).archived:
        yield Caution("ProjectArchived", "the project is archived: agents take up nothing there")


def closed(view: RequestView) -> tuple[Caution, ...]:
    """R5: say that a request waits for nobody any more."""
    if view.open:
        return ()
    if view.fulfilled_by:
        words = f"the request is already fulfilled, by {view.fulfilled_by[0]}"
    elif view.retracted_by is not None:
        words = f"the request was retracted, by {view.retracted_by}"
    else:
        words = f"the request was declined, by {view.declined_by}"
    return (Caution("RequestClosed", words),)


def not_asked(desk: Desk, view: RequestView, words: str) -> tuple[Caution, ...]:
    """Say that a request is addressed to somebody else."""
    if view.assignee in {None, desk.author}:
        return ()
    return (Caution("NotAssignee", f"the request is addressed to {view.assignee}: {words}"),)


def superseded(desk: Desk, uri: str) -> tuple[Caution, ...]:
    """X2: say that an artifact has a later version."""
    current = current_version(desk.index, uri)
    return () if current == uri else (Caution("Superseded", f"{uri} has a later version: {current}"),)


def assigned_in(space: SpaceView, did: str) -> Iterator[RequestView]:
    """Give the requests of a space that are addressed to somebody."""
    return (one for place in places_of(space) for one in place.requests if one.assignee == did)


def still_assigned(requests: Iterable[RequestView], whom: str) -> tuple[Caution, ...]:
    """Say how many open requests wait for somebody who will not be there."""
    number = sum(view.open for view in requests)
    if not number:
        return ()
    words = f"{counted('artifactRequest', number)} addressed to {whom} would wait for nobody"
    return (Caution("StillAssigned", words),)
