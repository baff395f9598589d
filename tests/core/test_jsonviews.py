"""The JSON of an index has the keys of protocol §15, everywhere and no others; values are plain JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from radial_core import materialize
from tests.core.small_world import (
    ADD_ANN,
    ANN,
    AUDIT,
    BLESS,
    BLOB,
    BOT,
    CLAIM,
    CLOSE,
    COMMENT,
    EVE,
    GOAL,
    IMAGE,
    LAB,
    MERGE,
    PLAN,
    PLAN_AGAIN,
    PROFILE,
    PROJECT,
    QUESTION,
    REMARK,
    REPLY,
    REQUEST,
    REVIEW,
    REVIEW_WANTED,
    ROOT,
    SPACE,
    TYPE,
    again,
    at,
    gone,
    ref,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

# Protocol §15 by hand: the keys of each object. A name in capitals is an object of that name; `*` marks a list.
SHAPES: dict[str, str] = {
    "INDEX": "digest spaces*SPACE images*IMAGE ignored*IGNORED edits*EDIT",
    "SPACE": "uri cid digest name description root records members*MEMBER grants*GRANT guestComments "
    "artifactTypes*TYPE agents*AGENT projects*PROJECT goals*GOAL",
    "MEMBER": "did kind role joined grant=PLAIN since",
    "GRANT": "uri cid did kind role by at state endedBy",
    "TYPE": "name scope brief outputSpec builtIn record=PLAIN",
    "AGENT": "uri cid did profile handleName harness models*MODEL artifactTypes",
    "MODEL": "name costHint",
    "PROJECT": "uri cid digest author createdAt name gitUrl defaultBranch checks*CHECK archived autoReview records "
    "requests*REQUEST artifacts*ARTIFACT chains*CHAIN system*SYSTEM",
    "CHECK": "name command",
    "SYSTEM": "type current staleness",
    "GOAL": "uri cid digest author createdAt project=REF title ended ending=ENDING records requests*REQUEST "
    "artifacts*ARTIFACT chains*CHAIN messages*MESSAGE guests*GUEST",
    "ENDING": "disposition at by record",
    "REQUEST": "uri cid author createdAt type assignee subject=REF basedOn*REF autoReview typeKnown scopeFits open "
    "dispatchable awaitingInput fulfilledBy declinedBy retractedBy claims questions*QUESTION",
    "QUESTION": "uri author answeredBy",
    "ARTIFACT": "uri cid author createdAt type title request=REF prev=REF model claim=MARK autoReview reviews*REVIEW "
    "checkruns*CHECKRUN merged=MERGED messages*MESSAGE",
    "MARK": "uri lost",
    "REVIEW": "uri cid author createdAt verdict pin request=REF claim=MARK",
    "CHECKRUN": "uri cid author createdAt commit passed",
    "MERGED": "at pr by record",
    "CHAIN": "type versions current forks",
    "MESSAGE": "uri cid author createdAt parent=REF depth re=REF claim=MARK",
    "GUEST": "bless by guest comment=REF body",
    "IMAGE": "uri cid author blob",
    "IGNORED": "uri cid rule reason",
    "EDIT": "uri kept others*OTHER deleted",
    "OTHER": "cid reason",
    "REF": "uri cid pin resolved",
    "PLAIN": "uri cid",
}


def fields_of(shape: str) -> list[tuple[str, str]]:
    """Give the keys of a shape, each with the shape of what it holds: `*X` for a list of X, nothing for plain data."""
    parts = (field.replace("*", "=*").partition("=") for field in SHAPES[shape].split())
    return [(name, inner) for name, _, inner in parts]


def has_shape(value: Any, shape: str) -> bool:
    return isinstance(value, dict) and value.keys() == {name for name, _ in fields_of(shape)}


def objects(value: Any, shape: str, path: str = "$") -> Iterator[tuple[str, str, Any]]:
    """Yield every object with its path and the shape that it should have; null stands for a missing one."""
    if value is None:
        return
    yield path, shape, value
    for name, inner in fields_of(shape) if has_shape(value, shape) else ():
        if inner.startswith("*"):
            for index, item in enumerate(value[name] or []):
                yield from objects(item, inner[1:], f"{path}.{name}[{index}]")
        elif inner:
            yield from objects(value[name], inner, f"{path}.{name}")


def misshapen(index: Any) -> list[str]:
    """Name every place where an object has not exactly the keys of its shape."""
    return [f"{path} is no {shape}" for path, shape, value in objects(index, "INDEX") if not has_shape(value, shape)]


# A small world with one of everything that §15 can show, and the rows of what does not count.
WORLD = (
    *LAB,
    write(EVE, "message", 60, goal=ref(GOAL), body="no member"),
    gone(CLOSE),
    again(REMARK, body="rewritten"),
    write(ROOT, "review", 61, subject=ref(PLAN), verdict="request_changes", claim=ref(CLAIM)),
    write(ANN, "artifactRequest", 62, "declined", goal=ref(GOAL), type="plan", assignee=BOT),
    write(
        BOT, "message", 63, goal=ref(GOAL), body="no", declines=True,
        re={"uri": f"at://{ANN}/com.disnetdev.radial.artifactRequest/declined", "cid": COMMENT["cid"]},
    ),
)  # fmt: skip
PLAIN = materialize(WORLD).to_json()


def test_every_object_has_the_keys_of_the_protocol() -> None:
    assert misshapen(PLAIN) == []


def test_this_world_fills_every_key() -> None:
    found = objects(PLAIN, "INDEX")
    filled = {(shape, name) for _, shape, value in found for name in value if value[name] not in (None, [])}
    assert {(shape, name) for shape in SHAPES for name, _ in fields_of(shape)} - filled == set()


def test_the_finder_finds() -> None:
    broken = json.loads(json.dumps(PLAIN))
    del broken["spaces"][0]["goals"][0]["requests"][0]["questions"][0]["author"]
    broken["spaces"][0]["goals"][0]["more"] = 1
    assert misshapen(broken) == ["$.spaces[0].goals[0] is no GOAL"]
    del broken["spaces"][0]["goals"][0]["more"]
    assert misshapen(broken) == ["$.spaces[0].goals[0].requests[0].questions[0] is no QUESTION"]


def test_it_is_json_and_nothing_else() -> None:
    assert json.loads(json.dumps(PLAIN, allow_nan=False)) == PLAIN
    stack: list[Any] = [PLAIN]
    while stack:
        item = stack.pop()
        assert type(item) in {dict, list, str, int, bool, type(None)}
        stack.extend(item.values() if isinstance(item, dict) else item if isinstance(item, list) else ())


def test_an_empty_index() -> None:
    plain = materialize([]).to_json()
    assert misshapen(plain) == []
    assert {key: value for key, value in plain.items() if key != "digest"} == {
        "spaces": [],
        "images": [],
        "ignored": [],
        "edits": [],
    }


def test_values_are_the_records_own() -> None:
    (space,) = PLAIN["spaces"]
    (project,), (goal,) = space["projects"], space["goals"]
    assert (space["name"], space["description"], space["root"]) == ("Lab", "All of it", ROOT)
    assert [(member["did"], member["joined"], member["since"]) for member in space["members"]] == [
        (ANN, False, at(1)),
        (BOT, True, at(2)),
        (ROOT, False, at(0)),
    ]
    assert space["members"][0]["grant"] == ref(ADD_ANN)
    assert space["members"][2]["grant"] is None
    assert space["agents"] == [
        {
            "uri": PROFILE.uri,
            "cid": PROFILE.cid,
            "did": BOT,
            "profile": "coder",
            "handleName": "coder",
            "harness": "h",
            "models": [{"name": "m", "costHint": "low"}, {"name": "n", "costHint": None}],
            "artifactTypes": ["plan", "audit"],
        }
    ]
    assert space["artifactTypes"] == [
        {"name": "audit", "scope": "project", "brief": "B", "outputSpec": "O", "builtIn": False, "record": ref(TYPE)},
        *(
            {"name": name, "scope": "goal", "brief": None, "outputSpec": None, "builtIn": True, "record": None}
            for name in ("implementation", "plan")
        ),
    ]
    assert (project["name"], project["checks"], project["autoReview"]) == (
        "New site",
        [{"name": "t", "command": "make"}],
        {"plan": False},
    )
    assert project["system"] == [{"type": "audit", "current": AUDIT.uri, "staleness": 0}]
    assert goal["project"] == {**ref(PROJECT), "pin": "held", "resolved": True}
    assert goal["ending"] == {"disposition": "completed", "at": at(39), "by": ANN, "record": CLOSE.uri}
    assert goal["guests"] == [
        {
            "bless": BLESS.uri,
            "by": ANN,
            "guest": EVE,
            "comment": {**COMMENT, "pin": None, "resolved": False},
            "body": "hi",
        }
    ]
    assert PLAIN["images"] == [{"uri": IMAGE.uri, "cid": IMAGE.cid, "author": ANN, "blob": BLOB}]


def test_a_request_an_artifact_and_a_thread_in_full() -> None:
    (space,) = PLAIN["spaces"]
    (goal,) = space["goals"]
    request = next(one for one in goal["requests"] if one["uri"] == REQUEST.uri)
    held = {"pin": "held", "resolved": True}
    assert request == {
        "uri": REQUEST.uri,
        "cid": REQUEST.cid,
        "author": ANN,
        "createdAt": at(21),
        "type": "plan",
        "assignee": None,
        "subject": {**ref(AUDIT), **held},
        "basedOn": [{**ref(AUDIT), **held}],
        "autoReview": True,
        "typeKnown": True,
        "scopeFits": True,
        "open": False,
        "dispatchable": False,
        "awaitingInput": False,
        "fulfilledBy": [PLAN.uri, PLAN_AGAIN.uri],
        "declinedBy": None,
        "retractedBy": None,
        "claims": [CLAIM.uri],
        "questions": [{"uri": QUESTION.uri, "author": BOT, "answeredBy": REPLY.uri}],
    }
    wanted = next(one for one in goal["requests"] if one["uri"] == REVIEW_WANTED.uri)
    assert (wanted["basedOn"], wanted["autoReview"], wanted["assignee"]) == (None, None, ROOT)
    plan = goal["artifacts"][0]
    assert {
        key: plan[key] for key in ("uri", "title", "request", "prev", "model", "claim", "autoReview", "merged")
    } == {
        "uri": PLAN.uri,
        "title": "T",
        "request": {**ref(REQUEST), **held},
        "prev": None,
        "model": "m",
        "claim": {"uri": CLAIM.uri, "lost": False},
        "autoReview": True,
        "merged": {"at": at(31), "pr": "https://git.example/site/1", "by": ANN, "record": MERGE.uri},
    }
    assert plan["reviews"][0] == {
        "uri": REVIEW.uri,
        "cid": REVIEW.cid,
        "author": ROOT,
        "createdAt": at(28),
        "verdict": "approve",
        "pin": "held",
        "request": {**ref(REVIEW_WANTED), **held},
        "claim": None,
    }
    assert [(one["uri"], one["depth"]) for one in goal["messages"]][:2] == [(QUESTION.uri, 0), (REPLY.uri, 1)]
    assert goal["messages"][1] == {
        "uri": REPLY.uri,
        "cid": REPLY.cid,
        "author": ANN,
        "createdAt": at(24),
        "parent": {**ref(QUESTION), **held},
        "depth": 1,
        "re": None,
        "claim": None,
    }
    assert SPACE.uri in space["records"]
