"""What a daemon knows of a request or of a place, read off its own index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from radial_core.dispatch.actions import CancelTurn

if TYPE_CHECKING:
    from radial_core import Index
    from radial_core.dispatch.plan import Survey
    from tests.simulation.daemon import Daemon


def is_about_nothing(request: Any) -> bool:
    """L4: nothing can answer a review or an answer whose subject is not there; it has to be found again, or ended."""
    return request.type in {"review", "answer"} and not (request.subject is not None and request.subject.resolved)


def is_active(index: Index, uri: str) -> bool:
    """R5: the goal has not ended, its project is not archived."""
    goal = _goal_of(index, uri)
    project = None if goal is None or goal.project is None else index.project(goal.project.uri)
    return goal is not None and not goal.ended and not (project is not None and project.archived)


def is_member(daemon: Daemon, request: str) -> bool:
    """T5: its agent is a member where a request stands."""
    goal: Any = daemon.index.entry(_goal_of(daemon.index, request).uri)
    space = daemon.index.space(goal.value["space"]["uri"])
    return space is not None and any(member.did == daemon.did for member in space.members)


def has_answered(daemon: Daemon, view: Any) -> bool:
    """R2: a record of its own is among those that answer."""
    return view is not None and any(uri.startswith(f"at://{daemon.did}/") for uri in view.fulfilled_by)


def requests_at(index: Index, goal: str) -> Any:
    view = index.goal(goal)
    return view.requests if view is not None else ()


def cancelled(survey: Survey) -> set[str]:
    return {action.request for action in survey.actions if isinstance(action, CancelTurn)}


def _goal_of(index: Index, uri: str) -> Any:
    return index.goal(str(index.place_of(uri)))
