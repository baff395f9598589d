"""The set of observations that an index stands on (O4).

Strategy: a ledger is an immutable set, grouped by URI, in which an observation made twice stands once. Everything that
the fold computes is a function of this set, so order and repetition end here. Two observations that name one version
and hold different bytes are no disagreement between observers but a caller's mistake: they raise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from radial_core.canonical import Misfit, encode, measure
from radial_core.observations import Deletion, Record

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    from radial_core.observations import Observation
    from radial_core.persistent import PersistentMap

    # Nearly every URI is observed once: then its observation stands alone, without a tuple around it.
    Held: TypeAlias = Observation | tuple[Observation, ...]
    Ledger: TypeAlias = PersistentMap[str, Held]


def enter(ledger: Ledger, observations: Iterable[Observation]) -> dict[str, Held]:
    """Give what is new to a ledger, or seen there anew: what it is to hold at each URI where that changes.

    Raises `ValueError` when two observations of one `(uri, cid)` hold different bytes (O4), `TypeError` for anything
    that is no observation.
    """
    entered: dict[str, Held] = {}
    again: dict[str, list[Observation]] = {}
    for seen in observations:
        if seen.__class__ is not Record and seen.__class__ is not Deletion:
            raise TypeError(f"neither a Record nor a Deletion: {type(seen).__name__}")
        if entered.setdefault(seen.uri, seen) is not seen:
            again.setdefault(seen.uri, []).append(seen)
    entered.update((uri, _piled(entered[uri], more)) for uri, more in again.items())
    return _news(ledger, entered) if len(ledger) else entered


def _news(ledger: Ledger, entered: dict[str, Held]) -> dict[str, Held]:
    """Put what a batch holds at each URI on top of what the ledger does; leave out where nothing is new."""
    news: dict[str, Held] = {}
    for uri, held in entered.items():
        known = ledger.get(uri)
        if known is None:
            news[uri] = held
        elif known is not held:
            piled = _piled(known, observations_in(held))
            if len(observations_in(piled)) > len(observations_in(known)):
                news[uri] = piled
    return news


def _piled(held: Held, more: Iterable[Observation]) -> Held:
    pile = _Pile(observations_in(held))
    for seen in more:
        pile.add(seen)
    return pile.held()


def observations_in(held: Held) -> tuple[Observation, ...]:
    """Give what a ledger holds at a URI as a tuple, each observation once."""
    return held if isinstance(held, tuple) else (held,)


class _Pile:
    """What was observed at one URI that was observed more than once: first what was compared before, then the rest."""

    def __init__(self, observations: tuple[Observation, ...]) -> None:
        self.sightings: dict[tuple[str | None, str | None, str | None], Observation] = {}
        self.values: dict[str, Any] = {}
        for seen in observations:
            self._keep(seen)

    def held(self) -> Held:
        first, *rest = self.sightings.values()
        return (first, *rest) if rest else first

    def add(self, seen: Observation) -> None:
        if isinstance(seen, Record) and not _same_value(self.values.get(seen.cid, seen.value), seen.value):
            raise ValueError(f"two different values are said to have the CID {seen.cid} at {seen.uri} (O4)")
        self._keep(seen)

    def _keep(self, seen: Observation) -> None:
        cid = None
        if isinstance(seen, Record):
            cid = seen.cid
            self.values.setdefault(cid, seen.value)
        self.sightings.setdefault((cid, seen.rev, seen.seen_at), seen)


def _same_value(one: object, other: object) -> bool:
    # O4 asks for the same bytes. Python's equality would do worse: it calls True and 1 equal, and it recurses.
    return one is other or _is_spelled_alike(one, other) or _identity(one) == _identity(other)


def _is_spelled_alike(one: object, other: object) -> bool:
    """Tell quickly of most values that they are the same: Python spells no two different ones alike."""
    try:
        return repr(one) == repr(other)
    except RecursionError:
        return False


def _identity(value: object) -> bytes | Misfit:
    """Give the canonical bytes of a value; for what is none, all that a fold will ever say of it."""
    return measure(value) or encode(value)
