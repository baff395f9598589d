"""Guests' words, vouched for and withdrawn (M2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.acts.draft import Act

if TYPE_CHECKING:
    from collections.abc import Mapping

    from radial_core.acts.desk import Desk


def bless(desk: Desk, goal: str, comment: Mapping[str, str], body: str) -> Act:
    """Copy a guest's words into the space: `comment` is the `{uri, cid}` of what was read, `body` all that it says."""
    raise NotImplementedError


def retract_bless(desk: Desk, blessing: str) -> Act:
    """Withdraw a blessing (M2)."""
    raise NotImplementedError
