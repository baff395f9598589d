"""Which places may show otherwise than in an earlier index of the same lineage.

Strategy: an index shares with the one that it grew from every shelf to which nothing happened. So shelves are compared
by identity, and only what a request rests on beside its own shelf is looked at besides: who is trusted, the state of
the project, and the reviews and messages of other places that name it (R2, R4, R6). Rather one place too many than one
too few: to look at a place again changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.records import Message, Review
from radial_core.rules.projects import project_state

if TYPE_CHECKING:
    from collections.abc import Iterator

    from radial_core.dispatch.routing import Operator
    from radial_core.filing import Filing
    from radial_core.places import Holding, Shelf, Trust


def touched(before: Filing, after: Filing, operator: Operator) -> set[str]:
    """Give the URIs of the spaces, projects and goals to look at again, those that are no more among them."""
    found: set[str] = set()
    for uri in {*before.holdings, *after.holdings}:
        was, now = before.holdings.get(uri), after.holdings.get(uri)
        if was is None or now is None or (was is not now and _is_other_trust(was.trust, now.trust, operator)):
            found.update(place for holding in (was, now) if holding is not None for place in _shelves(holding))
        elif was is not now:
            found.update(_within(was, now, after))
    return found


def _is_other_trust(was: Trust, now: Trust, operator: Operator) -> bool:
    """Tell whether who is trusted matters for an operator: its own agents (T5), and who is called an agent (R6).

    What somebody else wrote counts, or counts no more, on the shelves; those differ then.
    """
    if was is now:
        return False
    both = was.grants.keys() & now.grants.keys()
    moved = (did for did in both if was.grants[did] is not now.grants[did])
    ours = any(was.is_member(did) != now.is_member(did) for did in operator.dids)
    return ours or any(was.is_agent(did) != now.is_agent(did) for did in moved)


def _shelves(holding: Holding) -> dict[str, Shelf]:
    return {holding.space.uri: holding.own, **dict(holding.projects.items()), **dict(holding.goals.items())}


def _within(was: Holding, now: Holding, after: Filing) -> Iterator[str]:
    earlier, later = _shelves(was), _shelves(now)
    parted = [uri for uri in {*earlier, *later} if earlier.get(uri) is not later.get(uri)]
    yield from parted
    for shelf in (shelf for uri in parted for shelf in (earlier.get(uri), later.get(uri)) if shelf is not None):
        yield from _homes_of_named(shelf, after)
    restated = {uri for uri in parted if _state(was, uri) != _state(now, uri)}
    if restated:
        yield from (uri for uri, goal in now.goals.items() if goal.project in restated)


def _homes_of_named(shelf: Shelf, after: Filing) -> Iterator[str]:
    named = (*(entry.record.request for entry in shelf.all(Review)), *(entry.record.re for entry in shelf.all(Message)))
    homes = (after.homes.get(uri) for uri in {*named} if uri is not None)
    yield from (home for home in homes if home is not None)


def _state(holding: Holding, uri: str) -> object:
    """Give what work on the goals of a project depends on: whether it goes on (R5), what is reviewed by itself (R8)."""
    shelf = holding.projects.get(uri)
    state = None if shelf is None else shelf.fact(project_state)
    return None if state is None else (state.archived, state.auto_review)
