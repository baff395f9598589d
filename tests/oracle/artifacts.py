"""Strategy: what stands on an artifact, and how artifacts follow one another (R8, X, M1)."""

from __future__ import annotations

from typing import Any

from tests.oracle.goals import auto_review, project_of
from tests.oracle.held import Held, in_order
from tests.oracle.instants import instant
from tests.oracle.references import follow, optional_reference, pin
from tests.oracle.requests import fencing
from tests.oracle.world import World


def effective_auto_review(world: World, artifact: Held) -> bool:
    """R8: its request's, else the project's effective map for its type, else false."""
    request = follow(world, artifact, "request")
    if request is not None and "autoReview" in request.value:
        return bool(request.value["autoReview"])
    return auto_review(world, project_of(world, artifact)).get(artifact.value["type"], False)


def merged(world: World, artifact: Held) -> dict[str, Any] | None:
    """X5: the first merge of an artifact; `at` is its `mergedAt`, else its `createdAt`."""
    merges = world.anchored("merge", "artifact", artifact.uri)
    if not merges:
        return None
    first = merges[0]
    at = first.value.get("mergedAt", first.value["createdAt"])
    return {"at": at, "pr": first.value["pr"], "by": first.author, "record": first.uri}


def passes(checkrun: Held) -> bool:
    """X4: every result passes and there is at least one."""
    results = checkrun.value["results"]
    return bool(results) and all(result["pass"] for result in results)


def view(world: World, artifact: Held) -> dict[str, Any]:
    """J: one artifact."""
    value = artifact.value
    return {
        "uri": artifact.uri,
        "cid": artifact.cid,
        "author": artifact.author,
        "createdAt": value["createdAt"],
        "type": value["type"],
        "title": value.get("title"),
        "request": optional_reference(world, artifact, "request"),
        "prev": optional_reference(world, artifact, "prev"),
        "model": value.get("model"),
        "claim": fencing(world, artifact),
        "autoReview": effective_auto_review(world, artifact),
        "reviews": [_review(world, one, artifact) for one in world.anchored("review", "subject", artifact.uri)],
        "checkruns": [_checkrun(one) for one in world.anchored("checkrun", "artifact", artifact.uri)],
        "merged": merged(world, artifact),
        "messages": thread(world, "artifact", artifact.uri),
    }


def _review(world: World, review: Held, subject: Held) -> dict[str, Any]:
    """X3: a review, with the pin of its subject."""
    return {
        "uri": review.uri,
        "cid": review.cid,
        "author": review.author,
        "createdAt": review.value["createdAt"],
        "verdict": review.value["verdict"],
        "pin": pin(world, subject, review.value["subject"]["cid"]),
        "request": optional_reference(world, review, "request"),
        "claim": fencing(world, review),
    }


def _checkrun(checkrun: Held) -> dict[str, Any]:
    return {
        "uri": checkrun.uri,
        "cid": checkrun.cid,
        "author": checkrun.author,
        "createdAt": checkrun.value["createdAt"],
        "commit": checkrun.value["commit"],
        "passed": passes(checkrun),
    }


# --- threads (M1) -----------------------------------------------------------------------------------


def thread(world: World, field: str, anchor: str) -> list[dict[str, Any]]:
    """M1: the messages of one anchor as a forest by `parent`, depth-first, siblings in (createdAt, uri) order."""
    messages = world.anchored("message", field, anchor)
    parents = {message.uri: follow(world, message, "parent") for message in messages}
    waiting = [(message, 0) for message in reversed(messages) if parents[message.uri] is None]
    shown = []
    while waiting:
        message, depth = waiting.pop()
        shown.append(_message(world, message, depth))
        children = [child for child in messages if parents[child.uri] is message]
        waiting.extend((child, depth + 1) for child in reversed(children))
    return shown


def _message(world: World, message: Held, depth: int) -> dict[str, Any]:
    return {
        "uri": message.uri,
        "cid": message.cid,
        "author": message.author,
        "createdAt": message.value["createdAt"],
        "parent": optional_reference(world, message, "parent"),
        "depth": depth,
        "re": optional_reference(world, message, "re"),
        "claim": fencing(world, message),
    }


# --- chains (X2, X6) --------------------------------------------------------------------------------


def chains(world: World, artifacts: list[Held]) -> list[dict[str, Any]]:
    """X2: the connected sets of one anchor's artifacts through `prev`, by the URI of the first version."""
    links = [(artifact, follow(world, artifact, "prev")) for artifact in artifacts]
    links = [(artifact, prev) for artifact, prev in links if prev is not None]
    groups = [{artifact.uri} for artifact in artifacts]
    for artifact, prev in links:
        ends = {artifact.uri, prev.uri if prev else artifact.uri}
        touched = [group for group in groups if group & ends]
        groups = [group for group in groups if not group & ends] + [set().union(*touched)]
    succeeded = {prev.uri for _, prev in links if prev is not None}
    found = [_chain(in_order([one for one in artifacts if one.uri in group]), succeeded) for group in groups]
    return sorted(found, key=lambda chain: str(chain["versions"][0]))


def _chain(versions: list[Held], succeeded: set[str]) -> dict[str, Any]:
    """X2: `current` is the last version; `forks` when more than one version has no successor."""
    tips = [version for version in versions if version.uri not in succeeded]
    return {
        "type": versions[0].value["type"],
        "versions": [version.uri for version in versions],
        "current": versions[-1].uri,
        "forks": len(tips) > 1,
    }


def system(world: World, project: Held, chains: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """X6: the current version of every chain anchored at the project, in the order of the chains."""
    return [
        {
            "type": chain["type"],
            "current": chain["current"],
            "staleness": staleness(world, project, world.counting[chain["current"]]),
        }
        for chain in chains
    ]


def staleness(world: World, project: Held, current: Held) -> int:
    """X6: how many implementations on the project's goals were merged later than an artifact was created."""
    goals = [goal.uri for goal in world.anchored("goal", "project", project.uri)]
    merges = [
        merged(world, artifact)
        for artifact in world.all("artifact")
        if artifact.value["type"] == "implementation" and artifact.target("goal") in goals
    ]
    return len([merge for merge in merges if merge is not None and instant(merge["at"]) > current.created])
