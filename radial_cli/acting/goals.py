"""Goals: set, ended, taken up again."""

from __future__ import annotations

from radial_cli.acting.manner import Manner
from radial_cli.acting.performing import perform
from radial_cli.acting.texts import Source, Text
from radial_cli.acting.view import View
from radial_cli.acting.words import named
from radial_cli.exits import NOT_FOUND, USAGE, Failure
from radial_core.acts.draft import Act
from radial_core.acts.goals import close_goal, create_goal, reopen_goal


def create(manner: Manner, *, title: str, project: str | None, source: tuple[str | None, str | None]) -> None:
    """Set a goal."""
    named(title, "a goal")
    text = Text(Source(*source), "goal create", hint="What is wanted, and how one sees that it is done.")

    def build(view: View) -> Act:
        where = view.find(project, "project") if project is not None else _only_project(view)
        return create_goal(view.desk, where, title, text())

    perform(manner, build, text=text)


def _only_project(view: View) -> str:
    space = view.reading.index.space(view.chosen_space())
    projects = [each.uri for each in space.projects if not each.archived] if space is not None else []
    if len(projects) == 1:
        return projects[0]
    if not projects:
        raise Failure("the space has no project", "Start one first: `radial project create NAME --git URL`.", NOT_FOUND)
    raise Failure(f"the space has {len(projects)} projects, and none is guessed", "Name one with --project.", USAGE)


def close(manner: Manner, *, goal: str, disposition: str) -> None:
    """End a goal."""
    perform(
        manner,
        lambda view: close_goal(view.desk, view.find(goal, "goal"), disposition=disposition),
        is_ending=True,
        question="End it?",
    )


def reopen(manner: Manner, *, goal: str) -> None:
    """Take up a goal that has ended."""
    perform(manner, lambda view: reopen_goal(view.desk, view.find(goal, "goal")))
