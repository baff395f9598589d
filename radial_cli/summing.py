"""`radial materialize`: an index in a few lines."""

from __future__ import annotations

from collections import Counter

from radial_cli.output import is_terminal, out, width
from radial_cli.pictures.ignored import RULES
from radial_cli.pictures.words import brief_title, counted
from radial_cli.reading import Reading
from radial_cli.render import Page
from radial_core.views import GoalView, ProjectView, SpaceView


def print_summary(found: Reading) -> None:
    """Print how much of everything there is, what is ignored by which rule, and the digest."""
    page, index = Page(width(), styled=is_terminal()), found.index
    for space in index.spaces:
        page.gap()
        page.line([(brief_title(space.name), "title"), (f"  {space.uri}", "quiet")])
        page.line(_counts(space), indent=2)
    page.heading("Input")
    uris = {seen.uri for seen in found.observed}
    page.line(f"{counted(len(found.observed), 'observation')} of {counted(len(uris), 'record')}", indent=2)
    edits = f"{counted(len(index.edits), 'record')} with deletions or versions that are passed over"
    page.line(f"{counted(len(index.images), 'image')}, {edits}", indent=2)
    page.heading("Ignored", f"({len(index.ignored)})")
    rules = Counter(row.rule for row in index.ignored)
    page.columns((((rule, "bad"), str(rules[rule]), RULES.get(rule, "")) for rule in sorted(rules)), indent=2)
    page.heading("Digest")
    page.line(index.digest, indent=2)
    out(page.text())


def _counts(space: SpaceView) -> str:
    places: tuple[ProjectView | GoalView, ...] = (*space.projects, *space.goals)
    requests = [request for place in places for request in place.requests]
    artifacts = sum(len(place.artifacts) for place in places)
    return ", ".join(
        (
            counted(len(space.members), "member"),
            counted(len(space.projects), "project"),
            f"{counted(len(space.goals), 'goal')} ({sum(not goal.ended for goal in space.goals)} open)",
            f"{counted(len(requests), 'request')} ({sum(request.open for request in requests)} open)",
            counted(artifacts, "artifact"),
        )
    )
