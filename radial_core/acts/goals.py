"""Goals and their endings (G1–G4).

Strategy: there is one way to end a goal, and one to take it up again. The older ways are read, and never written; a
reopening answers them as well, if it comes later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from radial_core.acts.cautions import at_rest, outranked, unchanged
from radial_core.acts.draft import Act
from radial_core.records import ArchiveGoal, CloseGoal, Goal, Project
from radial_core.rules.goals import ending

if TYPE_CHECKING:
    from radial_core.acts.desk import Desk
    from radial_core.entries import Entry


def create_goal(desk: Desk, project: str, title: str, body: str) -> Act:
    """Set a goal for a project."""
    place, space = desk.ref(project, Project), desk.space_of(project)
    draft = desk.draft("goal", space=desk.ref(space), project=place, title=title, body=body)
    return Act(verb="goal create", space=space, drafts=(draft,), warnings=tuple(at_rest(desk, project)))


def close_goal(desk: Desk, goal: str, *, disposition: str | None = None) -> Act:
    """End a goal; the disposition is any word, such as completed, dropped, superseded, parked (G1)."""
    goal_ref, place = desk.ref(goal, Goal), desk.shelf(goal)
    draft = desk.draft("closeGoal", goal=goal_ref, closed=True, disposition=disposition)
    ended = ending(place)
    same = unchanged(ended is not None and ended.disposition == disposition, "the goal has ended in this way already")
    warnings = (*same, *outranked(desk, draft, place.all(CloseGoal)))
    return Act(verb="goal close", space=desk.space_of(goal), drafts=(draft,), warnings=warnings)


def reopen_goal(desk: Desk, goal: str) -> Act:
    """Take a goal up again (G1)."""
    goal_ref, place = desk.ref(goal, Goal), desk.shelf(goal)
    draft = desk.draft("closeGoal", goal=goal_ref, closed=False)
    same = unchanged(ending(place) is None, "the goal has not ended")
    # G3: an archiving that is dated later holds against a reopening.
    parked: list[Entry[Any]] = [entry for entry in place.all(ArchiveGoal)[-1:] if entry.record.archived]
    warnings = (*same, *outranked(desk, draft, [*place.all(CloseGoal), *parked]))
    return Act(verb="goal reopen", space=desk.space_of(goal), drafts=(draft,), warnings=warnings)
