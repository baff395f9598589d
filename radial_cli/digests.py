"""`radial digest`: the digest, and the tree below it (D2)."""

from __future__ import annotations

from collections.abc import Iterable

from radial_cli.output import is_terminal, out, out_json, width
from radial_cli.pictures.words import brief_title
from radial_cli.reading import Reading
from radial_cli.render import Page
from radial_core.views import GoalView, ProjectView, SpaceView


def print_digest(found: Reading, space: str | None, *, tree: bool, as_json: bool) -> None:
    """Print the digest of everything, or of one space; with `tree` also of all that it covers."""
    spaces = found.spaces(space)
    digest = found.index.digest if space is None else spaces[0].digest
    if as_json:
        chosen = {each.uri for each in spaces}
        nodes = [node for node in found.index.digest_tree()["spaces"] if node["uri"] in chosen] if tree else []
        out_json({"digest": digest} | ({"spaces": nodes} if tree else {}))
    elif tree:
        _print_tree(found, None if space is not None else digest, spaces)
    else:
        out(f"{digest}\n")


def _print_tree(found: Reading, top: str | None, spaces: Iterable[SpaceView]) -> None:
    page = Page(width(), styled=is_terminal())
    if top is not None:
        page.line([top, "  everything"])
    for space in spaces:
        page.line(
            [space.digest, f"  space {brief_title(space.name)}", (f"  {found.names.record(space.uri)}", "quiet")],
            indent=2,
        )
        places: tuple[ProjectView | GoalView, ...] = (*space.projects, *space.goals)
        for place in places:
            kind, title = ("goal", place.title) if isinstance(place, GoalView) else ("project", place.name)
            page.line(
                [place.digest, f"  {kind} {brief_title(title)}", (f"  {found.names.record(place.uri)}", "quiet")],
                indent=4,
            )
    out(page.text())
