"""A small world in which every kind of record counts, for tests that ask an index about it.

Strategy: one space of root's with an admin (ann), an agent (bot) and somebody outside (eve); one project, one goal, one
of everything on it; a second space of ann's, so that bot's profile stands in two. Minutes after nine are the dates.
Values are in wire form and become what a reader of lines would make of them; CIDs come from the oracle's encoder.
"""

from __future__ import annotations

from typing import Any

from radial_core import Deletion, Record
from radial_core.jsonform import from_json
from tests.oracle.canonical import cid_of

PREFIX = "com.disnetdev.radial."
ROOT, ANN, BOT, EVE = (f"did:plc:{name}" for name in ("root", "ann", "bot", "eve"))
REVS = tuple(f"3kaaaaaaaaa{letter}2" for letter in "abcdefgh")
UNSEEN = "bafyreiaunseenunseenunseenunseenunseenunseenunseenunseenun"

Ref = dict[str, str]


def at(minute: int) -> str:
    """Give the datetime so many minutes after nine."""
    return f"2026-01-{1 + (540 + minute) // 1440:02}T{(540 + minute) // 60 % 24:02}:{minute % 60:02}:00Z"


def uri_of(did: str, kind: str, key: str) -> str:
    return f"at://{did}/{PREFIX}{kind}/{key}"


def write(did: str, kind: str, minute: int, key: str | None = None, /, **fields: Any) -> Record:
    """Make a record observation; fields that are None are left out."""
    value = {"$type": PREFIX + kind, "createdAt": at(minute), **fields}
    value = {name: inner for name, inner in value.items() if inner is not None}
    return seen(uri_of(did, kind, key or f"m{minute}"), value)


def seen(uri: str, value: Any, rev: str | None = None, seen_at: str | None = None) -> Record:
    """Observe a value in wire form at a URI."""
    return Record(uri=uri, cid=cid_of(value), value=from_json(value), rev=rev, seen_at=seen_at)


def again(record: Record, rev: str | None = None, seen_at: str | None = None, **changes: Any) -> Record:
    """Observe another version, or the same one once more; a change to `...` takes a field out."""
    value = {name: inner for name, inner in {**record.value, **changes}.items() if inner is not ...}
    return seen(record.uri, value, rev, seen_at)


def gone(record: Record, rev: str | None = None, seen_at: str | None = None) -> Deletion:
    return Deletion(uri=record.uri, rev=rev, seen_at=seen_at)


def ref(record: Record) -> Ref:
    return {"uri": record.uri, "cid": record.cid}


def add(space: Record, minute: int, did: str, kind: str, role: str, by: str | None = None) -> Record:
    """Grant membership, on the word of the space's root or of somebody else."""
    author = by or space.uri.split("/")[2]
    return write(author, "addMember", minute, space=ref(space), did=did, kind=kind, role=role)


SPACE = write(ROOT, "space", 0, "lab", name="Lab", description="All of it")
ADD_ANN = add(SPACE, 1, ANN, "human", "admin")
ADD_BOT = add(SPACE, 2, BOT, "agent", "agent", by=ANN)
ADD_EVE = add(SPACE, 3, EVE, "human", "member")
REMOVE_EVE = write(ANN, "removeMember", 4, space=ref(SPACE), did=EVE, membership=ref(ADD_EVE))
JOIN = write(BOT, "join", 5, space=ref(SPACE))
TYPE = write(ROOT, "artifactType", 6, space=ref(SPACE), name="audit", brief="B", outputSpec="O", scope="project")
GUESTS = write(ANN, "setGuestComments", 7, space=ref(SPACE), enabled=True)
PROFILE = write(
    BOT, "agent", 8, "coder", handleName="coder", harness="h", models=[{"name": "m", "costHint": "low"}, {"name": "n"}],
    artifactTypes=["plan", "audit"],
)  # fmt: skip
PROJECT = write(
    ANN, "project", 10, "site", space=ref(SPACE), name="Site", gitUrl="https://git.example/site", defaultBranch="main",
    checks=[{"name": "t", "command": "make"}], autoReview={"plan": True},
)  # fmt: skip
EDIT = write(ANN, "editProject", 11, project=ref(PROJECT), name="New site")
SWITCH = write(ROOT, "setAutoReview", 12, project=ref(PROJECT), type="plan", enabled=False)
UNSHELVE = write(ANN, "archiveProject", 13, project=ref(PROJECT), archived=False)
AUDIT_WANTED = write(ROOT, "artifactRequest", 14, project=ref(PROJECT), type="audit")
AUDIT = write(BOT, "artifact", 15, project=ref(PROJECT), request=ref(AUDIT_WANTED), type="audit", body="clean")
GOAL = write(ROOT, "goal", 20, "ship", space=ref(SPACE), project=ref(PROJECT), title="Ship", body="Do")
REQUEST = write(
    ANN, "artifactRequest", 21, "plan", goal=ref(GOAL), type="plan", basedOn=[ref(AUDIT)], subject=ref(AUDIT),
    autoReview=True, brief="b",
)  # fmt: skip
CLAIM = write(BOT, "claim", 22, request=ref(REQUEST), expiresAt=at(52))
QUESTION = write(BOT, "message", 23, goal=ref(GOAL), body="which?", re=ref(REQUEST), claim=ref(CLAIM), model="m")
REPLY = write(ANN, "message", 24, goal=ref(GOAL), body="that", parent=ref(QUESTION), root=ref(QUESTION), mentions=[BOT])
PLAN = write(
    BOT, "artifact", 25, goal=ref(GOAL), request=ref(REQUEST), type="plan", title="T", body="p", model="m",
    claim=ref(CLAIM),
)  # fmt: skip
PLAN_AGAIN = write(BOT, "artifact", 26, goal=ref(GOAL), request=ref(REQUEST), type="plan", body="q", prev=ref(PLAN))
REVIEW_WANTED = write(ANN, "artifactRequest", 27, goal=ref(GOAL), type="review", subject=ref(PLAN), assignee=ROOT)
REVIEW = write(ROOT, "review", 28, subject=ref(PLAN), request=ref(REVIEW_WANTED), verdict="approve")
CHECKRUN = write(BOT, "checkrun", 29, artifact=ref(PLAN), commit="c0ffee", results=[{"name": "t", "pass": True}])
MERGE = write(ANN, "merge", 30, artifact=ref(PLAN), pr="https://git.example/site/1", mergedAt=at(31))
REMARK = write(ANN, "message", 32, artifact=ref(PLAN), body="nice")
UNWANTED = write(ANN, "artifactRequest", 33, goal=ref(GOAL), type="implementation")
RETRACTION = write(ANN, "retractRequest", 34, request=ref(UNWANTED))
COMMENT = {"uri": uri_of(EVE, "message", "hi"), "cid": UNSEEN}
BLESS = write(ANN, "blessComment", 35, goal=ref(GOAL), comment=COMMENT, body="hi")
BLESS_WITHDRAWN = write(ANN, "blessComment", 36, goal=ref(GOAL), comment=COMMENT, body="hi!")
WITHDRAWAL = write(ROOT, "retractBless", 37, bless=ref(BLESS_WITHDRAWN))
UNPARK = write(BOT, "archiveGoal", 38, goal=ref(GOAL), archived=False)
CLOSE = write(ANN, "closeGoal", 39, goal=ref(GOAL), closed=True, disposition="completed")
LINK = "bafkreiccldh766hwcnuxnf2wh6jgzepf2nlu2lvcllt63eww5p6chi4ity"
BLOB = {"$type": "blob", "ref": {"$link": LINK}, "mimeType": "image/png", "size": 9}
IMAGE = write(ANN, "image", 40, blob=BLOB)

ON_THE_SPACE = (SPACE, ADD_ANN, ADD_BOT, ADD_EVE, REMOVE_EVE, JOIN, TYPE, GUESTS, PROFILE)
ON_THE_PROJECT = (PROJECT, EDIT, SWITCH, UNSHELVE, AUDIT_WANTED, AUDIT)
ON_THE_GOAL = (
    GOAL, REQUEST, CLAIM, QUESTION, REPLY, PLAN, PLAN_AGAIN, REVIEW_WANTED, REVIEW, CHECKRUN, MERGE, REMARK, UNWANTED,
    RETRACTION, BLESS, BLESS_WITHDRAWN, WITHDRAWAL, UNPARK, CLOSE,
)  # fmt: skip
LAB = (*ON_THE_SPACE, *ON_THE_PROJECT, *ON_THE_GOAL, IMAGE)

# A second space, ann's own, where bot is a member too.
ATTIC = write(ANN, "space", 50, "attic", name="Attic")
ADD_BOT_THERE = add(ATTIC, 51, BOT, "agent", "agent")
WORLD = (*LAB, ATTIC, ADD_BOT_THERE)


def uris(*records: Record) -> tuple[str, ...]:
    return tuple(record.uri for record in records)
