"""What an act does to everything else: what it hides, shows again, stops and sets going (T5, R5).

Strategy: an index that grew from another shares with it every shelf that nothing touched. So two are compared by what
they do not share, and an act that concerns one goal costs one goal. Only where membership changes are all places of a
space looked at, because whose work counts decides about requests anywhere in it.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from radial_core.entries import in_order
from radial_core.ladder import goals_by_project
from radial_core.records import Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from radial_core.entries import Entry
    from radial_core.index import Index
    from radial_core.places import Holding, Shelf
    from radial_core.views import RequestView

    Entries: TypeAlias = "dict[str, Entry[Any]]"


class Effects(NamedTuple):
    """What ceases to count and what comes to count; the requests that come to rest, and those that are taken up."""

    hidden: tuple[Entry[Any], ...]
    shown: tuple[Entry[Any], ...]
    stopped: tuple[str, ...]
    resumed: tuple[str, ...]


def effects(before: Index, after: Index) -> Effects:
    """Compare an index with one that grew from it. Everything is in order (createdAt, URI)."""
    parted = [*_parted(before, after)]
    was: Entries = dict(chain(_images(before, after), *(_held(*pair) for pair in parted)))
    now: Entries = dict(chain(_images(after, before), *(_held(other, one) for one, other in parted)))
    touched = (chain(_places(before, one, other), _places(after, other, one)) for one, other in parted)
    places = sorted({*chain.from_iterable(touched)})
    then, later = _requests(before, places), _requests(after, places)
    return Effects(
        tuple(in_order(entry for uri, entry in was.items() if uri not in now)),
        tuple(in_order(entry for uri, entry in now.items() if uri not in was)),
        _ordered(after, (uri for uri in then if then[uri].dispatchable and uri in later and _rests(later[uri]))),
        _ordered(
            after, (uri for uri in then if not then[uri].dispatchable and uri in later and later[uri].dispatchable)
        ),
    )


def _rests(view: RequestView) -> bool:
    return view.open and not view.dispatchable


def _ordered(index: Index, uris: Iterable[str]) -> tuple[str, ...]:
    return tuple(entry.uri for entry in in_order(index.filing.entries[uri] for uri in uris))


def _parted(before: Index, after: Index) -> Iterator[tuple[Holding | None, Holding | None]]:
    """Give the spaces that differ, as they were and as they are."""
    ones, others = before.filing.holdings, after.filing.holdings
    for uri in sorted({*ones, *others}):
        one, other = ones.get(uri), others.get(uri)
        if one is not other:
            yield one, other


def _own(one: Holding | None, other: Holding | None) -> Iterator[Shelf]:
    """Give the shelves of one that it does not share with the other."""
    for shelf in () if one is None else one.shelves():
        if other is None or other.shelf(shelf.entry.uri) is not shelf:
            yield shelf


def _held(one: Holding | None, other: Holding | None) -> Iterator[tuple[str, Entry[Any]]]:
    """Give the records on those shelves, and the profiles that a space shows."""
    for shelf in _own(one, other):
        for entries in shelf.records.values():
            yield from ((entry.uri, entry) for entry in entries)
    yield from ((entry.uri, entry) for entry in (() if one is None else one.agents))


def _images(one: Index, other: Index) -> Iterable[tuple[str, Entry[Any]]]:
    return () if one.filing.images is other.filing.images else one.filing.images.items()


def _places(index: Index, one: Holding | None, other: Holding | None) -> Iterator[str]:
    """Give the projects and goals whose requests may stand otherwise now.

    An archived project stops its goals, too; an answer may stand in another place than what it answers (R2), and is
    none any more once it lies on a circle (M1).
    """
    if one is None:
        return
    if other is not None and one.trust.grants != other.trust.grants:
        yield from chain(one.projects, one.goals)
    for shelf in _own(one, other):
        yield shelf.entry.uri
        yield from (goal.uri for goal in one.fact(goals_by_project).get(shelf.entry.uri, ()))
        named = {message.record.re for message in shelf.all(Message)}
        yield from filter(None, (index.place_of(uri) for uri in named if uri is not None))


def _requests(index: Index, places: Iterable[str]) -> dict[str, RequestView]:
    views = (index.goal(uri) or index.project(uri) for uri in places)
    return {one.uri: one for view in views if view is not None for one in view.requests}
