"""Strategy: what became of a request (R2-R8, A3) and of the claims on it (C3, C7).

Every predicate is asked anew of the records that count; nothing is kept between questions.
"""

from __future__ import annotations

from typing import Any

from tests.oracle.goals import goal_of, is_archived, is_ended, project_of
from tests.oracle.held import Held, latest
from tests.oracle.references import follow, optional_reference, reference
from tests.oracle.versions import expiry
from tests.oracle.world import World

BUILT_IN = ("plan", "implementation")
OUTSIDE_REGISTRY = ("review", "answer")


def definition(world: World, space: str, name: str) -> Held | None:
    """A2: the artifactType that defines a name, latest-wins."""
    named = [one for one in world.anchored("artifactType", "space", space) if one.value["name"] == name]
    return latest(named)


def scope(world: World, space: str, name: str) -> str | None:
    """A1, A2: the scope of a type in the registry, None when it is unknown there."""
    defined = definition(world, space, name)
    if defined is not None:
        return str(defined.value["scope"])
    return "goal" if name in BUILT_IN else None


def scope_fits(world: World, request: Held) -> bool | None:
    """A3, J: true for `review` and `answer`, null for an unknown type."""
    if request.value["type"] in OUTSIDE_REGISTRY:
        return True
    wanted = scope(world, world.spaces_of[request.uri][0], request.value["type"])
    return None if wanted is None else wanted in request.value


def about(world: World, request: Held) -> list[Held]:
    """Return the messages whose `re` resolves to a request, in order."""
    return [message for message in world.anchored("message", "re", request.uri) if follow(world, message, "re")]


def declines(message: Held) -> bool:
    """R4, R6: `declines: true`."""
    return message.value.get("declines") is True


def is_answer(world: World, request: Held, message: Held) -> bool:
    """R2: a message of the assignee that does not decline, with `parent` = the subject of an `answer` request."""
    if request.value["type"] != "answer" or declines(message) or message.author != request.value["assignee"]:
        return False
    parent = follow(world, message, "parent")
    return parent is not None and parent.uri == request.target("subject")


def fulfilments(world: World, request: Held) -> list[Held]:
    """R2: all fulfilments, in (createdAt, uri) order."""
    if request.value["type"] == "answer":
        return [message for message in about(world, request) if is_answer(world, request, message)]
    kind = "review" if request.value["type"] == "review" else "artifact"
    named = world.anchored(kind, "request", request.uri)
    return [one for one in named if follow(world, one, "request") is request]


def retraction(world: World, request: Held) -> Held | None:
    """R3: the first retractRequest."""
    return next(iter(world.anchored("retractRequest", "request", request.uri)), None)


def decline(world: World, request: Held) -> Held | None:
    """R4: the first message with `re` = this request and `declines: true` by the assignee."""
    assignee = request.value.get("assignee")
    said = [message for message in about(world, request) if declines(message) and message.author == assignee]
    return said[0] if said else None


def is_open(world: World, request: Held) -> bool:
    """R5: not fulfilled, not retracted, not declined."""
    return not fulfilments(world, request) and retraction(world, request) is None and decline(world, request) is None


def is_dispatchable(world: World, request: Held) -> bool:
    """R5: open, its goal not ended, its project (the goal's, or its own) not archived."""
    goal = goal_of(world, request)
    ended = goal is not None and is_ended(world, goal)
    return is_open(world, request) and not ended and not is_archived(world, project_of(world, request))


def may_question(world: World, request: Held, author: str) -> bool:
    """R6: the assignee or, on an unassigned request, a member of kind `agent`."""
    if "assignee" in request.value:
        return bool(author == request.value["assignee"])
    return world.memberships[world.spaces_of[request.uri][0]].is_agent(author)


def questions(world: World, request: Held) -> list[Held]:
    """R6: the messages that ask something of whoever requested."""
    return [
        message
        for message in about(world, request)
        if not declines(message)
        and not is_answer(world, request, message)
        and may_question(world, request, message.author)
    ]


def reply(world: World, question: Held) -> Held | None:
    """R6: the first message whose `parent` resolves to the question, by another author."""
    replies = [
        message
        for message in world.anchored("message", "parent", question.uri)
        if follow(world, message, "parent") is question and message.author != question.author
    ]
    return replies[0] if replies else None


def is_awaiting_input(world: World, request: Held) -> bool:
    """R6: open, and some question has no reply."""
    return is_open(world, request) and any(reply(world, one) is None for one in questions(world, request))


def claims_on(world: World, request_uri: str) -> list[Held]:
    """C3: the claims on a request in rank order."""
    return world.anchored("claim", "request", request_uri)


def request_uri(record: Held) -> str | None:
    """C7: the request that a record was written for; a message's is its `re`."""
    return record.target("re" if record.kind == "message" else "request")


def is_lost(world: World, record: Held) -> bool | None:
    """C7: a claim on the same request ranks before this one and was declared to last beyond its `createdAt`."""
    claim = follow(world, record, "claim")
    if claim is None or claim.target("request") != request_uri(record):
        return None
    rivals = [other for other in claims_on(world, str(claim.target("request"))) if other.order < claim.order]
    return any(expiry(other.value) > claim.created for other in rivals)


def fencing(world: World, record: Held) -> dict[str, Any] | None:
    """C7: `claim: {uri, lost}`, null when the record names no claim."""
    uri = record.target("claim")
    return None if uri is None else {"uri": uri, "lost": is_lost(world, record)}


def view(world: World, request: Held) -> dict[str, Any]:
    """J: one request."""
    value = request.value
    retracted, declined = retraction(world, request), decline(world, request)
    fits = scope_fits(world, request)
    return {
        "uri": request.uri,
        "cid": request.cid,
        "author": request.author,
        "createdAt": value["createdAt"],
        "type": value["type"],
        "assignee": value.get("assignee"),
        "subject": optional_reference(world, request, "subject"),
        "basedOn": [reference(world, request, "basedOn", ref) for ref in value["basedOn"]]
        if "basedOn" in value
        else None,
        "autoReview": value.get("autoReview"),
        "typeKnown": fits is not None,
        "scopeFits": fits,
        "open": is_open(world, request),
        "dispatchable": is_dispatchable(world, request),
        "awaitingInput": is_awaiting_input(world, request),
        "fulfilledBy": [one.uri for one in fulfilments(world, request)],
        "declinedBy": None if declined is None else declined.uri,
        "retractedBy": None if retracted is None else retracted.uri,
        "claims": [claim.uri for claim in claims_on(world, request.uri)],
        "questions": [_question(world, question) for question in questions(world, request)],
    }


def _question(world: World, question: Held) -> dict[str, Any]:
    answer = reply(world, question)
    return {"uri": question.uri, "author": question.author, "answeredBy": None if answer is None else answer.uri}
