"""One goal from the day it is set to the day it ends, if it does (G1–G4).

Strategy: a goal is a number of scenes, dealt until it is as large as was drawn for it; most goals are small, a few are
large. In between something goes wrong now and then. At last it ends in one of the ways there are, or does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from radial_corpus import requests, threads
from radial_corpus.dice import weighted
from radial_corpus.pictures import show_image
from radial_corpus.room import Desk
from radial_corpus.words import prose, title

if TYPE_CHECKING:
    from radial_corpus.room import Room, Scene

_BREACHES_PER_SCENE: Final = 0.2
# Sizes in observations: the share of all goals, and the range.
_SIZES: Final = ((0.08, 4, 14), (0.85, 15, 60), (0.97, 60, 120), (1.0, 150, 500))


def pursue_goal(room: Room, most: int) -> None:
    """Write a goal's history, of at most about `most` observations."""
    desk = set_goal(room)
    enough = room.pen.strokes + min(_size(room), most)
    while room.pen.strokes < enough:
        room.decks.scenes.deal()(desk)
        if room.dice.chance(_BREACHES_PER_SCENE):
            room.decks.breaches.deal()(desk)
    room.decks.endings.deal()(desk)


def _size(room: Room) -> int:
    share = room.dice.share()
    least, most = next((least, most) for bound, least, most in _SIZES if share < bound)
    return room.dice.between(least, most)


def set_goal(room: Room) -> Desk:
    """Let a person set a goal in one of the projects."""
    project = room.dice.pick(room.projects)
    fields = {
        "space": room.ref(room.space),
        "project": room.ref(project),
        "title": title(room.dice),
        "body": prose(room.dice, 1, 4),
    }
    return Desk(room, project, room.pen.write(room.roster.human(), "goal", fields))


def _oddity(desk: Desk) -> None:
    desk.room.decks.oddities.deal()(desk)


def _picture(desk: Desk) -> None:
    show_image(desk.pen, desk.roster.anybody())


SCENES: Final[tuple[Scene, ...]] = weighted(
    (7, requests.assigned_plan),
    (12, requests.claimed_implementation),
    (2, requests.long_work),
    (1, requests.lost_lease),
    (6, requests.left_open),
    (2, requests.declined),
    (2, requests.retracted),
    (4, requests.questioned),
    (3, requests.answered),
    (4, requests.second_opinion),
    (3, requests.project_document),
    (12, threads.discuss_goal),
    (8, threads.discuss_artifact),
    (2, threads.hear_guests),
    (2, _picture),
    (3, _oddity),
)


# Endings (G1–G3) -----------------------------------------------------------------------------------------------------


def _close(desk: Desk, *, closed: bool = True, **disposition: str) -> None:
    desk.pen.write(desk.roster.human(), "closeGoal", desk.on_goal | {"closed": closed} | disposition)


def _archive(desk: Desk, *, archived: bool = True) -> None:
    desk.pen.write(desk.roster.human(), "archiveGoal", desk.on_goal | {"archived": archived})


def _go_on(_desk: Desk) -> None:
    """Leave it running."""


def _complete(desk: Desk) -> None:
    _close(desk, disposition="completed")


def _drop(desk: Desk) -> None:
    _close(desk, disposition="dropped")


def _supersede(desk: Desk) -> None:
    _close(desk, disposition="superseded")


def _park(desk: Desk) -> None:
    _close(desk, disposition="parked")


def _end_silently(desk: Desk) -> None:
    _close(desk)


def _reopen(desk: Desk) -> None:
    _complete(desk)
    _close(desk, closed=False)


def _end_twice(desk: Desk) -> None:
    _drop(desk)
    _close(desk, closed=False)
    _complete(desk)


def _archive_reopened(desk: Desk) -> None:
    _reopen(desk)
    _archive(desk)


def _archive_and_back(desk: Desk) -> None:
    _archive(desk)
    _archive(desk, archived=False)


def _end_the_old_way(desk: Desk) -> None:
    """G2, V4: set `closed` on the goal itself, and perhaps take it back."""
    closed = desk.pen.rewrite(desk.goal, closed=True)
    if desk.dice.chance(0.3):
        desk.pen.rewrite(closed, closed=False)


ENDINGS: Final[tuple[Scene, ...]] = weighted(
    (14, _go_on),
    (12, _complete),
    (2, _drop),
    (1, _supersede),
    (2, _park),
    (1, _end_silently),
    (2, _reopen),
    (1, _end_twice),
    (1, _archive_reopened),
    (1, _archive),
    (1, _archive_and_back),
    (2, _end_the_old_way),
)
