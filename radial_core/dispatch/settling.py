"""Which model and effort a turn is to have, settled before anything is written for it (seed §11).

Strategy: a person's choice for one request goes before the route's, and each is held against what the harness is known
to take there (see `effort`). One that is known not to be taken is refused before a claim is written, with a warning and
as the reason that `why` gives; one that nobody can verify is passed on and called so. Nothing is replaced: another
model stands in only where the operator listed it; the list is held against what is taken, and shown, before anything
starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from radial_core.dispatch.actions import Warn
from radial_core.dispatch.effort import Setting, resolve
from radial_core.dispatch.reasons import Reason
from radial_core.dispatch.refusals import Refusal, refuse
from radial_core.dispatch.routing import Choice, Offer
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from radial_core.dispatch.docket import Candidate
    from radial_core.dispatch.routing import Operator, Route
    from radial_core.dispatch.state import State

_UNLISTED: Final = Offer()
_NO_CHOICE: Final = Choice()


class Settled(NamedTuple):
    """The model and the effort with which a turn is to start."""

    model: Setting
    effort: Setting


def settle(operator: Operator, kind: str, choice: Choice | None) -> Settled | Refusal:
    """Settle both for a turn of a routed type, or refuse for all that is not supported."""
    route, chosen = operator.routes[kind], choice or _NO_CHOICE
    offer = operator.offers.get(route.harness, _UNLISTED)
    model = resolve("model", chosen.model, routed=route.model, known=offer.models)
    runs = route.model if chosen.model is None else chosen.model
    levels = None if runs is None else offer.efforts.get(runs)
    effort = resolve("effort", chosen.effort, routed=route.effort, known=levels)
    refusals = [one for one in (model, effort, *_unlisted(route, offer)) if isinstance(one, Refusal)]
    if isinstance(model, Refusal) or isinstance(effort, Refusal) or refusals:
        return Refusal(refusals[0].name, tuple(one for refusal in refusals for one in refusal.objections))
    return Settled(model, effort)


def _unlisted(route: Route, offer: Offer) -> Iterator[Refusal]:
    """Refuse each model that may stand in and is known not to be taken."""
    for number, model in enumerate(route.fallbacks):
        if offer.models is not None and model not in offer.models:
            message = f"{quoted(model)}, which may stand in, is not supported there"
            yield refuse("UnsupportedModel", message, "take it off the list", "fallbacks", number)


def spelled(route: Route, settled: Settled) -> str:
    """Say with what a turn is run, as in `codex, model “m-1”, effort “high” (unverified), else “m-2”`."""
    settings = (
        f"{one.name} {quoted(one.resolved)}{'' if one.verified else ' (unverified)'}"
        for one in settled
        if one.resolved is not None
    )
    instead = (f"else {quoted(model)}" for model in route.fallbacks)
    return ", ".join((route.harness, *settings, *instead))


def refused(kind: str, refusal: Refusal, source: str) -> Reason:
    """Give the reason for which nothing of a type is started: the setting, and what to do."""
    setting = refusal.name.removeprefix("Unsupported").lower()
    return Reason(setting, f"refused before anything starts: {refusal} (the route of type {quoted(kind)} in {source})")


def unsupported(operator: Operator) -> Iterator[Warn]:
    """Tell of every route that is not supported."""
    for kind in sorted(operator.routes):
        settled = settle(operator, kind, None)
        if isinstance(settled, Refusal):
            text = f"no turn of type {quoted(kind)} starts: {settled} (its route in {operator.source})"
            yield Warn(key=f"unsupported {kind} {settled}", text=text)


def warnings(operator: Operator, state: State, candidates: Mapping[str, Candidate]) -> Iterator[Warn]:
    """Tell of every choice for a request that waits that is not supported."""
    for request in sorted(state.chosen.keys() & candidates.keys()):
        settled = settle(operator, candidates[request].request.record.type, state.chosen[request])
        if isinstance(settled, Refusal):
            yield Warn(key=f"unsupported {request} {settled}", text=f"{request} is not started: {settled}")
