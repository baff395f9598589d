"""`radial provenance`: where something came from, or what came of it, step by step or as a drawing (N1, N2)."""

from __future__ import annotations

from typing import Any, Final

from radial_cli.asking.graphs import DRAWINGS
from radial_cli.exits import NOT_FOUND, Failure
from radial_cli.output import is_terminal, out, out_json, say, width
from radial_cli.pictures.happening import happening
from radial_cli.pictures.words import PINS, counted, moment
from radial_cli.reading import Reading
from radial_cli.render import Page, Part, Parts
from radial_cli.untrusted import one_line
from radial_core.jsonviews import to_plain
from radial_core.query.lineage import Lineage, Met, ancestry, offspring
from radial_core.rules.provenance import Edge

FORMATS: Final = ("text", *DRAWINGS)


def print_provenance(found: Reading, name: str, *, up: bool, depth: int | None, layout: str, as_json: bool) -> None:
    """Print the lineage of a record. Raises `Failure` for one that does not count."""
    uri = found.names.find(name)
    if found.index.entry(uri) is None:
        raise Failure(one_line(" ".join(found.index.explain(uri).sentences)), status=NOT_FOUND)
    lineage = (ancestry if up else offspring)(found.index, uri, depth)
    if as_json:
        out_json(_json(lineage, found, up=up))
    elif layout in DRAWINGS:
        out(DRAWINGS[layout](lineage, found))
    else:
        out(_page(lineage, found, up=up))
    if lineage.more:
        say(f"radial: {counted(lineage.more, 'record')} beyond --depth {depth}")


def _json(lineage: Lineage, found: Reading, *, up: bool) -> dict[str, Any]:
    return {
        "digest": found.index.digest,
        "uri": lineage.uri,
        "direction": "up" if up else "down",
        "records": [{"steps": met.steps, **to_plain(met.note)} for met in lineage.met],
        "edges": to_plain((*lineage.edges, *lineage.beyond)),
        "more": lineage.more,
    }


def _page(lineage: Lineage, found: Reading, *, up: bool) -> str:
    page = Page(width(), styled=is_terminal())
    shown: dict[str, list[Edge]] = {}
    for edge in (*lineage.edges, *(lineage.beyond if up else ())):
        shown.setdefault(edge.source, []).append(edge)
    page.columns(_row(met, found) for met in lineage.met[:1])
    for steps, group in _levels(lineage):
        page.heading(counted(steps, "step"), f"{'up' if up else 'down'} ({len(group)})")
        for met in group:
            page.columns([_row(met, found)], indent=2)
            _draw_edges(page, shown.get(met.note.uri, []), found)
    if up:
        _draw_beyond(page, lineage, found)
    return page.text()


def _levels(lineage: Lineage) -> list[tuple[int, list[Met]]]:
    levels: dict[int, list[Met]] = {}
    for met in lineage.met[1:]:
        levels.setdefault(met.steps, []).append(met)
    return [*levels.items()]


def _row(met: Met, found: Reading) -> list[Parts]:
    note = met.note
    who = (found.names.did(note.author), "name")
    return [
        found.names.record(note.uri),
        [who, " ", happening(note, found), (f", {moment(note.created_at, found)}", "quiet")],
    ]


def _draw_edges(page: Page, edges: list[Edge], found: Reading) -> None:
    for edge in edges:
        page.line([(f"{edge.kind} ", "quiet"), found.names.record(edge.target.uri), *_pin(edge)], indent=6)


def _draw_beyond(page: Page, lineage: Lineage, found: Reading) -> None:
    if lineage.beyond:
        page.heading("Not here", f"({len(lineage.beyond)})")
    for edge in lineage.beyond:
        words = f"{edge.kind} of {found.names.record(edge.source)}"
        page.line([edge.target.uri, (f"  {words}: it was not seen, or does not count", "wait")], indent=2)


def _pin(edge: Edge) -> list[Part]:
    words = PINS[edge.target.pin]
    return [(f" ({words})", "wait")] if words else []
