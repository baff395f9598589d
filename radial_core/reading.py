"""From the value of a record to the record, in one pass that checks as it reads (L1, and L6 where that is plain).

Strategy: nearly every value is sound, and for those nothing but the reading should be paid. So the readers, which
`cattrs` writes for the classes of `records`, are given for each field a hook made from the same lexicon that
`structure` compiles: it returns what it read or gives up. A reader that gives up says nothing; `structural_faults` is
then asked, and names every fault. That both always agree is a property test.

There are two readers of each kind. The *plain* one is for the value that `canonical.measure` need not look at: it has
no fields but the lexicon's, short texts and short lists, so that neither bound of L6 can be near, and whatever is in it
the reader looks at anyway. It gives up on everything else, which is then measured and read by the other. Readers are
written when the first record of their kind turns up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias, get_args

import attrs
import cattrs
from cattrs.gen import make_dict_structure_fn, override

from radial_core.canonical import is_well_formed
from radial_core.embedded import DOCUMENTS
from radial_core.identifiers import LONGEST_SHORT_URI, collection_in_short, is_at_uri, is_cid_text
from radial_core.instants import Instant, parse_instant
from radial_core.lexicon.checks import blob, unknown
from radial_core.lexicon.faults import Check
from radial_core.lexicon.rules import rules_of
from radial_core.records import CLASSES, PREFIX, RadialRecord, wire_name
from radial_core.structure import anchors_of, beyond_lexicon

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
    return _read(_READERS[collection], collection, value)


def read_plain(collection: str, value: Any) -> Read | None:
    """Read a value of any kind as a record, or nothing when it breaks L1 or is not plain (see the strategy).

    What it reads has passed `canonical.measure` and is read as `read_record` would. Raises `KeyError` as that does.
    """
    return _read(_PLAIN_READERS[collection], collection, value)


def _read(reader: _Reader, collection: str, value: Any) -> Read | None:
    read, read_instant, fields, rules = reader
    if value.__class__ is not dict or value.get("$type") != collection or (fields and not fields.issuperset(value)):
        return None
    try:
        created_at: Instant = read_instant(value["createdAt"], None)
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

# A plain value's texts have no more characters, its lists no more items; see `tests` for what that makes at most (L6).
PLAIN_TEXT: Final = 2048
PLAIN_LIST: Final = 16
_INTEGERS: Final = range(-(2**63), 2**63)


def _read_reference(value: Any, _type: Any) -> str:
    if value.__class__ is not dict:
        _give_up()
    uri, cid = value["uri"], value["cid"]
    if uri.__class__ is str and cid.__class__ is str and is_at_uri(uri) and is_cid_text(cid):
        return uri
    _give_up()


def _read_plain_reference(value: Any, _type: Any) -> Any:
    if value.__class__ is not dict or len(value) != _PARTS_OF_A_REFERENCE:
        _give_up()
    uri, cid = value["uri"], value["cid"]
    if not (uri.__class__ is str and len(uri) <= LONGEST_SHORT_URI and cid.__class__ is str):
        _give_up()
    if collection_in_short(uri) is None or not is_cid_text(cid):
        _give_up()
    return uri


def _read_anchor(collection: str) -> Hook:
    """Make the plain reader of a reference whose URI names a record of this collection."""

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


_PARTS_OF_A_REFERENCE: Final = 2


def _read_instant(value: Any, _type: Any) -> Instant:
    if value.__class__ is not str:
        _give_up()
    try:
        return parse_instant(value)
    except ValueError:
        _give_up()


def _read_plain_instant(value: Any, _type: Any) -> Instant:
    if value.__class__ is not str or len(value) > PLAIN_TEXT:
        _give_up()
    return _read_instant(value, None)


def _read_leaf(schema: Schema, *, plain: bool) -> Hook:
    kind = _LEAVES[schema["type"]]
    tests = tuple(test for test, _ in rules_of(schema))
    if plain and kind is not bool:
        tests = (_is_plain_text if kind is str else _INTEGERS.__contains__, *tests)
    if not tests:
        return lambda value, _type: value if value.__class__ is kind else _give_up()
    if len(tests) == 1:
        (test,) = tests
        return lambda value, _type: value if value.__class__ is kind and test(value) else _give_up()
    first, second = tests  # no lexicon of ours asks for more than one thing
    return lambda value, _type: value if value.__class__ is kind and first(value) and second(value) else _give_up()


def _is_plain_text(text: str) -> bool:
    return len(text) <= PLAIN_TEXT and (text.isascii() or is_well_formed(text))


def _read_checked(check: Check, *, plain: bool) -> Hook:
    # What may hold anything is for `measure` to look at.
    return lambda value, _type: _give_up() if plain or check(value) else value


def _read_array(read_item: Hook, *, plain: bool) -> Hook:
    def read(value: Any, _type: Any) -> tuple[Any, ...]:
        if value.__class__ is not list or (plain and len(value) > PLAIN_LIST):
            _give_up()
        return tuple([read_item(item, None) for item in value])

    return read


def _read_object(
    owner: type[Any], schema: Schema, document: Schema, anchors: Mapping[str, str], *, plain: bool
) -> Hook:
    """Make the reader of an object as an instance of `owner`, each of whose fields the schema must know."""
    hooks: dict[str, Any] = {}
    for field in attrs.fields(attrs.resolve_types(owner)):
        name = wire_name(owner, field.name)
        if name in anchors:
            hook = _read_anchor(anchors[name])
        else:
            hook = _hook(schema["properties"][name], document, field.type, plain=plain)
        hooks[field.name] = override(rename=name, struct_hook=hook)
    converter = cattrs.Converter(detailed_validation=False)
    return make_dict_structure_fn(
        owner, converter, _cattrs_detailed_validation=False, _cattrs_use_linecache=False, **hooks
    )


def _hook(schema: Schema, document: Schema, target: Any, *, plain: bool) -> Hook:
    """Make the hook of a field from its schema; `target` is the type that the class gives it."""
    kind = schema["type"]
    if kind == "array":
        return _read_array(_hook(schema["items"], document, target, plain=plain), plain=plain)
    if kind == "ref" and schema["ref"] == _STRONG_REF:
        return _read_plain_reference if plain else _read_reference
    if kind == "ref":
        part = document["defs"][schema["ref"].removeprefix("#")]
        return _read_part(_class_in(target), part, document, plain=plain)
    if schema.get("format") == "datetime":
        return _read_plain_instant if plain else _read_instant
    if kind in _LEAVES:
        return _read_leaf(schema, plain=plain)
    check = blob(schema.get("accept", ()), schema.get("maxSize")) if kind == "blob" else unknown
    return _read_checked(check, plain=plain)


def _read_part(owner: type[Any], schema: Schema, document: Schema, *, plain: bool) -> Hook:
    read = _read_object(owner, schema, document, {}, plain=plain)
    if plain:
        fields = frozenset(schema["properties"])
        return lambda value, _type: (
            read(value, owner) if value.__class__ is dict and fields.issuperset(value) else _give_up()
        )
    return lambda value, _type: read(value, owner) if value.__class__ is dict else _give_up()


def _class_in(target: Any) -> type[Any]:
    """Find the class of ours in a type like `tuple[Finding, ...] | None`."""
    if isinstance(target, type) and attrs.has(target):
        return target
    parts = (part for part in get_args(target) if part not in (Ellipsis, type(None)))
    return _class_in(next(parts))


class _Reader(NamedTuple):
    """How records of one kind are read: the hooks, the fields that a plain one may have, and L1's further rules."""

    read: Hook
    read_instant: Hook
    fields: frozenset[str]
    rules: tuple[Callable[[Any], Any], ...]


def _write_reader(collection: str, *, plain: bool) -> _Reader:
    document = _DOCUMENTS[collection]
    record = document["defs"]["main"]["record"]
    anchors = anchors_of(collection) if plain else {}
    read = _read_object(_CLASSES[collection], record, document, anchors, plain=plain)
    fields = frozenset(("$type", *record["properties"])) if plain else frozenset[str]()
    rules = beyond_lexicon(collection, anchors=not plain)
    return _Reader(read, _read_plain_instant if plain else _read_instant, fields, rules)


class _Readers(dict[str, _Reader]):
    """Readers by collection, each written when it is first asked for."""

    def __init__(self, *, plain: bool) -> None:
        super().__init__()
        self._plain = plain

    def __missing__(self, collection: str) -> _Reader:
        self[collection] = reader = _write_reader(collection, plain=self._plain)
        return reader


_READERS: Final = _Readers(plain=False)
_PLAIN_READERS: Final = _Readers(plain=True)
_DOCUMENTS: Final = {document["id"]: document for document in DOCUMENTS}
_CLASSES: Final = {PREFIX + owner.kind: owner for owner in CLASSES}
