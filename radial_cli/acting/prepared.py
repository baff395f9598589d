"""An act that is ready: its records, what the fold will make of them, and what has to be said first.

Strategy: prepared from one view of the space, with the keys and the moment of the command. Prepared again from a later
view it is either the same, or what a person agreed to is not what would be written (RK-14.3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import attrs

from radial_cli.acting.view import View
from radial_cli.exits import NOT_FOUND, USAGE, Failure
from radial_cli.untrusted import one_line
from radial_core.acts.draft import Act, ActError, Caution, Misstep
from radial_core.acts.foresight import Forecast, foresee

Build = Callable[[View], Act]

_STATUS: Final[dict[Misstep, int]] = {"absent": NOT_FOUND, "unfit": USAGE}
_SAME: Final = ("refusals", "hidden", "shown", "stopped", "resumed")


@attrs.frozen
class Upload:
    """A file that must be at the author's server before a record names it."""

    raw: bytes = attrs.field(repr=False)
    kind: str


@attrs.frozen(kw_only=True)
class Prepared:
    """What would be written, from which view, and what would come of it."""

    view: View
    act: Act
    forecast: Forecast
    waiting: tuple[str, ...] = ()  # URIs of what earlier acts left in the outbox: it is sent first

    @property
    def warnings(self) -> tuple[Caution, ...]:
        """Say what there is to know before; also that what is written will be dated wrongly, by a clock that is off."""
        skew = self.view.known.skew
        if skew is None or not skew.is_worth_a_warning:
            return self.act.warnings
        return (*self.act.warnings, Caution("Clock", f"{skew.in_words()}, and what you write is dated by it"))

    @property
    def is_refused(self) -> bool:
        """Whether it is not written unless somebody insists: a rule keeps it out, or it would be for nothing."""
        return bool(self.forecast.refusals or self.act.vain)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write."""
        return not (self.act.drafts or self.act.removals)

    def parted(self, later: Prepared) -> Iterator[str]:
        """Say what is not as it was in a later preparation of the same act."""
        if _written(self.act) != _written(later.act):
            yield "what would be written"
        if (self.act.warnings, self.act.vain) != (later.act.warnings, later.act.vain):
            yield "what there is to know before"
        if any(getattr(self.forecast, name) != getattr(later.forecast, name) for name in _SAME):
            yield "what would come of it"


def _written(act: Act) -> list[tuple[str, str, str | None]]:
    drafts = [(draft.collection, draft.rkey, draft.cid) for draft in act.drafts]
    return [*drafts, *((removal.collection, removal.rkey, removal.replaces) for removal in act.removals)]


def prepare(view: View, build: Build) -> Prepared:
    """Build the act and foresee it. Raises `Failure` for what cannot be put into records."""
    view.keys.again()
    view.meant.clear()
    try:
        act = build(view)
    except ActError as error:
        words = one_line(view.reading.names.within(str(error)))
        raise Failure(words, error.remedy, _STATUS[error.kind]) from error
    forecast = foresee(view.reading.index, view.account.did, act.drafts, act.removals)
    return Prepared(view=view, act=act, forecast=forecast, waiting=view.known.waiting(view.account.did))
