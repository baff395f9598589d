"""What asking costs: twice the records take twice the lines of Python, never four times (RK-13.4).

Every record of these worlds stands on one goal, or everybody is in one space.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from radial_core import Index, materialize, parse_instant
from radial_core.acts.references import MEMBER, resolve
from radial_core.query.answers import QUESTIONS, Question
from radial_core.query.asking import Reader
from radial_core.query.happenings import lately, timeline
from radial_core.query.inbox import inbox
from radial_core.query.lineage import ancestry, offspring
from radial_core.query.lists import queue
from radial_core.query.web import Web
from tests.core.small_world import ANN, BOT, GOAL, ON_THE_SPACE, PROJECT, ROOT, SPACE, add, ref, uri_of, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from radial_core import Record

NOW = parse_instant("2027-01-01T00:00:00Z")
LAST = uri_of(BOT, "artifact", "a")


def world(size: int) -> Index:
    """One chain of versions, each asked for, reviewed, checked and talked about; everybody asks Ann for everything."""
    made: list[Record] = [*ON_THE_SPACE, PROJECT, GOAL]
    prev: dict[str, Any] = {}
    for number in range(size):
        key, here = f"a{number}" if number else "a", {"goal": ref(GOAL)}
        asked = write(ANN, "artifactRequest", 100, f"plan{number}", type="plan", **here)
        work = write(BOT, "artifact", 101, key, request=ref(asked), type="plan", title="T", body="b", **here, **prev)
        about = {"type": "review", "subject": ref(work), "assignee": (ANN, ROOT)[number % 2], **here}
        verdict = write(ROOT, "artifactRequest", 102, f"review{number}", **about)
        run = write(BOT, "checkrun", 103, key, artifact=ref(work), commit="c", results=[])
        talk = write(BOT, "message", 104, key, body="?", re=ref(asked), mentions=[ANN], **here)
        made += [asked, work, verdict, run, talk, add(SPACE, 100, f"did:plc:m{number}", "human", "member")]
        prev = {"prev": ref(work)} if number % 2 else {}
    index = materialize(made)
    assert len(index.spaces[0].goals[0].artifacts) == size  # shown once, so that no question pays for it
    assert index.ignored == ()
    return index


def ask(question: str) -> Callable[[Index], object]:
    about = "b" if question == "search" else LAST
    return lambda index: Reader(index).ask(Question(ask=question, about=about))


WAYS: dict[str, Callable[[Index], object]] = {
    **{question: ask(question) for question in QUESTIONS},
    "inbox": lambda index: inbox(index, ANN, NOW),
    "inbox of the root": lambda index: inbox(index, ROOT, NOW),
    "queue": queue,
    "lately": lambda index: lately(index, 10),
    "timeline": lambda index: timeline(index, Web(index), GOAL.uri),
    "ancestry": lambda index: ancestry(index, LAST),
    "offspring": lambda index: offspring(index, LAST),
    "somebody": lambda index: resolve(index, "nobody", kinds=[MEMBER], handles=handles(index)),
    "something": lambda index: resolve(index, "nothing", kinds=["goal", "artifact", "message"]),
}


def handles(index: Index) -> dict[str, str]:
    members = index.spaces[0].members
    return {f"{n}.{member.did.rpartition(':')[2]}.example": member.did for member in members for n in range(10)}


def lines_run(work: Callable[[Index], object], index: Index) -> int:
    """Count the lines of the package that run."""
    count = 0

    def trace(frame: Any, event: str, _argument: Any) -> Any:
        nonlocal count
        if event == "call":
            return trace if "radial_core" in frame.f_code.co_filename else None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work(index)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("way", WAYS)
def test_twice_the_records_take_twice_the_lines(way: str) -> None:
    small, large = world(60), world(120)
    assert lines_run(WAYS[way], large) < 2.5 * lines_run(WAYS[way], small)
