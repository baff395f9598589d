"""Members: grants, and their ends (T2–T4).

Strategy: a removal names the grant that it ends, the current one, so that it ends nothing that somebody grants
meanwhile. What else would vanish with a member is foreseen, not guessed here (T5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from radial_core.acts.cautions import assigned_in, outranked, still_assigned, unchanged
from radial_core.acts.draft import Act, ActError, Caution
from radial_core.records import AddMember, RemoveMember
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from radial_core.acts.desk import Desk
    from radial_core.acts.draft import Draft
    from radial_core.entries import Entry
    from radial_core.places import Holding


def add_member(desk: Desk, space: str, did: str, *, kind: str = "human", role: str = "member") -> Act:
    """Grant membership, or another role to a member: `kind` is human or agent, `role` admin, member or agent (T3)."""
    holding = desk.own(space)
    draft = desk.draft("addMember", space=desk.ref(space), did=did, kind=kind, role=role)
    current = holding.trust.grants.get(did)
    replaced = () if current is None else _replaces(current, kind, role)
    return Act(verb="member add", space=space, drafts=(draft,), warnings=(*replaced, *_later(desk, draft, holding)))


def _replaces(current: Entry[AddMember], kind: str, role: str) -> tuple[Caution, ...]:
    """T3: a second grant is how a role changes."""
    had = current.record
    if (had.member_kind, had.role) == (kind, role):
        return unchanged(is_so=True, words=f"{had.did} has this role already")
    now, then = f"{had.member_kind}, {had.role}", f"{kind}, {role}"
    return (Caution("ReplacesGrant", f"{had.did} is a member ({now}) and would become another one ({then})"),)


def remove_member(desk: Desk, space: str, did: str) -> Act:
    """Revoke the current grant of a member (T4). Raises `ActError` for somebody who holds none, as the root does."""
    holding = desk.own(space)
    if did == holding.trust.root:
        raise ActError(
            "the root of a space is always its admin: nobody removes it (T1)", "unfit", "Name somebody else."
        )
    grant = holding.trust.grants.get(did)
    if grant is None:
        words = f"{quoted(did)} holds no grant in this space: there is nothing to revoke (T4)"
        raise ActError(words, "absent", "The list of members names who holds one.")
    membership = {"uri": grant.uri, "cid": grant.cid}
    draft = desk.draft("removeMember", space=desk.ref(space), did=did, membership=membership)
    warnings = (*_own(desk, did), *_assigned(desk, space, did), *_later(desk, draft, holding))
    return Act(verb="member remove", space=space, drafts=(draft,), warnings=warnings)


def _own(desk: Desk, did: str) -> tuple[Caution, ...]:
    return (Caution("RemovesYourself", "you remove yourself: you cannot undo that"),) if did == desk.author else ()


def _assigned(desk: Desk, space: str, did: str) -> tuple[Caution, ...]:
    return still_assigned(assigned_in(desk.space(space), did), did)


def _later(desk: Desk, draft: Draft, holding: Holding) -> tuple[Caution, ...]:
    """T2: the log folds in the order of dates, so a later event about the same person decides."""
    did = draft.value["did"]
    events: tuple[Entry[Any], ...] = (*holding.own.all(AddMember), *holding.own.all(RemoveMember))
    return outranked(desk, draft, [event for event in events if event.record.did == did])
