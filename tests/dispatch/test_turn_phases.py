"""What may happen when, and how a turn ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from radial_core.dispatch.lifecycle import (
    TABLE,
    Ask,
    Cancel,
    End,
    Event,
    Failed,
    Hold,
    IllegalEvent,
    Observe,
    Phase,
    Start,
    Submit,
    Written,
)
from radial_core.dispatch.refusals import Refusal
from radial_core.dispatch.turn import Outcome, Turn, advance
from radial_core.identifiers import StrongRef
from tests.dispatch.turns import (
    CLAIM,
    NOW,
    SAID,
    ask,
    assigned,
    names,
    record_of,
    started,
    submit,
)

# Phases -------------------------------------------------------------------------------------------------------------


def documented(root: Path) -> dict[tuple[str, str], str]:
    """Read the table of phases and events off the documentation."""
    lines = (root / "docs/explanation/turns.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    start = next(number for number, row in enumerate(rows) if row[1] == "Start")
    head, *body = rows[start : start + 1 + len(Phase)]
    return {(row[0], event): cell for row in body for event, cell in zip(head[1:], row[1:], strict=True)}


def test_the_table_is_the_documented_one(root: Path) -> None:
    found = {(phase.value, event.__name__): move for (phase, event), move in TABLE.items()}
    assert len(found) == 63
    assert {key: move.value if isinstance(move, Phase) else move for key, move in found.items()} == documented(root)


EVENTS: tuple[Event, ...] = (
    Start(),
    Observe("m"),
    Hold(CLAIM),
    Ask(said={"body": "?"}, at=NOW),
    Submit(kind="artifact", said=SAID["artifact"], at=NOW),
    Written("c"),
    Failed(),
    Cancel(),
    End(),
)
WAYS: dict[str, tuple[Event, ...]] = {
    "new": (),
    "running": EVENTS[:1],
    "asking": (EVENTS[0], EVENTS[3]),
    "submitting": (EVENTS[0], EVENTS[4]),
    "delivered": (EVENTS[0], EVENTS[4], EVENTS[5]),
    "cancelled": (EVENTS[0], EVENTS[7]),
    "ended": (EVENTS[0], EVENTS[8]),
}


@pytest.mark.parametrize("phase", WAYS)
@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_every_event_in_every_phase_does_what_is_documented(root: Path, phase: str, event: Event) -> None:
    turn = Turn(assignment=assigned())
    for earlier in WAYS[phase]:
        turn, _ = advance(turn, earlier)
    assert turn.phase.value == phase
    expected = documented(root)[phase, type(event).__name__]
    if expected in {one.value for one in Phase}:
        after, answer = advance(turn, event)
        assert after.phase.value == expected
        assert not isinstance(answer, Refusal)
    elif isinstance(event, Ask | Submit):
        after, answer = advance(turn, event)
        assert after is turn
        assert names(answer) == (expected, "$")
    else:
        with pytest.raises(
            IllegalEvent, match=f"^{expected}: {type(event).__name__} while the turn is {phase}$"
        ) as met:
            advance(turn, event)
        assert met.value.name == expected


def test_a_second_terminal_record_is_refused_with_the_first_ones_uri() -> None:
    turn, answer = submit(started(), SAID["artifact"])
    turn, _ = advance(turn, Written(record_of(answer).cid))
    _, second = submit(turn, {"title": "Better", "body": "b"})
    assert names(second) == ("SecondTerminal", "$")
    assert record_of(answer).uri in str(second)


def test_a_record_that_failed_may_be_mended_at_the_same_place() -> None:
    turn, first = submit(started(), SAID["artifact"])
    turn, _ = advance(turn, Failed())
    assert turn.pending is None
    turn, second = submit(turn, {"title": "Mended", "body": "b"})
    assert record_of(first).uri == record_of(second).uri
    turn, third = ask(advance(turn, Failed())[0])
    _, fourth = ask(advance(turn, Failed())[0])
    assert record_of(third).uri == record_of(fourth).uri


@pytest.mark.parametrize(
    ("way", "name"),
    [
        ("running", "nothing"),
        ("asking", "unconfirmed"),
        ("submitting", "unconfirmed"),
        ("delivered", "delivered"),
        ("cancelled", "cancelled"),
    ],
)
def test_how_a_turn_ended(way: str, name: str) -> None:
    turn = Turn(assignment=assigned())
    for event in WAYS[way]:
        turn, _ = advance(turn, event)
    _, outcome = advance(turn, End())
    assert isinstance(outcome, Outcome)
    assert outcome.name == name
    assert outcome.pending == (turn.pending.uri if turn.pending else None)
    assert (outcome.pending is not None) == (name == "unconfirmed")
    assert (outcome.delivered is not None) == (name == "delivered")


def test_a_turn_that_asked_and_delivered_nothing_has_asked() -> None:
    turn, answer = ask(started())
    turn, _ = advance(turn, Written(record_of(answer).cid))
    _, outcome = advance(turn, End())
    assert outcome == Outcome("asked", None, (StrongRef(record_of(answer).uri, record_of(answer).cid),), None)
