"""Who refers to whom: the references between the records that count, both ways (L4).

Strategy: an edge is a reference as its record wrote it, with the field that holds it and what it resolves to. What a
view shows of a reference is taken from there, so that nothing is resolved by two rules; anchors resolve, or their
record would not count (L5); the few references that no view shows are looked up in their space. References never
resolve into another space (L4), so each space has a web of its own, made when somebody first asks about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import attrs

from radial_core.ladder import RUNG_OF
from radial_core.places import Estate, show
from radial_core.records import CLASSES, AddMember, Claim, Message, RadialRecord, RemoveMember, wire_name
from radial_core.rules.provenance import Edge
from radial_core.views import GoalView, ProjectView

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from radial_core.entries import Entry
    from radial_core.index import Index
    from radial_core.places import Holding, Shelf
    from radial_core.views import ArtifactView, MessageView, Ref

_NAMES: Final = frozenset(
    {
        "artifact", "basedOn", "bless", "claim", "comment", "goal", "membership", "parent", "prev", "project", "re",
        "request", "root", "space", "subject",
    }
)  # fmt: skip


def _references_of(kind: type[RadialRecord]) -> tuple[str, ...]:
    names = (wire_name(kind, field.name) for field in attrs.fields(kind))
    return tuple(name for name in names if name in _NAMES)


# The fields of each kind that refer to another record, as the record has them. An unknown field refers to nothing.
REFERENCES: Final[Mapping[type[RadialRecord], tuple[str, ...]]] = {kind: _references_of(kind) for kind in CLASSES}

# What resolves because its record counts (T2, L5): the anchors, and the space of a membership event.
_ANCHORS: Final[Mapping[type[RadialRecord], tuple[str, ...]]] = {
    **{kind: how.anchors for kind, how in RUNG_OF.items()},
    AddMember: ("space",),
    RemoveMember: ("space",),
}
# What no view shows, and the kind that it has to be (L4).
_SOUGHT: Final[Mapping[str, type[RadialRecord]]] = {
    "claim": Claim,
    "comment": Message,
    "membership": AddMember,
    "root": Message,
}


class Web:
    """The references in an index, by the record that makes them and by the one that they resolve to."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._spaces: dict[str, _Strands] = {}

    def out_of(self, uri: str) -> Sequence[Edge]:
        """List the references that a record makes, whether they resolve or not, in the order of its kind's fields."""
        return self._of(uri).out.get(uri, ())

    def into(self, uri: str) -> Sequence[Edge]:
        """List the references that resolve to a record, by the order (P3) of the records that make them."""
        return self._of(uri).into.get(uri, ())

    def _of(self, uri: str) -> _Strands:
        holding = self._index.filing.holding_of(uri)
        if holding is None:  # agents and images stand at no place: they refer to nothing, and nothing resolves to them
            return _NOTHING
        space = holding.space.uri
        if space not in self._spaces:
            self._spaces[space] = _strands(self._index, holding)
        return self._spaces[space]


class _Strands(NamedTuple):
    """The web of one space."""

    out: Mapping[str, Sequence[Edge]]
    into: Mapping[str, Sequence[Edge]]


_NOTHING: Final = _Strands({}, {})


def _strands(index: Index, holding: Holding) -> _Strands:
    spun = [*_spun(index, holding)]
    out: dict[str, list[Edge]] = {}
    into: dict[str, list[Edge]] = {}
    for edge in spun:
        out.setdefault(edge.source, []).append(edge)
        if edge.target.resolved:
            into.setdefault(edge.target.uri, []).append(edge)
    return _Strands(out, into)


def _spun(index: Index, holding: Holding) -> Iterator[Edge]:
    """Give every edge of a space, in the order of the records that make them."""
    estate = Estate(holding.space.uri, holding.trust, index.filing.register)
    shown: dict[tuple[str, str], Sequence[Ref]] = {}
    entries: list[Entry[Any]] = []
    for shelf in holding.shelves():
        entries += shelf.everything()
        shown.update(_shown(index, shelf))
    for entry in sorted(entries):
        for field in REFERENCES[entry.record.__class__]:
            if field in entry.value:
                targets = shown.get((entry.uri, field))
                for target in (_resolved(entry, field, estate),) if targets is None else targets:
                    yield Edge(entry.uri, field, target)


def _resolved(entry: Entry[Any], field: str, estate: Estate) -> Ref:
    """Resolve a reference that no view shows."""
    reference = entry.value[field]
    uri: str = reference["uri"]
    if field in _ANCHORS[entry.record.__class__]:
        return show(reference, estate.known(uri))
    found = estate.find(uri, _SOUGHT[field])
    if field == "root" and found is not None and _anchor(found) != _anchor(entry):  # L4: under the same anchor
        found = None
    return show(reference, found)


def _anchor(message: Entry[Message]) -> str | None:
    return message.record.goal or message.record.artifact


def _shown(index: Index, shelf: Shelf) -> Iterator[tuple[tuple[str, str], Sequence[Ref]]]:
    """Give the references of a place's records that its view shows, by record and field."""
    uri = shelf.entry.uri
    view = index.goal(uri) or index.project(uri)
    for source, field, refs in () if view is None else _in_view(view):
        yield (source, field), refs


def _in_view(view: GoalView | ProjectView) -> Iterator[tuple[str, str, Sequence[Ref]]]:
    for request in view.requests:
        yield request.uri, "subject", _one(request.subject)
        yield request.uri, "basedOn", request.based_on or ()
    for artifact in view.artifacts:
        yield from _on_artifact(artifact)
    if isinstance(view, GoalView):
        yield from _said(view.messages)


def _on_artifact(artifact: ArtifactView) -> Iterator[tuple[str, str, Sequence[Ref]]]:
    yield artifact.uri, "request", (artifact.request,)
    yield artifact.uri, "prev", _one(artifact.prev)
    for review in artifact.reviews:
        yield review.uri, "request", _one(review.request)
    yield from _said(artifact.messages)


def _said(messages: Iterable[MessageView]) -> Iterator[tuple[str, str, Sequence[Ref]]]:
    for message in messages:
        yield message.uri, "parent", _one(message.parent)
        yield message.uri, "re", _one(message.re)


def _one(reference: Ref | None) -> Sequence[Ref]:
    return () if reference is None else (reference,)
