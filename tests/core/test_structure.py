"""L1 beyond the lexicons: what must be there together, what URIs must name, and that all of it is told at once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from radial_core.canonical import measure
from radial_core.cids import Cid
from radial_core.jsonform import from_json
from radial_core.records import COLLECTIONS
from radial_core.structure import structural_faults
from tests.core.lexicon_cases import CID, DID, FAULTY, NOW, PREFIX, RECORDS, SOUND, full, reference

# Protocol T7 and L1, by hand: the fields whose URI must name a record of one kind.
ANCHORS = [
    ("addMember", "space", "space"),
    ("removeMember", "space", "space"),
    ("join", "space", "space"),
    ("project", "space", "space"),
    ("setAutoReview", "project", "project"),
    ("editProject", "project", "project"),
    ("archiveProject", "project", "project"),
    ("goal", "space", "space"),
    ("goal", "project", "project"),
    ("closeGoal", "goal", "goal"),
    ("archiveGoal", "goal", "goal"),
    ("artifactType", "space", "space"),
    ("artifactRequest", "goal", "goal"),
    ("artifactRequest", "project", "project"),
    ("retractRequest", "request", "artifactRequest"),
    ("claim", "request", "artifactRequest"),
    ("artifact", "goal", "goal"),
    ("artifact", "project", "project"),
    ("review", "subject", "artifact"),
    ("checkrun", "artifact", "artifact"),
    ("merge", "artifact", "artifact"),
    ("message", "goal", "goal"),
    ("message", "artifact", "artifact"),
    ("setGuestComments", "space", "space"),
    ("blessComment", "goal", "goal"),
    ("retractBless", "bless", "blessComment"),
]
RIVALS = [("artifactRequest", "goal", "project"), ("artifact", "goal", "project"), ("message", "goal", "artifact")]
# Every other reference names what it likes (L1): (record, field).
FREE = [
    ("removeMember", "membership"),
    ("artifact", "request"),
    ("artifact", "prev"),
    ("artifact", "claim"),
    ("review", "request"),
    ("review", "claim"),
    ("message", "root"),
    ("message", "parent"),
    ("message", "re"),
    ("message", "claim"),
    ("blessComment", "comment"),
]


def said(record: str, value: Any) -> list[str]:
    return [str(fault) for fault in structural_faults(PREFIX + record, value)]


def anchored(record: str, field: str) -> dict[str, Any]:
    """Give a sound record that has the field, where two are rivals."""
    rival = next(
        (other for name, *pair in RIVALS if name == record and field in pair for other in pair if other != field), None
    )
    value: dict[str, Any] = from_json(full(record, without=rival))
    return value


def without(value: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: item for name, item in value.items() if name not in names}


def test_every_reference_of_the_table_is_either_an_anchor_or_free() -> None:
    references = {(name, field.name) for name, fields in RECORDS.items() for field in fields if field.kind[:3] == "ref"}
    anchors = {(record, field) for record, field, _ in ANCHORS}
    assert anchors | set(FREE) | {("artifactRequest", "subject")} == references
    assert anchors.isdisjoint(FREE)


@pytest.mark.parametrize(("record", "field", "kind"), ANCHORS)
def test_an_anchor_names_the_record_it_is_for(record: str, field: str, kind: str) -> None:
    value = anchored(record, field)
    foreign = "artifact" if kind != "artifact" else "goal"
    own = f"at://{DID}/{PREFIX}{kind}"
    for uri in (own, f"{own}/self", f"at://alice.test/{PREFIX}{kind}/self"):
        assert said(record, {**value, field: {"uri": uri, "cid": CID}}) == []
    others = [
        f"at://{DID}",
        f"at://{DID}/{PREFIX}{foreign}/self",
        f"at://{DID}/app.bsky.feed.post/self",
        f"{own}s/self",
        f"at://{DID}/{PREFIX}{kind.upper()}/self",
        f"at://{DID}/{PREFIX}{foreign}/{PREFIX}{kind}",
        f"at://{PREFIX}{kind}",
        f"at://{PREFIX}{kind}/{PREFIX}{foreign}/self",
    ]
    for uri in others:
        expected = [f"must name a record of {PREFIX}{kind} @ $.{field}.uri"]
        assert said(record, {**value, field: {"uri": uri, "cid": CID}}) == expected


@pytest.mark.parametrize(("record", "field"), FREE)
def test_every_other_reference_names_what_it_likes(record: str, field: str) -> None:
    value = anchored(record, field)
    for uri in (f"at://{DID}", f"at://{DID}/app.bsky.feed.post/self", f"at://{DID}/{PREFIX}space/self"):
        assert said(record, {**value, field: {"uri": uri, "cid": CID}}) == []


@pytest.mark.parametrize(("record", "one", "other"), RIVALS)
def test_exactly_one_of_two_anchors(record: str, one: str, other: str) -> None:
    # RAD-4.4
    value = without(anchored(record, one), one)
    first, second = reference(one), reference(other)
    assert said(record, {**value, one: first}) == []
    assert said(record, {**value, other: second}) == []
    assert said(record, value) == [f"must have one of {one} and {other} @ $"]
    assert said(record, {**value, one: first, other: second}) == [f"must have only one of {one} and {other} @ $"]


@pytest.mark.parametrize(("record", "one", "other"), RIVALS)
def test_a_faulty_anchor_is_still_an_anchor(record: str, one: str, other: str) -> None:
    value = {**without(anchored(record, one), one), one: None}
    assert said(record, value) == [f"must be an object, not null @ $.{one}"]
    assert said(record, {**value, other: reference(other)}) == [
        f"must be an object, not null @ $.{one}",
        f"must have only one of {one} and {other} @ $",
    ]


@pytest.mark.parametrize("field", ["name", "gitUrl", "defaultBranch"])
def test_an_edit_of_a_project_says_something(field: str) -> None:
    value = full("editProject")
    fields = {"name", "gitUrl", "defaultBranch"}
    assert said("editProject", without(value, *fields)) == ["must have at least one of name, gitUrl, defaultBranch @ $"]
    assert said("editProject", without(value, *(fields - {field}))) == []


@pytest.mark.parametrize(
    ("type_", "kind"), [("review", "artifact"), ("answer", "message"), ("plan", None), ("Review", None), ("", None)]
)
def test_the_subject_of_a_request_depends_on_its_type(type_: str, kind: str | None) -> None:
    value = {**full("artifactRequest"), "type": type_}
    assert said("artifactRequest", without(value, "subject")) == []
    for other in ("artifact", "message", "goal"):
        expected = [] if kind in {None, other} else [f"must name a record of {PREFIX}{kind} @ $.subject.uri"]
        assert said("artifactRequest", {**value, "subject": reference(other)}) == expected


def test_a_request_of_no_sound_type_has_any_subject() -> None:
    for type_ in (7, None, ["review"], {"review": 1}):
        value = {**full("artifactRequest"), "type": type_, "subject": reference("goal")}
        assert [fault.split(" @ ")[1] for fault in said("artifactRequest", value)] == ["$.type"]


def test_a_comment_is_anybodys_record_but_a_dids() -> None:
    value = full("blessComment")
    for uri in ("at://did:web:example.com/a.b.c/1", "at://did:plc:abc"):
        assert said("blessComment", {**value, "comment": {"uri": uri, "cid": CID}}) == []
    for uri in ("at://alice.test/a.b.c/1", "at://did.test/a.b.c/1"):
        expected = ["must have a DID as authority @ $.comment.uri"]
        assert said("blessComment", {**value, "comment": {"uri": uri, "cid": CID}}) == expected


def test_the_switches_of_a_project_are_booleans() -> None:
    value = full("project")
    assert said("project", {**value, "autoReview": {}}) == []
    assert said("project", {**value, "autoReview": {"z": 0, "plan": True, "a b": None, "a": "x"}}) == [
        "must be a boolean, not a string @ $.autoReview.a",
        "must be a boolean, not null @ $.autoReview['a b']",
        "must be a boolean, not an integer @ $.autoReview.z",
    ]


def test_all_faults_are_told_at_once_in_one_order() -> None:
    value = {
        "$type": PREFIX + "artifact",
        "createdAt": "yesterday",
        "links": {"pr": "no uri", "commit": 7},
        "goal": {"uri": f"at://{DID}/{PREFIX}project/a", "cid": CID},
        "project": {"uri": f"at://{DID}", "cid": "?"},
        "criteria": ["a", 1, None],
        "bodyBlob": b"",
    }
    expected = [
        "is missing @ $.request",
        "must be a valid cid @ $.project.cid",
        "is missing @ $.type",
        "is missing @ $.body",
        "must be an object, not bytes @ $.bodyBlob",
        "must be a string, not an integer @ $.links.commit",
        "must be a valid uri @ $.links.pr",
        "must be a string, not an integer @ $.criteria[1]",
        "must be a string, not null @ $.criteria[2]",
        "must be a valid datetime @ $.createdAt",
        "must have only one of goal and project @ $",
        f"must name a record of {PREFIX}goal @ $.goal.uri",
        f"must name a record of {PREFIX}project @ $.project.uri",
    ]
    assert said("artifact", value) == expected
    assert said("artifact", dict(reversed(value.items()))) == expected


def test_a_null_is_no_absence() -> None:
    for record, fields in RECORDS.items():
        for field in fields:
            value = {**anchored(record, field.name), field.name: None}
            assert [fault.split(" @ ")[1] for fault in said(record, value)] == [f"$.{field.name}"]


def test_a_collection_that_is_not_ours_is_the_callers_mistake() -> None:
    # O6 comes first.
    with pytest.raises(KeyError):
        structural_faults("app.bsky.feed.post", {})


leaves = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 2), st.text(max_size=3), st.binary(max_size=2),
    st.sampled_from([NOW, CID, DID, "review", "answer", "blob", f"at://{DID}", f"at://{DID}/{PREFIX}goal/a"]),
    st.just(Cid.parse(CID)),
)  # fmt: skip
keys = st.sampled_from(["$type", "uri", "cid", "ref", "size", "mimeType", "name", "pr", "x", "a b"])
junk = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=8
)


@st.composite
def mutants(draw: st.DrawFn) -> tuple[str, Any]:
    """Draw a record, sound or with a fault, in which some places hold something else."""
    case = draw(st.sampled_from((*SOUND, *FAULTY)))
    value = from_json(case.value)
    for _ in range(draw(st.integers(1, 3))):
        _mutate(draw, value)
    return case.record, value


def _mutate(draw: st.DrawFn, value: dict[str, Any]) -> None:
    """Put junk somewhere: at a field of the record, or one or two steps below it."""
    place: Any = value
    for _ in range(draw(st.integers(0, 2))):
        inner = [
            item
            for item in (place.values() if isinstance(place, dict) else place)
            if isinstance(item, dict | list) and item
        ]
        place = draw(st.sampled_from(inner)) if inner else place
    if isinstance(place, list):
        place[draw(st.integers(0, len(place) - 1))] = draw(junk)
    elif draw(st.booleans()):
        place.pop(draw(st.sampled_from(sorted(place))), None)
    else:
        place[draw(st.sampled_from(sorted(place)) | keys) if place else "x"] = draw(junk)


@given(mutants())
def test_no_mutant_crashes_and_every_fault_has_a_place(mutant: tuple[str, Any]) -> None:
    record, value = mutant
    assert measure(value) is None
    faults = structural_faults(PREFIX + record, value)
    assert len(set(faults)) == len(faults)
    for fault in faults:
        assert fault.path.startswith("$")
        assert fault.message
    assert faults == structural_faults(PREFIX + record, value)
    if isinstance(value, dict):
        assert faults == structural_faults(PREFIX + record, dict(reversed(value.items())))
        more = {**value, "unheard": [None, {"of": b""}]}
        assert faults == structural_faults(PREFIX + record, more)


@given(st.sampled_from(sorted(COLLECTIONS)), junk)
def test_junk_is_never_a_record(collection: str, value: Any) -> None:
    assert structural_faults(collection, value)
