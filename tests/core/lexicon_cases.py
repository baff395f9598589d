"""Every record of protocol §13 with sound and faulty values, field by field.

Strategy: the protocol's table is written here once more, by hand, and never read from the lexicons. Each kind of field
has one sound value and several faulty ones, each with the place of its single fault. A case is a record that is sound
but for one field. `plain` says whether a validator that knows nothing but lexicons can tell; the reference
implementation is held to those.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, NamedTuple

PREFIX = "com.disnetdev.radial."
DID = "did:plc:7iza6de2dwap2sbkpav7c6c6"
CID = "bafyreiclp443lavogvhj3d2ob2cxbfuscni2k5jk7bebjzg7khl3esabwq"
NOW = "2026-01-01T12:00:00.000Z"

# `name kind`, `?` for optional; `a or b` for exactly one of two. A kind `ref:x` must name a record x (L1).
TABLE = """
space: name text, description? text
addMember: space ref:space, did did, kind human|agent, role admin|member|agent
removeMember: space ref:space, did did, membership ref
join: space ref:space
project: space ref:space, name text, gitUrl uri, defaultBranch text, checks? [check], autoReview? switches
setAutoReview: project ref:project, type text, enabled bool
editProject: project ref:project, name? text, gitUrl? uri, defaultBranch? text
archiveProject: project ref:project, archived bool
goal: space ref:space, project ref:project, title text, body text, closed? bool
closeGoal: goal ref:goal, closed bool, disposition? text
archiveGoal: goal ref:goal, archived bool
artifactType: space ref:space, name text, brief text, outputSpec text, scope goal|project
artifactRequest: goal ref:goal or project ref:project, type text, subject? ref, basedOn? [ref], assignee? did, brief? text, autoReview? bool
retractRequest: request ref:artifactRequest
claim: request ref:artifactRequest, renewedAt? datetime, expiresAt datetime
artifact: request ref, goal ref:goal or project ref:project, type text, prev? ref, title? text, body text, bodyBlob? blob, links? links, criteria? [text], model? text, claim? ref
review: subject ref:artifact, request? ref, verdict approve|request_changes, findings? [finding], model? text, claim? ref
checkrun: artifact ref:artifact, commit text, results [result]
merge: artifact ref:artifact, pr uri, commit? text, mergedAt? datetime
message: goal ref:goal or artifact ref:artifact, root? ref, parent? ref, body text, mentions? [did], re? ref, declines? bool, model? text, claim? ref
agent: handleName text, harness text, models [model], artifactTypes [text]
image: blob image, alt? text, name? text
setGuestComments: space ref:space, enabled bool
blessComment: goal ref:goal, comment ref, body text
retractBless: bless ref:blessComment
"""  # noqa: E501 - one record a line, as in the protocol

PARTS = """
check: name text, command text
links: branch? text, commit? text, pr? uri
finding: path? text, line? line, severity text, body text
result: name text, pass bool, log? text
model: name text, costHint? text
"""


class Field(NamedTuple):
    """One field of the table."""

    name: str
    kind: str
    needed: bool
    rival: str | None = None


class Case(NamedTuple):
    """A value of a record and the paths of its faults; `plain` when lexicons alone can tell."""

    name: str
    record: str
    value: Any
    paths: tuple[str, ...]
    plain: bool = True

    @property
    def nsid(self) -> str:
        return PREFIX + self.record


def _fields(text: str) -> Iterator[Field]:
    for item in text.split(", "):
        rivals = [part.split(" ") for part in item.split(" or ")]
        for name, kind in rivals:
            rival = next((other for other, _ in rivals if other != name), None)
            yield Field(name.removesuffix("?"), kind, not name.endswith("?") and rival is None, rival)


def _table(text: str) -> dict[str, tuple[Field, ...]]:
    lines = (line.split(": ", 1) for line in text.strip().splitlines())
    return {name: tuple(_fields(fields)) for name, fields in lines}


RECORDS = {name: (*fields, Field("createdAt", "datetime", needed=True)) for name, fields in _table(TABLE).items()}
_PARTS = _table(PARTS)


def reference(record: str, rkey: str = "3jzfcijpj2z2a") -> dict[str, Any]:
    """Give a strongref to some record of a kind."""
    return {"uri": f"at://{DID}/{PREFIX}{record}/{rkey}", "cid": CID}


def blob(mime: Any = "image/png", size: Any = 10_000_000) -> dict[str, Any]:
    """Give a blob as JSON spells it."""
    link = {"$link": "bafkreiccldh766hwcnuxnf2wh6jgzepf2nlu2lvcllt63eww5p6chi4ity"}
    return {"$type": "blob", "ref": link, "mimeType": mime, "size": size}


_SOUND: dict[str, Any] = {
    "text": "words, also “quoted” ones",
    "bool": False,
    "line": 1,
    "did": DID,
    "uri": f"at://{DID}/sh.tangled.repo.pull/3jzfcijpj2z2a",
    "datetime": NOW,
    "switches": {"plan": True, "security-review": False},
    "blob": blob("text/markdown", 400_000),
    "image": blob(),
    "ref": reference("message"),
}

_NO_TEXT: list[tuple[Any, str]] = [(7, ""), (True, ""), (None, ""), ({}, ""), (["words"], "")]
_BLOB_PARTS = [(key, {name: item for name, item in blob().items() if name != key}) for key in blob()]

# Faulty values of a kind with the place of the fault. Those that only a look beyond lexicons finds stand apart.
_FAULTY: dict[str, list[tuple[Any, str]]] = {
    "text": _NO_TEXT,
    "bool": [("true", ""), (1, ""), (0, ""), (None, "")],
    "line": [(0, ""), (-1, ""), ("1", ""), (True, ""), (None, "")],
    "did": [*_NO_TEXT, ("alice.example.com", ""), ("did:plc:", ""), ("DID:plc:abc", ""), (f"at://{DID}", "")],
    "uri": [*_NO_TEXT, ("example.com/repo", ""), ("https://example.com/a b", ""), ("https:", ""), ("", "")],
    "datetime": [*_NO_TEXT, ("2026-01-01", ""), ("2026-01-01T12:00:00-00:00", ""), ("2026-02-30T12:00:00Z", "")],
    "switches": [("plan", ""), (None, ""), (True, ""), (7, "")],
    "ref": [
        (None, ""),
        (f"at://{DID}/{PREFIX}message/a", ""),
        ([reference("message")], ""),
        ({"cid": CID}, ".uri"),
        ({"uri": reference("message")["uri"]}, ".cid"),
        ({**reference("message"), "uri": "https://example.com"}, ".uri"),
        ({**reference("message"), "uri": f"at://{DID}/short/a"}, ".uri"),
        ({**reference("message"), "uri": None}, ".uri"),
        ({**reference("message"), "cid": "no cid"}, ".cid"),
        ({**reference("message"), "cid": {"$link": CID}}, ".cid"),
    ],
    "blob": [
        *((item, f".{key}") for key, item in _BLOB_PARTS),
        (blob(mime=7), ".mimeType"),
        (blob(size="7"), ".size"),
        (blob(size=True), ".size"),
        ({**blob(), "ref": CID}, ".ref"),
        ({**blob(), "$type": "Blob"}, ".$type"),
        *((value, "") for value in (None, "blob", 7, [blob()])),
    ],
}
# What lexicons cannot say, and where the reference implementation is looser than the formats' own definitions.
_BEYOND: dict[str, list[tuple[Any, str]]] = {
    "uri": [("https://example.com/" + 8200 * "x", ""), ("https://exämple.com", "")],
    "datetime": [("2026-01-01T12:00:00", ""), ("2026-01-01T24:00:00Z", "")],
    "switches": [
        ({"plan": "yes"}, ".plan"),
        ({"plan": True, "review": 1}, ".review"),
        ({"plan": None}, ".plan"),
        ({"security review": 0}, "['security review']"),
        (blob(), ""),
        ([True], ""),
    ],
    "ref": [({**reference("message"), "uri": f"at://{DID}/"}, ".uri")],
    "blob": [(blob(size=-1), ".size")],
    "image": [
        (blob(size=10_000_001), ".size"),
        (blob(mime="image/svg+xml"), ".mimeType"),
        (blob(mime="image/PNG"), ".mimeType"),
        (blob(mime="IMAGE/png"), ".mimeType"),
        (blob(mime="image/png; charset=utf-8"), ".mimeType"),
        (blob(mime="image/"), ".mimeType"),
        (blob(mime=""), ".mimeType"),
    ],
}


def sound(kind: str) -> Any:
    """Give a sound value of a kind of field."""
    if kind.startswith("["):
        return [sound(kind[1:-1]), sound(kind[1:-1])]
    if kind.startswith("ref:"):
        return reference(kind.removeprefix("ref:"))
    if kind in _PARTS:
        return {field.name: sound(field.kind) for field in _PARTS[kind]}
    return copy.deepcopy(_SOUND[kind]) if kind in _SOUND else kind.split("|", maxsplit=1)[0]


def faulty(kind: str) -> Iterator[tuple[Any, str, bool]]:
    """Give faulty values of a kind of field: the value, the place of its fault, and whether lexicons alone tell."""
    if kind.startswith("["):
        good = sound(kind[1:-1])
        yield from ((value, "", True) for value in (None, "[]", 7, {"0": good}))
        yield from (([good, value], f"[1]{path}", plain) for value, path, plain in faulty(kind[1:-1]))
    elif kind in _PARTS:
        yield from ((value, "", True) for value in (None, "text", 7))
        # To the reference an array is an object too, and misses only what is needed.
        yield [], "", any(field.needed for field in _PARTS[kind])
        yield from _faulty_parts(kind)
    elif "|" in kind:
        words = kind.split("|")
        yield from ((value, path, True) for value, path in [*_NO_TEXT, (words[0].upper(), ""), ("", "")])
    else:
        alike = {"image": ("blob", "image")}.get(kind, (kind.partition(":")[0],))
        for name in alike:
            yield from ((_led_to(kind, value), path, True) for value, path in _FAULTY.get(name, ()))
            yield from ((value, path, False) for value, path in _BEYOND.get(name, ()))


def _led_to(kind: str, value: Any) -> Any:
    """Let a reference lead where its field wants it to, unless where it leads is its fault."""
    if isinstance(value, dict) and value.get("uri") == reference("message")["uri"]:
        return {**value, "uri": sound(kind)["uri"]}
    return value


def _faulty_parts(kind: str) -> Iterator[tuple[Any, str, bool]]:
    for field in _PARTS[kind]:
        whole = sound(kind)
        if field.needed:
            yield {name: item for name, item in whole.items() if name != field.name}, f".{field.name}", True
        for value, path, plain in faulty(field.kind):
            yield {**whole, field.name: value}, f".{field.name}{path}", plain


def full(record: str, *, without: str | None = None) -> dict[str, Any]:
    """Give a record with every field; of two rivals the one that is not `without`, else the first."""
    value = {"$type": PREFIX + record}
    for field in RECORDS[record]:
        if field.rival is None or (field.rival not in value and field.name != without):
            value[field.name] = sound(field.kind)
    return value


def least(record: str) -> dict[str, Any]:
    """Give a record with nothing but what it needs."""
    wanted = {field.name for field in RECORDS[record] if field.needed or field.rival}
    wanted |= {"gitUrl"} if record == "editProject" else set()
    return {name: item for name, item in full(record).items() if name == "$type" or name in wanted}


def sound_cases() -> Iterator[Case]:
    """Give sound values of every record, each without a fault."""
    for record, fields in RECORDS.items():
        yield Case(f"{record}: every field", record, full(record), ())
        yield Case(f"{record}: only what it needs", record, least(record), ())
        yield Case(f"{record}: unknown fields", record, {**full(record), "x": {"y": [None]}, "$z": 7}, ())
        for field in fields:
            if field.rival is not None:
                yield Case(f"{record}: the rival {field.name}", record, full(record, without=field.rival), ())
            if not field.needed and field.rival is None:
                value = {name: item for name, item in full(record).items() if name != field.name}
                yield Case(f"{record}: without {field.name}", record, value, ())


def faulty_cases() -> Iterator[Case]:
    """Give faulty values of every record, each with one fault."""
    for record, fields in RECORDS.items():
        no_type = {name: item for name, item in full(record).items() if name != "$type"}
        yield Case(f"{record}: no $type", record, no_type, ("$.$type",))
        for tag in (PREFIX + record.upper(), f"{PREFIX}{record}#main", record, "", 7, None):
            yield Case(f"{record}: $type {tag!r}", record, {**full(record), "$type": tag}, ("$.$type",))
        for field in fields:
            yield from _faulty_field(record, field)


def _faulty_field(record: str, field: Field) -> Iterator[Case]:
    whole = full(record, without=field.rival)
    if field.needed:
        value = {name: item for name, item in whole.items() if name != field.name}
        yield Case(f"{record}: {field.name} is missing", record, value, (f"$.{field.name}",))
    for number, (item, path, plain) in enumerate(faulty(field.kind)):
        name = f"{record}: {field.name} {number} {repr(item)[:60]}"
        yield Case(name, record, {**whole, field.name: item}, (f"$.{field.name}{path}",), plain)


SOUND = tuple(sound_cases())
FAULTY = tuple(faulty_cases())
