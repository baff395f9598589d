"""Documents made into a catalog of validators.

Strategy: only records are ever validated, so only they, and what they refer to, become closures; queries, procedures,
subscriptions and permission sets are judged as documents and left alone. A definition is made once. While it is being
made, a reference back to it is bound late: definitions may form cycles, values cannot (L6 bounds their depth). A
reference that leads nowhere is the author's mistake and found here, not when the first record arrives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import attrs

from radial_core.canonical import spell_path
from radial_core.cids import Cid
from radial_core.identifiers import is_nsid, is_record_key, is_tid
from radial_core.lexicon.checks import Field, array, blob, leaf, or_null, record_like, tagged, unknown
from radial_core.lexicon.documents import faults_of_document
from radial_core.lexicon.faults import NOTHING, Check, Fault, Found, Path, at, spelled
from radial_core.lexicon.rules import rules_of

_LEAVES: Final[Mapping[str, tuple[type, str]]] = {
    "null": (type(None), "null"),
    "boolean": (bool, "a boolean"),
    "integer": (int, "an integer"),
    "string": (str, "a string"),
    "bytes": (bytes, "bytes"),
    "cid-link": (Cid, "a link"),
}
_KEY_KINDS: Final[Mapping[str, Callable[[str, str], bool]]] = {
    "any": lambda rkey, _kind: is_record_key(rkey),
    "nsid": lambda rkey, _kind: is_nsid(rkey),
    "tid": lambda rkey, _kind: is_tid(rkey),
    "literal": lambda rkey, kind: rkey == kind.removeprefix("literal:"),
}
_UNITABLE: Final = frozenset({"object", "record"})


class LexiconError(ValueError):
    """Lexicon documents that nothing can be made of. `faults` holds each as `document: message @ $.path`."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@attrs.frozen
class Catalog:
    """Validators of records by the NSID of their collection."""

    checks: Mapping[str, Check]
    keys: Mapping[str, str]

    def faults(self, nsid: str, value: object, rkey: str | None = None) -> tuple[Fault, ...]:
        """Find every fault of a record's value, and of its record key when one is given.

        The value holds `Cid` for a link and `bytes` for bytes, and has passed `canonical.measure`. Raises `KeyError`
        when the catalog has no record of that name.
        """
        found = self.checks[nsid](value)
        if rkey is not None:
            found = (*_key_faults(self.keys[nsid], rkey), *found)
        return spelled(found) if found else ()


def _key_faults(kind: str, rkey: str) -> Found:
    return NOTHING if _KEY_KINDS[kind.partition(":")[0]](rkey, kind) else at(f"the record key must be {kind}")


def compile_lexicons(documents: Iterable[Mapping[str, Any]]) -> Catalog:
    """Make a catalog of the records that the documents define. Raises `LexiconError` with every fault of them."""
    documents = tuple(documents)
    faults: list[str] = []
    for number, document in enumerate(documents):
        found = faults_of_document(document)
        faults.extend(f"{_name(document, number)}: {fault}" for fault in spelled(found))
    if faults:
        raise LexiconError(tuple(faults))
    return _Workshop.of(documents).catalog()


def _name(document: Any, number: int) -> str:
    """Name a document of which nothing is known yet."""
    name = document["id"] if document.__class__ is dict and "id" in document else None
    return name if isinstance(name, str) and is_nsid(name) else f"document {number}"


@attrs.define
class _Workshop:
    """Makes checks out of definitions whose documents are in shape; each definition is named `nsid#name`."""

    definitions: Mapping[str, Mapping[str, Any]]
    made: dict[str, Check] = attrs.field(factory=dict[str, Check])
    begun: set[str] = attrs.field(factory=set[str])
    faults: list[str] = attrs.field(factory=list[str])

    @classmethod
    def of(cls, documents: tuple[Mapping[str, Any], ...]) -> _Workshop:
        definitions: dict[str, Mapping[str, Any]] = {}
        twice: list[str] = []
        for document in documents:
            nsid = document["id"]
            names = {f"{nsid}#{name}": definition for name, definition in document["defs"].items()}
            if not names.keys().isdisjoint(definitions):
                twice.append(f"{nsid}: is here twice @ $.id")
            definitions.update(names)
        return cls(definitions, faults=twice)

    def catalog(self) -> Catalog:
        checks: dict[str, Check] = {}
        keys: dict[str, str] = {}
        for name, definition in self.definitions.items():
            if definition["type"] == "record":
                nsid = name.removesuffix("#main")
                checks[nsid] = self.record(nsid, definition)
                keys[nsid] = definition["key"]
        if self.faults:
            raise LexiconError(tuple(dict.fromkeys(self.faults)))  # a record that is referred to is made twice
        return Catalog(checks, keys)

    def record(self, nsid: str, definition: Mapping[str, Any]) -> Check:
        """Make the check of a record: of its own object, whose `$type` must name the collection."""
        own_type: Field = ("$type", leaf(str, "a string", [(nsid.__eq__, f"must be {nsid}")]), True)
        place: Path = ("defs", "main", "record")
        return record_like((own_type, *self.fields(definition["record"], nsid, place)))

    def fields(self, schema: Mapping[str, Any], nsid: str, place: Path) -> tuple[Field, ...]:
        required = frozenset(schema.get("required", ()))
        nullable = frozenset(schema.get("nullable", ()))
        fields: list[Field] = []
        for name, inner in schema["properties"].items():
            check = self.check(inner, nsid, (*place, "properties", name))
            fields.append((name, or_null(check) if name in nullable else check, name in required))
        return tuple(fields)

    def check(self, schema: Mapping[str, Any], nsid: str, place: Path) -> Check:
        kind = schema["type"]
        if kind in _LEAVES:
            return leaf(*_LEAVES[kind], rules_of(schema))
        return _MAKERS[kind](self, schema, nsid, place)

    def array_check(self, schema: Mapping[str, Any], nsid: str, place: Path) -> Check:
        return array(self.check(schema["items"], nsid, (*place, "items")), rules_of(schema))

    def object_check(self, schema: Mapping[str, Any], nsid: str, place: Path) -> Check:
        return record_like(self.fields(schema, nsid, place))

    def blob_check(self, schema: Mapping[str, Any], _nsid: str, _place: Path) -> Check:
        return blob(schema.get("accept", ()), schema.get("maxSize"))

    def unknown_check(self, _schema: Mapping[str, Any], _nsid: str, _place: Path) -> Check:
        return unknown

    def ref_check(self, schema: Mapping[str, Any], nsid: str, place: Path) -> Check:
        return self.definition(_full(schema["ref"], nsid), nsid, (*place, "ref"))

    def union_check(self, schema: Mapping[str, Any], nsid: str, place: Path) -> Check:
        members: dict[str, Check] = {}
        for index, reference in enumerate(schema["refs"]):
            name = _full(reference, nsid)
            where = (*place, "refs", index)
            member = self.definition(name, nsid, where)
            if self.definitions.get(name, {"type": "object"})["type"] not in _UNITABLE:
                self.complain(nsid, "must lead to an object or a record", where)
            members[name] = members[name.removesuffix("#main")] = member
        return tagged("$type", members, closed=schema.get("closed", False))

    def definition(self, name: str, nsid: str, place: Path) -> Check:
        """Give the check of a definition; `nsid` and `place` say who asks for it."""
        if name not in self.definitions:
            self.complain(nsid, f"leads nowhere: {name}", place)
            return unknown
        if name in self.begun and name not in self.made:
            return lambda value: self.made[name](value)  # noqa: PLW0108 - bound late: it is not made yet
        if name not in self.made:
            self.begun.add(name)
            self.made[name] = self.make(name)
        return self.made[name]

    def make(self, name: str) -> Check:
        schema = self.definitions[name]
        nsid, _, short = name.partition("#")
        place: Path = ("defs", short)
        if schema["type"] == "token":
            return leaf(str, "a string", [(name.__eq__, f"must be {name}")])
        if schema["type"] == "record":
            return self.object_check(schema["record"], nsid, (*place, "record"))
        return self.check(schema, nsid, place)

    def complain(self, nsid: str, message: str, place: Path) -> None:
        self.faults.append(f"{nsid}: {message} @ {spell_path(place)}")


_MAKERS: Final[Mapping[str, Callable[[_Workshop, Mapping[str, Any], str, Path], Check]]] = {
    "array": _Workshop.array_check,
    "object": _Workshop.object_check,
    "blob": _Workshop.blob_check,
    "unknown": _Workshop.unknown_check,
    "ref": _Workshop.ref_check,
    "union": _Workshop.union_check,
}


def _full(reference: str, nsid: str) -> str:
    """Spell a reference in full: `#name` belongs to the document it stands in, and a bare NSID means its main part."""
    document, _, name = reference.partition("#")
    return f"{document or nsid}#{name or 'main'}"
