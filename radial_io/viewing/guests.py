"""Guest comments: what people outside a space say about a goal, looked up while somebody looks.

Strategy: this room is above the store and the fold and has a way into neither, because nothing that is found here may
get there (M3): what is found is given to whoever draws, and forgotten. Only a space that asks for guests is asked
about. The backlink index is believed in nothing but where to look: each hit is fetched from the guest's own repo, with
the proof that it stands there, judged as every record is (L1, L6), and has to name the goal that was asked about. What
members wrote is in the thread already, and what a member blessed is shown as such (M2): both are left alone.

Whatever goes wrong costs its own hit and no other: one that is not shown is named with the reason. Time, hits, and how
many of them one guest can take up are bounded. An index that is down, slow or lying changes what is shown here, and
nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

import anyio
import attrs

from radial_core.instants import parse_instant
from radial_core.views import GoalView, SpaceView
from radial_io.atproto.identity import Resolver
from radial_io.atproto.xrpc import XrpcClient
from radial_io.errors import RadialIoError
from radial_io.viewing.backlinks import Backlinks, Hit
from radial_io.viewing.comments import Comment, NotShownError, fetch_comment

_LATE: Final = "was not answered for in time"


@attrs.frozen(kw_only=True)
class GuestLimits:
    """What looking up the guests of one goal may cost.

    `seconds` in all, `index_seconds` for the index and `hit_seconds` for one hit; `hits`, and of them `of_one_guest`;
    `pages` of the index; `at_once` hits are fetched at the same time.
    """

    seconds: float = 30.0
    index_seconds: float = 10.0
    hit_seconds: float = 10.0
    hits: int = 200
    of_one_guest: int = 20
    pages: int = 10
    at_once: int = 8


@attrs.frozen
class LeftOut:
    """A hit that is not shown, and why, in words."""

    uri: str
    reason: str


@attrs.frozen(kw_only=True)
class Guests:
    """What was found for one goal.

    `asks` is whether its space asks for guests; if not, nobody was asked. `comments` are unblessed, in order of
    (createdAt, URI). `known` counts hits that members wrote or blessed. `complaint` says what kept the index from
    answering in full; empty when it did.
    """

    goal: str
    asks: bool
    comments: tuple[Comment, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    known: int = 0
    complaint: str = ""

    @property
    def partial(self) -> bool:
        """Whether comments may be missing: the index did not answer in full, or some hits not in time (RK-16.6)."""
        return bool(self.complaint) or any(left.reason == _LATE for left in self.left_out)


async def find_guests(
    goal: GoalView,
    space: SpaceView,
    *,
    backlinks: Backlinks,
    client: XrpcClient,
    resolver: Resolver,
    clock: Callable[[], str],
    limits: GuestLimits | None = None,
) -> Guests:
    """Look up the comments of guests on a goal of this space. Raises nothing for what servers do.

    `clock` gives the observer's own time as a datetime string: no repo is believed to be from the future.
    """
    if not space.guest_comments:  # M3: nobody is asked on behalf of a space that does not ask
        return Guests(goal=goal.uri, asks=False)
    limits = limits or GuestLimits()
    search = _Search(goal, space, limits)
    with anyio.move_on_after(limits.seconds) as in_time:
        with anyio.move_on_after(limits.index_seconds):
            await search.list_hits(backlinks)
        await search.fetch_each(lambda hit: fetch_comment(hit, goal.uri, client=client, resolver=resolver, now=clock()))
    if in_time.cancelled_caught:
        search.give_up()
    return search.result()


@attrs.define
class _Search:
    """One look-up, as far as it got."""

    goal: GoalView
    space: SpaceView
    limits: GuestLimits
    waiting: list[Hit] = attrs.field(factory=list)
    comments: list[Comment] = attrs.field(factory=list)
    left_out: dict[str, str] = attrs.field(factory=dict)
    known: int = 0
    complaint: str = "the index did not answer in time"  # until it did

    async def list_hits(self, backlinks: Backlinks) -> None:
        """Ask the index; what it said before it failed is used."""
        met: set[str] = set()
        cursor: str | None = None
        try:
            for _ in range(self.limits.pages):
                page = await backlinks.page(self.goal.uri, cursor)
                self._sort_out([hit for hit in dict.fromkeys(page.hits) if hit.uri not in met])
                met.update(hit.uri for hit in page.hits)
                is_end = page.cursor is None or page.cursor == cursor or not (page.hits or page.dropped)
                if is_end or len(self.waiting) >= self.limits.hits:
                    break
                cursor = page.cursor
        except RadialIoError as error:
            self.complaint = str(error)
        else:
            self.complaint = ""

    def _sort_out(self, hits: Iterable[Hit]) -> None:
        """Choose which hits are fetched: those of strangers, up to the limits."""
        members = {member.did for member in self.space.members}
        blessed = {guest.comment.uri for guest in self.goal.guests}
        taken = Counter(hit.did for hit in self.waiting)
        for hit in hits:
            if hit.did in members or hit.uri in blessed:
                self.known += 1
            elif len(self.waiting) >= self.limits.hits:
                self.left_out[hit.uri] = f"is beyond the limit of {self.limits.hits} comments"
            elif taken[hit.did] >= self.limits.of_one_guest:
                self.left_out[hit.uri] = f"is beyond the limit of {self.limits.of_one_guest} comments of one guest"
            else:
                taken[hit.did] += 1
                self.waiting.append(hit)

    async def fetch_each(self, fetch: Callable[[Hit], Awaitable[Comment]]) -> None:
        """Fetch all that wait, some at the same time."""
        waiting = iter(tuple(self.waiting))

        async def work() -> None:
            for hit in waiting:
                await self._fetch(hit, fetch)

        async with anyio.create_task_group() as workers:
            for _ in range(self.limits.at_once):
                workers.start_soon(work)

    async def _fetch(self, hit: Hit, fetch: Callable[[Hit], Awaitable[Comment]]) -> None:
        try:
            with anyio.fail_after(self.limits.hit_seconds):
                self.comments.append(await fetch(hit))
        except (RadialIoError, NotShownError) as error:
            self.left_out[hit.uri] = str(error)
        except TimeoutError:
            self.left_out[hit.uri] = _LATE
        self.waiting.remove(hit)

    def give_up(self) -> None:
        """Name what there was no time for."""
        self.left_out.update({hit.uri: _LATE for hit in self.waiting})

    def result(self) -> Guests:
        """Give what was found."""
        return Guests(
            goal=self.goal.uri,
            asks=True,
            comments=tuple(sorted(self.comments, key=lambda each: (parse_instant(each.created_at), each.uri))),
            left_out=tuple(LeftOut(uri, reason) for uri, reason in sorted(self.left_out.items())),
            known=self.known,
            complaint=self.complaint,
        )
