"""What answers a thing that waits takes it out of the inbox: by the builders of acts that its commands stand for."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest

from radial_core import Index, Record, materialize
from radial_core.acts.desk import Desk
from radial_core.acts.foresight import foresee
from radial_core.acts.messages import answer, decline, reply
from radial_core.acts.requests import Wish, request, retract_request
from radial_core.acts.spaces import join_space
from radial_core.acts.work import Deliverable, review, submit_artifact
from radial_core.query.inbox import Waiting, inbox
from tests.core.small_world import ANN, BOT, EVE, add, ref
from tests.query.test_inbox import (
    BEN,
    CALL,
    FOR_BEN,
    FOR_BOT,
    LAB,
    NO,
    NOW,
    ODD,
    PLAN,
    QUESTION,
    RED,
    REQUEST,
    SPACE,
    asked,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from radial_core.acts.draft import Act

JUDGE = asked(ANN, 30, "review", subject=ref(PLAN), assignee=BEN)
SAY = asked(ANN, 31, "answer", subject=ref(CALL), assignee=BEN)

WAYS: dict[str, tuple[str, tuple[Record, ...], Callable[[Desk, Waiting], Act]]] = {
    "question": (ANN, (REQUEST, QUESTION), lambda desk, item: reply(desk, item.about, "That one.")),
    "request": (BEN, (FOR_BEN,), lambda desk, item: submit_artifact(desk, item.about, Deliverable(body="Here."))),
    "request, declined": (BEN, (FOR_BEN,), lambda desk, item: decline(desk, item.note.uri, "Away.")),
    "request for a review": (BEN, (REQUEST, PLAN, JUDGE), lambda desk, item: review(desk, item.note.uri, "approve")),
    "request for an answer": (BEN, (CALL, SAY), lambda desk, item: answer(desk, item.note.uri, "So.")),
    "review": (ANN, (REQUEST, PLAN), lambda desk, item: review(desk, item.about, "request_changes")),
    "checks": (ANN, (REQUEST, PLAN, RED), lambda desk, item: request(desk, Wish(type="plan"), context=item.about)),
    "declined": (ANN, (FOR_BOT, NO), lambda desk, item: retract_request(desk, item.about)),
    "stuck": (ANN, (ODD,), lambda desk, item: retract_request(desk, item.about)),
    "mention": (ANN, (CALL,), lambda desk, item: reply(desk, item.about, "Yes?")),
    "invitation": (EVE, (add(SPACE, 29, EVE, "human", "member"),), lambda desk, item: join_space(desk, item.about)),
}


def waiting(index: Index, who: str, kind: str) -> list[Waiting]:
    return [each for each in inbox(index, who, NOW) if each.kind == kind]


@pytest.mark.parametrize("name", WAYS)
def test_answering_takes_it_out(name: str) -> None:
    who, records, act = WAYS[name]
    kind = name.partition(",")[0].partition(" ")[0]
    index = materialize([*LAB, *records])
    (item,) = waiting(index, who, kind)
    numbers = itertools.count()
    desk = Desk(index=index, author=who, now="2026-01-20T00:00:00Z", keys=lambda: f"k{next(numbers)}")
    forecast = foresee(index, who, act(desk, item).drafts)
    assert forecast.refusals == ()
    assert waiting(forecast.index, who, kind) == []


def test_somebody_else_s_answer_to_a_question_takes_it_out_too() -> None:
    index = materialize([*LAB, REQUEST, QUESTION])
    desk: Any = Desk(index=index, author=BEN, now="2026-01-20T00:00:00Z", keys=lambda: "k")
    after = foresee(index, BEN, reply(desk, QUESTION.uri, "That one.").drafts).index
    assert waiting(after, ANN, "question") == []
    assert waiting(index, BOT, "question") == []
