"""What one space, project or goal has for an operator: drawn up once for as long as the place stays as it is.

Strategy: everything in a docket is a function of the place, of who has a grant in its space, and of what the operator
set up. Nothing that moves by itself is in it. So an index that moved by one record costs the dockets that it touched,
and a plan looks at what there is to do, not at everything there ever was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from radial_core.dispatch.autoreview import Landed, landed_in, reviewed_in
from radial_core.dispatch.reasons import Case, maker_of, passed_over
from radial_core.instants import Instant
from radial_core.records import Claim

if TYPE_CHECKING:
    from collections.abc import Iterator

    from radial_core.dispatch.routing import Hands, Operator
    from radial_core.entries import Order
    from radial_core.index import Index
    from radial_core.places import Shelf
    from radial_core.views import GoalView, ProjectView, RequestView


class Candidate(NamedTuple):
    """A request that may be worked on as far as the index goes, and by whom; sorts as it was made."""

    order: Order
    request: RequestView
    did: str


class Stray(NamedTuple):
    """A claim of ours that stands on a request."""

    claim: str
    request: str
    did: str


class Newest(NamedTuple):
    """The record with the latest date at a place, of those that others wrote."""

    instant: Instant
    uri: str


class Docket(NamedTuple):
    """What is to be considered at one place."""

    candidates: tuple[Candidate, ...]
    landed: Landed
    reviewed: frozenset[str]
    strays: tuple[Stray, ...]
    newest: Newest | None


def draw_up(index: Index, shelf: Shelf, operator: Operator, hands: Hands) -> Docket:
    """Draw up the docket of a place."""
    view = index.goal(shelf.entry.uri) or index.project(shelf.entry.uri)
    newest = _newest(shelf, operator.dids)
    if view is None:  # a space's own records ask for nothing
        return Docket((), Landed(), frozenset(), (), newest)
    strays = tuple(
        Stray(entry.uri, entry.record.request, entry.did) for entry in shelf.all(Claim) if entry.did in operator.dids
    )
    return Docket(
        tuple(_candidates(index, view, operator, hands)),
        landed_in(index, view, hands),
        reviewed_in(view),
        strays,
        newest,
    )


def _candidates(index: Index, view: GoalView | ProjectView, operator: Operator, hands: Hands) -> Iterator[Candidate]:
    for request in view.requests:
        did = maker_of(request, hands)
        if did is not None and passed_over(Case(request, view, operator, hands)) is None:
            yield Candidate(index.filing.entries[request.uri].order, request, did)


def _newest(shelf: Shelf, ours: frozenset[str]) -> Newest | None:
    """Find it at the ends of the lists, which are in order."""
    lasts = (next((e for e in reversed(entries) if e.did not in ours), None) for entries in shelf.records.values())
    return max((Newest(entry.instant, entry.uri) for entry in lasts if entry is not None), default=None)
