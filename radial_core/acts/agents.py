"""Agents' profiles: published, published anew, retired (M5, V2, V5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from radial_core.acts.draft import Act

if TYPE_CHECKING:

    from radial_core.acts.desk import Desk


@attrs.frozen(kw_only=True)
class Profile:
    """A profile: `name` is its record key, `models` are names with a hint of their cost, or none."""

    name: str
    handle_name: str
    harness: str
    models: tuple[tuple[str, str | None], ...] = ()
    artifact_types: tuple[str, ...] = ()


def publish_agent(desk: Desk, profile: Profile) -> Act:
    """Publish a profile, or publish it anew in the place of the one of this name (V2)."""
    raise NotImplementedError


def retire_agent(desk: Desk, name: str) -> Act:
    """Take a profile away (V5). Raises `ActError` when there is none of this name."""
    raise NotImplementedError
