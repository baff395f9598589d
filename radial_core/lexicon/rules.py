"""The attributes of a lexicon schema as rules of a leaf.

Strategy: one table a kind, attribute by attribute: what the attribute's argument makes of a value, and what is said
when it does not hold. Attributes that bind nothing (`knownValues`, `default`, `description`) stand in no table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from radial_core.identifiers import (
    is_at_identifier,
    is_at_uri,
    is_cid_text,
    is_did,
    is_handle,
    is_language,
    is_nsid,
    is_record_key,
    is_tid,
    is_uri,
)
from radial_core.instants import is_datetime
from radial_core.lexicon.checks import Rules
from radial_core.lexicon.graphemes import count_graphemes

Rule: TypeAlias = tuple[Callable[[Any], bool], str]

FORMATS: Final[Mapping[str, Callable[[str], bool]]] = {
    "at-identifier": is_at_identifier,
    "at-uri": is_at_uri,
    "cid": is_cid_text,
    "datetime": is_datetime,
    "did": is_did,
    "handle": is_handle,
    "language": is_language,
    "nsid": is_nsid,
    "record-key": is_record_key,
    "tid": is_tid,
    "uri": is_uri,
}


def _utf8(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _least(measured: Callable[[Any], int], unit: str) -> Callable[[Any], Rule]:
    return lambda bound: (lambda value: measured(value) >= bound, f"must have at least {bound} {unit}")


def _most(measured: Callable[[Any], int], unit: str) -> Callable[[Any], Rule]:
    return lambda bound: (lambda value: measured(value) <= bound, f"must have at most {bound} {unit}")


def _format(name: str) -> Rule:
    return FORMATS[name], f"must be a valid {name}"


def _const(constant: Any) -> Rule:
    return constant.__eq__, f"must be {_written(constant)}"


def _enum(words: list[Any]) -> Rule:
    return frozenset(words).__contains__, f"must be one of {', '.join(_written(word) for word in words)}"


def _written(constant: Any) -> str:
    return str(constant).lower() if constant.__class__ is bool else str(constant)


_LENGTH_OF_BYTES: Final = {"minLength": _least(len, "bytes"), "maxLength": _most(len, "bytes")}

# Read from left to right: the order in which a value's faults are told.
_ATTRIBUTES: Final[Mapping[str, Mapping[str, Callable[[Any], Rule]]]] = {
    "boolean": {"const": _const},
    "integer": {
        "const": _const,
        "enum": _enum,
        "minimum": lambda bound: (lambda value: value >= bound, f"must be at least {bound}"),
        "maximum": lambda bound: (lambda value: value <= bound, f"must be at most {bound}"),
    },
    "string": {
        "format": _format,
        "const": _const,
        "enum": _enum,
        "minLength": _least(_utf8, "bytes of UTF-8"),
        "maxLength": _most(_utf8, "bytes of UTF-8"),
        "minGraphemes": _least(count_graphemes, "graphemes"),
        "maxGraphemes": _most(count_graphemes, "graphemes"),
    },
    "bytes": _LENGTH_OF_BYTES,
    "array": {"minLength": _least(len, "items"), "maxLength": _most(len, "items")},
}


def rules_of(schema: Mapping[str, Any]) -> Rules:
    """Give the rules that a schema of this type states."""
    table = _ATTRIBUTES.get(schema["type"], {})
    return [make(schema[attribute]) for attribute, make in table.items() if attribute in schema]
