"""Strategy: the whole result, key by key, as protocol §15 lists it (J)."""

from __future__ import annotations

from typing import Any

from tests.oracle import artifacts, digests, goals, requests, settings
from tests.oracle.held import Held
from tests.oracle.world import World


def index(world: World) -> dict[str, Any]:
    """J: the index."""
    spaces = sorted(world.all("space"), key=lambda space: space.uri)
    return {
        "digest": digests.index_digest(world),
        "spaces": [_space(world, space) for space in spaces],
        "images": [_image(image) for image in world.all("image")],
        "ignored": ignored(world),
        "edits": edits(world),
    }


def _image(image: Held) -> dict[str, Any]:
    return {"uri": image.uri, "cid": image.cid, "author": image.author, "blob": image.value["blob"]}


def ignored(world: World) -> list[dict[str, Any]]:
    """§0: one row per URI that does not count, by URI."""
    return [
        {"uri": uri, "cid": world.choices[uri].cid, "rule": rule, "reason": reason}
        for uri, (rule, reason) in sorted(world.ignored.items())
    ]


def edits(world: World) -> list[dict[str, Any]]:
    """V6: a row exists when `others` is not empty or `deleted` is true; never for O6."""
    return [
        {
            "uri": uri,
            "kept": None if choice.kept is None else choice.kept.cid,
            "others": choice.others,
            "deleted": choice.deleted,
        }
        for uri, choice in sorted(world.choices.items())
        if choice.rule != "O6" and (choice.others or choice.deleted)
    ]


def records_at(world: World, home: Held) -> list[str]:
    """J: every record URI that counts at a place, in (createdAt, uri) order."""
    return [uri for uri in world.counting if world.home_of.get(uri) == home.uri]


def records_in_space(world: World, space: Held) -> list[str]:
    """J: what belongs to no project or goal; an agent in every space of its author."""
    return [
        record.uri
        for record in world.counting.values()
        if world.home_of.get(record.uri) == space.uri
        or (record.kind == "agent" and space.uri in world.spaces_of[record.uri])
    ]


def _space(world: World, space: Held) -> dict[str, Any]:
    return {
        "uri": space.uri,
        "cid": space.cid,
        "digest": digests.space_digest(world, space),
        "name": space.value["name"],
        "description": space.value.get("description"),
        "root": space.author,
        "records": records_in_space(world, space),
        "members": settings.members(world, space),
        "grants": settings.grants(world, space),
        "guestComments": settings.guest_comments(world, space),
        "artifactTypes": settings.registry(world, space),
        "agents": settings.agents(world, space),
        "projects": [_project(world, project) for project in world.anchored("project", "space", space.uri)],
        "goals": [_goal(world, goal) for goal in world.anchored("goal", "space", space.uri)],
    }


def _place(world: World, home: Held) -> dict[str, Any]:
    """J: what projects and goals show alike."""
    here = world.anchored("artifact", home.kind, home.uri)
    return {
        "uri": home.uri,
        "cid": home.cid,
        "digest": digests.place_digest(world, home),
        "records": records_at(world, home),
        "requests": [requests.view(world, one) for one in world.anchored("artifactRequest", home.kind, home.uri)],
        "artifacts": [artifacts.view(world, one) for one in here],
        "chains": artifacts.chains(world, here),
    }


def _project(world: World, project: Held) -> dict[str, Any]:
    place = _place(world, project)
    system = artifacts.system(world, project, place["chains"])
    return {**place, **goals.project_head(world, project), "system": system}


def _goal(world: World, goal: Held) -> dict[str, Any]:
    return {
        **_place(world, goal),
        **goals.goal_head(world, goal),
        "messages": artifacts.thread(world, "goal", goal.uri),
        "guests": settings.guests(world, goal),
    }
