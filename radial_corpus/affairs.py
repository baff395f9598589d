"""What happens in a space beside its goals: projects, types, settings, members.

Strategy: one function an event, each by somebody who may do it; a table says how often each is dealt between two goals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from radial_corpus import members
from radial_corpus.dice import weighted
from radial_corpus.pictures import show_image
from radial_corpus.words import prose, slug, thing

if TYPE_CHECKING:
    from radial_corpus.dice import Dice
    from radial_corpus.pen import Written
    from radial_corpus.room import Affair, Room

_MOST_PROJECTS: Final = 12
_GOAL_TYPES: Final = ("design", "translation", "experiment", "survey", "Übersicht")
_PROJECT_TYPES: Final = ("decision", "glossary", "runbook", "architecture")
_CHECKS: Final = (
    {"name": "tests", "command": "make test"},
    {"name": "style", "command": "make lint"},
    {"name": "docs", "command": "make docs"},
)


def found_project(room: Room) -> None:
    """Let a person found a project, as long as there are not too many."""
    if len(room.projects) >= _MOST_PROJECTS:
        edit_project(room)
        return
    dice = room.dice
    fields: dict[str, Any] = {
        "space": room.ref(room.space),
        "name": thing(dice).capitalize(),
        "gitUrl": _git_url(dice),
        "defaultBranch": "main",
    }
    if dice.chance(0.6):
        fields["checks"] = dice.some(_CHECKS, 1, 3)
    if dice.chance(0.5):
        fields["autoReview"] = {name: dice.chance(0.7) for name in dice.some(room.goal_types, 1, 2)}
    room.projects.append(room.pen.write(room.roster.human(), "project", fields))


def _git_url(dice: Dice) -> str:
    return f"https://forge.example/{slug(dice)}.git" if dice.chance(0.8) else f"ssh://git@forge.example/{slug(dice)}"


def edit_project(room: Room) -> None:
    """Let the author of a project change some of its fields (P1)."""
    project, dice = room.dice.pick(room.projects), room.dice
    changes = {
        "name": thing(dice).capitalize(),
        "gitUrl": _git_url(dice),
        "defaultBranch": dice.pick(("main", "trunk")),
    }
    fields = {name: changes[name] for name in dice.some([*changes], 1, 2)}
    room.pen.write(project.did, "editProject", {"project": room.ref(project), **fields})


def shelve_project(room: Room) -> None:
    """Let the author of a project archive it, and mostly take it up again (P1)."""
    project = room.dice.pick(room.projects)
    for archived in (True, False) if room.dice.chance(0.8) else (True,):
        room.pen.write(project.did, "archiveProject", {"project": room.ref(project), "archived": archived})


def switch_reviews(room: Room) -> None:
    """Let an admin switch the automatic reviews of a type (P2)."""
    fields = {
        "project": room.ref(room.dice.pick(room.projects)),
        "type": room.dice.pick(room.goal_types),
        "enabled": room.dice.chance(0.6),
    }
    room.pen.write(room.roster.admin(), "setAutoReview", fields)


def switch_guests(room: Room) -> None:
    """Let an admin say whether the space asks guests for comments (M3)."""
    fields = {"space": room.ref(room.space), "enabled": room.dice.chance(0.7)}
    room.pen.write(room.roster.admin(), "setGuestComments", fields)


def define_type(room: Room) -> None:
    """Let an admin define an artifact type, or define one anew, also one that is built in (A2)."""
    if room.dice.chance(0.15):
        write_type(room, room.roster.admin(), room.dice.pick(("plan", "implementation")), "goal")
    elif room.dice.chance(0.5):
        _register(room, room.goal_types, room.dice.pick(_GOAL_TYPES), "goal")
    else:
        _register(room, room.project_types, room.dice.pick(_PROJECT_TYPES), "project")


def _register(room: Room, known: list[str], name: str, scope: str) -> None:
    write_type(room, room.roster.admin(), name, scope)
    if name not in known:
        known.append(name)


def write_type(room: Room, did: str, name: str, scope: str) -> Written:
    """Write a type's definition, whoever may."""
    fields = {
        "space": room.ref(room.space),
        "name": name,
        "brief": prose(room.dice, 1, 3),
        "outputSpec": prose(room.dice, 1, 2),
        "scope": scope,
    }
    return room.pen.write(did, "artifactType", fields)


def hang_picture(room: Room) -> None:
    """Let a member upload an image (M4)."""
    show_image(room.pen, room.roster.human())


AFFAIRS: Final[tuple[Affair, ...]] = weighted(
    (3, members.welcome),
    (2, members.invite),
    (2, members.farewell),
    (1, members.promote),
    (1, members.sabbatical),
    (1, members.backdate),
    (1, members.outrun),
    (2, members.republish),
    (1, found_project),
    (1, edit_project),
    (1, shelve_project),
    (2, switch_reviews),
    (1, switch_guests),
    (3, define_type),
    (3, hang_picture),
)
