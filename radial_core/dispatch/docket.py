"""What one space, project or goal has for an operator: drawn up once for as long as the place stays as it is.

Strategy: everything in a docket is a function of the place, of its project's terms, of what names its requests at other
places, of who has a grant in its space, and of what the operator set up; `touched` finds what moved of these. Nothing
that moves by itself is in it. So an index that moved by one record costs the dockets that it touched, and a plan looks
at what there is to do, not at everything there ever was. A docket is read off the records, by the rules that make the
views (R2-R8), without making a view of anything that asks for nothing: most of a place is history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from radial_core.assembly import Assembly, echoes_at
from radial_core.dispatch.autoreview import Ground, Landed, landed_at, reviewed_at, terms_of
from radial_core.dispatch.reasons import makers_of
from radial_core.instants import Instant
from radial_core.records import ArtifactRequest, Claim, Goal
from radial_core.rules.claims import rank, ranked
from radial_core.rules.goals import ending
from radial_core.rules.requests import wants_work

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from radial_core.dispatch.routing import Hands, Operator
    from radial_core.entries import Entry, Order
    from radial_core.index import Index
    from radial_core.leases import Lease
    from radial_core.places import Holding, Shelf


class Candidate(NamedTuple):
    """A request that may be worked on as far as the index goes, by whom, and the claims on it; sorts as it was made.

    Of its `makers`, in the order in which they were set up, the first is the one to take it on.
    """

    order: Order
    request: Entry[ArtifactRequest]
    makers: tuple[str, ...]
    leases: tuple[Lease, ...]

    @property
    def did(self) -> str:
        """The agent that takes it on."""
        return self.makers[0]


class Stray(NamedTuple):
    """A claim of ours that stands on a request."""

    claim: str
    request: str
    did: str


class Newest(NamedTuple):
    """The record with the latest date that one author wrote at a place."""

    instant: Instant
    uri: str


class Docket(NamedTuple):
    """What is to be considered at one place; `shelf` is what it was drawn up from, `leases` are by request.

    `landed` was gathered on the `ground`; there is none where no work goes on (R5).
    """

    shelf: Shelf
    leases: Mapping[str, tuple[Lease, ...]]
    candidates: tuple[Candidate, ...]
    ground: Ground | None
    landed: Landed
    reviewed: frozenset[str]
    strays: tuple[Stray, ...]
    newest: Mapping[str, Newest]


class Clerk:
    """Draws up the dockets of one space for one operator, some of whose agents have a hand in it."""

    def __init__(self, index: Index, holding: Holding, operator: Operator, hands: Hands) -> None:
        self.index = index
        self.holding = holding
        self.ours = operator.dids
        self.hands = hands
        self.assembly = Assembly(index.filing, holding, {})

    def draw_up(self, shelf: Shelf, before: Docket | None, known: Mapping[str, Candidate]) -> Docket:
        """Draw up the docket of a place; what stayed as it was `before`, or is `known`, is the same object."""
        plain = before if before is not None and before.shelf is shelf else self._off_the_shelf(shelf, before)
        newest = self._newest(shelf, plain.newest)
        ground = self._ground(shelf)
        if ground is None:
            return plain._replace(newest=newest, candidates=(), ground=None, landed=Landed())
        earlier = (None, Landed()) if before is None else (before.ground, before.landed)
        return plain._replace(
            newest=newest,
            candidates=tuple(self._candidates(shelf, plain.leases, known)),
            ground=ground,
            landed=landed_at(ground, *earlier),
        )

    def restate(self, docket: Docket) -> Docket:
        """Draw up a docket again of whose place nothing moved but its project's terms."""
        before, ground = docket.ground, self._ground(docket.shelf)
        if before is None or ground is None:
            return self.draw_up(docket.shelf, docket, {})
        return docket._replace(ground=ground, landed=landed_at(ground, before, docket.landed))

    def _off_the_shelf(self, shelf: Shelf, before: Docket | None) -> Docket:
        """Give what follows from the records of the place alone."""
        return Docket(
            shelf=shelf,
            leases=_leases(shelf, before),
            candidates=(),
            ground=None,
            landed=Landed(),
            reviewed=reviewed_at(shelf),
            strays=tuple(
                Stray(claim.uri, claim.record.request, claim.did)
                for claim in shelf.all(Claim)
                if claim.did in self.ours
            ),
            newest={},
        )

    def _ground(self, shelf: Shelf) -> Ground | None:
        """R5: nothing goes on where the goal has ended or its project is archived, nor on a space itself."""
        project = self.holding.projects.get(shelf.project)
        if project is None or (shelf.entry.record.__class__ is Goal and ending(shelf) is not None):
            return None
        terms = project.fact(terms_of)
        return None if terms.archived else Ground(shelf, terms, self.hands.members)

    def _candidates(
        self, shelf: Shelf, leases: Mapping[str, tuple[Lease, ...]], known: Mapping[str, Candidate]
    ) -> Iterator[Candidate]:
        """Give what `reasons.passed_over` lets pass; a law holds the two together."""
        trust, hands = self.holding.trust, self.hands
        echoes = echoes_at(shelf, tuple(self.assembly.abroad(shelf)))
        for entry in shelf.all(ArtifactRequest):
            makers = makers_of(entry.record, hands)
            if makers and wants_work(entry, trust, echoes):
                claimed, one = leases.get(entry.uri, ()), known.get(entry.uri)
                if one is not None and one.request is entry and one.makers == makers and one.leases is claimed:
                    yield one
                else:
                    yield Candidate(entry.order, entry, makers, claimed)

    def _newest(self, shelf: Shelf, known: Mapping[str, Newest]) -> Mapping[str, Newest]:
        """Give, by author, what others wrote last, if one of ours is a member here: nobody else is told of anything.

        `known` is what was found on the same shelf before, if anything was.
        """
        return known or self._lasts(shelf) if self.hands.members else {}

    def _lasts(self, shelf: Shelf) -> Mapping[str, Newest]:
        """Give the last record of each author but ours: lists are in order, so the last entry is the latest."""
        found: dict[str, Newest] = {}
        for entries in (*shelf.records.values(), (shelf.entry,)):
            for did, entry in {entry.did: entry for entry in entries}.items():
                one = Newest(entry.instant, entry.uri)
                if did not in self.ours and (did not in found or found[did] < one):
                    found[did] = one
        return found


def _leases(shelf: Shelf, before: Docket | None) -> Mapping[str, tuple[Lease, ...]]:
    """Rank the claims of a place (C3): those on requests whose claims moved, the others are as they were ranked."""
    claims = shelf.all(Claim)
    if before is None:
        return shelf.fact(rank).leases
    earlier = before.shelf.all(Claim)
    if earlier is claims:  # an unchanged list is the same list
        return before.leases
    kept = {id(entry) for entry in earlier} & {id(entry) for entry in claims}
    moved = {entry.record.request for entry in (*earlier, *claims) if id(entry) not in kept}
    unmoved = {request: leases for request, leases in before.leases.items() if request not in moved}
    return unmoved | ranked(entry for entry in claims if entry.record.request in moved)
