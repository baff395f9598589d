"""A lineage as a drawing: Graphviz's language and Mermaid's.

Strategy: nodes have names of our own, numbers, so that no text of anybody else's is ever code. Labels are such texts:
made visible, on one line, cut, and then escaped as each language wants it. Graphviz takes a quoted string in which the
quote, the backslash and the entities of HTML mean something, and nothing else does; Mermaid gets every sign but
letters, digits and a few harmless ones as an entity by its number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from radial_cli.pictures.words import brief_title, brief_type
from radial_cli.reading import Reading
from radial_core.query.lineage import Lineage
from radial_core.query.notes import Note

_HARMLESS: Final = re.compile(r"[^\w .,:/…“”’-]")


def draw_dot(lineage: Lineage, found: Reading) -> str:
    """Give the text of a Graphviz drawing."""
    names = _names(lineage)
    lines = [
        "digraph provenance {",
        "  rankdir=BT;",
        '  node [shape=box, fontname="sans-serif"];',
        *(f"  {names[met.note.uri]} [label={_quoted(_label(met.note, found))}];" for met in lineage.met),
        *(f"  {names[uri]} [label={_quoted(found.names.record(uri))}, style=dashed];" for uri in _strangers(lineage)),
        *(f"  {one} -> {other} [label={_quoted(kind)}];" for one, other, kind in _arrows(lineage, names)),
        "}",
    ]
    return "\n".join(lines) + "\n"


def draw_mermaid(lineage: Lineage, found: Reading) -> str:
    """Give the text of a Mermaid drawing."""
    names = _names(lineage)
    lines = [
        "flowchart BT",
        *(f'  {names[met.note.uri]}["{_entities(_label(met.note, found))}"]' for met in lineage.met),
        *(f'  {names[uri]}("{_entities(found.names.record(uri))}")' for uri in _strangers(lineage)),
        *(f"  {one} -- {kind} --> {other}" for one, other, kind in _arrows(lineage, names)),
    ]
    return "\n".join(lines) + "\n"


DRAWINGS: Final[Mapping[str, Callable[[Lineage, Reading], str]]] = {"dot": draw_dot, "mermaid": draw_mermaid}


def _names(lineage: Lineage) -> dict[str, str]:
    uris = (*(met.note.uri for met in lineage.met), *_strangers(lineage))
    return {uri: f"n{number}" for number, uri in enumerate(uris)}


def _strangers(lineage: Lineage) -> list[str]:
    """Give what is referred to and does not count here, each once."""
    met = {each.note.uri for each in lineage.met}
    return [uri for uri in dict.fromkeys(edge.target.uri for edge in lineage.beyond) if uri not in met]


def _arrows(lineage: Lineage, names: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    strangers = set(_strangers(lineage))
    for edge in (*lineage.edges, *(edge for edge in lineage.beyond if edge.target.uri in strangers)):
        yield names[edge.source], names[edge.target.uri], edge.kind


def _label(note: Note, found: Reading) -> str:
    title = f" “{brief_title(note.title)}”" if note.title else ""
    says = f" {brief_type(note.says)}" if note.says else ""
    seen = "observed by" if note.standing == "observed" else "by"
    return f"{found.names.record(note.uri)}{says}{title} {seen} {found.names.did(note.author)}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return f'"{escaped}"'


def _entities(text: str) -> str:
    return _HARMLESS.sub(lambda match: f"#{ord(match[0])};", text)
