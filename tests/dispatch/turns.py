"""Turns in the small world, one for each kind of terminal record."""

from __future__ import annotations

from typing import Any

from radial_core import Index, Record, materialize
from radial_core.dispatch.assignment import Assignment, assign
from radial_core.dispatch.drafting import Write
from radial_core.dispatch.lifecycle import Ask, Start, Submit
from radial_core.dispatch.refusals import Refusal
from radial_core.dispatch.turn import Answer, Turn, advance
from radial_core.identifiers import StrongRef
from tests.core.small_world import ANN, BOT, GOAL, PLAN, REPLY, UNSEEN, WORLD, ref, uri_of, write

NOW = "2026-02-01T10:00:00.000Z"
COMMIT = "0123456789abcdef0123456789abcdef01234567"

OPEN_PLAN = write(ANN, "artifactRequest", 60, goal=ref(GOAL), type="plan", basedOn=[ref(PLAN)])
CODE = write(
    BOT,
    "artifact",
    61,
    goal=ref(GOAL),
    request=ref(OPEN_PLAN),
    type="plan",
    title="T",
    body="b",
    links={"commit": COMMIT},
)
REVIEW = write(ANN, "artifactRequest", 62, goal=ref(GOAL), type="review", subject=ref(CODE))
ANSWER = write(ANN, "artifactRequest", 63, goal=ref(GOAL), type="answer", subject=ref(REPLY), assignee=BOT)
REQUESTS = {"artifact": OPEN_PLAN, "review": REVIEW, "reply": ANSWER}
RECORDS = (*WORLD, OPEN_PLAN, CODE, REVIEW, ANSWER)
INDEX = materialize(RECORDS)
SAID: dict[str, dict[str, Any]] = {
    "artifact": {"title": "A plan", "body": "First this, then that."},
    "review": {"verdict": "approve"},
    "reply": {"body": "Because."},
}
CLAIM = StrongRef(uri_of(BOT, "claim", "c"), UNSEEN)


def assigned(kind: str = "artifact", index: Index = INDEX, turn: str = "1", author: str = BOT) -> Assignment:
    found = assign(index, REQUESTS[kind].uri, author=author, turn=turn)
    assert isinstance(found, Assignment), found
    return found


def started(kind: str = "artifact", **fields: Any) -> Turn:
    turn, answer = advance(Turn(assignment=assigned(kind), **fields), Start())
    assert answer is None
    return turn


def record_of(answer: Answer) -> Record:
    """Observe the record of an answer, as if it had been written."""
    assert isinstance(answer, Write), answer
    return Record(uri=answer.uri, cid=answer.cid, value=answer.value)


def names(answer: Answer) -> tuple[str, ...]:
    """Give a refusal's name and where it points."""
    assert isinstance(answer, Refusal), answer
    return (answer.name, *(fault.path for fault in answer.objections))


def submit(turn: Turn, said: Any, **fields: Any) -> tuple[Turn, Answer]:
    """Submit to a turn; unless a test says otherwise, the daemon looked and nothing had moved."""
    return advance(turn, Submit(kind=turn.assignment.kind, said=said, at=NOW, **{"index": INDEX, **fields}))


def ask(turn: Turn, body: str = "which?") -> tuple[Turn, Answer]:
    return advance(turn, Ask(said={"body": body}, at=NOW))


def value_of(answer: Answer) -> dict[str, Any]:
    assert isinstance(answer, Write), answer
    return answer.value
