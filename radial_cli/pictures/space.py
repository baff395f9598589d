"""A space at a glance: who is in it, what is wanted, what was made, what does not count and why, and the digest.

Strategy: from the people over the projects to the goals, open ones first, each thing under its own name; then what was
left out, because a picture that hides that cannot be trusted; the digest last, where it can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from radial_cli.names import author_of
from radial_cli.pictures.happening import draw_timeline
from radial_cli.pictures.ignored import draw_edits, draw_ignored
from radial_cli.pictures.project import draw_settings, draw_staleness
from radial_cli.pictures.words import (
    brief_title,
    brief_type,
    counted,
    goal_state,
    listed,
    member_note,
    member_role,
    moment,
)
from radial_cli.pictures.work import draw_work
from radial_cli.reading import Reading
from radial_cli.render import Page, Parts
from radial_cli.untrusted import one_line
from radial_core.query.happenings import lately
from radial_core.views import (
    AgentView,
    GoalView,
    GrantView,
    MemberView,
    ProjectView,
    SpaceView,
)

_EXCERPT: Final = 160
_LATELY: Final = 10


def draw_space(page: Page, space: SpaceView, reading: Reading) -> None:
    """Draw a whole space."""
    page.line([(brief_title(space.name), "title"), ("  a Radial space", "quiet")])
    if space.description:
        page.prose(space.description)
    page.line((space.uri, "quiet"))
    page.line(("Everything in it is public. Times are UTC.", "quiet"))
    _draw_members(page, space, reading)
    page.heading("Projects", f"({len(space.projects)})")
    goals: dict[str, list[GoalView]] = {}
    for goal in space.goals:
        goals.setdefault(goal.project.uri, []).append(goal)
    for number, project in enumerate(space.projects):
        if number:
            page.gap()
        _draw_project(page, project, goals.get(project.uri, []), reading)
    ended = sum(goal.ended for goal in space.goals)
    page.heading("Goals", f"({len(space.goals) - ended} open, {ended} ended)")
    for number, goal in enumerate(sorted(space.goals, key=attrgetter("ended"))):
        if number:
            page.gap()
        _draw_goal(page, goal, reading)
    draw_timeline(page, lately(reading.index, _LATELY, within=space.uri).notes, reading, title="Lately")
    draw_ignored(page, space, reading)
    draw_edits(page, space, reading)
    page.heading("Digest")
    page.line([space.digest, ("  of this space", "quiet")], indent=2)
    page.line([reading.index.digest, ("  of everything in this input", "quiet")], indent=2)


def _draw_members(page: Page, space: SpaceView, reading: Reading) -> None:
    page.heading("Members", f"({len(space.members)})")
    page.columns([_member(member, space, reading) for member in space.members], indent=2)
    past = [grant for grant in space.grants if grant.state != "current"]
    if past:
        page.line(("Earlier", "quiet"), indent=2)
        page.columns([_past_grant(grant, reading) for grant in past], indent=4)
    page.gap()
    for agent in space.agents:
        page.line(_agent(agent, reading), indent=2)
    page.line(
        f"Artifact types: {', '.join(_type(entry.name, entry.scope) for entry in space.artifact_types)}.", indent=2
    )
    page.line(f"Comments by guests are {'welcome' if space.guest_comments else 'not asked for'}.", indent=2)


def _type(name: str, scope: str) -> str:
    return f"{brief_type(name)} (of a project)" if scope == "project" else brief_type(name)


def _member(member: MemberView, space: SpaceView, reading: Reading) -> list[Parts]:
    notes = filter(None, (f"since {moment(member.since, reading)}", member_note(member, space)))
    return [(member.did, "name"), member_role(member, space), "; ".join(notes)]


def _past_grant(grant: GrantView, reading: Reading) -> list[Parts]:
    names = reading.names
    role = f"{grant.kind}, {grant.role}" if grant.kind != grant.role else grant.role
    end = grant.ended_by
    if end is None:
        return [names.did(grant.did), role, grant.state]
    ended = moment(reading.value(end)["createdAt"], reading)
    word = "removed" if grant.state == "revoked" else "granted anew"
    return [names.did(grant.did), role, f"until {ended}, {word} by {names.did(author_of(end))}"]


def _agent(agent: AgentView, reading: Reading) -> Parts:
    name, profile, harness = map(brief_title, (agent.handle_name, agent.profile, agent.harness))
    models = listed(brief_title(model.name) for model in agent.models)
    does = listed(map(brief_type, agent.artifact_types)) or "nothing"
    return [
        (reading.names.did(agent.did), "name"),
        f" is {name} with the profile {profile}: {harness}{f' on {models}' if models else ''}, for {does}",
    ]


def _draw_project(page: Page, project: ProjectView, goals: Sequence[GoalView], reading: Reading) -> None:
    names = reading.names
    archived = [("  archived", "quiet")] if project.archived else []
    page.line([(brief_title(project.name), "title"), *archived, (f"  {names.record(project.uri)}", "quiet")], indent=2)
    draw_settings(page, project, indent=4, cut=brief_title)
    page.line(f"{counted(len(goals), 'goal')}, {sum(not goal.ended for goal in goals)} of them open", indent=4)
    draw_work(page, project.requests, project.artifacts, project.chains, reading)
    draw_staleness(page, project, reading, indent=6)


def _draw_goal(page: Page, goal: GoalView, reading: Reading) -> None:
    names = reading.names
    page.line(
        [(brief_title(goal.title), "title"), "  ", goal_state(goal), (f"  {names.record(goal.uri)}", "quiet")],
        indent=2,
        hang=4,
    )
    project = reading.index.project(goal.project.uri)
    about = f"For {brief_title(project.name)}, " if project is not None else ""
    about += f"by {names.did(goal.author)}, {moment(goal.created_at, reading)}"
    page.line((about, "quiet"), indent=4)
    if (ending := goal.ending) is not None:
        when = f" {moment(ending.at, reading)}" if ending.at is not None else ""
        page.line((f"Ended{when} by {names.did(ending.by)}", "quiet"), indent=4)
    elif body := reading.value(goal.uri).get("body"):
        page.prose(one_line(body, _EXCERPT), indent=4)
    draw_work(page, goal.requests, goal.artifacts, goal.chains, reading)
    talk = [counted(len(goal.messages), "message")] if goal.messages else []
    on_artifacts = sum(len(artifact.messages) for artifact in goal.artifacts)
    talk += [f"{counted(on_artifacts, 'message')} on its artifacts"] if on_artifacts else []
    talk += [f"{counted(len(goal.guests), 'comment')} by guests"] if goal.guests else []
    if talk:
        page.line([("Talk  ", "heading"), listed(talk)], indent=4)
