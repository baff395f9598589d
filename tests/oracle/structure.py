"""Strategy: the table of protocol §13, written as it stands there, and a checker that walks it (L1, L6).

A key of the table is a field's name; `?` marks it optional and `a|b` means exactly one of the two.
What stands at it is a check (of `a|b`, one check each): a function from a value to its faults, each a
pair of path and message.
Checks nest as deep as the table does, never as deep as the data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.oracle import formats
from tests.oracle.canonical import encode, is_link, is_object
from tests.oracle.instants import is_datetime

Faults = list[tuple[str, str]]
Check = Callable[[Any], Faults]
Field = Check | tuple[Check, Check]

DEEPEST = 64
LARGEST = 1_048_576
LARGEST_IMAGE = 10_000_000
IMAGES = ("image/png", "image/jpeg", "image/webp", "image/gif")


# --- checks -----------------------------------------------------------------------------------------


def text(value: Any) -> Faults:
    """Check a string."""
    return [] if isinstance(value, str) else [("", "must be a string")]


def flag(value: Any) -> Faults:
    """Check a boolean."""
    return [] if isinstance(value, bool) else [("", "must be a boolean")]


def one_of(*words: str) -> Check:
    """Check a closed enumeration."""
    return lambda value: [] if isinstance(value, str) and value in words else [("", f"must be one of {words}")]


def formatted(name: str, test: Callable[[str], bool]) -> Check:
    """Check a string of a format."""
    return lambda value: [] if isinstance(value, str) and test(value) else [("", f"must be a {name}")]


def listing(check: Check) -> Check:
    """Check a list, and every item of it."""

    def walk(value: Any) -> Faults:
        if not isinstance(value, list):
            return [("", "must be a list")]
        return [(f"[{i}]{path}", said) for i, item in enumerate(value) for path, said in check(item)]

    return walk


def mapping(check: Check) -> Check:
    """Check an object of any keys, and every value of it."""

    def walk(value: Any) -> Faults:
        if not is_object(value):
            return [("", "must be an object")]
        return [(f".{key}{path}", said) for key in value for path, said in check(value[key])]

    return walk


def shape(fields: Mapping[str, Field]) -> Check:
    """Check an object by a table of fields. Fields the table does not name are kept and ignored."""

    def walk(value: Any) -> Faults:
        if not is_object(value):
            return [("", "must be an object")]
        return [fault for key, check in fields.items() for fault in _field(value, key, check)]

    return walk


def _field(value: dict[str, Any], key: str, check: Field) -> Faults:
    names = key.rstrip("?").split("|")
    checks = check if isinstance(check, tuple) else (check,)
    present = [name for name in names if name in value]
    faults = [
        (f".{name}{path}", said)
        for name, test in zip(names, checks, strict=True)
        if name in present
        for path, said in test(value[name])
    ]
    if len(present) > 1:
        faults.append(("", f"must have exactly one of {names}"))
    if not present and not key.endswith("?"):
        faults.append(("", f"must have {' or '.join(names)}"))
    return faults


did = formatted("DID", formats.is_did)
uri = formatted("URI", formats.is_uri)
when = formatted("datetime", is_datetime)
at_uri = formatted("at-uri", formats.is_at_uri)
cid = formatted("CID", formats.is_cid)
ref = shape({"uri": at_uri, "cid": cid})


def ref_to(kind: str) -> Check:
    """Check a strongref whose URI must name a collection (L1: anchors and subjects)."""

    def walk(value: Any) -> Faults:
        return ref(value) or _names(value, kind)

    return walk


def _names(value: Any, kind: str) -> Faults:
    return [] if formats.kind_named(value["uri"]) == kind else [(".uri", f"must name a {kind}")]


def guest_ref(value: Any) -> Faults:
    """L1: `comment` may name any collection but needs a DID as authority."""
    faults = ref(value)
    if not faults and not formats.is_did(formats.authority(value["uri"])):
        faults = [(".uri", "must have a DID as authority")]
    return faults


def link(value: Any) -> Faults:
    """Check a link to content."""
    return [] if is_link(value) else [("", "must be a link")]


def natural(least: int, most: int | None = None) -> Check:
    """Check an integer between two bounds, both allowed."""

    def walk(value: Any) -> Faults:
        if isinstance(value, bool) or not isinstance(value, int):
            return [("", "must be an integer")]
        fits = value >= least and (most is None or value <= most)
        return [] if fits else [("", f"must be an integer from {least} to {most}")]

    return walk


blob = shape({"$type": one_of("blob"), "ref": link, "mimeType": text, "size": natural(0)})
picture = shape({"$type": one_of("blob"), "ref": link, "mimeType": one_of(*IMAGES), "size": natural(0, LARGEST_IMAGE)})


# --- the records of §13 -----------------------------------------------------------------------------

SPACE, PROJECT, GOAL = {"space": ref_to("space")}, {"project": ref_to("project")}, {"goal": ref_to("goal")}
ARTIFACT, REQUEST = {"artifact": ref_to("artifact")}, {"request": ref_to("artifactRequest")}

RECORDS: dict[str, dict[str, Field]] = {
    "space": {"name": text, "description?": text},
    "addMember": {**SPACE, "did": did, "kind": one_of("human", "agent"), "role": one_of("admin", "member", "agent")},
    "removeMember": {**SPACE, "did": did, "membership": ref},
    "join": {**SPACE},
    "project": {
        **SPACE,
        "name": text,
        "gitUrl": uri,
        "defaultBranch": text,
        "checks?": listing(shape({"name": text, "command": text})),
        "autoReview?": mapping(flag),
    },
    "setAutoReview": {**PROJECT, "type": text, "enabled": flag},
    "editProject": {**PROJECT, "name?": text, "gitUrl?": uri, "defaultBranch?": text},
    "archiveProject": {**PROJECT, "archived": flag},
    "goal": {**SPACE, **PROJECT, "title": text, "body": text, "closed?": flag},
    "closeGoal": {**GOAL, "closed": flag, "disposition?": text},
    "archiveGoal": {**GOAL, "archived": flag},
    "artifactType": {**SPACE, "name": text, "brief": text, "outputSpec": text, "scope": one_of("goal", "project")},
    "artifactRequest": {
        "goal|project": (ref_to("goal"), ref_to("project")),
        "type": text,
        "subject?": ref,
        "basedOn?": listing(ref),
        "assignee?": did,
        "brief?": text,
        "autoReview?": flag,
    },
    "retractRequest": {**REQUEST},
    "claim": {**REQUEST, "renewedAt?": when, "expiresAt": when},
    "artifact": {
        "request": ref,
        "goal|project": (ref_to("goal"), ref_to("project")),
        "type": text,
        "prev?": ref,
        "title?": text,
        "body": text,
        "bodyBlob?": blob,
        "links?": shape({"branch?": text, "commit?": text, "pr?": uri}),
        "criteria?": listing(text),
        "model?": text,
        "claim?": ref,
    },
    "review": {
        "subject": ref_to("artifact"),
        "request?": ref,
        "verdict": one_of("approve", "request_changes"),
        "findings?": listing(shape({"path?": text, "line?": natural(1), "severity": text, "body": text})),
        "model?": text,
        "claim?": ref,
    },
    "checkrun": {**ARTIFACT, "commit": text, "results": listing(shape({"name": text, "pass": flag, "log?": text}))},
    "merge": {**ARTIFACT, "pr": uri, "commit?": text, "mergedAt?": when},
    "message": {
        "goal|artifact": (ref_to("goal"), ref_to("artifact")),
        "root?": ref,
        "parent?": ref,
        "body": text,
        "mentions?": listing(did),
        "re?": ref,
        "declines?": flag,
        "model?": text,
        "claim?": ref,
    },
    "agent": {
        "handleName": text,
        "harness": text,
        "models": listing(shape({"name": text, "costHint?": text})),
        "artifactTypes": listing(text),
    },
    "image": {"blob": picture, "alt?": text, "name?": text},
    "setGuestComments": {**SPACE, "enabled": flag},
    "blessComment": {**GOAL, "comment": guest_ref, "body": text},
    "retractBless": {"bless": ref_to("blessComment")},
}


def _subject_fits(value: dict[str, Any]) -> Faults:
    """L1: a review request's subject names an artifact, an answer request's a message."""
    kind = {"review": "artifact", "answer": "message"}.get(value["type"])
    if kind is None or "subject" not in value:
        return []
    return [(f".subject{path}", said) for path, said in _names(value["subject"], kind)]


def _edits_something(value: dict[str, Any]) -> Faults:
    """§13: an editProject names at least one field."""
    fields = ("name", "gitUrl", "defaultBranch")
    return [] if any(field in value for field in fields) else [("", f"must have one of {fields}")]


BEYOND_FIELDS = {"artifactRequest": _subject_fits, "editProject": _edits_something}


# --- the two rules ----------------------------------------------------------------------------------


def broken_rule(kind: str, value: Any) -> tuple[str, str] | None:
    """Return the first of L6 and L1 that a value breaks, with the reason; None when it is valid."""
    if is_too_large(value):
        return "L6", "nested too deep or too large"
    faults = faults_of(kind, value)
    return ("L1", "; ".join(f"{said} @ ${path}" for path, said in faults)) if faults else None


def faults_of(kind: str, value: Any) -> Faults:
    """L1: every fault of a record's value."""
    always: dict[str, Field] = {"$type": one_of(formats.PREFIX + kind), "createdAt": when}
    faults = shape({**always, **RECORDS[kind]})(value)
    if not faults and kind in BEYOND_FIELDS:
        faults = BEYOND_FIELDS[kind](value)
    return faults


def is_too_large(value: Any) -> bool:
    """L6: nested deeper than 64 levels (the record itself is 1), or over 1,048,576 bytes of DAG-CBOR."""
    level, depth = [value], 0
    while level := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        if depth > DEEPEST:
            return True
        level = [child for item in level for child in (item.values() if isinstance(item, dict) else item)]
    return len(encode(value)) > LARGEST
