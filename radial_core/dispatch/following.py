"""The dockets of all places, kept up with an index as it grows (see `docket`, `touched`).

Strategy: a place is looked at again when it may have moved; otherwise its docket stands. What a plan goes through is
kept beside the dockets, in order, so that a plan costs what there is to do. Another operator has other dockets.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from radial_core.dispatch.docket import Candidate, Clerk, Docket
from radial_core.dispatch.resting import Resting
from radial_core.dispatch.routing import hands_in
from radial_core.dispatch.settling import unsupported
from radial_core.dispatch.touched import touched
from radial_core.filing import NOTHING_FILED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from radial_core.dispatch.docket import Newest
    from radial_core.dispatch.routing import Operator
    from radial_core.dispatch.touched import Touched
    from radial_core.index import Index
    from radial_core.places import Holding


class Dockets:
    """What all places have for one operator. `drawn_up` counts how many dockets were ever drawn up."""

    def __init__(self, operator: Operator) -> None:
        self.operator = operator
        self.drawn_up = 0
        self.candidates: list[Candidate] = []
        self.by_request: dict[str, Candidate] = {}
        self._reviewed: Counter[tuple[str, str]] = Counter()  # by space and artifact: L4, no reference leaves its space
        self.resting = Resting(operator.dids)
        self.unsupported = tuple(unsupported(operator))
        self.newest: Mapping[str, Newest] = {}  # by author
        self._index: Index | None = None
        self._of: dict[str, Docket] = {}
        self.busy: dict[str, Docket] = {}  # places where something landed, or where a claim of ours stands

    def follow(self, index: Index) -> None:
        """Bring everything up to an index. One of another lineage costs as much as the first."""
        if index is self._index:
            return
        before = NOTHING_FILED if self._index is None else self._index.filing
        if index.filing is not before:
            self._take(index, touched(before, index.filing, self.operator))
        self.resting.follow(index, self.by_request)
        self._index = index

    def stand_at(self, index: Index) -> bool:
        """Tell whether this is what all places have in an index, and not in a later one."""
        return self._index is index

    def is_reviewed(self, docket: Docket, artifact: str) -> bool:
        """Tell whether anybody in the space of a docket has asked for a review of an artifact there."""
        return self._reviewed[_space_of(docket), artifact] > 0

    def _take(self, index: Index, touched: Touched) -> None:
        clerks: dict[str, Clerk] = {}
        places = touched.moved | touched.restated
        drawn = {uri: docket for uri in touched.moved if (docket := self._draw(index, uri, clerks)) is not None}
        drawn |= {uri: self._restate(index, uri, clerks) for uri in touched.restated}
        before = {uri: docket for uri in places if (docket := self._of.pop(uri, None)) is not None}
        self._of.update(drawn)
        self._reorder(before, drawn)
        for uri in places:
            self.busy.pop(uri, None)
        self.busy.update((uri, docket) for uri, docket in drawn.items() if any(docket.landed) or docket.strays)
        self._count(before, drawn)
        self.newest = _latest(self._of.values())

    def _count(self, before: Mapping[str, Docket], drawn: Mapping[str, Docket]) -> None:
        """Count anew who has been asked for a review at these places."""
        gone = [asked for docket in before.values() for asked in _asked_for(docket)]
        self._reviewed.update(asked for docket in drawn.values() for asked in _asked_for(docket))
        self._reviewed.subtract(gone)

    def _reorder(self, before: Mapping[str, Docket], drawn: Mapping[str, Docket]) -> None:
        """Exchange the candidates of the places at which they are not the same; what is in order already stays so."""
        others = [uri for uri in before.keys() | drawn.keys() if _candidates(before, uri) != _candidates(drawn, uri)]
        if not others:
            return
        for uri in others:  # all of them first: a request may have moved from one place to another
            for candidate in _candidates(before, uri):
                self.by_request.pop(candidate.request.uri, None)
        known = {id(candidate) for candidate in self.candidates}
        found = [candidate for uri in others for candidate in _candidates(drawn, uri)]
        self.by_request.update((candidate.request.uri, candidate) for candidate in found)
        kept = [one for one in self.candidates if self.by_request.get(one.request.uri) is one]
        self.candidates = sorted((*kept, *(one for one in found if id(one) not in known)))

    def _draw(self, index: Index, uri: str, clerks: dict[str, Clerk]) -> Docket | None:
        space = index.filing.spaces.get(uri)
        holding = None if space is None else index.filing.holdings.get(space)
        shelf = None if holding is None else holding.shelf(uri)
        if holding is None or shelf is None:
            return None
        self.drawn_up += 1
        return self._clerk(index, holding, clerks).draw_up(shelf, self._of.get(uri), self.by_request)

    def _restate(self, index: Index, uri: str, clerks: dict[str, Clerk]) -> Docket:
        self.drawn_up += 1
        holding = index.filing.holdings[index.filing.spaces[uri]]
        return self._clerk(index, holding, clerks).restate(self._of[uri])

    def _clerk(self, index: Index, holding: Holding, clerks: dict[str, Clerk]) -> Clerk:
        space = holding.space.uri
        if space not in clerks:
            clerks[space] = Clerk(index, holding, self.operator, hands_in(self.operator, holding.trust))
        return clerks[space]


def _candidates(dockets: Mapping[str, Docket], uri: str) -> tuple[Candidate, ...]:
    docket = dockets.get(uri)
    return () if docket is None else docket.candidates


def _latest(dockets: Iterable[Docket]) -> Mapping[str, Newest]:
    found: dict[str, Newest] = {}
    for did, one in (item for docket in dockets for item in docket.newest.items()):
        if did not in found or found[did] < one:
            found[did] = one
    return found


def _asked_for(docket: Docket) -> Iterator[tuple[str, str]]:
    return ((_space_of(docket), artifact) for artifact in docket.reviewed)


def _space_of(docket: Docket) -> str:
    """Give the space of a project's or a goal's docket; on the space itself there are no requests."""
    space: str = docket.shelf.entry.record.space
    return space
