"""Projects: whose word changes them, and what they amount to (P1–P3).

Strategy: the project's record is never edited; small records stand over it, and the latest of them wins field by field.
What a project points at decides which repository every later turn clones, so only its author moves it, not even an
admin. Automatic reviews are the admins' to switch.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from radial_core.records import ArchiveProject, EditProject, Project, SetAutoReview
from radial_core.rulings import Ruling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from radial_core.entries import Entry
    from radial_core.places import Shelf, Site


class ProjectState(NamedTuple):
    """The effective fields of a project."""

    name: str
    git_url: str
    default_branch: str
    archived: bool
    auto_review: Mapping[str, bool]


def refuse_change(entry: Entry[EditProject | ArchiveProject], project: Site) -> Ruling | None:
    """P1: only the project's author edits or archives it."""
    if entry.did == project.entry.did:
        return None
    return Ruling("P1", f"only the author of the project, {project.entry.did}, may change or archive it")


def refuse_switch(entry: Entry[SetAutoReview], project: Site) -> Ruling | None:
    """P2: automatic reviews are switched by admins."""
    if project.estate.trust.is_admin(entry.did):
        return None
    return Ruling("P2", f"{entry.did} is not an admin of the space: only admins switch automatic reviews")


def project_state(place: Shelf) -> ProjectState:
    """Fold the records over a project: the latest wins, per field and per artifact type (P1–P3)."""
    project: Project = place.entry.record
    name, git_url, default_branch = project.name, project.git_url, project.default_branch
    for edit in place.all(EditProject):
        name = edit.record.name if edit.record.name is not None else name
        git_url = edit.record.git_url if edit.record.git_url is not None else git_url
        default_branch = edit.record.default_branch if edit.record.default_branch is not None else default_branch
    auto_review = dict(project.auto_review or {})
    auto_review.update((switch.record.type, switch.record.enabled) for switch in place.all(SetAutoReview))
    shelvings = place.all(ArchiveProject)
    archived = bool(shelvings) and shelvings[-1].record.archived
    # By name, whatever the order in which an author's map came: one state has one text.
    return ProjectState(name, git_url, default_branch, archived, MappingProxyType(dict(sorted(auto_review.items()))))
