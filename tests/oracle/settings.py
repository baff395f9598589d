"""Strategy: what belongs to a space itself: registry, guests' comments, members, agents (A, M2, M3, M5, T6)."""

from __future__ import annotations

from typing import Any

from tests.oracle import formats
from tests.oracle.held import Held, latest
from tests.oracle.membership import Grant
from tests.oracle.references import reference
from tests.oracle.requests import BUILT_IN, definition
from tests.oracle.world import World


def guest_comments(world: World, space: Held) -> bool:
    """M3: latest-wins; default false."""
    last = latest(world.anchored("setGuestComments", "space", space.uri))
    return last is not None and bool(last.value["enabled"])


def registry(world: World, space: Held) -> list[dict[str, Any]]:
    """A1, A2: the effective types by name; `builtIn` stays true for a re-defined one."""
    defined = {one.value["name"] for one in world.anchored("artifactType", "space", space.uri)}
    return [_type(name, definition(world, space.uri, name)) for name in sorted(defined.union(BUILT_IN))]


def _type(name: str, record: Held | None) -> dict[str, Any]:
    value = {"scope": "goal"} if record is None else record.value
    return {
        "name": name,
        "scope": value["scope"],
        "brief": value.get("brief"),
        "outputSpec": value.get("outputSpec"),
        "builtIn": name in BUILT_IN,
        "record": None if record is None else {"uri": record.uri, "cid": record.cid},
    }


def members(world: World, space: Held) -> list[dict[str, Any]]:
    """T1, T5, T6: root and the holders of current grants, by DID."""
    membership = world.memberships[space.uri]
    joined = {join.author for join in world.anchored("join", "space", space.uri)}
    return [_member(space, did, membership.current(did), joined=did in joined) for did in membership.dids()]


def _member(space: Held, did: str, grant: Grant | None, *, joined: bool) -> dict[str, Any]:
    """T1: root is human and admin without a grant, since the space's creation."""
    event = space if grant is None else grant.event
    return {
        "did": did,
        "kind": "human" if grant is None else event.value["kind"],
        "role": "admin" if grant is None else grant.role,
        "joined": joined,
        "grant": None if grant is None else {"uri": event.uri, "cid": event.cid},
        "since": event.value["createdAt"],
    }


def grants(world: World, space: Held) -> list[dict[str, Any]]:
    """T5: every grant with who made it, when, and what became of it, in fold order."""
    return [
        {
            "uri": grant.event.uri,
            "cid": grant.event.cid,
            "did": grant.did,
            "kind": grant.event.value["kind"],
            "role": grant.role,
            "by": grant.event.author,
            "at": grant.event.value["createdAt"],
            "state": grant.state,
            "endedBy": grant.ended_by,
        }
        for grant in world.memberships[space.uri].grants
    ]


def agents(world: World, space: Held) -> list[dict[str, Any]]:
    """M5, T7: the profiles of the space's members, by URI."""
    here = [one for one in world.all("agent") if space.uri in world.spaces_of[one.uri]]
    return [
        {
            "uri": agent.uri,
            "cid": agent.cid,
            "did": agent.author,
            "profile": agent.uri.split("/")[-1],
            "handleName": agent.value["handleName"],
            "harness": agent.value["harness"],
            "models": [{"name": m["name"], "costHint": m.get("costHint")} for m in agent.value["models"]],
            "artifactTypes": agent.value["artifactTypes"],
        }
        for agent in sorted(here, key=lambda agent: agent.uri)
    ]


def guests(world: World, goal: Held) -> list[dict[str, Any]]:
    """M2: the standing blessings of a goal."""
    blessings = world.anchored("blessComment", "goal", goal.uri)
    return [
        {
            "bless": bless.uri,
            "by": bless.author,
            "guest": formats.authority(bless.value["comment"]["uri"]),
            "comment": reference(world, bless, "comment", bless.value["comment"]),
            "body": bless.value["body"],
        }
        for bless in blessings
        if not world.anchored("retractBless", "bless", bless.uri)
    ]
