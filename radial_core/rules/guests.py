"""Words from outside the space (M2, M3).

Strategy: a guest's own record is nowhere in the space. What a member vouches for is a copy, signed by the member; that
is what the view shows, with both DIDs. Whether a space asks for comments changes nothing about blessings that stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.identifiers import AtUri
from radial_core.places import show
from radial_core.records import BlessComment, Message, RetractBless, SetGuestComments
from radial_core.rulings import Ruling
from radial_core.views import GuestView

if TYPE_CHECKING:
    from radial_core.entries import Entry
    from radial_core.places import Estate, Place, Shelf, Site


def refuse_retraction(entry: Entry[RetractBless], site: Site) -> Ruling | None:
    """M2: a blessing is withdrawn by who gave it, or by an admin."""
    author = site.estate.known(entry.record.bless).did
    if entry.did == author or site.estate.trust.is_admin(entry.did):
        return None
    return Ruling("M2", f"only {author}, who blessed the comment, or an admin may retract that")


def refuse_switch(entry: Entry[SetGuestComments], space: Site) -> Ruling | None:
    """M3: whether a space asks for comments is the admins' to say."""
    if space.estate.trust.is_admin(entry.did):
        return None
    return Ruling("M3", f"{entry.did} is not an admin of the space: only admins decide whether it asks for comments")


def asks_for_comments(space: Shelf) -> bool:
    """M3: the latest says; by default a space does not ask."""
    switches = space.all(SetGuestComments)
    return bool(switches) and switches[-1].record.enabled


def guest_views(goal: Place) -> tuple[GuestView, ...]:
    """Show the blessed comments of a goal that nobody withdrew (M2)."""
    retracted = {entry.record.bless for entry in goal.all(RetractBless)}
    return tuple(_guest_view(bless, goal.estate) for bless in goal.all(BlessComment) if bless.uri not in retracted)


def _guest_view(bless: Entry[BlessComment], estate: Estate) -> GuestView:
    comment = bless.record.comment
    found = estate.find(comment, Message)  # a guest who has become a member: the comment is a message of its own
    return GuestView(
        bless=bless.uri,
        by=bless.did,
        guest=AtUri.parse(comment).authority,
        comment=show(bless.value["comment"], found),
        body=bless.record.body,
    )
