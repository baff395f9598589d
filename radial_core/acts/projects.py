"""Projects, and the small records that stand over them (P1–P3).

Strategy: a project's record is never edited. A change is a record of its own that names only what it changes, so that
two people who change different things do not undo one another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from radial_core.acts.cautions import outranked, unchanged
from radial_core.acts.draft import Act, ActError, Caution
from radial_core.acts.registry import unknown_type
from radial_core.records import ArchiveProject, EditProject, Project, SetAutoReview
from radial_core.rules.projects import project_state
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from radial_core.acts.desk import Desk
    from radial_core.acts.draft import Draft
    from radial_core.places import Holding


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
    holding = desk.own(space)
    draft = desk.draft(
        "project",
        space=desk.ref(space),
        name=name,
        gitUrl=git_url,
        defaultBranch=default_branch,
        checks=[{"name": check, "command": command} for check, command in checks] or None,
        autoReview=dict(auto_review) if auto_review else None,
    )
    return Act(verb="project create", space=space, drafts=(draft,), warnings=tuple(_same_repository(holding, git_url)))


def _same_repository(holding: Holding, git_url: str) -> Iterator[Caution]:
    for uri, shelf in sorted(holding.projects.items()):
        if project_state(shelf).git_url == git_url:
            yield Caution("SameRepository", f"{uri} is a project of this repository already")


def edit_project(
    desk: Desk, project: str, *, name: str | None = None, git_url: str | None = None, default_branch: str | None = None
) -> Act:
    """Change some of a project's fields (P1). Raises `ActError` when none is given."""
    given = {"name": name, "gitUrl": git_url, "defaultBranch": default_branch}
    fields = {field: text for field, text in given.items() if text is not None}
    if not fields:
        raise ActError("a change of a project needs a name, a URL or a branch", "unfit", "Give one of them.")
    draft = desk.draft("editProject", project=desk.ref(project, Project), **fields)
    place = desk.shelf(project)
    state = project_state(place)
    now = {"name": state.name, "gitUrl": state.git_url, "defaultBranch": state.default_branch}
    same = unchanged(all(now[field] == text for field, text in fields.items()), "the project has these values already")
    edits = [edit for edit in place.all(EditProject) if not fields.keys().isdisjoint(edit.value)]
    return _over(desk, project, "project edit", draft, (*same, *outranked(desk, draft, edits)))


def archive_project(desk: Desk, project: str, *, archived: bool = True) -> Act:
    """Shelve a project, or take it up again (P1)."""
    draft = desk.draft("archiveProject", project=desk.ref(project, Project), archived=archived)
    place = desk.shelf(project)
    said = "archived already" if archived else "not archived"
    same = unchanged(project_state(place).archived == archived, f"the project is {said}")
    return _over(desk, project, "project archive", draft, (*same, *outranked(desk, draft, place.all(ArchiveProject))))


def set_auto_review(desk: Desk, project: str, artifact_type: str, *, enabled: bool) -> Act:
    """Switch automatic reviews of one artifact type (P2)."""
    draft = desk.draft("setAutoReview", project=desk.ref(project, Project), type=artifact_type, enabled=enabled)
    place = desk.shelf(project)
    state = project_state(place).auto_review.get(artifact_type, False)
    said = f"{quoted(artifact_type)} is {'reviewed' if enabled else 'not reviewed'} automatically already"
    switches = [switch for switch in place.all(SetAutoReview) if switch.record.type == artifact_type]
    warnings = (
        *unknown_type(desk, project, artifact_type),
        *unchanged(state == enabled, said),
        *outranked(desk, draft, switches),
    )
    return _over(desk, project, "project auto-review", draft, warnings)


def _over(desk: Desk, project: str, verb: str, draft: Draft, warnings: tuple[Any, ...]) -> Act:
    return Act(verb=verb, space=desk.space_of(project), drafts=(draft,), warnings=warnings)
