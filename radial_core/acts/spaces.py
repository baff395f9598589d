"""Spaces: made, joined, opened to guests (T1, T6, M3; RAD-3.16).

Strategy: a client that has only a login finds the spaces of its user among the `join` records in their repo. So whoever
makes a space joins it too, and the key of a join follows from the space: a second one would be the same record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.acts.cautions import outranked, unchanged
from radial_core.acts.draft import Act, Caution
from radial_core.dispatch.keys import record_key
from radial_core.records import Join, SetGuestComments
from radial_core.rules.guests import asks_for_comments

if TYPE_CHECKING:
    from radial_core.acts.desk import Desk
    from radial_core.acts.draft import Draft


def create_space(desk: Desk, name: str, *, description: str | None = None) -> Act:
    """Make a space, of which the author is the root, and note that it was joined: two records."""
    space = desk.draft("space", name=name, description=description)
    uri = space.uri(desk.author)
    return Act(verb="space create", space=uri, drafts=(space, _join(desk, uri, desk.ref_to(space))))


def join_space(desk: Desk, space: str) -> Act:
    """Note that the author has opened a space: one record, however often. Raises `ActError` for an unknown space."""
    own = desk.own(space).own
    draft = _join(desk, space, desk.ref(space))
    joined = draft.uri(desk.author) in desk.index.filing.entries
    if joined or any(entry.did == desk.author for entry in own.all(Join)):
        caution = Caution("Unchanged", "you have joined this space before: there is nothing to write")
        return Act(verb="space join", space=space, drafts=(), warnings=(caution,))
    return Act(verb="space join", space=space, drafts=(draft,))


def _join(desk: Desk, space: str, ref: dict[str, str]) -> Draft:
    return desk.draft("join", record_key("join", space), space=ref)


def set_guest_comments(desk: Desk, space: str, *, enabled: bool) -> Act:
    """Say whether a space asks guests for comments (M3)."""
    own = desk.own(space).own
    draft = desk.draft("setGuestComments", space=desk.ref(space), enabled=enabled)
    said = "asks for comments" if enabled else "asks for no comments"
    same = unchanged(asks_for_comments(own) == enabled, f"the space {said} already")
    warnings = (*same, *outranked(desk, draft, own.all(SetGuestComments)))
    return Act(verb="space guest-comments", space=space, drafts=(draft,), warnings=warnings)
