"""What a plan says is to be done, each action a value (seed §9; C6).

Strategy: an action says what and why, never how. Whatever is written has its record key in the action, made from what
the record answers, so that a crash between the write and its receipt repeats nothing; `key` is the name under which
the doer keeps that it was done (`State.done`) or that it failed (`State.tries`). What a record is stamped with is not
in it: who performs an action takes the same clock that the plan was given. A plan is carried out at once; what is left
of it after `PLAN_LASTS` seconds, because the machine slept say, is dropped and planned anew. There is no action that
joins a space and none that asks for an answer: a daemon does neither.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import attrs

from radial_core.dispatch.effort import Setting
from radial_core.dispatch.routing import Route
from radial_core.instants import Instant

PLAN_LASTS: Final = 60  # seconds


@attrs.frozen(kw_only=True)
class WriteClaim:
    """Claim an unassigned request for `lease` seconds, at the URI of `rkey` in the repo of `did`.

    A record that is there already, at that very key, is this one: its receipt was lost. Where it has lapsed since, the
    next plan is made at once; so it is for a `NextGenerationClaim`.
    """

    request: str
    did: str
    rkey: str
    generation: int
    lease: int

    @property
    def key(self) -> str:
        """The record key."""
        return self.rkey


@attrs.frozen(kw_only=True)
class NextGenerationClaim:
    """Claim a request anew for the turn that runs on it, because the older claim cannot cover it further (C6)."""

    request: str
    did: str
    rkey: str
    generation: int
    lease: int
    reason: str

    @property
    def key(self) -> str:
        """The record key."""
        return self.rkey


@attrs.frozen(kw_only=True)
class RenewClaim:
    """Move a claim's `renewedAt` to now and its `expiresAt` to `lease` seconds later, in one version (C6).

    `before` is when it is too late for that, by the clock that stamps the record: the claim has lapsed, or would last
    for more than 24 hours (C2). Whoever slept between the plan and the record does not write it, and plans again.
    """

    claim: str
    request: str
    lease: int
    before: Instant

    @property
    def key(self) -> str:
        """Which claim; a renewal is never done for good."""
        return f"renew {self.claim}"


@attrs.frozen(kw_only=True)
class ReleaseClaim:
    """Delete a claim that is of no more use: the request is lost, done with, or held by a later claim."""

    claim: str
    request: str
    reason: str

    @property
    def key(self) -> str:
        """Which claim."""
        return f"release {self.claim}"


@attrs.frozen(kw_only=True)
class RetireClaim:
    """Delete a claim of ours that must not be kept: from our own future, lapsed, or refused by everybody (C6)."""

    claim: str
    request: str
    reason: str

    @property
    def key(self) -> str:
        """Which claim."""
        return f"release {self.claim}"


@attrs.frozen(kw_only=True)
class StartTurn:
    """Start a turn of `did` on one open request, under a claim unless the request is assigned to it.

    `model` and `effort` are what it is to run with: asked for, settled, and yet to be observed.
    """

    request: str
    did: str
    route: Route
    model: Setting
    effort: Setting
    claim: str | None
    attempt: int

    @property
    def key(self) -> str:
        """Which start; what came of turns is kept by the request, and not under this."""
        return f"start {self.request}"


@attrs.frozen(kw_only=True)
class CancelTurn:
    """Stop the turn on a request; what it left in git stays on its branch."""

    request: str
    reason: str

    @property
    def key(self) -> str:
        """Which turn."""
        return f"cancel {self.request}"


@attrs.frozen(kw_only=True)
class RequestReview:
    """Write the one review request for an artifact that just landed (R8)."""

    artifact: str
    anchor: str
    did: str
    rkey: str

    @property
    def key(self) -> str:
        """The record key."""
        return self.rkey


@attrs.frozen(kw_only=True)
class RunChecks:
    """Run a project's checks on a commit and write the checkrun; no model has a part in it."""

    artifact: str
    project: str
    commit: str
    did: str
    rkey: str

    @property
    def key(self) -> str:
        """The record key."""
        return self.rkey


@attrs.frozen(kw_only=True)
class PollMerge:
    """Ask the forge whether a pull request was merged; if it was, write that, at the URI of `rkey`."""

    artifact: str
    pr: str
    did: str
    rkey: str

    @property
    def key(self) -> str:
        """The record key."""
        return self.rkey


@attrs.frozen(kw_only=True)
class Warn:
    """Tell the operator something, once: `key` is about what."""

    key: str
    text: str


Action: TypeAlias = (
    WriteClaim
    | NextGenerationClaim
    | RenewClaim
    | ReleaseClaim
    | RetireClaim
    | StartTurn
    | CancelTurn
    | RequestReview
    | RunChecks
    | PollMerge
    | Warn
)
