"""Who is in a space: the membership log and its fold (T1–T4).

Strategy: events fold in one order (createdAt, URI), each judged by the grants that are current at that point and by
nothing else. The grants that are current at the end are the members; everything that had effect stays listed with who
made it and what became of it, so that a backdated grant is visible. Whatever had no effect gets its rule and a reason.
A folded log is a value: events later than all of it are folded on from there, any others from the beginning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from radial_core.entries import in_order
from radial_core.identifiers import StrongRef
from radial_core.places import End, Membership, Trust
from radial_core.records import AddMember
from radial_core.rulings import Ruling
from radial_core.views import GrantView, MemberView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from radial_core.entries import Entry
    from radial_core.records import RemoveMember, Space


def fold_membership(space: Entry[Space], events: Iterable[Entry[Any]], earlier: Membership | None = None) -> Membership:
    """Fold the membership log of one space: its `addMember` and `removeMember` entries, in any order.

    With `earlier`, what the events before all of these amount to, only these are folded; then there are some.
    """
    log = _Log(space.did, earlier)
    ordered = in_order(events)
    for event in ordered:
        log.take(event)
    last = ordered[-1].order if ordered else None
    return Membership(log.trust, tuple(log.granted), log.ends, tuple(log.effective), log.refused, last)


class _Log:
    """The log while it folds. `trust` always holds the grants that are current at this point (T2)."""

    def __init__(self, root: str, earlier: Membership | None) -> None:
        self.current: dict[str, Entry[AddMember]] = {} if earlier is None else dict(earlier.trust.grants)
        self.trust = Trust(root, self.current)
        self.granted: list[Entry[AddMember]] = [] if earlier is None else [*earlier.granted]
        self.ends: dict[str, End] = {} if earlier is None else dict(earlier.ends)
        self.effective: list[Entry[Any]] = []
        self.refused: dict[str, Ruling] = {}

    def take(self, event: Entry[Any]) -> None:
        ruling = self.refusal(event)
        if ruling is not None:
            self.refused[event.uri] = ruling
            return
        self.effective.append(event)
        did = event.record.did
        if isinstance(event.record, AddMember):
            # T3: a grant replaces the one before; this is how a role changes.
            self.end(did, "replaced", event.uri)
            self.current[did] = event
            self.granted.append(event)
        else:
            self.end(did, "revoked", event.uri)

    def refusal(self, event: Entry[Any]) -> Ruling | None:
        did = event.record.did
        if did == self.trust.root:
            return Ruling("T1", "the root of a space is always its admin: nobody adds or removes it")
        if not self.trust.is_admin(event.did):
            return Ruling("T2", f"{event.did} was not an admin at this point of the membership log")
        if isinstance(event.record, AddMember) or self.ends_a_grant(event):
            return None
        if did not in self.current:
            return Ruling("T4", f"{did} holds no grant at this point of the membership log: there is nothing to revoke")
        return Ruling("T4", f"the grant it names is not the current one of {did}: name that one to revoke it")

    def ends_a_grant(self, event: Entry[RemoveMember]) -> bool:
        did, named = event.record.did, event.record.membership
        current = self.current.get(did)
        if current is None or named == current.uri:
            return current is not None
        # T4: nobody outruns root by backdating. Root may name any earlier grant, unless it made the current one itself.
        earlier = named in self.ends and self.ends[named].did == did
        return event.did == self.trust.root and current.did != self.trust.root and earlier

    def end(self, did: str, state: str, by: str) -> None:
        if did in self.current:
            self.ends[self.current.pop(did).uri] = End(state, by, did)


def grant_views(membership: Membership) -> tuple[GrantView, ...]:
    """List the grants that had effect, in the order of the log, and what became of them (T3–T5)."""
    return tuple(_grant_view(grant, membership.ends.get(grant.uri)) for grant in membership.granted)


def _grant_view(grant: Entry[AddMember], end: End | None) -> GrantView:
    record = grant.record
    return GrantView(
        uri=grant.uri,
        cid=grant.cid,
        did=record.did,
        kind=record.member_kind,
        role=record.role,
        by=grant.did,
        at=grant.created_at,
        state="current" if end is None else end.state,
        ended_by=None if end is None else end.by,
    )


def member_views(space: Entry[Space], trust: Trust, joined: frozenset[str]) -> tuple[MemberView, ...]:
    """List the members by DID; `joined` holds the DIDs whose `join` counts (T6)."""
    root = MemberView(trust.root, "human", "admin", trust.root in joined, None, space.created_at)
    others = (_member_view(did, grant, did in joined) for did, grant in trust.grants.items())
    return tuple(sorted((root, *others), key=lambda member: member.did))


def _member_view(did: str, grant: Entry[AddMember], joined: bool) -> MemberView:  # noqa: FBT001 - a column of the row
    record = grant.record
    return MemberView(did, record.member_kind, record.role, joined, StrongRef(grant.uri, grant.cid), grant.created_at)
