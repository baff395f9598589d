"""Where somebody stands: the spaces that they are in, and whom they may ask there (RAD-3.16, 11.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from radial_core.records import Join, Space
from radial_core.rules.membership import member_views

if TYPE_CHECKING:
    from radial_core.index import Index
    from radial_core.places import Holding
    from radial_core.views import AgentView


class Standing(NamedTuple):
    """One space of somebody's: its name, what they are there, since when, and whether they noted that they joined."""

    space: str
    name: str
    root: str
    kind: str
    role: str
    joined: bool
    since: str


def spaces_of(index: Index, did: str) -> tuple[Standing, ...]:
    """List the spaces of which a DID is a member now, by URI."""
    return tuple(_standing(index.filing.holdings[uri], did) for uri in sorted(index.filing.spaces_of(did)))


def _standing(holding: Holding, did: str) -> Standing:
    space: Space = holding.space.record
    joined = frozenset(entry.did for entry in holding.own.all(Join))
    member = next(one for one in member_views(holding.space, holding.trust, joined) if one.did == did)
    return Standing(
        space=holding.space.uri,
        name=space.name,
        root=holding.trust.root,
        kind=member.kind,
        role=member.role,
        joined=member.joined,
        since=member.since,
    )


def offers(index: Index, space: str, artifact_type: str) -> tuple[AgentView, ...]:
    """List whom to offer for a type: the profiles of a space's members that produce it, by URI; the menu of RAD-11.8.

    Each has its models with a hint of their cost. `review` and `answer` are types here as well.
    """
    return index.capable(space, artifact_type)
