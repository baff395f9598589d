"""References both ways: from the small world by hand, and on generated histories against a reading by another hand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from radial_core import Index, materialize, read_jsonl
from radial_core.query.web import REFERENCES, Web
from tests.core.small_world import (
    ADD_EVE,
    AUDIT,
    BLESS,
    BLESS_WITHDRAWN,
    BOT,
    CLAIM,
    GOAL,
    IMAGE,
    PLAN,
    PLAN_AGAIN,
    PREFIX,
    PROFILE,
    PROJECT,
    QUESTION,
    REMARK,
    REMOVE_EVE,
    REPLY,
    REQUEST,
    REVIEW,
    SPACE,
    UNSEEN,
    WITHDRAWAL,
    WORLD,
    again,
    ref,
    uri_of,
    write,
)
from tests.histories import histories

WEB = Web(materialize(WORLD))


def out(web: Web, uri: str) -> list[tuple[str, str, str | None]]:
    return [(edge.kind, edge.target.uri, edge.target.pin) for edge in web.out_of(uri)]


def sources(web: Web, uri: str) -> list[tuple[str, str]]:
    return [(edge.kind, edge.source) for edge in web.into(uri)]


def test_the_references_are_those_of_the_lexicons(root: Any) -> None:
    def is_reference(schema: dict[str, Any]) -> bool:
        inner = schema.get("items", schema)
        return bool(inner.get("ref") == "com.atproto.repo.strongRef")

    for kind, fields in REFERENCES.items():
        path = root / "lexicons" / "com" / "disnetdev" / "radial" / f"{kind.kind}.json"
        properties = json.loads(path.read_text(encoding="utf-8"))["defs"]["main"]["record"]["properties"]
        assert {*fields} == {name for name, schema in properties.items() if is_reference(schema)}, kind.kind


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (SPACE, []),
        (REMOVE_EVE, [("space", SPACE, "held"), ("membership", ADD_EVE, "held")]),
        (GOAL, [("space", SPACE, "held"), ("project", PROJECT, "held")]),
        (REQUEST, [("goal", GOAL, "held"), ("subject", AUDIT, "held"), ("basedOn", AUDIT, "held")]),
        (QUESTION, [("goal", GOAL, "held"), ("re", REQUEST, "held"), ("claim", CLAIM, "held")]),
        (REPLY, [("goal", GOAL, "held"), ("root", QUESTION, "held"), ("parent", QUESTION, "held")]),
        (PLAN_AGAIN, [("request", REQUEST, "held"), ("goal", GOAL, "held"), ("prev", PLAN, "held")]),
        (WITHDRAWAL, [("bless", BLESS_WITHDRAWN, "held")]),
        (IMAGE, []),
        (PROFILE, []),
    ],
)
def test_a_record_refers_field_by_field(record: Any, expected: list[tuple[str, Any, str]]) -> None:
    assert out(WEB, record.uri) == [(field, target.uri, pin) for field, target, pin in expected]


def test_a_reference_out_of_the_space_is_told_and_leads_nowhere() -> None:
    assert out(WEB, BLESS.uri) == [
        ("goal", GOAL.uri, "held"),
        ("comment", uri_of("did:plc:eve", "message", "hi"), None),
    ]
    assert WEB.into(uri_of("did:plc:eve", "message", "hi")) == ()


def test_who_refers_to_a_record_is_told_in_the_order_of_their_making() -> None:
    assert sources(WEB, QUESTION.uri) == [("root", REPLY.uri), ("parent", REPLY.uri)]
    assert sources(WEB, REVIEW.uri) == []
    assert [kind for kind, _ in sources(WEB, PLAN.uri)] == [
        "prev",
        "subject",
        "subject",
        "artifact",
        "artifact",
        "artifact",
    ]


def test_pins_say_which_version_was_meant() -> None:
    old = again(GOAL, rev="3kaaaaaaaaaa2", title="Ship it")
    new = again(GOAL, rev="3kaaaaaaaaab2")
    pinned = {"edited": ref(new), "unseen": {"uri": GOAL.uri, "cid": UNSEEN}, "held": ref(old)}
    talk = [write(BOT, "message", 60 + at, goal=target, body="") for at, target in enumerate(pinned.values())]
    world = [record for record in WORLD if record is not GOAL]
    web = Web(materialize([*world, old, new, *talk]))
    assert [web.out_of(message.uri)[0].target.pin for message in talk] == [*pinned]


def test_root_and_parent_stay_under_one_anchor_and_a_circle_of_parents_is_none() -> None:
    """L4, M1: `root` has no view; it resolves like `parent`, but a circle is no matter to it."""
    foreign = write(BOT, "message", 60, goal=ref(GOAL), body="", root=ref(REMARK), parent=ref(REMARK))
    circle = {"uri": uri_of(BOT, "message", "m61"), "cid": UNSEEN}
    own = write(BOT, "message", 61, goal=ref(GOAL), body="", root=circle, parent=circle)
    web = Web(materialize([*WORLD, foreign, own]))
    assert out(web, foreign.uri)[1:] == [("root", REMARK.uri, None), ("parent", REMARK.uri, None)]
    assert out(web, own.uri)[1:] == [("root", own.uri, "unseen"), ("parent", own.uri, None)]
    assert sources(web, own.uri) == [("root", own.uri)]


def test_an_empty_list_of_bases_and_unknown_fields_refer_to_nothing() -> None:
    odd = write(BOT, "artifactRequest", 60, goal=ref(GOAL), type="plan", basedOn=[], membership="mine", prev=[1])
    assert out(Web(materialize([*WORLD, odd])), odd.uri) == [("goal", GOAL.uri, "held")]


# The laws -------------------------------------------------------------------------------------------------------------

# L4, by another hand: of which kind what a field means has to be; what else is asked stands in `resolves`.
KINDS = {
    "claim": {"claim"}, "comment": {"message"}, "membership": {"addMember"}, "root": {"message"}, "parent": {"message"},
    "prev": {"artifact"}, "re": {"artifactRequest"}, "request": {"artifactRequest"}, "bless": {"blessComment"},
    "goal": {"goal"}, "project": {"project"}, "space": {"space"}, "artifact": {"artifact"},
}  # fmt: skip


class Plain:
    """Everything that counts, read off the records alone."""

    def __init__(self, index: Index) -> None:
        self.index = index
        places: list[tuple[str, tuple[str, ...]]] = []
        for view in index.spaces:
            places.append((view.uri, view.records))
            places += [(view.uri, project.records) for project in view.projects]
            places += [(view.uri, goal.records) for goal in view.goals]
        self.space = {
            uri: space for space, records in places for uri in records if "/com.disnetdev.radial.agent/" not in uri
        }
        self.value = {uri: entry.value for uri in self.space if (entry := index.entry(uri)) is not None}

    def kind(self, uri: str) -> str:
        return uri.split("/")[3].removeprefix(PREFIX)

    def anchor(self, uri: str) -> Any:
        value = self.value[uri]
        return (value.get("goal") or value.get("project") or value.get("artifact"))["uri"]

    def on_a_circle(self, uri: str) -> bool:
        met = {uri}
        at: str | None = uri
        while at is not None:
            above = self.value[at].get("parent", {}).get("uri")
            is_there = above in self.value and self.kind(above) == "message" and self.anchor(above) == self.anchor(at)
            at = above if is_there else None
            if at == uri:
                return True
            if at in met:
                return False
            met |= {at or ""}
        return False

    def resolves(self, source: str, field: str, target: str) -> bool:  # noqa: PLR0911 - one for each clause of L4
        if target not in self.space or self.space[target] != self.space[source]:
            return False
        value, kind = self.value[source], self.kind(target)
        if field == "subject" and self.kind(source) == "review":
            return kind == "artifact"
        if field == "subject":
            return kind == {"review": "artifact", "answer": "message"}.get(value["type"], kind)
        if field != "basedOn" and kind not in KINDS[field]:
            return False
        if field in {"root", "parent"} and self.anchor(source) != self.anchor(target):
            return False
        if field == "parent":
            return not self.on_a_circle(source)
        if field == "prev":
            return bool(self.anchor(source) == self.anchor(target) and value["type"] == self.value[target]["type"])
        return True

    def edges(self) -> set[tuple[str, str, str, bool]]:
        found = set()
        for source, value in self.value.items():
            for field in next(fields for kind, fields in REFERENCES.items() if kind.kind == self.kind(source)):
                held = value.get(field)
                for reference in held if isinstance(held, list) else [held] if held else []:
                    found.add((source, field, reference["uri"], self.resolves(source, field, reference["uri"])))
        return found


def fold(history: list[dict[str, Any]]) -> Index:
    return materialize(read_jsonl(json.dumps(one) for one in history))


@given(histories(most=60))
def test_a_reading_by_another_hand_agrees(history: list[dict[str, Any]]) -> None:
    index = fold(history)
    web, plain = Web(index), Plain(index)
    found = {
        (edge.source, edge.kind, edge.target.uri, edge.target.resolved)
        for uri in plain.value
        for edge in web.out_of(uri)
    }
    assert found == plain.edges()


@given(histories(most=60))
def test_the_two_ways_are_inverse(history: list[dict[str, Any]]) -> None:
    index = fold(history)
    web, plain = Web(index), Plain(index)
    there = {
        (edge.source, edge.kind, edge.target) for uri in plain.value for edge in web.out_of(uri) if edge.target.resolved
    }
    back = {(edge.source, edge.kind, edge.target) for uri in plain.value for edge in web.into(uri)}
    assert there == back
