"""`radial system`: what a project has of its own, and what of it may be out of date (RAD-8.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from radial_cli.exits import NOT_FOUND, Failure
from radial_cli.lists.table import Columns, Group, Row, print_groups
from radial_cli.output import out_json
from radial_cli.pictures.words import brief_title, brief_type, counted, joined, moment
from radial_cli.reading import Reading
from radial_cli.render import Part
from radial_cli.untrusted import one_line
from radial_core.jsonviews import to_plain
from radial_core.query.lists import Document, documents
from radial_core.views import ProjectView

_COLUMNS: Final = Columns(
    cells=("type", "name", "by", "since", ""),
    fields=("type", "title", "by", "created", "versions", "rivals", "staleness", "uri", "project"),
)


def print_system(found: Reading, name: str | None, *, as_json: bool) -> None:
    """Print the documents of all projects, or of the one that is called so. Raises `Failure` when none is."""
    chosen = [(space, project, documents(found.index, project)) for space, project in _projects(found, name)]
    if as_json:
        listed = [
            {"uri": project.uri, "space": space, "name": project.name, "system": to_plain(held)}
            for space, project, held in chosen
        ]
        out_json({"digest": found.index.digest, "projects": listed})
        return
    groups = (
        Group(brief_title(project.name), found.names.record(project.uri), [_row(each, project, found) for each in held])
        for _, project, held in chosen
    )
    print_groups(_COLUMNS, groups, none="no project here has a document of its own")


def _projects(found: Reading, name: str | None) -> Sequence[tuple[str, ProjectView]]:
    every = [(space.uri, project) for space in found.index.spaces for project in space.projects]
    if name is None:
        return every
    uri = found.names.find(name)
    chosen = [(space, project) for space, project in every if project.uri == uri]
    if not chosen:
        raise Failure(
            f"{one_line(name, 200)} is no project in this input", "`radial show SPACE` lists them.", NOT_FOUND
        )
    return chosen


def _row(document: Document, project: ProjectView, found: Reading) -> Row:
    note = document.note
    title = f"“{brief_title(note.title)}”" if note.title else "(without a title)"
    return Row(
        cells=(
            brief_type(document.type),
            [title, (f"  {found.names.record(document.current)}", "quiet")],
            (found.names.did(note.author), "name"),
            moment(note.created_at, found),
            joined(_remarks(document)),
        ),
        fields=_fields(document, project),
    )


def _remarks(document: Document) -> Iterator[Part]:
    if document.versions > 1:
        yield f"the last of {document.versions} versions"
    if document.forks:
        yield "there are rival versions", "wait"
    if document.staleness:
        yield f"{counted(document.staleness, 'implementation')} merged since", "wait"


def _fields(document: Document, project: ProjectView) -> tuple[Any, ...]:
    note = document.note
    rivals = "yes" if document.forks else "no"
    numbers = (str(document.versions), rivals, str(document.staleness))
    return (document.type, note.title or "", note.author, note.created_at, *numbers, document.current, project.uri)
