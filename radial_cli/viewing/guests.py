"""`radial guests`: what people outside say about a goal, and which of it a member vouches for.

Strategy: two parts that cannot be taken for each other. First what members blessed, from the index; then what was found
just now, which nobody vouches for and which is nowhere kept. That the look-up failed, or in part, is said on standard
error and changes neither the first part nor the exit status.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import anyio
import attrs

from radial_cli.exits import USAGE, Failure
from radial_cli.output import is_terminal, out, out_json, say, width
from radial_cli.pictures.thread import draw_guests
from radial_cli.pictures.words import brief_title, counted, moment
from radial_cli.reading import Reading
from radial_cli.render import Page
from radial_cli.untrusted import one_line
from radial_cli.viewing.sources import looking, not_here, now, require_one_way
from radial_core.jsonviews import to_plain
from radial_core.views import GoalView, SpaceView
from radial_io.atproto.identity import open_servers
from radial_io.errors import GivenUrlError, RadialIoError
from radial_io.viewing.backlinks import open_backlinks
from radial_io.viewing.comments import Comment
from radial_io.viewing.guests import GuestLimits, Guests, find_guests

_INDENT: Final = 2
_MARKS: Final = ("at://", "goal/")


@attrs.frozen
class Servers:
    """The servers that were named by hand, and how many seconds looking up may take in all."""

    backlinks: str | None
    pds: str | None
    plc: str | None
    seconds: float


def print_guests(words: Sequence[str], *, store: str | None, servers: Servers, as_json: bool) -> None:
    """Print the guests of some goals. Raises `Failure`."""
    require_one_way(servers.pds, servers.plc)
    names = [word for word in words if word.startswith(_MARKS)]
    if not names:
        raise Failure("no goal is named", "Give the URI of a goal, or its short name: goal/3mgdi7lg52222.", USAGE)
    with looking([word for word in words if word not in names], store) as found:
        goals = [_goal(name, found) for name in names]
        looked_up = _look_up(goals, servers)
        if as_json:
            out_json(_json(goals, looked_up, found))
        else:
            out(_page(goals, looked_up, found))
        for guests in looked_up:
            _say_what_is_missing(guests)


def _goal(name: str, found: Reading) -> tuple[GoalView, SpaceView]:
    uri = found.names.find(name)
    goal = found.index.goal(uri)
    place = next((space for space in found.index.spaces if any(each.uri == uri for each in space.goals)), None)
    if goal is None or place is None:
        raise not_here(uri, found, "is no goal")
    return goal, place


def _look_up(goals: Sequence[tuple[GoalView, SpaceView]], servers: Servers) -> list[Guests]:
    """Look up what can be; servers that cannot even be begun with are no reason to show nothing."""
    if not any(space.guest_comments for _, space in goals):
        return [Guests(goal=goal.uri, asks=False) for goal, _ in goals]
    try:
        return anyio.run(partial(_ask, goals, servers))
    except GivenUrlError as error:
        raise Failure(one_line(str(error)), error.advice, USAGE) from error
    except RadialIoError as error:
        complaint = str(error)
        return [
            Guests(goal=goal.uri, asks=space.guest_comments, complaint=complaint if space.guest_comments else "")
            for goal, space in goals
        ]


async def _ask(goals: Sequence[tuple[GoalView, SpaceView]], servers: Servers) -> list[Guests]:
    async with (
        open_backlinks(servers.backlinks) as backlinks,
        open_servers(pds=servers.pds, plc=servers.plc) as (client, resolver),
    ):
        end = anyio.current_time() + servers.seconds
        return [
            await find_guests(
                goal,
                space,
                backlinks=backlinks,
                client=client,
                resolver=resolver,
                clock=now,
                limits=GuestLimits(seconds=max(0.0, end - anyio.current_time())),
            )
            for goal, space in goals
        ]


def _page(goals: Sequence[tuple[GoalView, SpaceView]], looked_up: Sequence[Guests], found: Reading) -> str:
    page = Page(width(), styled=is_terminal())
    for (goal, space), guests in zip(goals, looked_up, strict=True):
        page.gap()
        page.line([(brief_title(goal.title), "title"), (f"  in {brief_title(space.name)}", "quiet")])
        page.line((goal.uri, "quiet"))
        page.heading("Blessed", f"({len(goal.guests)})")
        if goal.guests:
            draw_guests(page, goal.guests, found, indent=_INDENT)
        _draw_unblessed(page, guests, found)
    return page.text()


def _draw_unblessed(page: Page, guests: Guests, found: Reading) -> None:
    if not guests.asks:
        page.heading("Unblessed", "(not looked up: this space does not ask guests for comments)")
        return
    page.heading("Unblessed", f"({len(guests.comments)})")
    page.line(("Found just now, outside the space. No member vouches for it, and it is kept nowhere.", "wait"))
    for comment in guests.comments:
        _draw_comment(page, comment, found)


def _draw_comment(page: Page, comment: Comment, found: Reading) -> None:
    page.gap()
    unproven = "" if comment.proven else ", not signed for by its repo"
    page.line(
        [
            ("Unblessed, by ", "wait"),
            (comment.guest, "name"),
            f", {moment(comment.created_at, found)}",
            (unproven, "bad"),
        ],
        indent=_INDENT,
    )
    page.line((comment.uri, "quiet"), indent=_INDENT)
    page.prose(comment.body, indent=2 * _INDENT)


def _say_what_is_missing(guests: Guests) -> None:
    if guests.complaint:
        say(f"radial: guests of {one_line(guests.goal)} may be missing: {one_line(guests.complaint)}")
    for left in guests.left_out:
        say(f"  {one_line(left.uri)} is not shown: {one_line(left.reason, 500)}")
    if guests.known:
        say(f"  {counted(guests.known, 'hit')} of the index {'is' if guests.known == 1 else 'are'} known already")


def _json(goals: Sequence[tuple[GoalView, SpaceView]], looked_up: Sequence[Guests], found: Reading) -> dict[str, Any]:
    return {
        "digest": found.index.digest,
        "goals": [
            {
                "uri": goal.uri,
                "space": space.uri,
                "asks": guests.asks,
                "blessed": to_plain(goal.guests),
                "unblessed": to_plain(guests.comments),
                "leftOut": to_plain(guests.left_out),
                "known": guests.known,
                "complaint": guests.complaint or None,
                "partial": guests.partial,
            }
            for (goal, space), guests in zip(goals, looked_up, strict=True)
        ],
    }
