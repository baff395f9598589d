"""From the value of a record to the record: at once where the value is plain, field by field where it is not (L1, L6).

Strategy: nearly every value is plain and sound, and for those nothing but the reading should be paid. *Plain* is a
value with no fields but its lexicon's, short texts and short lists: neither bound of L6 can be near, and whatever is in
it a reader looks at anyway, so it need not be measured first. The readers, which `cattrs` writes for the classes of
`records`, are given for each field a hook made from the same lexicon that `structure` compiles: it returns what it read
or gives up. A reader that gives up says nothing: then `canonical.measure` and `structural_faults` are asked, which name
every fault, and what they find sound is read field by field. That all of them agree is a property test. Lexicons and
classes must fit each other: a field that one of them lacks is found at import.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias, get_args

import attrs
import cattrs
from cattrs.gen import make_dict_structure_fn, override

from radial_core.canonical import is_well_formed
from radial_core.embedded import DOCUMENTS
from radial_core.identifiers import LONGEST_SHORT_URI, collection_in_short, is_cid_text
from radial_core.instants import Instant, parse_instant
from radial_core.lexicon.rules import rules_of
from radial_core.records import CLASSES, PREFIX, RadialRecord, wire_name
from radial_core.structure import anchors_of, beyond_lexicon

# A hook reads one field: the value that stands there, and its type, which is cattrs' own affair.
Hook: TypeAlias = Callable[[Any, Any], Any]
Schema: TypeAlias = Mapping[str, Any]

# A plain value's texts have no more characters, its lists no more items; a test says what that makes at most (L6).
PLAIN_TEXT: Final = 2048
PLAIN_LIST: Final = 16
_STRONG_REF: Final = "com.atproto.repo.strongRef"
_PARTS_OF_A_REFERENCE: Final = 2
_LEAVES: Final[Mapping[str, type]] = {"string": str, "boolean": bool, "integer": int}
_INTEGERS: Final = range(-(2**63), 2**63)


class _NotPlain(Exception):  # noqa: N818 - a signal, caught below
    """The value is not plain, or not as its lexicon has it."""


class Read(NamedTuple):
    """A record and the instant of its creation (L2), which is no field of any one kind."""

    created_at: Instant
    record: RadialRecord


def read_plain(collection: str, value: Any) -> Read | None:
    """Read a value of any kind as a record, or nothing when it breaks L1 or is not plain.

    What it reads has passed `canonical.measure`. Raises `KeyError` for a collection that is not in `COLLECTIONS` (O6).
    """
    read, fields, rules = _READERS[collection]
    if value.__class__ is not dict or value.get("$type") != collection or not fields.issuperset(value):
        return None
    try:
        created_at = _read_instant(value["createdAt"], None)
        record: RadialRecord = read(value, None)
    except (_NotPlain, KeyError):  # KeyError: a required field is not there
        return None
    for rule in rules:
        if rule(value):
            return None
    return Read(created_at, record)


def read_sound(collection: str, value: Mapping[str, Any]) -> Read:
    """Read a value in which `structural_faults` found nothing. Raises `KeyError` as `read_plain` does."""
    document = _DOCUMENTS[collection]
    record: RadialRecord = _part(document["defs"]["main"]["record"], document, _CLASSES[collection], value)
    return Read(parse_instant(value["createdAt"]), record)


# Field by field -----------------------------------------------------------------------------------------------------


def _part(schema: Schema, document: Schema, target: Any, value: Any) -> Any:
    """Read a sound value of a schema; `target` is the type that the class gives it. As deep as lexicons nest."""
    kind = schema["type"]
    if kind == "array":
        return tuple(_part(schema["items"], document, target, item) for item in value)
    if kind == "ref" and schema["ref"] == _STRONG_REF:
        return value["uri"]
    if kind == "ref":
        return _part(_named_part(schema, document), document, target, value)
    if kind == "object":
        owner = _class_in(target)
        fields = ((field, wire_name(owner, field.name)) for field in attrs.fields(owner))
        return owner(
            **{
                field.name: _part(schema["properties"][name], document, field.type, value[name])
                for field, name in fields
                if name in value
            }
        )
    return parse_instant(value) if schema.get("format") == "datetime" else value


def _named_part(schema: Schema, document: Schema) -> Schema:
    part: Schema = document["defs"][schema["ref"].removeprefix("#")]
    return part


def _class_in(target: Any) -> type[Any]:
    """Find the class of ours in a type like `tuple[Finding, ...] | None`."""
    if isinstance(target, type) and attrs.has(target):
        return target
    parts = (part for part in get_args(target) if part not in (Ellipsis, type(None)))
    return _class_in(next(parts))


# Hooks: at once -----------------------------------------------------------------------------------------------------


def _give_up() -> NoReturn:
    raise _NotPlain


def _read_reference(value: Any, _type: Any) -> Any:
    if value.__class__ is not dict or len(value) != _PARTS_OF_A_REFERENCE:
        _give_up()
    uri, cid = value["uri"], value["cid"]
    if not (uri.__class__ is str and len(uri) <= LONGEST_SHORT_URI and cid.__class__ is str):
        _give_up()
    if collection_in_short(uri) is None or not is_cid_text(cid):
        _give_up()
    return uri


def _read_anchor(collection: str) -> Hook:
    """Make the reader of a reference whose URI names a record of this collection (T7)."""

    def read(value: Any, _type: Any) -> Any:
        if value.__class__ is not dict or len(value) != _PARTS_OF_A_REFERENCE:
            _give_up()
        uri, cid = value["uri"], value["cid"]
        if not (uri.__class__ is str and len(uri) <= LONGEST_SHORT_URI and cid.__class__ is str):
            _give_up()
        if collection_in_short(uri) != collection or not is_cid_text(cid):
            _give_up()
        return uri

    return read


def _read_instant(value: Any, _type: Any) -> Instant:
    if value.__class__ is not str or len(value) > PLAIN_TEXT:
        _give_up()
    try:
        return parse_instant(value)
    except ValueError:
        _give_up()


def _read_leaf(schema: Schema) -> Hook:
    kind = _LEAVES[schema["type"]]
    tests = [test for test, _ in rules_of(schema)]
    if kind is str and not tests:
        return _read_text
    if kind is not bool:
        tests.insert(0, _is_plain_text if kind is str else _INTEGERS.__contains__)
    if not tests:
        return lambda value, _type: value if value.__class__ is kind else _give_up()
    first, second = tests  # no lexicon of ours asks for more than one thing, nor for nothing of a number
    return lambda value, _type: value if value.__class__ is kind and first(value) and second(value) else _give_up()


def _read_text(value: Any, _type: Any) -> Any:
    if value.__class__ is str and len(value) <= PLAIN_TEXT and (value.isascii() or is_well_formed(value)):
        return value
    _give_up()


def _is_plain_text(text: str) -> bool:
    return len(text) <= PLAIN_TEXT and (text.isascii() or is_well_formed(text))


def _read_anything(_value: Any, _type: Any) -> NoReturn:
    # A blob, or a field that may hold whatever its author likes, is for `measure` to look at.
    _give_up()


def _read_array(read_item: Hook) -> Hook:
    def read(value: Any, _type: Any) -> tuple[Any, ...]:
        if value.__class__ is not list or len(value) > PLAIN_LIST:
            _give_up()
        return tuple([read_item(item, None) for item in value])

    return read


def _read_object(owner: type[Any], schema: Schema, document: Schema, anchors: Mapping[str, str]) -> Hook:
    """Make the reader of an object as an instance of `owner`, each of whose fields the schema must know."""
    hooks: dict[str, Any] = {}
    for field in attrs.fields(attrs.resolve_types(owner)):
        name = wire_name(owner, field.name)
        part = schema["properties"][name]
        hook = _read_anchor(anchors[name]) if name in anchors else _hook(part, document, field.type)
        hooks[field.name] = override(rename=name, struct_hook=hook)
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
        return _read_part(_class_in(target), _named_part(schema, document), document)
    if schema.get("format") == "datetime":
        return _read_instant
    return _read_leaf(schema) if kind in _LEAVES else _read_anything


def _read_part(owner: type[Any], schema: Schema, document: Schema) -> Hook:
    read, fields = _read_object(owner, schema, document, {}), frozenset(schema["properties"])
    return lambda value, _type: (
        read(value, owner) if value.__class__ is dict and fields.issuperset(value) else _give_up()
    )


class _Reader(NamedTuple):
    """How plain records of one kind are read: the hook, the fields that they may have, and L1's further rules."""

    read: Hook
    fields: frozenset[str]
    rules: tuple[Callable[[Any], Any], ...]


def _reader(owner: type[RadialRecord]) -> _Reader:
    collection = PREFIX + owner.kind
    document = _DOCUMENTS[collection]
    record = document["defs"]["main"]["record"]
    read = _read_object(owner, record, document, anchors_of(collection))
    return _Reader(read, frozenset(("$type", *record["properties"])), beyond_lexicon(collection))


_DOCUMENTS: Final = {document["id"]: document for document in DOCUMENTS}
_CLASSES: Final = {PREFIX + owner.kind: owner for owner in CLASSES}
_READERS: Final = {PREFIX + owner.kind: _reader(owner) for owner in CLASSES}
