"""What a daemon knows beside the index: what it runs, what it wrote, what failed (seed §9, §12).

Strategy: only what no index can tell. It is kept across restarts by whoever performs the actions, and every field may
lag behind the truth by the one write whose receipt was lost: keys that follow from what they answer make up for that.
*Settled* is said of something we wrote when a whole cycle of ingestion, begun after the write, has ended: only then has
everything been seen that others wrote before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import attrs

from radial_core.dispatch.clock import Sample
from radial_core.dispatch.controls import Controls
from radial_core.dispatch.routing import Choice
from radial_core.dispatch.usage import Total
from radial_core.instants import Instant


@attrs.frozen(kw_only=True)
class Held:
    """A claim of ours, as we last wrote it, by our own clock. `used`: the turn that it was for has ended."""

    uri: str
    request: str
    generation: int
    created_at: Instant
    renewed_at: Instant
    expires_at: Instant
    settled: bool = False
    used: bool = False


@attrs.frozen(kw_only=True)
class Turn:
    """A turn that runs. `cancelling`: it was told to stop and has not ended yet; `run`: the number of its run."""

    request: str
    did: str
    started_at: Instant
    cancelling: bool = False
    run: int = 1


@attrs.frozen(kw_only=True)
class Tries:
    """What came of trying something: how often it `failed` in a row, when it last ended, whether that is settled.

    `outages` are the turns in a row that were broken off from outside. `blocked` is what has to be mended before
    anything is tried again, if there is something.
    """

    failed: int
    ended_at: Instant
    settled: bool = True
    outages: int = 0
    blocked: str | None = None


@attrs.frozen(kw_only=True)
class Run:
    """What a budget bounds: which run it is, and what it has used: `turns` started, `retries` among them, seconds.

    The `seconds` it has lasted are counted by whoever performs the actions, with a clock that nobody can set: what a
    jump of the other clock takes from, or adds to, a budget would be anybody's guess. `ended` is what the turns used
    that it began; one that an earlier run began, and that ends in this one, is charged to neither.
    """

    number: int = 1
    turns: int = 0
    retries: int = 0
    seconds: int = 0
    ended: Total = attrs.field(factory=Total)


@attrs.frozen(kw_only=True)
class State:
    """What a daemon knows beside the index.

    `tries` are by an action's key: of turns, by the URI of their request. `generations` say of each request how many
    claims we have ever written on it. `done` are the keys of what is never to be done again. `polled` says when a pull
    request was last looked at, by the URI of its artifact. `clock` are the readings of servers' clocks, the latest last
    (`receipts.clock_read`). `run` is what the budget bounds. `chosen` is what persons chose for single requests.
    `may_not_start` is the reason, if there is one, for which no new turn may start: a pause, somebody's stop.
    """

    turns: tuple[Turn, ...] = ()
    claims: tuple[Held, ...] = ()
    generations: Mapping[str, int] = attrs.field(default=MappingProxyType({}), hash=False)
    tries: Mapping[str, Tries] = attrs.field(default=MappingProxyType({}), hash=False)
    done: frozenset[str] = frozenset()
    polled: Mapping[str, Instant] = attrs.field(default=MappingProxyType({}), hash=False)
    clock: tuple[Sample, ...] = ()
    run: Run = attrs.field(factory=Run)
    chosen: Mapping[str, Choice] = attrs.field(default=MappingProxyType({}), hash=False)
    may_not_start: str | None = None
    controls: Controls = attrs.field(factory=Controls)
