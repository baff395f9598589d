"""Hostile input: deep, long, crowded and circular, each in (nearly) linear time and with a reason.

Strategy: what must not crash is run at full size. What must not be slow is run at three small sizes while every line of
Python that runs in the core is counted: twice the size may take a little more than twice the lines, never four times.
"""

from __future__ import annotations

import collections
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import radial_core
from radial_core import Record, ledger, materialize, read_jsonl
from radial_core.canonical import cid_of, encode

if TYPE_CHECKING:
    from collections.abc import Callable

PREFIX = "com.disnetdev.radial."
ROOT = "did:plc:root"
CID = "bafyreiaunseenunseenunseenunseenunseenunseenunseenunseenun"
CORE = str(Path(radial_core.__file__).parent)
COLLECTIONS = collections.__file__  # containers written in Python


def uri(kind: str, key: object) -> str:
    return f"at://{ROOT}/{PREFIX}{kind}/{key}"


def ref(kind: str, key: object) -> dict[str, str]:
    return {"uri": uri(kind, key), "cid": CID}


def record(kind: str, key: object, seconds: int = 0, /, **fields: Any) -> Record:
    at = f"2026-03-{1 + seconds // 86400:02}T{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}Z"
    value = {"$type": PREFIX + kind, "createdAt": at, **fields}
    return Record(uri=uri(kind, key), cid=CID, value=value)


SPACE = record("space", "s", name="Lab")
PROJECT = record("project", "p", space=ref("space", "s"), name="P", gitUrl="https://x.example", defaultBranch="main")
GOAL = record("goal", "g", space=ref("space", "s"), project=ref("project", "p"), title="T", body="B")
WORLD = [SPACE, PROJECT, GOAL]


def requests(count: int) -> list[Record]:
    return [record("artifactRequest", n, n, goal=ref("goal", "g"), type="plan") for n in range(count)]


def chain(count: int) -> list[Record]:
    """One artifact after another, each naming the one before."""
    prevs = [{"prev": ref("artifact", n - 1)} if n else {} for n in range(count)]
    asked = ref("artifactRequest", 0)
    made = (
        record("artifact", n, n, goal=ref("goal", "g"), request=asked, type="plan", body="b", **prevs[n])
        for n in range(count)
    )
    return [*WORLD, *requests(1), *made]


def replies(count: int) -> list[Record]:
    """One message under another."""
    parents = [{"parent": ref("message", n - 1)} if n else {} for n in range(count)]
    return [*WORLD, *(record("message", n, n, goal=ref("goal", "g"), body="b", **parents[n]) for n in range(count))]


def ring(count: int) -> list[Record]:
    """Messages that are each other's ancestors, and artifacts likewise."""
    talk = [
        record("message", n, n, goal=ref("goal", "g"), body="b", parent=ref("message", (n + 1) % count))
        for n in range(count)
    ]
    work = [
        record(
            "artifact",
            n,
            n,
            goal=ref("goal", "g"),
            request=ref("artifactRequest", 0),
            type="plan",
            body="b",
            prev=ref("artifact", (n + 1) % count),
        )
        for n in range(count)
    ]
    return [*WORLD, *requests(1), *talk, *work]


def rivals(count: int) -> list[Record]:
    """Many claims on one request, and an artifact under each."""
    lease = {"renewedAt": "2026-03-01T23:00:00Z", "expiresAt": "2026-03-01T23:59:00Z"}
    claims = [record("claim", n, n, request=ref("artifactRequest", 0), **lease) for n in range(count)]
    return [*WORLD, *requests(1), *claims]


def diamonds(levels: int) -> list[Record]:
    """Requests in pairs, each based on both of the pair below: 2^levels paths."""
    made = []
    for level in range(levels):
        basis = [ref("artifactRequest", f"{level - 1}-{side}") for side in "ab"] if level else []
        for side in "ab":
            key = f"{level}-{side}"
            made.append(record("artifactRequest", key, level, goal=ref("goal", "g"), type="plan", basedOn=basis))
    return [*WORLD, *made]


def versions(count: int) -> list[Record]:
    """One URI rewritten again and again, and seen at each step."""
    values = [{**GOAL.value, "closed": bool(n % 2), "n": n // 2} for n in range(count)]
    revs = ("3k" + "".join("234567ab"[int(digit)] for digit in f"{n:011o}") for n in range(count))
    goals = (
        Record(uri=GOAL.uri, cid=cid_of(value), value=value, rev=rev) for value, rev in zip(values, revs, strict=True)
    )
    return [SPACE, PROJECT, *goals]


def log(count: int) -> list[Record]:
    """Grants and removals of one member, over and over."""
    about = {"space": ref("space", "s"), "did": "did:plc:ada"}
    made = []
    for n in range(count // 2):
        made.append(record("addMember", n, 2 * n, **about, kind="human", role="admin"))
        made.append(record("removeMember", n, 2 * n + 1, **about, membership=ref("addMember", n)))
    return [SPACE, *made]


def crowd(count: int) -> list[Record]:
    """Many goals in many projects, all of them with a merged artifact."""
    made = [SPACE]
    project = {"space": ref("space", "s"), "name": "P", "gitUrl": "https://x.example", "defaultBranch": "main"}
    for n in range(count // 5):
        work = {"goal": ref("goal", n), "type": "implementation"}
        made += [
            record("project", n, n, **project),
            record("goal", n, n, space=ref("space", "s"), project=ref("project", n), title="T", body="B"),
            record("artifactRequest", n, n, **work),
            record("artifact", n, n, **work, request=ref("artifactRequest", n), body="b"),
            record("merge", n, n, artifact=ref("artifact", n), pr="https://x.example/1"),
        ]
    return made


def answers(count: int) -> list[Record]:
    """An assignee who answers one request again and again."""
    subject = record("message", "q", goal=ref("goal", "g"), body="?")
    asked = {"goal": ref("goal", "g"), "type": "answer", "assignee": ROOT, "subject": ref("message", "q")}
    said = {"goal": ref("goal", "g"), "body": "b", "re": ref("artifactRequest", "a"), "parent": ref("message", "q")}
    made = (record("message", n, n, **said) for n in range(count))
    return [*WORLD, subject, record("artifactRequest", "a", **asked), *made]


def talk_about_one_request(count: int) -> list[Record]:
    """Questions and their replies, all about one request."""
    about = {"goal": ref("goal", "g"), "body": "b", "re": ref("artifactRequest", 0)}
    return [*WORLD, *requests(1), *(record("message", n, n, **about) for n in range(count))]


def talk_from_elsewhere(count: int) -> list[Record]:
    """Questions about one request of a project, each in the thread of another goal, and each with an answer there."""
    asked = record("artifactRequest", "p", project=ref("project", "p"), type="plan")
    made = [SPACE, PROJECT, asked]
    for n in range(count // 3):
        thread = {"goal": ref("goal", n), "body": "b"}
        made += [
            record("goal", n, n, space=ref("space", "s"), project=ref("project", "p"), title="T", body="B"),
            record("message", n, n, **thread, re=ref("artifactRequest", "p")),
            record("message", f"{n}-a", n, **thread, parent=ref("message", n)),
        ]
    return made


def test_a_chain_of_100_000_versions_is_one_chain() -> None:
    view = materialize(chain(100_000)).goal(GOAL.uri)
    assert view is not None
    (versions,) = view.chains
    assert (len(versions.versions), versions.current, versions.forks) == (100_000, uri("artifact", 99_999), False)


def test_100_000_replies_stand_one_under_another() -> None:
    index = materialize(replies(100_000))
    view = index.goal(GOAL.uri)
    assert view is not None
    assert [view.messages[0].depth, view.messages[-1].depth, len(view.messages)] == [0, 99_999, 100_000]
    json.dumps(index.to_json())


def test_a_ring_of_10_000_is_no_loop() -> None:
    view = materialize(ring(10_000)).goal(GOAL.uri)
    assert view is not None
    assert {message.depth for message in view.messages} == {0}
    assert not any(message.parent is None or message.parent.resolved for message in view.messages)
    assert [(len(one.versions), one.forks) for one in view.chains] == [(10_000, False)]


def test_24_stacked_diamonds_are_walked_once_each() -> None:
    index = materialize(diamonds(24))
    top, bottom = uri("artifactRequest", "23-a"), uri("artifactRequest", "0-a")
    assert len(index.upstream(top)) == 46
    assert len(index.downstream(bottom)) == 46


def test_10_000_claims_are_ranked() -> None:
    index = materialize(rivals(10_000))
    assert len(index.leases(uri("artifactRequest", 0))) == 10_000
    view = index.request(uri("artifactRequest", 0))
    assert view is not None
    assert view.claims[0] == uri("claim", 0)
    assert view.claims[-1] == uri("claim", 9_999)


def nested(depth: int) -> Any:
    value: Any = "leaf"
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(("levels", "counts"), [(63, True), (64, False), (2_000, False), (100_000, False)])
def test_a_value_may_be_64_levels_deep(levels: int, counts: bool) -> None:  # noqa: FBT001
    deep = Record(uri=SPACE.uri, cid=CID, value={**SPACE.value, "extra": nested(levels)})
    index = materialize([deep, PROJECT])
    assert [row.rule for row in index.ignored] == ([] if counts else ["L6", "L5"][::-1])
    assert (index.space(SPACE.uri) is not None) is counts


def test_a_line_of_100_000_levels_is_named_and_its_neighbours_read() -> None:
    good = json.dumps({"uri": SPACE.uri, "value": SPACE.value})
    deep = '{"uri":"x","value":' + "[" * 100_000 + "]" * 100_000 + "}"
    malformed: list[Any] = []
    assert len(list(read_jsonl([good, deep, good], on_malformed=malformed.append))) == 2
    assert [(line.number, line.faults) for line in malformed] == [(2, ("nested deeper than 512 levels @ $",))]


@pytest.mark.parametrize(("spare", "counts"), [(0, True), (-1, False)])
def test_a_record_may_be_a_mebibyte_long(spare: int, counts: bool) -> None:  # noqa: FBT001
    def sized(length: int) -> dict[str, Any]:
        return {**SPACE.value, "description": "d" * length}

    overhead = len(encode(sized(900_000))) - 900_000
    value = sized(1_048_576 - overhead - spare)
    assert len(encode(value)) == 1_048_576 - spare
    index = materialize([Record(uri=SPACE.uri, cid=cid_of(value), value=value)])
    assert (index.space(SPACE.uri) is not None) is counts
    assert [row.rule for row in index.ignored] == ([] if counts else ["L6"])


def lines_run(work: Callable[..., object], *arguments: object) -> int:
    """Count the lines of the core that run, loops and all."""
    count = 0

    def within(_frame: Any, event: str, _argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return within

    def enter(frame: Any, _event: str, _argument: Any) -> Any:
        return within if frame.f_code.co_filename.startswith((CORE, "<attrs", "<cattrs", COLLECTIONS)) else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        work(*arguments)
    finally:
        sys.settrace(before)
    return count


SHAPES = [chain, replies, ring, rivals, versions, log, crowd, answers, talk_about_one_request, talk_from_elsewhere]


def everything(records: list[Record]) -> object:
    """Fold and show: a view is made only when somebody looks."""
    return materialize(records).to_json()


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_twice_the_records_take_about_twice_the_lines(shape: Callable[[int], list[Record]]) -> None:
    counts = [lines_run(everything, shape(size)) for size in (200, 400, 800)]
    assert counts[1] < 2.3 * counts[0]
    assert counts[2] < 2.3 * counts[1]


def one_by_one(records: list[Record]) -> object:
    """Extend by one record at a time: nothing already there may be gone through again."""
    index = materialize([])
    for one in records:
        index = index.extend([one])
    return index


# All versions of one record are weighed against each other (V).
GROWING = [shape for shape in SHAPES if shape is not versions]


@pytest.mark.parametrize("shape", GROWING, ids=lambda shape: shape.__name__)
def test_twice_the_extensions_take_about_twice_the_lines(shape: Callable[[int], list[Record]]) -> None:
    counts = [lines_run(one_by_one, shape(size)) for size in (50, 100, 200)]
    assert counts[1] < 2.3 * counts[0]
    assert counts[2] < 2.3 * counts[1]


# One step that concerns much: who leaves, what moves ------------------------------------------------------------------

ADA = "did:plc:ada"


def by_ada(one: Record) -> Record:
    """The same record in the repo of somebody who may be removed."""
    return Record(uri=one.uri.replace(ROOT, ADA), cid=one.cid, value=one.value)


def ref_by_ada(kind: str, key: object) -> dict[str, str]:
    return {"uri": uri(kind, key).replace(ROOT, ADA), "cid": CID}


ADD_ADA = record("addMember", "ada", space=ref("space", "s"), did=ADA, kind="human", role="member")
REMOVE_ADA = record("removeMember", "ada", 1, space=ref("space", "s"), did=ADA, membership=ref("addMember", "ada"))


def work_of_one_member(count: int) -> tuple[list[Record], list[Record]]:
    """Many artifacts on one goal, with a checkrun each; their author is removed."""
    asked = {"goal": ref("goal", "g"), "type": "plan"}
    made = [
        by_ada(record("artifact", n, n, **asked, request=ref("artifactRequest", 0), body="b")) for n in range(count)
    ]
    runs = [record("checkrun", n, n, artifact=ref_by_ada("artifact", n), commit="c", results=[]) for n in range(count)]
    return [*WORLD, *requests(1), ADD_ADA, *made, *runs], [REMOVE_ADA]


def projects_of_one_member(count: int) -> tuple[list[Record], list[Record]]:
    """Many projects with a goal each; the author of the projects is removed."""
    made = [by_ada(Record(uri=uri("project", n), cid=CID, value=PROJECT.value)) for n in range(count)]
    goals = [
        record("goal", n, n, space=ref("space", "s"), project=ref_by_ada("project", n), title="T", body="B")
        for n in range(count)
    ]
    return [SPACE, ADD_ADA, *made, *goals], [REMOVE_ADA]


def many_rewrites(count: int) -> tuple[list[Record], list[Record]]:
    """Other versions of all requests of a goal, in one batch."""
    asked = requests(count)
    return [*WORLD, *asked], [Record(uri=one.uri, cid=cid_of({}), value={**one.value, "brief": "b"}) for one in asked]


@pytest.mark.parametrize(
    "step", [work_of_one_member, projects_of_one_member, many_rewrites], ids=lambda step: step.__name__
)
def test_a_step_that_concerns_twice_as_much_takes_about_twice_the_lines(
    step: Callable[[int], tuple[list[Record], list[Record]]],
) -> None:
    counts = []
    for size in (50, 100, 200):
        before, batch = step(size)
        counts.append(lines_run(materialize(before).extend, batch))
        assert materialize(before).extend(batch).to_json() == materialize([*before, *batch]).to_json()
    assert counts[1] < 2.3 * counts[0]
    assert counts[2] < 2.3 * counts[1]


def test_a_version_seen_again_is_not_compared_with_all_that_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[object] = []

    def compare(one: object, other: object) -> bool:
        compared.append(one)
        return one == other

    monkeypatch.setattr(ledger, "_same_value", compare)
    index = materialize([SPACE])
    for n in range(20):
        seen_at = f"2026-03-01T09:00:{n:02}Z"
        index = index.extend([Record(uri=SPACE.uri, cid=CID, value=dict(SPACE.value), seen_at=seen_at)])
    assert len(compared) == 20


def test_the_line_counter_sees_a_quadratic_walk() -> None:
    """The guard itself: folding all over again for each record must show."""

    def again_and_again(records: list[Record]) -> None:
        for end in range(len(records)):
            materialize(records[:end])

    small, large = (lines_run(again_and_again, replies(size)) for size in (20, 40))
    assert large > 3 * small


def test_provenance_is_walked_in_linear_time() -> None:
    counts = []
    for levels in (20, 40, 80):
        index = materialize(diamonds(levels))
        counts.append(lines_run(index.upstream, uri("artifactRequest", f"{levels - 1}-a")))
    assert counts[2] < 2.3 * counts[1] < 2.3 * 2.3 * counts[0]
