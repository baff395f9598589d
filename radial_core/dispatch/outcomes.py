"""Why a turn ended as it did, and what is tried next: one table for every cause (seed §9, §12).

Strategy: what a turn wrote decides first, whatever became of its process: a harness that falls over after it delivered
has delivered. Of a turn that wrote nothing the cause decides, and causes differ in what helps. What was broken off from
outside will pass, so it is waited for, long and patiently. What the agent made of it may come out better another time,
so it is tried again a few times. What our own setup lacks comes out the same every time, so it is not tried again until
that was mended. What a person rejected is no failure of anything: the next version is theirs to ask for. How often is
tried is the operator's to say (`Operator.attempts`, `Operator.outages`); nothing is asked of a person before that.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Cause(Enum):
    """Why a turn that wrote nothing ended, in words for a person."""

    # the agent's doing
    NO_RECORD = "it ended without a record"
    REFUSED = "what it submitted was refused until it gave up"
    MALFORMED = "its output could not be read"
    TRUNCATED = "its output was cut off at a limit"
    UNWILLING = "the model would not do it"
    CRASHED = "the harness fell over"
    OVER_TIME = "it was stopped at its time limit"
    OVER_MEMORY = "it was stopped at its memory limit"
    # broken off from outside
    RATE_LIMITED = "the provider takes no more requests for now"
    OVERLOADED = "the provider answers with errors"
    NO_ANSWER = "the provider did not answer in time"
    CUT_OFF = "the answer broke off"
    UNREACHABLE = "a server was not reached"
    HOST = "this machine could not run it"
    # our own setup
    UNAUTHORIZED = "the provider does not accept our credential"
    UNKNOWN_MODEL = "the provider does not know the model"
    UNSUPPORTED = "the harness does not take the effort"
    NO_HARNESS = "the harness cannot be started"
    NO_CHECKOUT = "the repository cannot be checked out"
    # neither
    BUDGET = "the budget of the run is spent"
    INTERRUPTED = "the operator stopped it"
    WITHDRAWN = "somebody else has its request, or nobody needs it any more"


class Rejection(Enum):
    """What is made of work that was delivered: its request is answered all the same, and its turn came to something."""

    CHANGES_REQUESTED = "a review asks for changes"
    RED = "a check fails"
    CLOSED = "its pull request was closed unmerged"


class Ending(NamedTuple):
    """What an ending amounts to: its kind, what it adds to the count of tries, and what comes next, in words.

    `end` is a row of `retry.ENDS`.
    """

    kind: str
    end: str
    next: str


DELIVERED: Final = Ending("delivered", "written", "nothing, once the record has been taken in")
UNCONFIRMED: Final = Ending(
    "unconfirmed", "written", "whether the record was written is looked up before anything else"
)
ASKED: Final = Ending("asked", "asked", "nothing, until somebody has replied")
STOPPED: Final = Ending("stopped", "cancelled", "nothing by itself: whatever the plan says of its request")
OUTPUT: Final = Ending("output", "failed", "it is tried again after a wait, `attempts` times in a row at most")
TRANSIENT: Final = Ending("transient", "outage", "it is tried again after a wait, `outages` times in a row at most")
SETUP: Final = Ending("setup", "blocked", "nothing, until the operator has mended it and says so")
SPENT: Final = Ending("budget", "cancelled", "nothing, until there is a budget again; what was made is kept")
REJECTED: Final = Ending("rejected", "written", "nothing: the next version is a person's to ask for")

BY_CAUSE: Final[Mapping[Cause, Ending]] = {
    **dict.fromkeys(
        (
            Cause.NO_RECORD,
            Cause.REFUSED,
            Cause.MALFORMED,
            Cause.TRUNCATED,
            Cause.UNWILLING,
            Cause.CRASHED,
            Cause.OVER_TIME,
            Cause.OVER_MEMORY,
        ),
        OUTPUT,
    ),
    **dict.fromkeys(
        (Cause.RATE_LIMITED, Cause.OVERLOADED, Cause.NO_ANSWER, Cause.CUT_OFF, Cause.UNREACHABLE, Cause.HOST),
        TRANSIENT,
    ),
    **dict.fromkeys(
        (Cause.UNAUTHORIZED, Cause.UNKNOWN_MODEL, Cause.UNSUPPORTED, Cause.NO_HARNESS, Cause.NO_CHECKOUT), SETUP
    ),
    Cause.BUDGET: SPENT,
    Cause.INTERRUPTED: STOPPED,
    Cause.WITHDRAWN: STOPPED,
}
BY_REJECTION: Final[Mapping[Rejection, Ending]] = dict.fromkeys(Rejection, REJECTED)
# What a turn wrote goes before why its process ended; `nothing` leaves it to the cause.
_BY_NAME: Final[Mapping[str, Ending]] = {
    "delivered": DELIVERED,
    "unconfirmed": UNCONFIRMED,
    "asked": ASKED,
    "cancelled": STOPPED,
}


def ending_of(name: str, cause: Cause = Cause.NO_RECORD) -> Ending:
    """Give what an ending amounts to; `name` is that of the turn's own outcome (`turn.Outcome`)."""
    return _BY_NAME.get(name) or BY_CAUSE[cause]
