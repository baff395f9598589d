"""Guests' words, vouched for and withdrawn (M2).

Strategy: what is blessed is exactly what was read: its URI, the CID of that version, and all of its words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.acts.cautions import unchanged
from radial_core.acts.draft import Act, Caution
from radial_core.records import BlessComment, Goal, RetractBless
from radial_core.rules.guests import asks_for_comments

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from radial_core.acts.desk import Desk


def bless(desk: Desk, goal: str, comment: Mapping[str, str], body: str) -> Act:
    """Copy a guest's words into the space: `comment` is the `{uri, cid}` of what was read, `body` all that it says."""
    draft = desk.draft("blessComment", goal=desk.ref(goal, Goal), comment=dict(comment), body=body)
    warnings = tuple(_about(desk, goal, comment["uri"]))
    return Act(verb="bless", space=desk.space_of(goal), drafts=(draft,), warnings=warnings)


def _about(desk: Desk, goal: str, comment: str) -> Iterator[Caution]:
    holding = desk.own(desk.space_of(goal))
    guest = comment.removeprefix("at://").partition("/")[0]
    if holding.trust.is_member(guest):
        yield Caution("GuestIsMember", f"{guest} is a member: their messages count without a blessing")
    if not asks_for_comments(holding.own):
        yield Caution("NotAskedFor", "this space does not ask for comments")
    place = desk.shelf(goal)
    withdrawn = {entry.record.bless for entry in place.all(RetractBless)}
    standing = [one for one in place.all(BlessComment) if one.record.comment == comment and one.uri not in withdrawn]
    yield from unchanged(bool(standing), "the comment is blessed already, and would stand there twice")


def retract_bless(desk: Desk, blessing: str) -> Act:
    """Withdraw a blessing (M2)."""
    draft = desk.draft("retractBless", bless=desk.ref(blessing, BlessComment))
    withdrawn = {entry.record.bless for entry in desk.shelf(blessing).all(RetractBless)}
    warnings = unchanged(blessing in withdrawn, "the blessing is withdrawn already")
    return Act(verb="bless retract", space=desk.space_of(blessing), drafts=(draft,), warnings=warnings)
