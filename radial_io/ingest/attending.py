"""What a stream asks of the follower that runs it, beyond what every adapter asks of the world.

    attended(firehose(...), followed=…, reread=…)       # a flow of plain requests again

Strategy: a stream tells of changes; only a repo itself tells what it holds. So a stream never repairs anything: where
it has a doubt, it says so and goes on, and the repo is read anew beside it. No event is kept waiting for that, because
what is stored are observations, each with its own rev: in which order they come does not matter to the fold (O3). Two
rules make it complete, and `Rereads` keeps both: a doubt that comes while the repo is being read is met by reading it
once more, and a repo is not read more often than `spacing` allows, whatever a hostile host tells.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Final, TypeAlias, TypeVar

import attrs

from radial_io.ingest.requests import Flow, Request

T = TypeVar("T")


@attrs.frozen
class Followed:
    """Ask whose repos are followed now. Answer: frozenset of DIDs."""


@attrs.frozen
class Reread:
    """Say that a repo has to be looked at: its head, and unless that is where it stands, all of it.

    Answer: None, at once. `why` is for people.
    """

    did: str
    why: str


StreamRequest: TypeAlias = Request | Followed | Reread
StreamFlow: TypeAlias = Generator[StreamRequest, Any, T]


def attended(
    flow: StreamFlow[T],
    *,
    followed: Callable[[], frozenset[str]],
    reread: Callable[[str, str], None],
) -> Flow[T]:
    """Answer a stream's own questions; the rest is passed on, answers and errors alike."""
    try:
        request = next(flow)
        while True:
            match request:
                case Followed():
                    request = flow.send(followed())
                case Reread(did, why):
                    reread(did, why)
                    request = flow.send(None)
                case _:
                    try:
                        answer = yield request
                    except Exception as error:  # noqa: BLE001 - whatever it is, it is the flow's to answer
                        request = flow.throw(error)
                    else:
                        request = flow.send(answer)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    finally:
        flow.close()


_MOST_REASONS: Final = 3


@attrs.define
class Rereads:
    """The repos that wait to be read anew, the doubts that say why, and those being read.

    `spacing` is the least time between two readings of one repo, in seconds of the clock whose readings are handed in.
    """

    spacing: float = 30.0
    _waiting: dict[str, list[str]] = attrs.field(factory=dict, init=False)
    _running: set[str] = attrs.field(factory=set, init=False)
    _begun: dict[str, float] = attrs.field(factory=dict, init=False)

    def ask(self, did: str, why: str) -> None:
        """Take note of a doubt. One that comes while the repo is read is met by another reading."""
        reasons = self._waiting.setdefault(did, [])
        if why not in reasons and len(reasons) < _MOST_REASONS:
            reasons.append(why)

    def begin(self, now: float) -> tuple[str, str] | None:
        """Give the next repo that may be read, and why; None when none may be."""
        for did, reasons in self._waiting.items():
            if did not in self._running and now >= self._begun.get(did, -self.spacing) + self.spacing:
                del self._waiting[did]
                self._running.add(did)
                self._begun[did] = now
                return did, "; ".join(reasons)
        return None

    def end(self, did: str) -> None:
        """Say that a reading is over, however it went."""
        self._running.discard(did)

    def forget(self, did: str) -> None:
        """Say that a repo is not followed any more."""
        self._waiting.pop(did, None)
        self._begun.pop(did, None)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The DIDs whose repos wait, in the order in which they began to."""
        return tuple(self._waiting)
