"""What a lexicon document must look like before anything is made of it.

Strategy: a document is a value too, so the very checks that judge records judge it, put together by hand here: which
types may stand where, which attributes each has, and of what kind. Attributes that are not named here pass, as fields
of a record do: the language grows. What only several attributes together can get wrong (a required field that is none
of the properties, a least above a greatest) is a `_coherent` check after the shape.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from radial_core.canonical import measure
from radial_core.identifiers import is_nsid, is_record_key
from radial_core.lexicon.checks import Field, array, leaf, mapping, record_like, tagged
from radial_core.lexicon.faults import NOTHING, Check, Found, at, not_a, under
from radial_core.lexicon.rules import FORMATS

_is_name: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*").fullmatch

_BOOLEAN: Final = leaf(bool, "a boolean")
_INTEGER: Final = leaf(int, "an integer")
_NATURAL: Final = leaf(int, "an integer", [(lambda number: number >= 0, "must be at least 0")])
_TEXT: Final = leaf(str, "a string")
_TEXTS: Final = array(_TEXT)
_FORMAT: Final = leaf(str, "a string", [(FORMATS.__contains__, "must be a format of lexicon strings")])


def _is_reference(text: str) -> bool:
    document, hash_sign, name = text.partition("#")
    return (is_nsid(document) or (not document and bool(hash_sign))) and (not hash_sign or _is_name(name) is not None)


def _is_key_kind(text: str) -> bool:
    kind, _, rest = text.partition(":")
    return text in {"any", "nsid", "tid"} or (kind == "literal" and is_record_key(rest))


_REFERENCE: Final = leaf(str, "a string", [(_is_reference, "must be #name, an NSID or an NSID#name")])
_KEY_KIND: Final = leaf(str, "a string", [(_is_key_kind, "must be any, nsid, tid or literal: and a record key")])


def _optional(**attributes: Check) -> tuple[Field, ...]:
    return tuple((name, check, False) for name, check in attributes.items())


def _required(**attributes: Check) -> tuple[Field, ...]:
    return tuple((name, check, True) for name, check in attributes.items())


_DESCRIBED: Final = _optional(description=_TEXT)
_BOUNDS: Final = (("minLength", "maxLength"), ("minGraphemes", "maxGraphemes"), ("minimum", "maximum"))


def _coherent(schema: Mapping[str, Any]) -> Found:
    """Check what several attributes say together, once each of them is of the right kind."""
    faults = NOTHING
    for least, greatest in _BOUNDS:
        if least in schema and greatest in schema and schema[least] > schema[greatest]:
            faults += at(f"must be at most {greatest}", least)
    for attribute in ("required", "nullable"):
        for index, name in enumerate(schema.get(attribute, ())):
            if name not in schema.get("properties", {}):
                faults += at("must be one of the properties", attribute, index)
    return faults


def _schema(*fields: Field) -> Check:
    shape = record_like((*_DESCRIBED, *fields))
    return lambda value: shape(value) or _coherent(value)


def _field(value: Any) -> Found:
    """Check the schema of a field. A function, because schemas hold schemas: the table is made further down."""
    return _SCHEMA_OF_FIELD(value)


_LENGTHS: Final = _optional(minLength=_NATURAL, maxLength=_NATURAL)
_PROPERTIES: Final = mapping(_field)
_OBJECT: Final = _schema(*_required(properties=_PROPERTIES), *_optional(required=_TEXTS, nullable=_TEXTS))
_REF: Final = _schema(*_required(ref=_REFERENCE))
_UNION: Final = _schema(*_required(refs=array(_REFERENCE)), *_optional(closed=_BOOLEAN))

_BOOLEAN_SCHEMA: Final = _schema(*_optional(const=_BOOLEAN, default=_BOOLEAN))
_INTEGER_SCHEMA: Final = _schema(
    *_optional(minimum=_INTEGER, maximum=_INTEGER, enum=array(_INTEGER), const=_INTEGER, default=_INTEGER)
)
_STRING_SCHEMA: Final = _schema(
    *_optional(format=_FORMAT, enum=_TEXTS, const=_TEXT, default=_TEXT, knownValues=_TEXTS),
    *_LENGTHS,
    *_optional(minGraphemes=_NATURAL, maxGraphemes=_NATURAL),
)

_CONCRETE: Final[Mapping[str, Check]] = {
    "null": _schema(),
    "boolean": _BOOLEAN_SCHEMA,
    "integer": _INTEGER_SCHEMA,
    "string": _STRING_SCHEMA,
    "bytes": _schema(*_LENGTHS),
    "cid-link": _schema(),
    "blob": _schema(*_optional(accept=_TEXTS, maxSize=_NATURAL)),
    "array": _schema(*_required(items=_field), *_LENGTHS),
    "object": _OBJECT,
}
_SCHEMA_OF_FIELD: Final[Check] = tagged(
    "type", {**_CONCRETE, "ref": _REF, "union": _UNION, "unknown": _schema()}, closed=True
)

_FLAT: Final[Mapping[str, Check]] = {
    "boolean": _BOOLEAN_SCHEMA,
    "integer": _INTEGER_SCHEMA,
    "string": _STRING_SCHEMA,
    "unknown": _schema(),
}
_FLAT_ARRAY: Final = _schema(*_required(items=tagged("type", _FLAT, closed=True)), *_LENGTHS)
_PARAMETERS: Final = tagged(
    "type",
    {
        "params": _schema(
            *_required(properties=mapping(tagged("type", {**_FLAT, "array": _FLAT_ARRAY}, closed=True))),
            *_optional(required=_TEXTS),
        )
    },
    closed=True,
)
_BODY_SCHEMA: Final = tagged("type", {"object": _OBJECT, "ref": _REF, "union": _UNION}, closed=True)
_BODY: Final = _schema(*_required(encoding=_TEXT), *_optional(schema=_BODY_SCHEMA))
_ERRORS: Final = array(_schema(*_required(name=_TEXT)))
_MESSAGE: Final = _schema(*_required(schema=tagged("type", {"union": _UNION}, closed=True)))
_PERMISSION: Final = tagged("type", {"permission": _schema(*_required(resource=_TEXT))}, closed=True)

_PRIMARY: Final[Mapping[str, Check]] = {
    "record": _schema(*_required(key=_KEY_KIND, record=tagged("type", {"object": _OBJECT}, closed=True))),
    "query": _schema(*_optional(parameters=_PARAMETERS, output=_BODY, errors=_ERRORS)),
    "procedure": _schema(*_optional(parameters=_PARAMETERS, input=_BODY, output=_BODY, errors=_ERRORS)),
    "subscription": _schema(*_optional(parameters=_PARAMETERS, message=_MESSAGE, errors=_ERRORS)),
    "permission-set": _schema(*_required(permissions=array(_PERMISSION)), *_optional(title=_TEXT, detail=_TEXT)),
}

_NAMED: Final = {**_CONCRETE, "token": _schema()}
_DEFINITION: Final = tagged("type", _NAMED, closed=True)
_MAIN_DEFINITION: Final = tagged("type", {**_NAMED, **_PRIMARY}, closed=True)


def _definitions(value: Any) -> Found:
    """Check each definition by its name: only the main one may be of a primary type."""
    if value.__class__ is not dict:
        return not_a("an object", value)
    faults = NOTHING
    for name, definition in value.items():
        if not _is_name(name):
            faults += at("must be named with letters and digits", name)
        faults += under(name, (_MAIN_DEFINITION if name == "main" else _DEFINITION)(definition))
    return faults


_DOCUMENT: Final = record_like(
    (
        ("lexicon", leaf(int, "an integer", [((1).__eq__, "must be 1")]), True),
        ("id", leaf(str, "a string", [(is_nsid, "must be an NSID")]), True),
        *_DESCRIBED,
        ("defs", _definitions, True),
    )
)


def faults_of_document(document: object) -> Found:
    """Find every fault in the shape of one lexicon document. What its references lead to is not asked here."""
    misfit = measure(document)
    return ((misfit.message, misfit.path),) if misfit is not None else _DOCUMENT(document)
