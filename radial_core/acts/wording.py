"""A rule's refusal, spoken to the person whose record it would be.

Strategy: the fold speaks of an author in the third person, to whoever reads; here the author reads. So rules about who
may do what get words of their own, and every other reason stands as the fold gave it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import attrs

from radial_core.ladder import RUNG_OF
from radial_core.records import AddMember, RemoveMember

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from radial_core.entries import Entry
    from radial_core.index import Index
    from radial_core.places import Holding

    Say = Callable[["Case"], str]


@attrs.frozen
class Case:
    """A refused record in the index that was folded with it."""

    index: Index
    entry: Entry[Any]

    @property
    def holding(self) -> Holding | None:
        """The space in which it would stand."""
        record = self.entry.record
        how = RUNG_OF.get(record.__class__)
        if how is None:
            return self.index.filing.holdings.get(record.space) if isinstance(record, _EVENTS) else None
        anchors = (getattr(record, field) for field in how.anchors)
        return self.index.filing.holding_of(next(uri for uri in anchors if uri is not None))


_EVENTS: Final = (AddMember, RemoveMember)
_NO_ADMIN: Final = "you are not an admin of this space"


def _stranger(case: Case) -> str:
    """T5: somebody who was a member once should know that they are none any more."""
    holding = case.holding
    if holding is None:
        return "you are not a member of any space seen here"
    was = any(grant.record.did == case.entry.did for grant in holding.membership.granted)
    return f"you are {'no longer' if was else 'not'} a member of this space"


def _no_admin_then(case: Case) -> str:
    """T2: the log judges by the grants that were current at the date of the event."""
    holding = case.holding
    if holding is not None and holding.trust.is_admin(case.entry.did):
        return f"you are an admin of this space, but were not yet one at {case.entry.created_at}: is your clock slow?"
    return _NO_ADMIN


_SPOKEN: Final[Mapping[str, Say]] = {
    "T2": _no_admin_then,
    "T5": _stranger,
    "P1": lambda _case: "you are not the author of this project: nobody else changes or archives it",
    "P2": lambda _case: _NO_ADMIN,
    "A2": lambda _case: _NO_ADMIN,
    "M3": lambda _case: _NO_ADMIN,
    "R3": lambda _case: "you are neither the author of this request nor an admin of this space",
    "M2": lambda _case: "you are neither the author of this blessing nor an admin of this space",
}


def spoken(rule: str, reason: str, case: Case) -> str:
    """Say to its author why a record would not count; `reason` is the fold's own."""
    say = _SPOKEN.get(rule)
    return reason if say is None else say(case)
