"""A project: where its work happens, by which rules, what stands on it, and its goals."""

from __future__ import annotations

from collections.abc import Callable

from radial_cli.pictures.words import brief_title, counted, goal_state, listed, moment
from radial_cli.pictures.work import draw_requests, draw_versions
from radial_cli.reading import Reading
from radial_cli.render import Page, Parts
from radial_core.views import ProjectView


def draw_project(page: Page, project: ProjectView, reading: Reading) -> None:
    """Draw one project with everything that stands on it, and its goals in one row each."""
    names = reading.names
    page.line([(project.name, "title"), ("  archived", "quiet") if project.archived else ""])
    page.line((project.uri, "quiet"))
    started = f", {moment(project.created_at, reading)}"
    page.line([("By ", "quiet"), (names.did(project.author), "name"), (started, "quiet")])
    draw_settings(page, project, indent=0)
    goals = [goal for space in reading.index.spaces for goal in space.goals if goal.project.uri == project.uri]
    if goals:
        page.heading("Goals", f"({len(goals)})")
        rows: list[list[Parts]] = [
            [goal_state(goal), [brief_title(goal.title), (f"  {names.record(goal.uri)}", "quiet")]] for goal in goals
        ]
        page.columns(rows, indent=2)
    draw_requests(page, project.requests, reading)
    draw_versions(page, project.artifacts, project.chains, reading)
    draw_staleness(page, project, reading, indent=2)
    page.heading("Digest")
    page.line(project.digest, indent=2)


def draw_settings(page: Page, project: ProjectView, *, indent: int, cut: Callable[[str], str] = str) -> None:
    """Draw where a project's work happens and by which rules (P1, P2); an overview cuts each."""
    page.line(f"{cut(project.git_url)}, branch {cut(project.default_branch)}", indent=indent)
    if project.checks:
        checks = "; ".join(f"{cut(check.name)} ({cut(check.command)})" for check in project.checks)
        page.line(f"Checks: {checks}", indent=indent)
    reviewed = [cut(name) for name, enabled in sorted(project.auto_review.items()) if enabled]
    if reviewed:
        page.line(f"Reviewed without being asked: {listed(reviewed)}", indent=indent)


def draw_staleness(page: Page, project: ProjectView, reading: Reading, *, indent: int) -> None:
    """Say which of a project's own artifacts may be out of date (X6)."""
    for system in project.system:
        if system.staleness:
            merged = counted(system.staleness, "implementation was", "implementations were")
            page.line((f"{merged} merged after {reading.names.record(system.current)}", "wait"), indent=indent)
