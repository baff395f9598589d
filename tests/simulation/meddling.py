"""What the person of one space writes about what lies in another: it must change nothing there (L4, T5, T7).

Strategy: one row for each kind of record by which somebody could try to have a say: to pass for whoever asked for a
review (R8), to judge, to answer, to decline, to make a question of it, to claim, to take back. Requests stand at a goal
of their writer's own space, where they count and are about nothing: nobody can answer them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.simulation.repos import text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.simulation.realm import Realm
    from tests.simulation.world import World

_LEASE: Final = 900
_OFTEN: Final = 0.3


def meddle(world: World) -> None:
    """Let a person of one space write about something of another, if there is another and something there."""
    if len(world.realms) > 1:
        mine, theirs = world.random.sample(world.realms, 2)
        landed = world.landed(theirs)
        if landed:
            about_work(world, mine, world.random.choice(landed))
        asked = world.asked(theirs)
        if asked:
            world.random.choice(_ON_REQUESTS)(world, mine, world.random.choice(asked).uri)


def about_work(world: World, mine: Realm, artifact: str) -> None:
    """Ask for a review of an artifact of another space, and judge it."""
    ask_for_a_review(world, mine, artifact)
    world.person(mine.person, "review", subject=world.ref(artifact), verdict="approve")


def ask_for_a_review(world: World, mine: Realm, artifact: str) -> None:
    """Ask for it at a goal of one's own: of oneself, or of anybody, and nobody is to take it on."""
    assignee = {} if world.random.random() < _OFTEN else {"assignee": mine.person}
    goal = world.random.choice(mine.goals)
    world.person(
        mine.person, "artifactRequest", goal=goal, type="review", subject=world.ref(artifact), **assignee
    )  # fmt: skip


def _ask(world: World, mine: Realm, request: str) -> None:
    _say(world, mine, request, body="which?")


def _decline(world: World, mine: Realm, request: str) -> None:
    _say(world, mine, request, body="no", declines=True)


def _say(world: World, mine: Realm, request: str, **fields: Any) -> None:
    world.person(mine.person, "message", goal=world.random.choice(mine.goals), re=world.ref(request), **fields)


def _deliver(world: World, mine: Realm, request: str) -> None:
    goal = world.random.choice(mine.goals)
    world.person(mine.person, "artifact", goal=goal, request=world.ref(request), type="plan", body="B")


def _claim(world: World, mine: Realm, request: str) -> None:
    until = text_of(world.time + _LEASE)
    world.person(mine.person, "claim", request=world.ref(request), expiresAt=until)


def _retract(world: World, mine: Realm, request: str) -> None:
    world.person(mine.person, "retractRequest", request=world.ref(request))


_ON_REQUESTS: Final[tuple[Callable[[World, Realm, str], None], ...]] = (_ask, _decline, _deliver, _claim, _retract)
