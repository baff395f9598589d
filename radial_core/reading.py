"""From the value of a record to the record, in one pass that checks as it reads (L1).

Strategy: nearly every value is sound, and for those nothing but the reading should be paid. So the readers, which
`cattrs` writes for the classes of `records`, are given for each field a hook made from the same lexicon that
`structure` compiles: it returns what it read or gives up. A reader that gives up says nothing; `structural_faults` is
then asked, and names every fault. That both always agree is a property test. Lexicons and classes must fit each other:
a field that one of them lacks is found at import.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias, get_args

import attrs
import cattrs
from cattrs.gen import make_dict_structure_fn, override

from radial_core.embedded import DOCUMENTS
from radial_core.identifiers import is_at_uri, is_cid_text
from radial_core.instants import Instant, parse_instant
from radial_core.lexicon.checks import blob, unknown
from radial_core.lexicon.faults import Check
from radial_core.lexicon.rules import rules_of
from radial_core.records import CLASSES, PREFIX, RadialRecord, wire_name
from radial_core.structure import beyond_lexicon

# A hook reads one field: the value that stands there, and its type, which is cattrs' own affair.
Hook: TypeAlias = Callable[[Any, Any], Any]
Schema: TypeAlias = Mapping[str, Any]

_STRONG_REF: Final = "com.atproto.repo.strongRef"
_LEAVES: Final[Mapping[str, type]] = {"string": str, "boolean": bool, "integer": int}


class _Unsound(Exception):  # noqa: N818 - a signal, caught below
    """The value is not as its lexicon has it."""


class Read(NamedTuple):
    """A record and the instant of its creation (L2), which is no field of any one kind."""

    created_at: Instant
    record: RadialRecord


def read_record(collection: str, value: Any) -> Read | None:
    """Read a value as a record of a collection of ours, or nothing when it breaks L1 (see `structural_faults`).

    The value has passed `canonical.measure`. Raises `KeyError` for a collection that is not in `COLLECTIONS` (O6).
    """
    read, rules = _READERS[collection]
    if value.__class__ is not dict or value.get("$type") != collection:
        return None
    try:
        created_at = _read_instant(value["createdAt"], None)
        record: RadialRecord = read(value, None)
    except (_Unsound, KeyError):  # KeyError: a required field is not there
        return None
    for rule in rules:
        if rule(value):
            return None
    return Read(created_at, record)


def _give_up() -> NoReturn:
    raise _Unsound


# Hooks --------------------------------------------------------------------------------------------------------------


def _read_reference(value: Any, _type: Any) -> str:
    if value.__class__ is not dict:
        _give_up()
    uri, cid = value["uri"], value["cid"]
    if uri.__class__ is str and cid.__class__ is str and is_at_uri(uri) and is_cid_text(cid):
        return uri
    _give_up()


def _read_instant(value: Any, _type: Any) -> Instant:
    if value.__class__ is not str:
        _give_up()
    try:
        return parse_instant(value)
    except ValueError:
        _give_up()


def _read_leaf(schema: Schema) -> Hook:
    kind = _LEAVES[schema["type"]]
    tests = tuple(test for test, _ in rules_of(schema))
    if not tests:
        return lambda value, _type: value if value.__class__ is kind else _give_up()
    (test,) = tests  # no lexicon of ours asks for more than one thing
    return lambda value, _type: value if value.__class__ is kind and test(value) else _give_up()


def _read_checked(check: Check) -> Hook:
    return lambda value, _type: _give_up() if check(value) else value


def _read_array(read_item: Hook) -> Hook:
    def read(value: Any, _type: Any) -> tuple[Any, ...]:
        if value.__class__ is not list:
            _give_up()
        return tuple([read_item(item, None) for item in value])

    return read


def _read_object(owner: type[Any], schema: Schema, document: Schema) -> Hook:
    """Make the reader of an object as an instance of `owner`, each of whose fields the schema must know."""
    hooks: dict[str, Any] = {}
    for field in attrs.fields(attrs.resolve_types(owner)):
        name = wire_name(owner, field.name)
        hooks[field.name] = override(rename=name, struct_hook=_hook(schema["properties"][name], document, field.type))
    converter = cattrs.Converter(detailed_validation=False)
    return make_dict_structure_fn(
        owner, converter, _cattrs_detailed_validation=False, _cattrs_use_linecache=False, **hooks
    )


def _hook(schema: Schema, document: Schema, target: Any) -> Hook:
    """Make the hook of a field from its schema; `target` is the type that the class gives it."""
    kind = schema["type"]
    if kind == "array":
        return _read_array(_hook(schema["items"], document, target))
    if kind == "ref" and schema["ref"] == _STRONG_REF:
        return _read_reference
    if kind == "ref":
        return _read_part(_class_in(target), document["defs"][schema["ref"].removeprefix("#")], document)
    if schema.get("format") == "datetime":
        return _read_instant
    if kind in _LEAVES:
        return _read_leaf(schema)
    return _read_checked(blob(schema.get("accept", ()), schema.get("maxSize")) if kind == "blob" else unknown)


def _read_part(owner: type[Any], schema: Schema, document: Schema) -> Hook:
    read = _read_object(owner, schema, document)
    return lambda value, _type: read(value, owner) if value.__class__ is dict else _give_up()


def _class_in(target: Any) -> type[Any]:
    """Find the class of ours in a type like `tuple[Finding, ...] | None`."""
    if isinstance(target, type) and attrs.has(target):
        return target
    parts = (part for part in get_args(target) if part not in (Ellipsis, type(None)))
    return _class_in(next(parts))


def _readers() -> dict[str, tuple[Hook, tuple[Callable[[Any], Any], ...]]]:
    documents = {document["id"]: document for document in DOCUMENTS}
    readers: dict[str, tuple[Hook, tuple[Callable[[Any], Any], ...]]] = {}
    for owner in CLASSES:
        document = documents[PREFIX + owner.kind]
        read = _read_object(owner, document["defs"]["main"]["record"], document)
        readers[document["id"]] = (read, beyond_lexicon(document["id"]))
    return readers


_READERS: Final = _readers()
