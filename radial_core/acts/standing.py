"""Where somebody stands: the spaces that they are in, and whom they may ask there (RAD-3.16, 11.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from radial_core.index import Index
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
    raise NotImplementedError


def offers(index: Index, space: str, artifact_type: str) -> tuple[AgentView, ...]:
    """List whom to offer for a type: the profiles of members that produce it, by URI; the menu of RAD-11.8."""
    raise NotImplementedError
