"""The phases of a turn, what can happen to it, and what may happen when.

Strategy: one table, every phase a row and every event a column. A field of it is the phase that follows, or the name of
the error; no other code asks what phase a turn is in. An agent's event that is not legal is refused with a value that
the agent can act on; the daemon's own is a mistake in the daemon and raised.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Final

import attrs

from radial_core.dispatch.effort import is_model
from radial_core.dispatch.links import Looked

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from radial_core.dispatch.findings import Listing
    from radial_core.identifiers import StrongRef
    from radial_core.index import Index


class Phase(Enum):
    """Where a turn stands. While it is asking or submitting, a record is being written."""

    NEW = "new"
    RUNNING = "running"
    ASKING = "asking"
    SUBMITTING = "submitting"
    DELIVERED = "delivered"
    CANCELLED = "cancelled"
    ENDED = "ended"


@attrs.frozen
class Start:
    """The harness was started."""


@attrs.frozen
class Observe:
    """The harness reported which model it runs: what is written from now on carries it (N3).

    Raises `ValueError` for a name that could be in no record (`is_model`): what a harness prints may be anything.
    """

    model: str = attrs.field(validator=is_model)


@attrs.frozen
class Hold:
    """The claim under which the turn runs has another version now, or another generation (C6, C7)."""

    claim: StrongRef


@attrs.frozen(kw_only=True)
class Ask:
    """The agent asks its request's people something; `at` is the datetime of the record."""

    said: Any
    at: str


@attrs.frozen(kw_only=True)
class Submit:
    """The agent submits the record of a `kind`: `artifact`, `review` or `reply`; `at` is the datetime of the record.

    The rest is what the daemon found out beforehand, where it could: the files at the reviewed commit, where the links
    lead, and the index as it is now.
    """

    kind: str
    said: Any
    at: str
    listing: Listing | None = None
    looked: Looked = attrs.field(factory=Looked)
    index: Index | None = None


@attrs.frozen
class Written:
    """The record that was to be written stands in the repo, as the version `cid`."""

    cid: str


@attrs.frozen
class Failed:
    """The record that was to be written does not stand in the repo, for certain."""


@attrs.frozen
class Cancel:
    """The turn may not go on: its claim lost, its request is gone."""


@attrs.frozen
class End:
    """The harness is gone."""


Event: TypeAlias = "Start | Observe | Hold | Ask | Submit | Written | Failed | Cancel | End"


class IllegalEvent(ValueError):  # noqa: N818 - it is an event, and its `name` is that of the error
    """An event that the daemon may not report in the phase in which the turn is: a mistake in the daemon."""

    def __init__(self, name: str, event: Event, phase: Phase) -> None:
        super().__init__(f"{name}: {type(event).__name__} while the turn is {phase.value}")
        self.name = name


_COLUMNS: Final = (Start, Observe, Hold, Ask, Submit, Written, Failed, Cancel, End)
_UNSTARTED: Final = "NotStarted"
_AGAIN: Final = "AlreadyStarted"
_BUSY: Final = "WritePending"
_IDLE: Final = "NothingPending"
_DONE: Final = "AlreadyDelivered"
_SECOND: Final = "SecondTerminal"
_STOPPED: Final = "TurnCancelled"
_OVER: Final = "TurnEnded"
_N, _R, _A, _S, _D, _C, _E = Phase
# fmt: off
_ROWS: Final[Mapping[Phase, tuple[Phase | str, ...]]] = {
    #    Start    Observe     Hold        Ask         Submit      Written     Failed      Cancel      End
    _N: (_R,      _UNSTARTED, _UNSTARTED, _UNSTARTED, _UNSTARTED, _UNSTARTED, _UNSTARTED, _UNSTARTED, _UNSTARTED),
    _R: (_AGAIN,  _R,         _R,         _A,         _S,         _IDLE,      _IDLE,      _C,         _E),
    _A: (_AGAIN,  _A,         _A,         _BUSY,      _BUSY,      _R,         _R,         _BUSY,      _E),
    _S: (_AGAIN,  _S,         _S,         _BUSY,      _BUSY,      _D,         _R,         _BUSY,      _E),
    _D: (_AGAIN,  _D,         _D,         _DONE,      _SECOND,    _IDLE,      _IDLE,      _D,         _E),
    _C: (_AGAIN,  _C,         _C,         _STOPPED,   _STOPPED,   _IDLE,      _IDLE,      _C,         _E),
    _E: (_OVER,   _OVER,      _OVER,      _OVER,      _OVER,      _OVER,      _OVER,      _OVER,      _OVER),
}
# fmt: on
TABLE: Final[Mapping[tuple[Phase, type[Any]], Phase | str]] = {
    (phase, event): move for phase, row in _ROWS.items() for event, move in zip(_COLUMNS, row, strict=True)
}
