"""Goals and their endings (G1–G4).

Strategy: there is one way to end a goal, and one to take it up again. The older ways are read, and never written; a
reopening answers them as well, if it comes later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.acts.cautions import at_rest, unchanged
from radial_core.acts.draft import Act, Caution
from radial_core.records import Goal, Project
from radial_core.rules.goals import ending

if TYPE_CHECKING:
    from radial_core.acts.desk import Desk
    from radial_core.acts.draft import Draft


def create_goal(desk: Desk, project: str, title: str, body: str) -> Act:
    """Set a goal for a project."""
    place, space = desk.ref(project, Project), desk.space_of(project)
    draft = desk.draft("goal", space=desk.ref(space), project=place, title=title, body=body)
    return Act(verb="goal create", space=space, drafts=(draft,), warnings=tuple(at_rest(desk, project)))


def close_goal(desk: Desk, goal: str, *, disposition: str | None = None) -> Act:
    """End a goal; the disposition is any word, such as completed, dropped, superseded, parked (G1)."""
    draft = desk.draft("closeGoal", goal=desk.ref(goal, Goal), closed=True, disposition=disposition)
    ended = ending(desk.shelf(goal))
    same = unchanged(ended is not None and ended.disposition == disposition, "the goal has ended in this way already")
    return _act(desk, "goal close", goal, draft, same)


def reopen_goal(desk: Desk, goal: str) -> Act:
    """Take a goal up again (G1)."""
    draft = desk.draft("closeGoal", goal=desk.ref(goal, Goal), closed=False)
    return _act(desk, "goal reopen", goal, draft, unchanged(ending(desk.shelf(goal)) is None, "the goal has not ended"))


def _act(desk: Desk, verb: str, goal: str, draft: Draft, same: tuple[Caution, ...]) -> Act:
    warnings = (*same, *_outranked(desk, goal, draft))
    return Act(verb=verb, space=desk.space_of(goal), drafts=(draft,), warnings=warnings)


def _outranked(desk: Desk, goal: str, draft: Draft) -> tuple[Caution, ...]:
    """G3: the rule on goals decides whether this is the ending, or that there is none; nobody else reads endings."""
    after = desk.index.extend([draft.seen(desk.author)])
    uri, view = draft.uri(desk.author), after.goal(goal)
    if view is None or after.entry(uri) is None:
        return ()
    decides = None if view.ending is None else view.ending.record
    if decides == (uri if draft.value["closed"] else None):
        return ()
    return (Caution("Outranked", "an ending or a reopening that is dated later still decides: this changes nothing"),)
