"""Artifact types (A1, A2); ready-made ones are in `templates`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.acts.draft import Act

if TYPE_CHECKING:

    from radial_core.acts.desk import Desk


def add_type(desk: Desk, space: str, name: str, *, brief: str, output_spec: str, scope: str) -> Act:
    """Define an artifact type, or define it anew; `scope` is goal or project (A2)."""
    raise NotImplementedError
