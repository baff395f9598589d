"""`radial why`: what decides whether anybody works on a request.

Strategy: with an operator's file the planner itself answers, the very code that decides in a daemon; without one it is
said what holds for everybody: the protocol's own reasons, the lease that is live, who could take it. What only a
running daemon knows (its turns, what failed) is not known here, and nothing is made up for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from radial_cli.exits import NOT_FOUND, Failure
from radial_cli.output import is_terminal, out, out_json, width
from radial_cli.reading import Reading, reading
from radial_cli.render import Page
from radial_cli.telling.setup import operator_in
from radial_cli.untrusted import one_line
from radial_core.dispatch.plan import why
from radial_core.dispatch.reasons import Reason, case_of, stopped
from radial_core.dispatch.routing import Operator
from radial_core.dispatch.scope import Scope
from radial_core.dispatch.state import State
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radial_core.views import RequestView

_NOBODY: Final = Operator(profiles=(), routes={})


def print_why(
    name: str, files: Sequence[str] | None, *, store: str | None, setup: str | None, as_json: bool, keep_going: bool
) -> None:
    """Print the reason. Raises `Failure` where there is no request."""
    operator = None if setup is None else operator_in(setup)
    with reading(files, keep_going=keep_going, store=store) as found:
        uri = found.names.find(name)
        request = found.index.request(uri)
        if request is None:
            raise Failure(one_line(" ".join(found.index.explain(uri).sentences)), _ASK_FOR, NOT_FOUND)
        reason = _for_all(found, request) if operator is None else _for_one(found, request, operator)
        if as_json:
            source = None if operator is None else operator.source
            out_json({"uri": uri, "operator": source, "rule": reason.rule, "reason": reason.text})
            return
        page = Page(width(), styled=is_terminal())
        page.line([(found.names.record(uri), "name"), f": {found.names.within(reason.text)} ({reason.rule})"])
        out(page.text())


_ASK_FOR: Final = "Ask about a request; `radial explain` says of any record whether it counts."


def _for_one(found: Reading, request: RequestView, operator: Operator) -> Reason:
    """Ask the planner. A live claim of the operator's own is its daemon's, whose state is not known here."""
    holder = found.holder(request) if request.open and request.assignee is None else None
    if holder in operator.dids:
        return Reason("C3", f"claimed by {holder}, one of this operator's agents; its daemon knows more")
    return why(found.index, operator, State(), found.now, request.uri)


def _for_all(found: Reading, request: RequestView) -> Reason:
    case = case_of(found.index, _NOBODY, request.uri)
    reason = None if case is None else stopped(case)
    if reason is not None:
        return reason
    waiting = next((question.uri for question in request.questions if question.answered_by is None), None)
    if request.awaiting_input and waiting is not None:
        return Reason("R6", f"awaiting input: nobody has replied to the question {waiting}")
    if request.assignee is not None:
        return Reason("assignee", f"assigned to {request.assignee}, whose daemon may start without a claim")
    holder = found.holder(request)
    if holder is not None:
        return Reason("C3", f"claimed by {holder}")
    return _takers(found, request)


def _takers(found: Reading, request: RequestView) -> Reason:
    space = Scope(found.index, request.uri).space
    able = sorted({agent.did for agent in found.index.capable(space, request.type)})
    if not able:
        return Reason("M5", f"no profile of a member produces type {quoted(request.type)}")
    return Reason("C3", f"nobody has claimed it; profiles of {', '.join(able)} produce type {quoted(request.type)}")
