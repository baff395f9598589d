"""A packet that leaves for a seat operated by hand, and what is taken back from there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from radial_core import Index, materialize, parse_instant
from radial_core.dispatch.actions import Action, StartTurn, WriteClaim
from radial_core.dispatch.bundle import bundle
from radial_core.dispatch.commands import Carried, Command, carry_out
from radial_core.dispatch.handoff import Binding, Contribution, Moved, Refused, bind, export, take
from radial_core.dispatch.limits import Limits
from radial_core.dispatch.plan import plan
from radial_core.dispatch.routing import Operator, Profile, Route
from radial_core.dispatch.state import State
from tests.core import small_world as w
from tests.core.small_world import ANN, ref, write
from tests.oracle.canonical import cid_of

CLONE, COMMIT, NEXT = "clone of site", "c0ffee00", "decaf000"


def index() -> Index:
    return materialize(w.LAB)


def binding(of: Index | None = None, **others: str) -> Binding:
    given = {"root": CLONE, "revision": COMMIT, "phase": "plan"} | others
    return bind(bundle(of or index(), w.REQUEST.uri), **given)


def reply(**others: Any) -> dict[str, Any]:
    return {"format": 1, "binding": binding()._asdict(), "answer": {"body": "Do it."}} | others


def test_a_handoff_names_what_it_holds_for() -> None:
    packet = bundle(index(), w.REQUEST.uri)
    assert binding() == Binding(
        root=CLONE,
        revision=COMMIT,
        subjects=cid_of([[w.REQUEST.uri, w.REQUEST.cid], [w.AUDIT.uri, w.AUDIT.cid]]),
        phase="plan",
        packet=cid_of(packet.to_json()["packet"]),
    )


@pytest.mark.parametrize("part", ["root", "revision", "phase"])
@pytest.mark.parametrize("text", ["", " \n", "\u200b", "\u2800", "\udcff"])
def test_nothing_is_bound_to_what_says_nothing(part: str, text: str) -> None:
    """`$(git rev-parse HEAD)` gives nothing where there is no repository: then, and again when the reply comes."""
    with pytest.raises(ValueError, match=f"the {part} is no text"):
        binding(None, **{part: text})


def test_subjects_are_the_versions_that_count_and_else_what_was_written() -> None:
    lost = {"uri": w.uri_of(ANN, "artifact", "lost"), "cid": w.UNSEEN}
    older = {"uri": w.AUDIT.uri, "cid": w.UNSEEN}
    asked = write(ANN, "artifactRequest", 70, goal=ref(w.GOAL), type="plan", basedOn=[lost, older, ref(w.PLAN_AGAIN)])
    packet = bundle(materialize((*w.LAB, asked)), asked.uri)
    assert packet.subjects == (
        (asked.uri, asked.cid), (lost["uri"], w.UNSEEN), (w.AUDIT.uri, w.AUDIT.cid),
        (w.PLAN_AGAIN.uri, w.PLAN_AGAIN.cid),
    )  # fmt: skip


def test_the_file_that_is_handed_over() -> None:
    packet = bundle(index(), w.REQUEST.uri)
    handoff = export(packet, binding())
    plain = json.loads(handoff.to_json_text())
    assert plain.pop("about")
    assert plain == {
        "format": 1,
        "binding": binding()._asdict(),
        "partial": False,
        "unread": {"count": 0, "files": [], "unnamed": 0},
        "packet": packet.to_json(),
    }


def test_a_file_whose_name_is_no_utf_8_is_named_all_the_same() -> None:
    handoff = export(bundle(index(), w.REQUEST.uri), binding(), ["caf\udce9", "b"])
    assert json.loads(handoff.to_json_text())["unread"] == {"count": 2, "files": ["b", "caf\\udce9"], "unnamed": 0}


def test_files_that_were_not_read_are_stated_and_so_is_that_the_list_ends() -> None:
    names = [f"vendor/{number:05}/blob.bin" for number in range(2_000)]
    handoff = export(bundle(index(), w.REQUEST.uri), binding(), reversed([*names, names[0]]))
    unread = handoff.to_json()["unread"]
    assert unread["count"] == 2_000
    assert unread["files"] == names[: len(unread["files"])]
    assert len(unread["files"]) + unread["unnamed"] == 2_000
    assert 6_000 < len(json.dumps(unread["files"])) < 9_000
    assert handoff.to_json()["partial"]


def test_a_handoff_of_a_packet_that_is_cut_is_partial() -> None:
    asked = write(ANN, "artifactRequest", 70, goal=ref(w.GOAL), type="plan", brief="long " * 20_000)
    packet = bundle(materialize((*w.LAB, asked)), asked.uri, Limits(total=60_000))
    assert export(packet, bind(packet, root=CLONE, revision=COMMIT, phase="plan")).to_json()["partial"]


def test_what_fits_is_taken() -> None:
    outcome = take(reply(), binding())
    assert outcome == Contribution(cid_of(reply()), binding(), {"body": "Do it."}, is_new=True)


def test_taking_again_gives_the_same_and_nothing_new() -> None:
    first = take(reply(), binding())
    assert isinstance(first, Contribution)
    again = take(json.loads(json.dumps(reply())), binding(), held={first.id})
    assert again == Contribution(first.id, first.binding, first.answer, is_new=False)
    other = take(reply(answer={"body": "Do that."}), binding(), held={first.id})
    assert isinstance(other, Contribution)
    assert other.is_new


def test_taking_changes_nothing_that_was_handed_in() -> None:
    brought, held = reply(), frozenset({"x"})
    before = json.dumps(brought)
    take(brought, binding(), held)
    assert (json.dumps(brought), held) == (before, frozenset({"x"}))


@pytest.mark.parametrize("what", Binding._fields)
def test_whatever_moved_is_refused_with_both_values(what: str) -> None:
    now = binding()._replace(**{what: NEXT})
    assert take(reply(), now) == Refused((), (Moved(what, getattr(binding(), what), NEXT),))


def test_what_moved_is_told_in_the_documented_words(root: Path) -> None:
    page = (root / "docs/reference/bundle.md").read_text(encoding="utf-8")
    told = {what: Moved(what, "then", "now").means for what in Binding._fields}
    assert len({*told.values()}) == 5
    assert all(f"| `{what}` | {words} |" in page for what, words in told.items())


def test_other_limits_make_another_packet_about_the_same() -> None:
    packet = bundle(index(), w.REQUEST.uri, Limits(total=60_000))
    outcome = take(reply(), bind(packet, root=CLONE, revision=COMMIT, phase="plan"))
    assert isinstance(outcome, Refused)
    assert [moved.what for moved in outcome.moved] == ["packet"]
    assert "other limits" in outcome.moved[0].means


def test_a_reply_is_as_long_and_as_deep_as_a_record_may_be() -> None:
    # Three keys, five bindings and their values take less than 1 KiB; a MiB is 1 048 576 bytes.
    assert isinstance(take(reply(answer={"body": "x" * 1_047_000}), binding()), Contribution)
    long = take(reply(answer={"body": "x" * 1_048_576}), binding())
    assert long == Refused(("longer than 1048576 bytes of DAG-CBOR @ $",), ())
    deep: Any = {}
    for _ in range(62):
        deep = {"a": deep}
    assert isinstance(take(reply(answer=deep), binding()), Contribution)
    outcome = take(reply(answer={"a": deep}), binding())
    assert isinstance(outcome, Refused)
    assert "nested deeper than 64 levels" in outcome.faults[0]


def test_what_is_done_to_a_reply_afterwards_changes_no_contribution() -> None:
    brought = reply(answer={"criteria": ["one"]})
    outcome = take(brought, binding())
    brought["answer"]["criteria"].append("two")
    assert outcome == take(reply(answer={"criteria": ["one"]}), binding())


def test_a_source_that_moved_by_one_commit_is_named_with_both() -> None:
    assert take(reply(), binding(revision=NEXT)) == Refused((), (Moved("revision", COMMIT, NEXT),))


def test_all_that_moved_is_named() -> None:
    said = write(ANN, "message", 70, goal=ref(w.GOAL), body="wait")
    later = materialize((*w.LAB, said))
    outcome = take(reply(), binding(later, root="another clone", phase="build"))
    assert isinstance(outcome, Refused)
    assert [moved.what for moved in outcome.moved] == ["root", "phase", "packet"]


def test_a_renewed_claim_moves_nothing() -> None:
    renewed = w.again(w.CLAIM, renewedAt=w.at(40), expiresAt=w.at(70))
    first = write(ANN, "claim", 50, request=ref(w.REQUEST), expiresAt=w.at(90))
    assert binding(materialize((*w.LAB, renewed, first))) == binding()


@pytest.mark.parametrize(
    ("brought", "faults"),
    [
        ("text", ["not an object @ $"]),
        (1.5, ["float is not a type of atproto data @ $"]),
        ({}, ["missing @ $.answer", "missing @ $.binding", "missing @ $.format"]),
        (reply(start=True), ["unknown @ $.start"]),
        (reply(format=2), ["not 1 @ $.format"]),
        (reply(format=True), ["not 1 @ $.format"]),
        (reply(answer="x"), ["not an object @ $.answer"]),
        (reply(binding=None), ["not an object of the texts root, revision, subjects, phase, packet @ $.binding"]),
        (
            reply(binding={"root": "x"}),
            ["not an object of the texts root, revision, subjects, phase, packet @ $.binding"],
        ),
        (
            reply(binding=binding()._asdict() | {"root": 1}),
            ["not an object of the texts root, revision, subjects, phase, packet @ $.binding"],
        ),
    ],
)
def test_what_is_no_reply_is_refused_with_every_fault(brought: Any, faults: list[str]) -> None:
    assert take(brought, binding()) == Refused(tuple(faults), ())


# A handoff beside the planner


WANTED = write(ANN, "artifactRequest", 71, goal=ref(w.GOAL), type="plan", assignee=w.BOT, basedOn=[ref(w.PLAN)])
OPEN_AGAIN = write(ANN, "closeGoal", 72, goal=ref(w.GOAL), closed=False)
WORLD = (*w.LAB, OPEN_AGAIN, WANTED)


def planned(of: Index, state: State) -> tuple[Action, ...]:
    routes = {"plan": Route(harness="codex")}
    operator = Operator(profiles=(Profile(did=w.BOT, name="all", types=("plan",)),), routes=routes)
    return plan(of, operator, state, parse_instant(w.at(90)))


def told(state: State, name: str) -> State:
    """Carry out a command on the request."""
    expected = state.controls.generation(WANTED.uri)
    outcome = carry_out(state, Command(name=name, scope=WANTED.uri, key=name, expected=expected))
    assert isinstance(outcome, Carried)
    return outcome.state


BY_HAND = told(State(), "hold")


def handed(of: Index, **others: str) -> Binding:
    return bind(bundle(of, WANTED.uri), **({"root": CLONE, "revision": COMMIT, "phase": "plan"} | others))


def brought(of: Index) -> dict[str, Any]:
    return {"format": 1, "binding": handed(of)._asdict(), "answer": {"title": "T", "body": "Do it."}}


def starts(of: Index, state: State) -> list[str]:
    return [action.request for action in planned(of, state) if isinstance(action, StartTurn | WriteClaim)]


def test_taking_a_reply_starts_nothing_and_taking_it_again_neither() -> None:
    """A request is held back and handed over; its reply is taken thrice; only a command lets it be taken on."""
    of = materialize(WORLD)
    before = planned(of, BY_HAND)
    held: set[str] = set()
    for is_new in (True, False, False):
        outcome = take(brought(of), handed(of), held)
        assert isinstance(outcome, Contribution)
        assert outcome.is_new is is_new
        held.add(outcome.id)
        assert planned(of, BY_HAND) == before
    assert len(held) == 1
    assert starts(of, BY_HAND) == []
    assert starts(of, told(BY_HAND, "start")) == [WANTED.uri]


MOVES: dict[str, tuple[tuple[Any, ...], dict[str, str], set[str]]] = {
    "the workspace": ((), {"root": "another clone"}, {"root"}),
    "its source, by one commit": ((), {"revision": NEXT}, {"revision"}),
    "the phase": ((), {"phase": "build"}, {"phase"}),
    "a message was said": ((write(ANN, "message", 80, goal=ref(w.GOAL), body="wait"),), {}, {"packet"}),
    "a record it is about was rewritten": ((w.again(w.PLAN, body="other"),), {}, {"subjects", "packet"}),
}


@pytest.mark.parametrize("name", MOVES)
def test_a_reply_is_refused_when_anything_moved_and_the_plan_stays_as_it_is(name: str) -> None:
    more, others, what = MOVES[name]
    kept = [one for one in WORLD if one.uri not in {record.uri for record in more}]
    later = materialize([*kept, *more])
    before = planned(later, BY_HAND)
    outcome = take(brought(materialize(WORLD)), handed(later, **others))
    assert isinstance(outcome, Refused)
    assert {moved.what for moved in outcome.moved} == what
    assert all(moved.then != moved.now for moved in outcome.moved)
    assert planned(later, BY_HAND) == before


def test_whatever_is_left_out_of_a_handoff_can_be_fetched_by_its_uri() -> None:
    """Every record that counts at the places the packet draws on is in it, or named, or counted."""
    talk = [write(ANN, "message", 100 + at, goal=ref(w.GOAL), body="word " * 400) for at in range(60)]
    of = materialize((*WORLD, *talk))
    packet = bundle(of, WANTED.uri, Limits(total=60_000))
    plain = export(packet, handed(of)).to_json()["packet"]["packet"]
    [thread] = [section for section in plain["sections"] if section["name"] == "thread"]
    shown = {piece["uri"] for piece in thread["pieces"]}
    named = set(thread["omitted"]["records"])
    assert thread["omitted"]["pieces"] == len(named) + thread["omitted"]["unlisted"] > 0
    assert all(of.entry(uri) is not None for uri in named)
    assert not shown & named
    assert {message.uri for message in talk} >= named - {one.uri for one in WORLD}
    assert len(packet.to_json_text().encode()) <= 60_000
