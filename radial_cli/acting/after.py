"""What a place looks like once an act is done: the goal, project or space where its first record stands."""

from __future__ import annotations

from typing import Any

from radial_cli.acting.prepared import Prepared
from radial_cli.names import Names
from radial_cli.pictures.words import (
    brief_title,
    brief_type,
    counted,
    goal_state,
    member_note,
    member_role,
    request_notes,
    request_state,
)
from radial_cli.reading import Reading
from radial_cli.render import Page
from radial_core.jsonviews import to_plain
from radial_core.views import GoalView, ProjectView, SpaceView


def _place(ready: Prepared) -> SpaceView | ProjectView | GoalView | None:
    """Find it in the index as it is after the act: what was written is what was foreseen, byte for byte."""
    index, did = ready.forecast.index, ready.view.account.did
    homes = (index.place_of(draft.uri(did)) for draft in ready.act.drafts)
    uri = next((home for home in homes if home is not None), ready.act.space)
    if uri is None:
        return None
    return index.goal(uri) or index.project(uri) or index.space(uri)


def after_json(ready: Prepared) -> dict[str, Any] | None:
    """Give the view of the place."""
    place = _place(ready)
    return None if place is None else to_plain(place)


def draw_after(page: Page, ready: Prepared) -> None:
    """Draw the place in short."""
    place = _place(ready)
    if place is None:
        return
    before = ready.view.reading
    reading = Reading(ready.forecast.index, before.observed, before.now)
    _name_new(reading, ready)
    match place:
        case GoalView():
            _goal(page, place, reading)
        case ProjectView():
            _project(page, place, reading)
        case SpaceView():
            _space(page, place)


def _name_new(reading: Reading, ready: Prepared) -> None:
    """Let what was just written be called by its short name, as what was seen before is."""
    did = ready.view.account.did
    uris = {seen.uri for seen in reading.observed} | {draft.uri(did) for draft in ready.act.drafts}
    dids = {member.did for space in reading.index.spaces for member in space.members}
    reading.names = Names(uris, dids)


def _goal(page: Page, goal: GoalView, reading: Reading) -> None:
    page.line(
        [(brief_title(goal.title), "title"), "  ", goal_state(goal), (f"  {reading.names.record(goal.uri)}", "quiet")]
    )
    talk = len(goal.messages) + sum(len(artifact.messages) for artifact in goal.artifacts)
    numbers = (
        counted(len(goal.requests), "request"),
        counted(len(goal.artifacts), "artifact"),
        counted(talk, "message"),
        counted(len(goal.guests), "blessed comment"),
    )
    page.line(", ".join(numbers), indent=2)
    _requests(page, goal, reading)


def _project(page: Page, project: ProjectView, reading: Reading) -> None:
    archived = ("  archived", "quiet") if project.archived else ""
    page.line([(brief_title(project.name), "title"), archived, (f"  {reading.names.record(project.uri)}", "quiet")])
    page.line(f"{project.git_url}, branch {project.default_branch}", indent=2)
    reviewed = [name for name, enabled in sorted(project.auto_review.items()) if enabled]
    if reviewed:
        page.line(f"Reviewed without being asked: {', '.join(map(brief_type, reviewed))}", indent=2)
    _requests(page, project, reading)


def _requests(page: Page, place: GoalView | ProjectView, reading: Reading) -> None:
    waiting = [request for request in place.requests if request.open]
    page.columns(
        (
            [
                brief_type(request.type),
                request_state(request),
                [(reading.names.record(request.uri), "name"), f"  {'; '.join(request_notes(request, reading))}"],
            ]
            for request in waiting
        ),
        indent=2,
    )


def _space(page: Page, space: SpaceView) -> None:
    page.line([(brief_title(space.name), "title"), (f"  {space.uri}", "quiet")])
    is_open = sum(not goal.ended for goal in space.goals)
    page.line(
        f"{counted(len(space.projects), 'project')}, {counted(len(space.goals), 'goal')}, {is_open} open", indent=2
    )
    page.columns(
        ([(member.did, "name"), member_role(member, space), member_note(member, space)] for member in space.members),
        indent=2,
    )
    page.line(f"Comments by guests are {'welcome' if space.guest_comments else 'not asked for'}.", indent=2)
