"""Projects, and the small records that stand over them (P1, P2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.acts.draft import Act

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from radial_core.acts.desk import Desk


def create_project(
    desk: Desk,
    space: str,
    name: str,
    *,
    git_url: str,
    default_branch: str = "main",
    checks: Sequence[tuple[str, str]] = (),
    auto_review: Mapping[str, bool] | None = None,
) -> Act:
    """Make a project. `checks` are names with their commands; they are fixed for ever (P1)."""
    raise NotImplementedError


def edit_project(
    desk: Desk, project: str, *, name: str | None = None, git_url: str | None = None, default_branch: str | None = None
) -> Act:
    """Change some of a project's fields (P1). Raises `ActError` when none is given."""
    raise NotImplementedError


def archive_project(desk: Desk, project: str, *, archived: bool = True) -> Act:
    """Shelve a project, or take it up again (P1)."""
    raise NotImplementedError


def set_auto_review(desk: Desk, project: str, artifact_type: str, *, enabled: bool) -> Act:
    """Switch automatic reviews of one artifact type (P2)."""
    raise NotImplementedError
