"""The answer to "why is nobody on this?", for every request (seed §9).

Strategy: the same code that decides explains. A request that stands in no docket is asked which rung keeps it out; one
that does is decided as the plan decided it or, if the plan never came to it for lack of room, as it would have been. To
ask changes nothing: what is asked first has no part in what is answered next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.dispatch.reasons import Reason, case_of, passed_over
from radial_core.dispatch.tending import told

if TYPE_CHECKING:
    from radial_core.dispatch.admission import Admission


def explain(admission: Admission, request: str) -> Reason:
    """Give what decides about a request."""
    sight = admission.sight
    turn = admission.running.get(request)
    if turn is not None:
        return told(sight, turn, admission.dockets.by_request)
    candidate = admission.dockets.by_request.get(request)
    if candidate is not None:
        return admission.asked_about(candidate).reason
    case = case_of(sight.index, sight.operator, request)
    reason = None if case is None else passed_over(case)
    if reason is not None:
        return reason
    found = sight.index.explain(request)
    return Reason(found.rule or "index", f"no request that counts: {found}")
