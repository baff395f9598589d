"""A revision works through findings by their names, and says which ones it took up."""

from __future__ import annotations

import attrs
import pytest

from radial_core import materialize
from radial_core.dispatch.assignment import Assignment, assign
from radial_core.dispatch.bundle import bundle
from radial_core.dispatch.drafting import Write
from radial_core.dispatch.lifecycle import Start
from radial_core.dispatch.turn import Answer, Turn, advance
from tests.core.small_world import BOT
from tests.dispatch.test_bundle import REVIEW_1, REVIEW_2, REVISED, REVISION
from tests.dispatch.turns import SAID, assigned, names, submit

INDEX = materialize(REVISED)
OPEN = (f"{REVIEW_2.uri}#/findings/0", f"{REVIEW_2.uri}#/findings/1")
CLOSED = f"{REVIEW_1.uri}#/findings/0"


def revised(**said: object) -> tuple[Turn, Answer]:
    assignment = assign(INDEX, REVISION.uri, author=BOT, turn="1")
    assert isinstance(assignment, Assignment)
    turn, _ = advance(Turn(assignment=assignment), Start())
    return submit(turn, SAID["artifact"] | said, index=INDEX)


def test_the_open_findings_are_those_that_the_bundle_names() -> None:
    turn, _ = revised()
    told = [dict(piece.marks) for piece in bundle(INDEX, REVISION.uri).section("findings").pieces if piece.text]
    assert turn.assignment.findings == OPEN == tuple(marks["id"] for marks in told)


def test_a_review_has_none_to_take_up() -> None:
    assert assigned("review").findings == ()


@pytest.mark.parametrize(
    ("addressed", "left"),
    [
        ([*OPEN], None),
        ([OPEN[1]], f"1 open finding is not among them: {OPEN[0]}"),
        ([], f"2 open findings are not among them: {OPEN[0]}, {OPEN[1]}"),
    ],
)
def test_what_was_taken_up_is_kept_beside_the_record_and_what_was_left_is_said(
    addressed: list[str], left: str | None
) -> None:
    _, answer = revised(addressed=addressed)
    assert isinstance(answer, Write)
    assert answer.addressed == tuple(addressed)
    assert "addressed" not in answer.value
    assert [str(notice) for notice in answer.notices] == [f"{left} @ $.addressed"] * (left is not None)


def test_who_says_nothing_has_taken_up_none() -> None:
    _, silent = revised()
    _, answer = revised(addressed=[])
    assert silent == answer


def test_many_are_named_in_part() -> None:
    assignment = assign(INDEX, REVISION.uri, author=BOT, turn="1")
    assert isinstance(assignment, Assignment)
    many = tuple(f"{REVIEW_2.uri}#/findings/{number}" for number in range(9))
    turn = Turn(assignment=attrs.evolve(assignment, findings=many))
    _, answer = submit(advance(turn, Start())[0], SAID["artifact"], index=INDEX)
    assert isinstance(answer, Write)
    assert answer.notices[0].message.endswith(f"{many[2]} and 6 more")


@pytest.mark.parametrize(
    ("addressed", "name", "remedy"),
    [
        ([OPEN[0], CLOSED], "UnknownFinding", f"name open findings by their ids: {OPEN[0]}, {OPEN[1]}"),
        ([OPEN[0], OPEN[0]], "NamedTwice", "name each finding once"),
    ],
)
def test_a_name_of_no_open_finding_is_refused_with_those_that_are(addressed: list[str], name: str, remedy: str) -> None:
    _, answer = revised(addressed=addressed)
    assert names(answer) == (name, "$.addressed[1]")
    assert str(answer).endswith(remedy)


def test_where_none_is_open_none_can_be_named() -> None:
    turn, _ = advance(Turn(assignment=assigned()), Start())
    _, answer = submit(turn, SAID["artifact"] | {"addressed": ["x"]})
    assert names(answer) == ("UnknownFinding", "$.addressed[0]")
    assert str(answer).endswith("leave it out: none is open")
