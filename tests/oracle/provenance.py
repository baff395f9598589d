"""Strategy: what came from what (N). An edge is a pair of URIs, from what was made to what it was made of."""

from __future__ import annotations

from tests.oracle.held import Held
from tests.oracle.references import follow, resolve
from tests.oracle.requests import is_answer
from tests.oracle.world import World

ONE_TARGET = {
    "artifact": ("request", "prev"),
    "artifactRequest": ("subject",),
    "review": ("subject", "request"),
    "checkrun": ("artifact",),
    "merge": ("artifact",),
}


def targets(world: World, record: Held) -> list[Held]:
    """N1: the records to which one record has an edge that resolves."""
    found = [follow(world, record, field) for field in ONE_TARGET.get(record.kind, ())]
    if record.kind == "artifactRequest":
        found += based_on(world, record)
    if record.kind == "artifact":
        request = follow(world, record, "request")
        found += [] if request is None else based_on(world, request)
    if record.kind == "message":
        request = follow(world, record, "re")
        if request is not None and is_answer(world, request, record):
            found.append(follow(world, request, "subject"))
    return [target for target in found if target is not None]


def based_on(world: World, request: Held) -> list[Held | None]:
    """N1: what a request's `basedOn` resolves to."""
    return [resolve(world, request, "basedOn", ref["uri"]) for ref in request.value.get("basedOn", [])]


def edges(world: World) -> list[tuple[str, str]]:
    """N1: all edges that resolve."""
    return [(one.uri, target.uri) for one in world.counting.values() for target in targets(world, one)]


def closure(world: World, steps: list[tuple[str, str]], start: str) -> list[str]:
    """N2: what can be reached from a URI, itself apart, in (createdAt, uri) order."""
    reached, grew = {start}, True
    while grew:
        more = {after for before, after in steps if before in reached} - reached
        reached, grew = reached | more, bool(more)
    return [uri for uri in world.counting if uri in reached - {start}]


def upstream(world: World, uri: str) -> list[str]:
    """N2: everything that a record was made from."""
    return closure(world, edges(world), uri)


def downstream(world: World, uri: str) -> list[str]:
    """N2: everything that was made from a record."""
    return closure(world, [(target, source) for source, target in edges(world)], uri)
