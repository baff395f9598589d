"""Strategy: what a strongref means (L4, M1).

A reference resolves by URI, to a record that counts, of the kind its field names, in the space of the
record that holds it; `prev`, `root` and `parent` also under the same anchor. One table says which
kinds a field takes; the exceptions are functions.
"""

from __future__ import annotations

from typing import Any

from tests.oracle.held import Held
from tests.oracle.world import World

KINDS = {
    "request": ("artifactRequest",),
    "re": ("artifactRequest",),
    "project": ("project",),
    "claim": ("claim",),
    "prev": ("artifact",),
    "root": ("message",),
    "parent": ("message",),
    "comment": ("message",),
    "artifact": ("artifact",),
}


def fits_field(holder: Held, field: str, target: Held) -> bool:
    """L4: the target is of the kind that the field names."""
    if field == "subject" and holder.kind == "review":
        return target.kind == "artifact"
    if field == "subject" and holder.value["type"] in ("review", "answer"):
        return target.kind == {"review": "artifact", "answer": "message"}[holder.value["type"]]
    if field in ("subject", "basedOn"):
        return target.kind not in ("agent", "image")
    return target.kind in KINDS[field]


def fits_anchor(world: World, holder: Held, field: str, target: Held) -> bool:
    """L4: `prev`, `root` and `parent` stay under the same anchor; `prev` also within one type (X2)."""
    if field not in ("prev", "root", "parent"):
        return True
    same_type = field != "prev" or target.value["type"] == holder.value["type"]
    return same_type and world.anchors(target) == world.anchors(holder)


def lookup(world: World, holder: Held, field: str, uri: str) -> Held | None:
    """L4: the record that a URI in a field resolves to, cycles of `parent` apart."""
    target = world.counting.get(uri)
    if target is None or not fits_field(holder, field, target):
        return None
    if world.spaces_of[target.uri] != world.spaces_of[holder.uri] or not fits_anchor(world, holder, field, target):
        return None
    return target


def is_on_cycle(world: World, message: Held) -> bool:
    """M1: following `parent` from a message leads back to it."""
    passed = set()
    here = _parent(world, message)
    while here is not None and here.uri not in passed:
        if here is message:
            return True
        passed.add(here.uri)
        here = _parent(world, here)
    return False


def _parent(world: World, message: Held) -> Held | None:
    uri = message.target("parent")
    return None if uri is None else lookup(world, message, "parent", uri)


def resolve(world: World, holder: Held, field: str, uri: str | None) -> Held | None:
    """L4, M1: the record that a URI in a field of a record resolves to, or None."""
    if uri is None or (field == "parent" and is_on_cycle(world, holder)):
        return None
    return lookup(world, holder, field, uri)


def follow(world: World, holder: Held, field: str) -> Held | None:
    """Resolve the one strongref in a field, None when it is missing or does not resolve."""
    return resolve(world, holder, field, holder.target(field))


def pin(world: World, target: Held, cid: str) -> str:
    """L4: `held`, `edited` or `unseen`."""
    if cid == target.cid:
        return "held"
    return "edited" if cid in world.seen[target.uri] else "unseen"


def reference(world: World, holder: Held, field: str, ref: dict[str, Any]) -> dict[str, Any]:
    """J: a ref as written, with its pin and whether it resolves."""
    target = resolve(world, holder, field, ref["uri"])
    return {
        "uri": ref["uri"],
        "cid": ref["cid"],
        "pin": None if target is None else pin(world, target, ref["cid"]),
        "resolved": target is not None,
    }


def optional_reference(world: World, holder: Held, field: str) -> dict[str, Any] | None:
    """J: a ref, or null when the record has none."""
    return reference(world, holder, field, holder.value[field]) if field in holder.value else None
