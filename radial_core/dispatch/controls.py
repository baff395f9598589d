"""What an operator has said by hand, kept across restarts: pools that are paused, requests that are held back.

Strategy: controls narrow what a plan does and never widen it: they are one more reason for which something is not
started, and the one for which a turn is stopped. A *pool* is a label on routes for what shares one allowance; to pause
it stops new work and touches nothing that runs. Nothing is known of balances, and nothing is moved to another route.
Every scope (a request, a pool) has a *generation*, the number of things that have happened to it: a command says which
one its author saw. The keys of so many commands are remembered; one that comes again later than that says a generation
that is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

from radial_core.dispatch.reasons import Reason
from radial_core.dispatch.routing import Route

_MOST: Final = 1000  # commands whose keys are remembered
_NO_NUMBERS: Final[Mapping[str, int]] = MappingProxyType({})
_NO_TEXTS: Final[Mapping[str, str]] = MappingProxyType({})


@attrs.frozen(kw_only=True)
class Controls:
    """What is set by hand. `taken` are the commands that were carried out, by key, the latest `_MOST` of them."""

    paused: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    generations: Mapping[str, int] = attrs.field(default=_NO_NUMBERS, hash=False)
    taken: Mapping[str, str] = attrs.field(default=_NO_TEXTS, hash=False)

    def generation(self, scope: str) -> int:
        """Give how many things have happened to a scope."""
        return self.generations.get(scope, 0)

    def moved(self, scope: str) -> Controls:
        """Give the same with one more thing that happened to a scope."""
        return attrs.evolve(self, generations={**self.generations, scope: self.generation(scope) + 1})

    def remember(self, key: str, command: str) -> Controls:
        """Give the same with a command that was carried out."""
        return attrs.evolve(self, taken=dict([*self.taken.items(), (key, command)][-_MOST:]))


def held_back(controls: Controls, request: str, route: Route) -> Reason | None:
    """Say why nothing is started for a request by hand, or nothing."""
    if request in controls.held:
        return Reason("hold", "held back by the operator")
    if route.allowance in controls.paused:
        return Reason("pause", f"the pool {route.allowance} is paused; what runs goes on")
    return None
