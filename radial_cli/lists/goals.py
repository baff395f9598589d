"""The list of goals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from radial_cli.lists.numbers import numbers
from radial_cli.lists.table import Columns, Group, Row, print_groups, print_views
from radial_cli.pictures.words import brief_title, goal_state, moment
from radial_cli.reading import Reading
from radial_core.views import GoalView, SpaceView

_COLUMNS: Final = Columns(
    cells=("", "state", "created", "name", "title"),
    fields=("state", "created", "author", "uri", "title", "space", "number"),
)


def print_goals(found: Reading, space: str | None, *, which: str, as_json: bool) -> None:
    """Print the goals of all spaces or one: `which` is `open`, `ended` or `all`."""
    chosen = [(each, _chosen(each, which)) for each in found.spaces(space)]
    if as_json:
        print_views(found.index, "goals", (({"space": each.uri}, goal) for each, goals in chosen for goal in goals))
        return
    groups = (Group(brief_title(each.name), each.uri, [*_rows(goals, each, found)]) for each, goals in chosen)
    print_groups(_COLUMNS, groups, none="there are no such goals; --all lists every one")


def _chosen(space: SpaceView, which: str) -> list[GoalView]:
    if which == "all":
        return [*space.goals]
    if which == "ended":
        return [goal for goal in space.goals if goal.ended]
    archived = {project.uri for project in space.projects if project.archived}
    return [goal for goal in space.goals if not goal.ended and goal.project.uri not in archived]


def _rows(goals: Iterable[GoalView], space: SpaceView, found: Reading) -> Iterator[Row]:
    numbered = numbers(found.index, "goal", space.uri)
    return (_row(goal, numbered[goal.uri], space, found) for goal in goals)


def _row(goal: GoalView, number: str, space: SpaceView, found: Reading) -> Row:
    state = goal_state(goal)
    name = (found.names.record(goal.uri), "name")
    return Row(
        cells=(number, state, moment(goal.created_at, found), name, brief_title(goal.title)),
        fields=(state[0], goal.created_at, goal.author, goal.uri, goal.title, space.uri, number),
    )
