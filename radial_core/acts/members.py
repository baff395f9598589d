"""Members: grants and their ends (T2–T4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.acts.draft import Act

if TYPE_CHECKING:

    from radial_core.acts.desk import Desk


def add_member(desk: Desk, space: str, did: str, *, kind: str = "human", role: str = "member") -> Act:
    """Grant membership, or another role to a member: `kind` is human or agent, `role` admin, member or agent (T3)."""
    raise NotImplementedError


def remove_member(desk: Desk, space: str, did: str) -> Act:
    """Revoke the current grant of a member (T4). Raises `ActError` for somebody who holds none, as the root does."""
    raise NotImplementedError
