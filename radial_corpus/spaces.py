"""One space: its founding, and then one goal after another with the affairs of the space in between.

Strategy: goals overlap in time, as people do not wait for each other: each starts some hours after the one before it
started. A space has as many members and projects to begin with as its size calls for; more come as time goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from radial_corpus import affairs, members
from radial_corpus.clock import CLOCKS, HOUR
from radial_corpus.goals import pursue_goal
from radial_corpus.pen import Pen
from radial_corpus.room import Room
from radial_corpus.roster import Roster, new_did
from radial_corpus.words import group_name, sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from radial_core import Deletion, Record
    from radial_corpus.dice import Dice
    from radial_corpus.pen import Written
    from radial_corpus.room import Decks

# Who is there from the start, beside root: two people and an agent have to stay (see `Roster`).
_FOUNDERS: Final = (("human", "admin"), ("human", "member"), ("human", "member"), ("agent", "agent"))
_LATER: Final = (
    ("human", "member"), ("human", "member"), ("human", "admin"), ("agent", "agent"), ("agent", "member"),
    ("human", "agent"),
)  # fmt: skip
_RECORDS_PER_PROJECT: Final = 900
_MOST_PROJECTS: Final = 6
_AFFAIRS_PER_GOAL: Final = 0.8


def found(dice: Dice, decks: Decks, number: int, size: int, neighbour: Written | None) -> Room:
    """Found a space that is to have about `size` observations: its record, members, types and projects."""
    pen = Pen(dice, number % CLOCKS, dice.between(0, 60 * 24) * HOUR)
    root = new_did(dice)
    fields = {"name": group_name(dice)} | ({"description": sentence(dice)} if dice.chance(0.7) else {})
    room = Room(pen, dice, Roster(dice, root), pen.write(root, "space", fields), decks, neighbour)
    for role in _FOUNDERS:
        members.admit(room, role)
    for _ in range(int(size**0.38) - len(_FOUNDERS)):
        members.admit(room, dice.pick(_LATER))
    for _ in range(min(_MOST_PROJECTS, 1 + size // _RECORDS_PER_PROJECT)):
        affairs.found_project(room)
    return room


def history(room: Room, size: int) -> Iterator[Record | Deletion]:
    """Write the history of a space without end; no goal takes more than a third of `size`."""
    yield from room.pen.drain()
    while True:
        start = room.pen.now
        pursue_goal(room, size // 3)
        yield from room.pen.drain()
        room.pen.now = start + room.dice.between(2, 16) * HOUR
        while room.dice.chance(_AFFAIRS_PER_GOAL / (1 + _AFFAIRS_PER_GOAL)):
            room.decks.affairs.deal()(room)
