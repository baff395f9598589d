"""Strategy: the digest tree (D). Each digest is the CID of a small plain map, named here field by field."""

from __future__ import annotations

from typing import Any

from tests.oracle.canonical import cid_of
from tests.oracle.held import Held
from tests.oracle.requests import claims_on, definition
from tests.oracle.settings import guest_comments
from tests.oracle.world import World

Pairs = list[list[str]]


def records_at(world: World, home: Held) -> Pairs:
    """D1: the (uri, cid) of the records that count at a goal or project, claims apart."""
    here = [one for one in world.counting.values() if world.home_of.get(one.uri) == home.uri]
    return sorted([one.uri, one.cid] for one in here if one.kind != "claim")


def claims_at(world: World, home: Held) -> list[Any]:
    """D1: claims by URI alone, in rank order, for each request that has some."""
    requests = [one for one in world.all("artifactRequest") if world.home_of[one.uri] == home.uri]
    claims = [[request.uri, [claim.uri for claim in claims_on(world, request.uri)]] for request in requests]
    return sorted([uri, ranked] for uri, ranked in claims if ranked)


def place_digest(world: World, home: Held) -> str:
    """D1, D2: the digest of a goal or project view; a goal's also covers the effective `closed` (V4)."""
    projection = {
        "kind": home.kind,
        "uri": home.uri,
        "cid": home.cid,
        "records": records_at(world, home),
        "claims": claims_at(world, home),
    }
    return cid_of({**projection, "closed": home.closed} if home.kind == "goal" else projection)


def members(world: World, space: Held) -> list[Any]:
    """D2: membership, by DID; who joined is not in it (D1)."""
    membership = world.memberships[space.uri]
    result: list[Any] = []
    for did in membership.dids():
        grant = membership.current(did)
        if grant is None:
            result.append([did, "human", "admin", None])
        else:
            result.append([did, grant.event.value["kind"], grant.role, grant.event.uri])
    return result


def grants(world: World, space: Held) -> list[Any]:
    """D2: every grant and what became of it, in fold order."""
    log = world.memberships[space.uri].grants
    return [[grant.event.uri, grant.event.cid, grant.state, grant.ended_by] for grant in log]


def types(world: World, space: Held) -> Pairs:
    """D2: the types that a record defines, by name."""
    names = {one.value["name"] for one in world.anchored("artifactType", "space", space.uri)}
    defined = [definition(world, space.uri, name) for name in sorted(names)]
    return [[one.value["name"], one.uri, one.cid] for one in defined if one is not None]


def space_digest(world: World, space: Held) -> str:
    """D2: membership, the effective registry and settings, agents, and the digests of projects and goals."""
    agents = [one for one in world.all("agent") if space.uri in world.spaces_of[one.uri]]
    return cid_of(
        {
            "kind": "space",
            "uri": space.uri,
            "cid": space.cid,
            "members": members(world, space),
            "grants": grants(world, space),
            "types": types(world, space),
            "guestComments": guest_comments(world, space),
            "agents": sorted([agent.uri, agent.cid] for agent in agents),
            "projects": places(world, space, "project"),
            "goals": places(world, space, "goal"),
        }
    )


def places(world: World, space: Held, kind: str) -> Pairs:
    """D2: the sorted list of (uri, digest) of a space's projects or goals."""
    return sorted([one.uri, place_digest(world, one)] for one in world.anchored(kind, "space", space.uri))


def index_digest(world: World) -> str:
    """D2: the sorted list of (space uri, digest)."""
    spaces = sorted([space.uri, space_digest(world, space)] for space in world.all("space"))
    return cid_of({"kind": "index", "spaces": spaces})
