"""Goals and their endings (G1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.acts.draft import Act

if TYPE_CHECKING:

    from radial_core.acts.desk import Desk


def create_goal(desk: Desk, project: str, title: str, body: str) -> Act:
    """Set a goal for a project."""
    raise NotImplementedError


def close_goal(desk: Desk, goal: str, *, disposition: str | None = None) -> Act:
    """End a goal; the disposition is any word, such as completed, dropped, superseded, parked (G1)."""
    raise NotImplementedError


def reopen_goal(desk: Desk, goal: str) -> Act:
    """Take a goal up again (G1)."""
    raise NotImplementedError
