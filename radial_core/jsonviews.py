"""The views as plain JSON (protocol §15).

Strategy: the classes of `views`, `rulings` and `answers` are the schema; an object is written field by field under its
wire name. What comes out are fresh dicts and lists, ready for any JSON writer. The recursion is as deep as views nest,
which no data can change: the one open value, an image's blob, is written by `jsonform`, which has a stack of its own.
"""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import Any

import attrs

from radial_core.jsonform import to_json
from radial_core.records import wire_name


def to_plain(item: Any) -> Any:
    """Turn a view, a row or a tuple of them into JSON: objects with camel-cased keys, lists, strings, numbers, null."""
    kind = item.__class__
    if kind is str or kind is bool or kind is int or item is None:
        return item
    if kind is tuple:
        return [to_plain(part) for part in item]
    if kind is MappingProxyType:
        return dict(item)
    names = _names(kind)
    return {wire: to_plain(getattr(item, field)) for field, wire in names} if names else to_json(item)


@cache
def _names(kind: type[Any]) -> tuple[tuple[str, str], ...]:
    """Pair the fields of a class with their wire names; a class without fields is plain data already."""
    fields = [field.name for field in attrs.fields(kind)] if attrs.has(kind) else getattr(kind, "_fields", ())
    return tuple((field, wire_name(kind, field)) for field in fields)
