"""Records that are none of ours, or none at all (O6, L1, L6).

Strategy: a table of spoilers, each of which makes one sound record of a member unsound in one way; which kind of record
it is matters less than that many rules of structure are hit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from radial_corpus.pen import PREFIX
from radial_corpus.words import prose, sentence

if TYPE_CHECKING:
    from radial_corpus.room import Desk

_LEVELS: Final = 70  # L6 allows 64


def publish_elsewhere(desk: Desk) -> None:
    """O6: stand in a collection of another program, under a handle, or at no record's URI at all."""
    did, key = desk.roster.human(), desk.pen.key()
    message = {"$type": f"{PREFIX}message", "body": sentence(desk.dice), "createdAt": desk.pen.spell(desk.pen.now)}
    match desk.dice.below(4):
        case 0:
            desk.pen.publish(f"at://{did}/app.bsky.feed.post/{key}", message | {"$type": "app.bsky.feed.post"})
        case 1:
            desk.pen.publish(f"at://somebody.example/{PREFIX}message/{key}", message | desk.on_goal)
        case 2:
            desk.pen.publish(f"at://{did}/{PREFIX}poem/{key}", message | {"$type": f"{PREFIX}poem"})
        case _:
            desk.pen.publish(f"at://{did}/{PREFIX}message", message | desk.on_goal)


def nest_deeply(desk: Desk) -> None:
    """L6: carry an unknown field that is nested too deeply."""
    nested: dict[str, Any] = {}
    for _ in range(_LEVELS):
        nested = {"inside": nested}
    did, pen = desk.roster.human(), desk.pen
    pen.write(did, "message", desk.on_goal | {"body": sentence(desk.dice), "extra": nested})


# What to change in a sound message; `...` takes a field away.
_MESSAGES: Final[tuple[dict[str, Any], ...]] = (
    {"body": ...},
    {"createdAt": ...},
    {"$type": f"{PREFIX}goal"},
    {"createdAt": "2026-02-30T12:00:00Z"},
    {"createdAt": "yesterday"},
    {"createdAt": "2026-03-01T24:00:00Z"},
    {"createdAt": "2026-03-01T12:00:00-00:00"},
    {"body": 7},
    {"body": None},
    {"mentions": ["@someone"]},
    {"parent": "at://did:plc:someone/collection/key"},
    {"re": {"uri": "at://did:plc:abcdefghijklmnopqrstuvwx"}},
    {"goal": ...},
    {"declines": "yes", "body": ["no", "text"], "model": 2},
)


def break_structure(desk: Desk) -> None:
    """L1: miss a required field, have one of a wrong type, name the wrong kind of anchor."""
    did, pen = desk.roster.anybody(), desk.pen
    key = pen.key()
    if desk.dice.chance(0.75):
        sound = {"$type": f"{PREFIX}message", **desk.on_goal, "body": prose(desk.dice, 1, 2)}
        spoiled = sound | {"createdAt": pen.spell(pen.now)} | desk.dice.pick(_MESSAGES)
        value = {name: item for name, item in spoiled.items() if item is not ...}
        desk.pen.publish(f"at://{did}/{PREFIX}message/{key}", value)
    else:
        kind, fields = desk.dice.pick(_others(desk))
        value = {"$type": f"{PREFIX}{kind}", **fields, "createdAt": pen.spell(pen.now)}
        desk.pen.publish(f"at://{did}/{PREFIX}{kind}/{key}", value)


def _others(desk: Desk) -> tuple[tuple[str, dict[str, Any]], ...]:
    """Give unsound records of other kinds."""
    goal, project, space = desk.ref(desk.goal), desk.ref(desk.project), desk.ref(desk.room.space)
    return (
        ("artifactRequest", {"goal": goal, "project": project, "type": "plan"}),
        ("artifactRequest", {"type": "plan"}),
        ("editProject", {"project": project}),
        ("closeGoal", {"goal": project, "closed": True}),
        ("addMember", {"space": space, "did": desk.roster.root, "kind": "human", "role": "owner"}),
        ("project", {"space": space, "name": "", "gitUrl": "not a uri", "defaultBranch": "main"}),
        ("review", {"subject": goal, "verdict": "maybe"}),
        ("image", {"blob": {"$type": "blob", "mimeType": "image/svg+xml"}}),
    )
