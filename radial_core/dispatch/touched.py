"""Which places may show otherwise than in an earlier index of the same lineage.

Strategy: an index shares with the one that it grew from every shelf to which nothing happened. So shelves are compared
by identity, and only what a docket rests on beside its own shelf is looked at besides: who is trusted, the terms of the
project, and the reviews and messages of other places that name its requests (R2, R4, R6), those among them of which
something is other than it was. To look at a place again changes nothing, and costs what stands there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from radial_core.dispatch.autoreview import terms_of
from radial_core.records import Message, Review
from radial_core.rules.threads import talk

if TYPE_CHECKING:
    from collections.abc import Iterator, Set as AbstractSet

    from radial_core.dispatch.autoreview import Terms
    from radial_core.dispatch.routing import Operator
    from radial_core.entries import RECORD, Entry
    from radial_core.filing import Filing
    from radial_core.places import Holding, Shelf, Trust


class Touched(NamedTuple):
    """The URIs of the spaces, projects and goals to look at again.

    Of those `restated` nothing moved but the terms of their project; some of those `moved` may be no more.
    """

    moved: set[str]
    restated: set[str]


def touched(before: Filing, after: Filing, operator: Operator) -> Touched:
    """Compare two filings of one lineage."""
    moved: set[str] = set()
    restated: set[str] = set()
    for uri in {*before.holdings, *after.holdings}:
        was, now = before.holdings.get(uri), after.holdings.get(uri)
        if was is None or now is None or (was is not now and _is_other_trust(was.trust, now.trust, operator)):
            moved.update(place for holding in (was, now) if holding is not None for place in _shelves(holding))
        elif was is not now:
            parted = _parted_shelves(was, now)
            moved.update(parted, _homes_of_named(was, now, parted, after))
            restated.update(_of_restated(was, now, parted))
    return Touched(moved, restated - moved)


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


def _parted_shelves(was: Holding, now: Holding) -> list[str]:
    earlier, later = _shelves(was), _shelves(now)
    return [uri for uri in {*earlier, *later} if earlier.get(uri) is not later.get(uri)]


def _homes_of_named(was: Holding, now: Holding, parted: list[str], after: Filing) -> Iterator[str]:
    named = {request for uri in parted for request in _renamed(was.shelf(uri), now.shelf(uri))}
    yield from (home for request in named if (home := after.homes.get(request)) is not None)


def _of_restated(was: Holding, now: Holding, parted: list[str]) -> Iterator[str]:
    projects = {uri for uri in parted if _terms(was, uri) != _terms(now, uri)}
    if projects:
        yield from (uri for uri, goal in now.goals.items() if goal.project in projects)


def _renamed(was: Shelf | None, now: Shelf | None) -> set[str]:
    """Give the requests of which reviews and messages of a place say otherwise now."""
    reviews = {entry.record.request for entry in _parted(Review, was, now)}
    return {request for request in reviews | _asked_about(was, now) if request is not None}


def _asked_about(was: Shelf | None, now: Shelf | None) -> set[str | None]:
    """R2, R6: a message is about a request, and so is what it replies to, whose answer it may be."""
    messages = _parted(Message, was, now)
    if not messages:
        return set()
    replies = _replies(was) ^ _replies(now)
    said = {uri for reply in replies for uri in reply}
    talking = (entry for shelf in (was, now) if shelf is not None and said for entry in shelf.all(Message))
    return {entry.record.re for entry in messages} | {entry.record.re for entry in talking if entry.uri in said}


def _parted(kind: type[RECORD], was: Shelf | None, now: Shelf | None) -> list[Entry[RECORD]]:
    """Give the records of one kind that stand in one of two shelves: an unchanged list is the same list."""
    earlier, later = ([] if shelf is None else shelf.all(kind) for shelf in (was, now))
    if earlier is later:
        return []
    both = {id(entry) for entry in earlier} & {id(entry) for entry in later}
    return [entry for entry in (*earlier, *later) if id(entry) not in both]


def _replies(shelf: Shelf | None) -> AbstractSet[tuple[str, str]]:
    """Give each message that resolves to a reply, with what it replies to (M1)."""
    return frozenset[tuple[str, str]]() if shelf is None else shelf.fact(talk).parents.items()


def _terms(holding: Holding, uri: str) -> Terms | None:
    """Give what the dockets of a project's goals rest on."""
    shelf = holding.projects.get(uri)
    return None if shelf is None else shelf.fact(terms_of)
