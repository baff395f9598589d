"""Why a request is or is not worked on: one ladder, and the first rung that holds is the answer (R4–R6, seed §9).

Strategy: a reason is a value: the protocol's rule or the operator's setting that decides, and a sentence. The rungs
here depend on the index and on what the operator set up, on nothing that moves by itself, so a place is judged once for
as long as it stays as it is. What moves (claims, waits, room) is judged in `admission`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from radial_core.dispatch.routing import hands_in
from radial_core.rulings import quoted
from radial_core.views import GoalView, ProjectView

if TYPE_CHECKING:
    from collections.abc import Callable

    from radial_core.dispatch.routing import Hands, Operator
    from radial_core.index import Index
    from radial_core.records import ArtifactRequest
    from radial_core.views import RequestView


class Reason(NamedTuple):
    """What decides: a `rule` of the protocol or the name of a setting, and the sentence for a person."""

    rule: str
    text: str


class Case(NamedTuple):
    """A request where it stands, and who of the operator's agents may act there."""

    request: RequestView
    place: GoalView | ProjectView
    operator: Operator
    hands: Hands


def case_of(index: Index, operator: Operator, uri: str) -> Case | None:
    """Give the case of a request, or nothing for one that does not count anywhere."""
    request, home, holding = index.request(uri), index.place_of(uri), index.filing.holding_of(uri)
    place = None if home is None else index.goal(home) or index.project(home)
    if request is None or place is None or holding is None:
        return None
    return Case(request, place, operator, hands_in(operator, holding.trust))


def passed_over(case: Case) -> Reason | None:
    """Say why a request is none for this operator as things stand, or nothing if it is one."""
    return next((reason for rung in _LADDER if (reason := rung(case)) is not None), None)


def stopped(case: Case) -> Reason | None:
    """Say why nobody at all is to go on with a request, or nothing."""
    return next((reason for rung in _STOPS if (reason := rung(case)) is not None), None)


def _fulfilled(case: Case) -> Reason | None:
    done = case.request.fulfilled_by
    return Reason("R2", f"fulfilled by {done[0]}") if done else None


def _retracted(case: Case) -> Reason | None:
    by = case.request.retracted_by
    return None if by is None else Reason("R3", f"retracted by {by}")


def _declined(case: Case) -> Reason | None:
    by = case.request.declined_by
    return None if by is None else Reason("R4", f"declined by its assignee in {by}")


def _suspended(case: Case) -> Reason | None:
    if case.request.dispatchable:
        return None
    if isinstance(case.place, GoalView) and case.place.ended:
        return Reason("R5", f"its goal {case.place.uri} has ended")
    return Reason("R5", "its project is archived")


def _assigned_elsewhere(case: Case) -> Reason | None:
    assignee = case.request.assignee
    if assignee is None or assignee in case.operator.dids:
        return None
    return Reason("assignee", f"assigned to {assignee}, which is none of this operator's agents")


def _unrouted(case: Case) -> Reason | None:
    if case.request.type in case.operator.routes:
        return None
    return Reason("routes", f"no route for type {quoted(case.request.type)} in {case.operator.source}")


def _incapable(case: Case) -> Reason | None:
    capable = [profile.did for profile in case.operator.profiles if case.request.type in profile.types]
    assignee = case.request.assignee
    if assignee in capable or (assignee is None and capable):
        return None
    who = "no agent of this operator produces" if assignee is None else f"{assignee}, its assignee, does not produce"
    return Reason("profiles", f"{who} type {quoted(case.request.type)} according to {case.operator.source}")


def _ungranted(case: Case) -> Reason | None:
    if makers_of(case.request, case.hands):
        return None
    if case.request.assignee is not None:
        return Reason("T5", f"{case.request.assignee} holds no current grant in the space")
    kind = quoted(case.request.type)
    return Reason("T5", f"no agent of this operator that produces type {kind} holds a current grant in the space")


def _awaiting(case: Case) -> Reason | None:
    if not case.request.awaiting_input:
        return None
    asked = next(question.uri for question in case.request.questions if question.answered_by is None)
    return Reason("R6", f"awaiting input: nobody has replied to the question {asked}")


def makers_of(request: RequestView | ArtifactRequest, hands: Hands) -> tuple[str, ...]:
    """Give which of our agents may work on a request: its assignee, else all for its type, as they were set up."""
    makers = hands.makers.get(request.type, ())
    if request.assignee is None:
        return makers
    return (request.assignee,) if request.assignee in makers else ()


_STOPS: Final[tuple[Callable[[Case], Reason | None], ...]] = (_fulfilled, _retracted, _declined, _suspended)
_LADDER: Final = (
    *_STOPS,
    _assigned_elsewhere,
    _unrouted,
    _incapable,
    _ungranted,
    _awaiting,
)
