"""The floor: what any fold has to do at least, in plain Python that nobody slowed down.

Strategy: one pass that decodes nothing and knows no rule. It looks at the types of the fields that the lexicon names,
makes one plain attrs object a record, puts it into a dict by URI and into a group by anchor, sorts each group by
(createdAt, URI), and hashes the sorted CIDs that came with the records. No instants are read, no versions chosen,
nobody is trusted, nothing is shown. What a real fold costs beyond this is what the rules cost.
"""

from __future__ import annotations

import hashlib
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

import attrs

from radial_core import Record
from radial_core.embedded import DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from radial_core import Deletion

_CLASSES: Final = {"string": str, "boolean": bool, "integer": int, "array": list}
# In the order of T7: the first that a record has is its anchor.
_ANCHORS: Final = ("goal", "project", "artifact", "request", "subject", "bless", "space")


@attrs.define
class Row:
    """One record, as little of it as a fold needs."""

    uri: str
    cid: str
    created_at: str
    anchor: str
    value: dict[str, Any]


@attrs.frozen
class _Shape:
    required: tuple[tuple[str, type], ...]
    strings: tuple[str, ...]
    anchors: tuple[str, ...]


def _shape(document: Mapping[str, Any]) -> _Shape:
    record = document["defs"]["main"]["record"]
    fields, required = record["properties"], record["required"]
    return _Shape(
        tuple((name, _CLASSES.get(fields[name]["type"], dict)) for name in required),
        tuple(name for name, field in fields.items() if name not in required and field["type"] == "string"),
        tuple(name for name in _ANCHORS if name in fields),
    )


SHAPES: Final = {
    document["id"]: _shape(document) for document in DOCUMENTS if document["defs"]["main"]["type"] == "record"
}


def fold_nothing(observations: Iterable[Record | Deletion]) -> tuple[str, dict[str, Row], dict[str, list[Row]]]:
    """Give a hash over all CIDs, the rows by URI, and the rows by anchor, sorted."""
    rows: dict[str, Row] = {}
    groups: dict[str, list[Row]] = {}
    for seen in observations:
        if seen.__class__ is not Record or (shape := SHAPES.get(seen.value.get("$type"))) is None:
            continue
        value = seen.value
        if not _fits(value, shape):
            continue
        anchor = seen.uri
        for name in shape.anchors:
            if name in value:
                anchor = value[name]["uri"]
                break
        row = rows[seen.uri] = Row(seen.uri, seen.cid, value["createdAt"], anchor, value)
        group = groups.get(anchor)
        if group is None:
            groups[anchor] = [row]
        else:
            group.append(row)
    order = attrgetter("created_at", "uri")
    for group in groups.values():
        group.sort(key=order)
    return hashlib.sha256("".join(sorted([row.cid for row in rows.values()])).encode()).hexdigest(), rows, groups


def _fits(value: dict[str, Any], shape: _Shape) -> bool:
    for name, kind in shape.required:
        if value.get(name).__class__ is not kind:
            return False
    for name in shape.strings:  # noqa: SIM110 - a generator for `all` would cost more than the checks
        if name in value and value[name].__class__ is not str:
            return False
    return True
