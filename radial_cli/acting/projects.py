"""Projects: started, changed, shelved."""

from __future__ import annotations

from collections.abc import Sequence

from radial_cli.acting.manner import Manner
from radial_cli.acting.performing import perform
from radial_cli.acting.words import is_on, named, pair
from radial_cli.exits import USAGE, Failure
from radial_core.acts.projects import archive_project, create_project, edit_project, set_auto_review


def create(
    manner: Manner, *, name: str, git: str, branch: str, checks: Sequence[str], auto_review: Sequence[str]
) -> None:
    """Start a project."""
    named(name, "a project")
    pairs = [pair(check, "=", "NAME=COMMAND") for check in checks]
    reviewed = dict.fromkeys(auto_review, True)
    perform(
        manner,
        lambda view: create_project(
            view.desk,
            view.chosen_space(),
            name,
            git_url=git,
            default_branch=branch,
            checks=pairs,
            auto_review=reviewed or None,
        ),
    )


def edit(manner: Manner, *, project: str, name: str | None, git: str | None, branch: str | None) -> None:
    """Change a project."""
    if name is None and git is None and branch is None:
        raise Failure("nothing is to be changed", "Give --name, --git or --branch.", USAGE)
    if name is not None:
        named(name, "a project")
    perform(
        manner,
        lambda view: edit_project(
            view.desk, view.find(project, "project"), name=name, git_url=git, default_branch=branch
        ),
    )


def archive(manner: Manner, *, project: str, archived: bool) -> None:
    """Shelve a project, or take it up again."""
    perform(
        manner,
        lambda view: archive_project(view.desk, view.find(project, "project"), archived=archived),
        is_ending=archived,
    )


def auto_review(manner: Manner, *, project: str, type_name: str, switch: str) -> None:
    """Switch automatic reviews of a type."""
    enabled = is_on(switch)
    perform(manner, lambda view: set_auto_review(view.desk, view.find(project, "project"), type_name, enabled=enabled))
