"""Spaces: made, joined, opened to guests (T1, T6, M3; RAD-3.16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.acts.draft import Act

if TYPE_CHECKING:
    from radial_core.acts.desk import Desk


def create_space(desk: Desk, name: str, *, description: str | None = None) -> Act:
    """Make a space, of which the author is the root, and note that it was joined: two records."""
    raise NotImplementedError


def join_space(desk: Desk, space: str) -> Act:
    """Note that the author has opened a space. One record for ever: joining twice writes nothing more.

    The space need not be known here (`cid` cannot be read then): raises `ActError` for one that is not.
    """
    raise NotImplementedError


def set_guest_comments(desk: Desk, space: str, *, enabled: bool) -> Act:
    """Say whether a space asks guests for comments (M3)."""
    raise NotImplementedError
