"""Strategy: the membership log of one space, folded event by event (T1-T5).

The log keeps every grant it ever made, with what became of it; a grant is current while nothing has
ended it, so "the current grant of a DID" is a search, not a table to keep in step.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.oracle.held import Held


@dataclass
class Grant:
    """T3: an effective addMember, and the event that ended it."""

    event: Held
    state: str = "current"
    ended_by: str | None = None

    @property
    def did(self) -> str:
        """Return who was granted."""
        return str(self.event.value["did"])

    @property
    def role(self) -> str:
        """Return the role that was granted."""
        return str(self.event.value["role"])


@dataclass
class Membership:
    """The membership of one space: its root, its grants, and the rules that some events broke."""

    space: Held
    grants: list[Grant] = field(default_factory=list)
    broken: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def root(self) -> str:
        """T1: the author of the space."""
        return self.space.author

    def current(self, did: str) -> Grant | None:
        """T3: the current grant of a DID."""
        return next((grant for grant in self.grants if grant.did == did and grant.state == "current"), None)

    def is_member(self, did: str) -> bool:
        """T5: root, or the holder of a current grant."""
        return did == self.root or self.current(did) is not None

    def is_admin(self, did: str) -> bool:
        """T8: root, or a current grant with role `admin`."""
        grant = self.current(did)
        return did == self.root or (grant is not None and grant.role == "admin")

    def is_agent(self, did: str) -> bool:
        """R6: a member of kind `agent`; root is human (T1)."""
        grant = self.current(did)
        return did != self.root and grant is not None and grant.event.value["kind"] == "agent"

    def dids(self) -> list[str]:
        """Return root and the holders of current grants, in order."""
        return sorted({self.root, *(grant.did for grant in self.grants if grant.state == "current")})


def fold(space: Held, events: list[Held]) -> Membership:
    """T2: fold the events that name a space, in order of (createdAt, URI)."""
    membership = Membership(space)
    for event in sorted(events, key=lambda event: event.order):
        broken = _apply(membership, event)
        if broken is not None:
            membership.broken[event.uri] = broken
    return membership


def _apply(membership: Membership, event: Held) -> tuple[str, str] | None:
    """Let one event have its effect, or return the rule that it breaks."""
    if event.value["did"] == membership.root:
        return "T1", "names the root"
    if not membership.is_admin(event.author):
        return "T2", "author was no admin at this point"
    if event.kind == "removeMember":
        return _remove(membership, event)
    _add(membership, event)
    return None


def _add(membership: Membership, event: Held) -> None:
    """T3: the new grant replaces the current one."""
    _end(membership.current(event.value["did"]), "replaced", event)
    membership.grants.append(Grant(event))


def _remove(membership: Membership, event: Held) -> tuple[str, str] | None:
    """T4: clear the current grant if the removal names it, or by root's exception."""
    grant = membership.current(event.value["did"])
    if grant is None or not (_names(event, grant) or _root_insists(membership, event, grant)):
        return "T4", "names a grant that is not current"
    _end(grant, "revoked", event)
    return None


def _names(event: Held, grant: Grant) -> bool:
    """T4: `membership.uri` is that grant's URI."""
    return bool(event.value["membership"]["uri"] == grant.event.uri)


def _root_insists(membership: Membership, event: Held, grant: Grant) -> bool:
    """T4: by root, naming any effective earlier addMember of the DID, unless root made the current grant."""
    earlier = [one for one in membership.grants if one.did == grant.did]
    return (
        event.author == membership.root
        and any(_names(event, one) for one in earlier)
        and grant.event.author != membership.root
    )


def _end(grant: Grant | None, state: str, event: Held) -> None:
    if grant is not None:
        grant.state, grant.ended_by = state, event.uri
