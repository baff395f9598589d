"""Where something came from, and what came of it, as a graph (N1, N2).

Strategy: the edges are those of the index's provenance. The walk goes one way, as far as it is told; between the
records that it met all edges of its direction are given, those that close a cycle too, so that a drawing shows what
is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from radial_core.query.notes import Note, note
from radial_core.query.walk import steps_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from radial_core.index import Index
    from radial_core.rules.provenance import Edge


@attrs.frozen
class Met:
    """A record on the way: its note, and the least number of steps to it; 0 for the one asked about."""

    note: Note
    steps: int


@attrs.frozen(kw_only=True)
class Lineage:
    """The records met, by steps and then in order (createdAt, URI), and the edges between them.

    `beyond` are edges to what does not count here; `more` counts the records that lie deeper than was asked for.
    """

    uri: str
    met: tuple[Met, ...]
    edges: tuple[Edge, ...]
    beyond: tuple[Edge, ...]
    more: int


def ancestry(index: Index, uri: str, depth: int | None = None) -> Lineage:
    """Give what a record that counts came from, through at most `depth` steps."""
    return _lineage(index, uri, depth, lambda at: (e.target.uri for e in index.edges(at) if e.target.resolved))


def offspring(index: Index, uri: str, depth: int | None = None) -> Lineage:
    """Give what came of a record that counts, through at most `depth` steps."""
    sources: dict[str, list[str]] = {}
    for source in index.downstream(uri):
        for edge in index.edges(source):
            if edge.target.resolved:
                sources.setdefault(edge.target.uri, []).append(source)
    return _lineage(index, uri, depth, lambda at: sources.get(at, ()))


def _lineage(index: Index, uri: str, depth: int | None, neighbours: Callable[[str], Iterable[str]]) -> Lineage:
    entries = index.filing.entries
    whole = {uri: 0, **steps_from(uri, neighbours)}
    near = {each: steps for each, steps in whole.items() if depth is None or steps <= depth}
    order: Sequence[str] = sorted(near, key=lambda each: (near[each], entries[each].order))
    edges = [edge for each in order for edge in index.edges(each)]
    return Lineage(
        uri=uri,
        met=tuple(Met(note(entries[each], index.place_of(each)), near[each]) for each in order),
        edges=tuple(edge for edge in edges if edge.target.resolved and edge.target.uri in near),
        beyond=tuple(edge for edge in edges if not edge.target.resolved),
        more=len(whole) - len(near),
    )
