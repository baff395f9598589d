"""Strategy: the settings of a project and the ending of a goal (P, G), each latest-wins (P3)."""

from __future__ import annotations

from typing import Any

from tests.oracle.held import Held, latest
from tests.oracle.references import optional_reference
from tests.oracle.world import World


def goal_of(world: World, record: Held) -> Held | None:
    """Return the goal that a record stands on, None when it stands on a project."""
    home = world.counting[world.home_of[record.uri]]
    return home if home.kind == "goal" else None


def project_of(world: World, record: Held) -> Held:
    """Return the project that a record stands on, or that its goal names."""
    home = world.counting[world.home_of[record.uri]]
    return home if home.kind == "project" else world.counting[str(home.target("project"))]


def effective(world: World, project: Held, field: str) -> str:
    """P1: a field of a project, latest-wins per field over its edits."""
    edits = [edit for edit in world.anchored("editProject", "project", project.uri) if field in edit.value]
    return str((latest(edits) or project).value[field])


def is_archived(world: World, project: Held) -> bool:
    """P1: `archiveProject` is latest-wins."""
    last = latest(world.anchored("archiveProject", "project", project.uri))
    return last is not None and bool(last.value["archived"])


def auto_review(world: World, project: Held) -> dict[str, bool]:
    """P2: the project record's own map, with the latest setAutoReview of each type over it."""
    result = dict(project.value.get("autoReview", {}))
    settings = world.anchored("setAutoReview", "project", project.uri)
    for kind in {setting.value["type"] for setting in settings}:
        last = latest([setting for setting in settings if setting.value["type"] == kind])
        result[kind] = last is not None and last.value["enabled"]
    return result


def ending(world: World, goal: Held) -> dict[str, Any] | None:
    """G3: the one ending of a goal, None when it is not ended."""
    closing = latest(world.anchored("closeGoal", "goal", goal.uri))
    archiving = latest(world.anchored("archiveGoal", "goal", goal.uri))
    parked = archiving is not None and archiving.value["archived"] is True
    if closing is not None and closing.value["closed"]:
        return _ended(closing, closing.value.get("disposition"))
    if closing is not None:
        return _ended(archiving, "parked") if parked and archiving and archiving.order > closing.order else None
    if goal.closed:  # G2
        return {"disposition": "completed", "at": None, "by": goal.author, "record": goal.uri}
    return _ended(archiving, "parked") if parked and archiving else None


def _ended(record: Held, disposition: str | None) -> dict[str, Any]:
    at = record.value["createdAt"]
    return {"disposition": disposition, "at": at, "by": record.author, "record": record.uri}


def is_ended(world: World, goal: Held) -> bool:
    """G4: the one predicate."""
    return ending(world, goal) is not None


def checks(project: Held) -> list[dict[str, Any]] | None:
    """P1, J: the checks, fixed at creation; what is missing is null."""
    if "checks" not in project.value:
        return None
    return [{"name": check["name"], "command": check["command"]} for check in project.value["checks"]]


def project_head(world: World, project: Held) -> dict[str, Any]:
    """J: what a project's view says of the project itself."""
    return {
        "author": project.author,
        "createdAt": project.value["createdAt"],
        "name": effective(world, project, "name"),
        "gitUrl": effective(world, project, "gitUrl"),
        "defaultBranch": effective(world, project, "defaultBranch"),
        "checks": checks(project),
        "archived": is_archived(world, project),
        "autoReview": auto_review(world, project),
    }


def goal_head(world: World, goal: Held) -> dict[str, Any]:
    """J: what a goal's view says of the goal itself."""
    return {
        "author": goal.author,
        "createdAt": goal.value["createdAt"],
        "project": optional_reference(world, goal, "project"),
        "title": goal.value["title"],
        "ended": is_ended(world, goal),
        "ending": ending(world, goal),
    }
