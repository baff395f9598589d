"""The oracle itself is sane: small histories whose outcome was worked out by hand from the protocol.

`write` makes one observation of one record; minutes after noon stand for its `createdAt`, and a `rev` or `seenAt`
is given only where the test is about them.
"""

import base64
import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests import oracle
from tests.oracle import canonical, formats, instants, structure

Json = dict[str, Any]

ROOT, ANN, BOB, BOT, EVE = (f"did:plc:{name}" for name in ("root", "ann", "bob", "bot", "eve"))
REVS = ("3aaaaaaaaaaa2", "3bbbbbbbbbbb2", "3ccccccccccc2", "3ddddddddddd2")
PREFIX = "com.disnetdev.radial."


def at(minute: int) -> str:
    day, rest = divmod(12 * 60 + minute, 24 * 60)
    return f"2026-01-{1 + day:02}T{rest // 60:02}:{rest % 60:02}:00Z"


def write(did: str, kind: str, minute: int, rkey: str | None = None, /, **fields: Any) -> Json:
    uri = f"at://{did}/{PREFIX}{kind}/{rkey or f'm{minute}'}"
    return {"uri": uri, "value": {"$type": PREFIX + kind, "createdAt": at(minute), **fields}}


def ref(target: Json) -> Json:
    return {"uri": target["uri"], "cid": canonical.cid_of(target["value"])}


def again(observation: Json, **changes: Any) -> Json:
    """Return another version at the same URI."""
    return {"uri": observation["uri"], "value": {**observation["value"], **changes}}


def deletion(observation: Json, **known: str) -> Json:
    return {"uri": observation["uri"], "deleted": True, **known}


def rules(result: Json) -> dict[str, str]:
    return {row["uri"]: row["rule"] for row in result["ignored"]}


def reasons(result: Json, uri: str) -> list[str]:
    return [other["reason"] for row in result["edits"] if row["uri"] == uri for other in row["others"]]


SPACE = write(ROOT, "space", 0, name="lab")
PROJECT = write(ROOT, "project", 3, space=ref(SPACE), name="code", gitUrl="https://x.test/r", defaultBranch="main")
GOAL = write(ROOT, "goal", 4, space=ref(SPACE), project=ref(PROJECT), title="ship", body="")


def grant(by: str, did: str, minute: int, role: str = "member", kind: str = "human", rkey: str | None = None) -> Json:
    return write(by, "addMember", minute, rkey, space=ref(SPACE), did=did, kind=kind, role=role)


def removal(by: str, named: Json, minute: int, did: str | None = None) -> Json:
    who = did or named["value"]["did"]
    return write(by, "removeMember", minute, space=ref(SPACE), did=who, membership=ref(named))


BOB_IN = grant(ROOT, BOB, 1)
BOT_IN = grant(ROOT, BOT, 2, role="agent", kind="agent")
LAB = [SPACE, BOB_IN, BOT_IN, PROJECT, GOAL]


def fold(*observations: Json) -> Json:
    return oracle.materialize([*LAB, *observations])


def space_of(result: Json) -> Json:
    space: Json = result["spaces"][0]
    return space


def goal_of(result: Json) -> Json:
    goal: Json = space_of(result)["goals"][0]
    return goal


def request(by: str, minute: int, kind: str = "plan", **fields: Any) -> Json:
    return write(by, "artifactRequest", minute, goal=ref(GOAL), type=kind, **fields)


def artifact(by: str, minute: int, asked: Json, **fields: Any) -> Json:
    return write(
        by, "artifact", minute, **{"request": ref(asked), "goal": ref(GOAL), "type": "plan", "body": "", **fields}
    )


def message(by: str, minute: int, **fields: Any) -> Json:
    return write(by, "message", minute, goal=ref(GOAL), body="", **fields)


def claim(by: str, minute: int, asked: Json, until: int, renewed: int | None = None) -> Json:
    more = {} if renewed is None else {"renewedAt": at(renewed)}
    return write(by, "claim", minute, request=ref(asked), expiresAt=at(until), **more)


# --- values -----------------------------------------------------------------------------------------


def lines(shared: Path, name: str) -> list[str]:
    text = (shared / "fixtures" / "atproto-interop" / "syntax" / f"{name}.txt").read_text("utf-8")
    return [line for line in text.split("\n") if line and not line.startswith("# ")]


FORMATS = {
    "did": formats.is_did,
    "handle": formats.is_handle,
    "nsid": formats.is_nsid,
    "recordkey": formats.is_record_key,
    "aturi": formats.is_at_uri,
    "cid": formats.is_cid,
    "uri": formats.is_uri,
    "tid": formats.is_tid,
    "datetime": instants.is_datetime,
}


@pytest.mark.parametrize("name", FORMATS)
def test_the_interop_files_agree_with_each_format(shared: Path, name: str) -> None:
    valid, invalid = lines(shared, f"{name}_syntax_valid"), lines(shared, f"{name}_syntax_invalid")
    assert valid
    assert [line for line in valid if not FORMATS[name](line)] == []
    assert invalid
    assert [line for line in invalid if FORMATS[name](line)] == []


def test_datetimes_that_only_look_right_are_refused(shared: Path) -> None:
    assert [line for line in lines(shared, "datetime_parse_invalid") if instants.is_datetime(line)] == []


def test_instants_are_exact() -> None:
    assert instants.instant("0000-03-01T00:00:00Z") == 60 * 24 * 3600  # year 0 is a leap year
    assert instants.instant("2026-01-01T01:00:00.000+01:00") == instants.instant("2026-01-01T00:00:00.00Z")
    assert instants.instant("2026-01-01T00:00:00." + "0" * 5000 + "1Z") > instants.instant("2026-01-01T00:00:00Z")
    assert not instants.is_datetime("2026-02-29T00:00:00Z")


def test_the_interop_data_model_has_the_same_bytes_and_cids(shared: Path) -> None:
    path = shared / "fixtures" / "atproto-interop" / "data-model" / "data-model-fixtures.json"
    for case in json.loads(path.read_text("utf-8")):
        assert base64.b64encode(canonical.encode(case["json"])).decode().rstrip("=") == case["cbor_base64"].rstrip("=")
        assert canonical.cid_of(case["json"]) == case["cid"]


def test_the_digest_of_nothing_is_that_of_its_bytes() -> None:
    written = b"\xa2" + b"\x64kind" + b"\x65index" + b"\x66spaces" + b"\x80"
    cid = b"\x01\x71\x12\x20" + hashlib.sha256(written).digest()
    expected = "b" + base64.b32encode(cid).decode().lower().rstrip("=")
    assert oracle.materialize([])["digest"] == expected


# --- O, L -------------------------------------------------------------------------------------------


def test_every_record_kind_of_the_protocol_is_in_the_table() -> None:
    assert len(structure.RECORDS) == 25


@pytest.mark.parametrize(
    "uri",
    [
        f"at://ann.test/{PREFIX}join/1",
        f"at://{ANN}/{PREFIX}join",
        f"at://{ANN}/{PREFIX}party/1",
        f"at://{ANN}/app.bsky.feed.post/1",
        f"at://{ANN}/{PREFIX}join/..",
        "nonsense",
    ],
)
def test_o6_a_uri_that_is_no_record_of_ours_is_ignored_without_an_edit(uri: str) -> None:
    result = oracle.materialize([{"uri": uri, "value": {}}, {"uri": uri, "deleted": True}])
    assert rules(result) == {uri: "O6"}
    assert result["edits"] == []


def test_o4_one_cid_with_two_values_is_a_callers_mistake() -> None:
    first, second = ({**again(SPACE, name=name), "cid": ref(SPACE)["cid"]} for name in ("lab", "pub"))
    with pytest.raises(ValueError, match="two values"):
        oracle.materialize([first, second])


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"name": None}, "$.name"),
        ({"name": 1}, "$.name"),
        ({"$type": PREFIX + "goal"}, "$.$type"),
        ({"createdAt": "2026-01-01"}, "$.createdAt"),
        ({"description": {"$bytes": ""}}, "$.description"),
    ],
)
def test_l1_a_fault_names_its_path(value: Json, path: str) -> None:
    (row,) = oracle.materialize([again(SPACE, **value)])["ignored"]
    assert row["rule"] == "L1"
    assert path in row["reason"]


SOME_ARTIFACT, SOME_REQUEST = ref(write(BOB, "artifact", 1)), ref(write(BOB, "artifactRequest", 1))
REQUIRED: dict[str, Json] = {
    "project": {"space": ref(SPACE), "name": "x", "gitUrl": "https://x.test", "defaultBranch": "main"},
    "editProject": {"project": ref(PROJECT)},
    "addMember": {"space": ref(SPACE), "did": BOB, "kind": "human", "role": "member"},
    "artifact": {"request": SOME_REQUEST, "goal": ref(GOAL), "type": "plan", "body": ""},
    "review": {"subject": SOME_ARTIFACT, "verdict": "approve"},
    "message": {"goal": ref(GOAL), "body": ""},
    "claim": {"request": SOME_REQUEST, "expiresAt": at(20)},
}


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("project", {"checks": [{"name": "t", "command": "c"}]}, {"checks": [{"name": "t"}]}),
        ("project", {"autoReview": {"plan": True}}, {"autoReview": {"plan": 1}}),
        ("project", {"autoReview": {}}, {"autoReview": []}),
        ("project", {"gitUrl": "at://did:plc:x"}, {"gitUrl": "no url"}),
        (
            "review",
            {"findings": [{"line": 1, "severity": "", "body": ""}]},
            {"findings": [{"line": 0, "severity": "", "body": ""}]},
        ),
        ("review", {"findings": []}, {"findings": [{"line": True, "severity": "", "body": ""}]}),
        ("review", {"verdict": "approve"}, {"verdict": "maybe"}),
        ("artifact", {"links": {"pr": "x:y"}}, {"links": {"pr": "x"}}),
        ("artifact", {"criteria": ["one"]}, {"criteria": [1]}),
        ("message", {"mentions": [BOB]}, {"mentions": ["bob.test"]}),
        ("editProject", {"name": "x"}, {}),
        ("addMember", {"role": "agent"}, {"role": "owner"}),
        ("claim", {"renewedAt": at(10)}, {"renewedAt": None}),
    ],
)
def test_l1_field_by_field(kind: str, good: Json, bad: Json) -> None:
    assert structure.faults_of(kind, write(BOB, kind, 10, **{**REQUIRED[kind], **good})["value"]) == []
    assert structure.faults_of(kind, write(BOB, kind, 10, **{**REQUIRED[kind], **bad})["value"]) != []


def test_l1_exactly_one_anchor_of_the_kind_the_field_names() -> None:
    both = message(BOB, 10, artifact=ref(GOAL))
    neither = write(BOB, "message", 11, body="")
    crossed = write(BOB, "message", 12, body="", goal=ref(PROJECT))
    bare = write(BOB, "message", 13, body="", goal={**ref(GOAL), "uri": f"at://{ROOT}"})
    assert set(rules(fold(both, neither, crossed, bare)).values()) == {"L1"}
    assert len(fold(both, neither, crossed, bare)["ignored"]) == 4


def test_l1_the_subject_of_a_request_is_checked_by_its_type() -> None:
    review, answer = request(BOB, 10, "review", subject=ref(GOAL)), request(BOB, 11, "answer", subject=ref(GOAL))
    free = request(BOB, 12, "plan", subject=ref(GOAL))
    assert rules(fold(review, answer, free)) == {review["uri"]: "L1", answer["uri"]: "L1"}


def test_l6_depth_is_counted_with_the_record_as_one() -> None:
    fits: Any = "end"
    for _ in range(63):
        fits = [fits]
    deep: Any = fits
    for _ in range(50_000):
        deep = [deep]
    assert rules(oracle.materialize([again(SPACE, extra=fits)])) == {}
    assert rules(oracle.materialize([again(SPACE, extra=[fits])])) == {SPACE["uri"]: "L6"}
    assert rules(oracle.materialize([again(SPACE, extra=deep)])) == {SPACE["uri"]: "L6"}


def test_l4_a_pin_tells_held_edited_and_unseen_apart() -> None:
    asked = request(BOB, 10)
    rewritten = again(asked, brief="other")
    held, edited = artifact(BOB, 11, asked), artifact(BOB, 12, rewritten)
    unseen = artifact(BOB, 13, again(asked, brief="never seen"))
    first, second = {**asked, "rev": REVS[0]}, {**rewritten, "rev": REVS[1]}
    pins = [one["request"]["pin"] for one in goal_of(fold(first, second, held, edited, unseen))["artifacts"]]
    assert pins == ["held", "edited", "unseen"]


def test_l5_what_stands_on_an_ignored_record_waits_for_it() -> None:
    stray = write(EVE, "goal", 10, space=ref(SPACE), project=ref(PROJECT), title="x", body="")
    on_it = write(BOB, "closeGoal", 11, goal=ref(stray), closed=True)
    assert rules(fold(stray, on_it)) == {stray["uri"]: "T5", on_it["uri"]: "L5"}


# --- V ----------------------------------------------------------------------------------------------


def name_kept(*sightings: Json) -> str:
    versions = [
        {**again(SPACE, name=name), **known} for name, known in zip(("first", "second"), sightings, strict=True)
    ]
    return str(space_of(oracle.materialize(versions))["name"])


def test_v1_the_earliest_version_counts_by_rev_else_by_sighting() -> None:
    early, late = {"rev": REVS[0]}, {"rev": REVS[1]}
    assert name_kept(late, early) == "second"
    assert name_kept({**early, "seenAt": at(9)}, {**late, "seenAt": at(1)}) == "first"
    assert name_kept({"seenAt": at(9)}, {**late, "seenAt": at(1)}) == "second"
    assert name_kept({}, late) == "second"  # mixed: an unknown rev sorts after every known one


def test_o3_of_two_that_tie_the_lesser_cid_is_earlier() -> None:
    names = {ref(again(SPACE, name=name))["cid"]: name for name in ("first", "second")}
    assert name_kept({}, {}) == names[min(names)]


def test_v1_an_invalid_first_version_does_not_count() -> None:
    result = oracle.materialize([{**again(SPACE, name=1), "rev": REVS[0]}, {**SPACE, "rev": REVS[1]}])
    assert result["ignored"] == []
    assert reasons(result, SPACE["uri"]) == ["invalid"]


AGENT = write(BOT, "agent", 5, "fast", handleName="b", harness="h", models=[], artifactTypes=[])


def test_v2_the_latest_agent_wins_wholesale() -> None:
    result = fold({**AGENT, "rev": REVS[0]}, {**again(AGENT, harness="new"), "rev": REVS[1]})
    assert [agent["harness"] for agent in space_of(result)["agents"]] == ["new"]
    assert reasons(result, AGENT["uri"]) == ["superseded"]


def test_v3_renewals_are_adopted_and_everything_else_is_named() -> None:
    asked, other = request(BOB, 10), request(BOB, 11)
    base = claim(BOT, 20, asked, 40)
    versions = [
        base,
        again(base, renewedAt=at(30), expiresAt=at(70)),  # counts: in contract, the latest end
        again(base, renewedAt=at(30), expiresAt=at(60)),  # a shortening
        again(base, expiresAt=at(90)),  # 70 minutes
        again(base, request=ref(other)),
    ]
    sightings = [{**version, "seenAt": at(20 + step)} for step, version in enumerate(versions)]
    result = fold(asked, other, *sightings)
    assert reasons(result, base["uri"]) == ["superseded", "shortened", "C2", "frozen"]
    assert [row["kept"] for row in result["edits"]] == [ref(versions[1])["cid"]]
    assert goal_of(result)["requests"][0]["claims"] == [base["uri"]]


def test_v3_without_a_version_in_contract_the_claim_is_ignored() -> None:
    asked = request(BOB, 10)
    endless = claim(BOT, 20, asked, 20 + 61)
    result = fold(asked, endless)
    assert rules(result) == {endless["uri"]: "C2"}
    assert result["edits"] == [
        {
            "uri": endless["uri"],
            "kept": None,
            "others": [{"cid": ref(endless)["cid"], "reason": "C2"}],
            "deleted": False,
        }
    ]


@pytest.mark.parametrize(
    ("renewed", "until", "kept"),
    [
        (20, 80, True),
        (20, 81, False),
        (20, 20, False),
        (19, 60, False),
        (20 + 24 * 60 - 60, 20 + 24 * 60, True),
        (20 + 24 * 60 - 59, 20 + 24 * 60 + 1, False),
    ],
)
def test_c2_the_contract_to_the_minute(*, renewed: int, until: int, kept: bool) -> None:
    asked = request(BOB, 10)
    leased = claim(BOT, 20, asked, until, renewed)
    assert rules(fold(asked, leased)) == ({} if kept else {leased["uri"]: "C2"})


def test_v4_a_rewrite_of_closed_alone_ends_the_goal_and_changes_nothing_else() -> None:
    before = {**GOAL, "rev": REVS[0]}
    closed = {**again(GOAL, closed=True), "rev": REVS[1]}
    edited = {**again(GOAL, closed=False, title="other"), "rev": REVS[2]}
    result = oracle.materialize([*LAB[:-1], before, closed, edited])
    goal = goal_of(result)
    assert (goal["title"], goal["cid"], goal["ended"]) == ("ship", ref(GOAL)["cid"], True)
    assert goal["ending"] == {"disposition": "completed", "at": None, "by": ROOT, "record": GOAL["uri"]}
    assert reasons(result, GOAL["uri"]) == ["legacy ending", "edit"]
    assert goal["digest"] != goal_of(fold())["digest"]


def test_v5_a_deletion_removes_claims_agents_and_joins_until_they_are_written_again() -> None:
    join = write(BOB, "join", 5, space=ref(SPACE))
    seen, gone = {**join, "rev": REVS[0]}, deletion(join, rev=REVS[1])
    assert rules(fold(seen, gone)) == {join["uri"]: "V5"}
    assert rules(fold(seen, gone, {**join, "rev": REVS[2]})) == {}
    assert rules(fold(seen, deletion(join, rev=REVS[0]))) == {join["uri"]: "V5"}
    assert rules(fold(seen, deletion(join))) == {join["uri"]: "V5"}  # not comparable: not later
    assert [row["deleted"] for row in fold(seen, gone, {**join, "rev": REVS[2]})["edits"]] == []


def test_v5_sightings_compare_by_clock_where_a_rev_is_missing() -> None:
    join = write(BOB, "join", 5, space=ref(SPACE))
    gone = deletion(join, seenAt=at(8))
    assert rules(fold({**join, "seenAt": at(8)}, gone)) == {join["uri"]: "V5"}
    assert rules(fold({**join, "seenAt": at(9), "rev": REVS[0]}, gone)) == {}


def test_v5_a_deletion_of_anything_else_is_only_marked() -> None:
    result = fold(deletion(GOAL), deletion(BOB_IN))
    assert result["ignored"] == []
    assert [(row["uri"], row["deleted"]) for row in result["edits"]] == [(BOB_IN["uri"], True), (GOAL["uri"], True)]
    assert result["digest"] == fold()["digest"]


def test_v5_a_record_of_which_only_a_deletion_was_seen() -> None:
    unseen = message(BOB, 9)
    row = next(row for row in fold(deletion(unseen))["ignored"] if row["uri"] == unseen["uri"])
    assert (row["cid"], row["rule"]) == (None, "V5")


# --- T ----------------------------------------------------------------------------------------------


def membership(*events: Json) -> tuple[dict[str, str], dict[str, str], list[str]]:
    """Fold a log: role by DID, rule by URI, states of the grants in fold order."""
    result = oracle.materialize([SPACE, *events])
    space = space_of(result)
    roles = {member["did"]: member["role"] for member in space["members"]}
    return roles, rules(result), [one["state"] for one in space["grants"]]


def test_t1_root_needs_no_grant_and_cannot_be_granted_or_removed() -> None:
    given = grant(ROOT, ROOT, 1)
    taken = removal(ROOT, given, 2)
    assert membership(given, taken) == ({ROOT: "admin"}, {given["uri"]: "T1", taken["uri"]: "T1"}, [])


def test_t2_an_event_is_judged_at_its_point_of_the_fold() -> None:
    ann = grant(ROOT, ANN, 2, role="admin")
    early, late = grant(ANN, EVE, 1), grant(ANN, BOB, 3)
    out = removal(ROOT, ann, 4)
    after = grant(ANN, BOT, 5)
    roles, ignored, states = membership(ann, early, late, out, after)
    assert roles == {ROOT: "admin", BOB: "member"}
    assert ignored == {early["uri"]: "T2", after["uri"]: "T2"}
    assert states == ["revoked", "current"]


def test_t2_a_plain_member_admits_nobody() -> None:
    ann, eve = grant(ROOT, ANN, 1), grant(ANN, EVE, 2)
    assert membership(ann, eve)[1] == {eve["uri"]: "T2"}


def test_t2_equal_instants_fold_by_uri() -> None:
    ann = grant(ROOT, ANN, 1, role="admin")
    by_ann = {**grant(ANN, BOB, 1)}
    assert ann["uri"] > by_ann["uri"]
    assert membership(ann, by_ann)[1] == {by_ann["uri"]: "T2"}


def test_t3_a_new_grant_replaces_the_current_one() -> None:
    first, second = grant(ROOT, ANN, 1), grant(ROOT, ANN, 2, role="admin")
    result = oracle.materialize([SPACE, first, second])
    assert [(one["state"], one["endedBy"]) for one in space_of(result)["grants"]] == [
        ("replaced", second["uri"]),
        ("current", None),
    ]
    assert space_of(result)["members"][0] == {
        "did": ANN,
        "kind": "human",
        "role": "admin",
        "joined": False,
        "grant": ref(second),
        "since": at(2),
    }


def test_t4_a_removal_by_an_admin_must_name_the_current_grant() -> None:
    ann = grant(ROOT, ANN, 1, role="admin")
    old, new = grant(ROOT, BOB, 2), grant(ROOT, BOB, 3)
    stale, foreign = removal(ANN, old, 4), removal(ANN, new, 5, did=EVE)
    roles, ignored, _ = membership(ann, old, new, stale, foreign)
    assert roles[BOB] == "member"
    assert ignored == {stale["uri"]: "T4", foreign["uri"]: "T4"}


def test_t4_nobody_outruns_root_by_backdating() -> None:
    ann = grant(ROOT, ANN, 1, role="admin")
    by_root, by_ann = grant(ROOT, BOB, 2), grant(ANN, BOB, 3)
    out = removal(ROOT, by_root, 4)
    roles, ignored, states = membership(ann, by_root, by_ann, out)
    assert BOB not in roles
    assert ignored == {}
    assert states == ["current", "replaced", "revoked"]


def test_t4_only_root_removes_by_an_older_name() -> None:
    ann = grant(ROOT, ANN, 1, role="admin")
    by_root, by_ann = grant(ROOT, BOB, 2), grant(ANN, BOB, 3)
    out = removal(ANN, by_root, 4)
    assert membership(ann, by_root, by_ann, out)[1] == {out["uri"]: "T4"}


def test_t4_roots_own_newer_grant_stands_against_its_older_removal() -> None:
    first, second = grant(ROOT, BOB, 2), grant(ROOT, BOB, 3)
    out = removal(ROOT, first, 4)
    roles, ignored, _ = membership(first, second, out)
    assert roles[BOB] == "member"
    assert ignored == {out["uri"]: "T4"}


def test_t5_trust_is_read_at_the_end_and_comes_back() -> None:
    said = message(BOB, 10)
    out, back = removal(ROOT, BOB_IN, 20), grant(ROOT, BOB, 30)
    assert rules(fold(said)) == {}
    assert rules(fold(said, out)) == {said["uri"]: "T5"}
    assert rules(fold(said, out, back)) == {}


def test_t5_removing_an_admin_keeps_the_members_it_admitted() -> None:
    ann, eve = grant(ROOT, ANN, 1, role="admin"), grant(ANN, EVE, 2)
    assert membership(ann, eve, removal(ROOT, ann, 3))[0] == {ROOT: "admin", EVE: "member"}


def test_t6_a_join_marks_a_member_and_admits_nobody() -> None:
    bob, eve = write(BOB, "join", 5, space=ref(SPACE)), write(EVE, "join", 5, space=ref(SPACE))
    result = fold(bob, eve)
    assert rules(result) == {eve["uri"]: "T5"}
    assert {one["did"]: one["joined"] for one in space_of(result)["members"]} == {ROOT: False, BOB: True, BOT: False}
    assert result["digest"] == fold()["digest"]


def test_t7_a_goal_whose_project_is_elsewhere() -> None:
    other = write(ROOT, "space", 1, name="other")
    lost = write(ROOT, "goal", 9, space=ref(other), project=ref(PROJECT), title="", body="")
    assert rules(fold(other, lost)) == {lost["uri"]: "T7"}


# --- P, G, A ----------------------------------------------------------------------------------------


def test_p1_edits_are_the_authors_and_win_per_field() -> None:
    name = write(ROOT, "editProject", 10, project=ref(PROJECT), name="new")
    branch = write(ROOT, "editProject", 9, project=ref(PROJECT), defaultBranch="dev", name="old")
    foreign = write(BOB, "editProject", 11, project=ref(PROJECT), name="mine")
    result = fold(name, branch, foreign)
    project = space_of(result)["projects"][0]
    assert (project["name"], project["defaultBranch"], project["gitUrl"]) == ("new", "dev", "https://x.test/r")
    assert rules(result) == {foreign["uri"]: "P1"}


def test_p2_r8_auto_review_is_the_requests_else_the_projects() -> None:
    project = {**again(PROJECT, autoReview={"plan": True, "spec": True}), "uri": PROJECT["uri"]}
    off = write(ROOT, "setAutoReview", 10, project=ref(PROJECT), type="plan", enabled=False)
    on = write(ROOT, "setAutoReview", 9, project=ref(PROJECT), type="plan", enabled=True)
    foreign = write(BOB, "setAutoReview", 11, project=ref(PROJECT), type="spec", enabled=False)
    plain, own = request(BOB, 20), request(BOB, 21, autoReview=True)
    works = [artifact(BOT, 22, plain), artifact(BOT, 23, own)]
    result = oracle.materialize([SPACE, BOB_IN, BOT_IN, project, GOAL, off, on, foreign, plain, own, *works])
    assert space_of(result)["projects"][0]["autoReview"] == {"plan": False, "spec": True}
    assert rules(result) == {foreign["uri"]: "P2"}
    assert [one["autoReview"] for one in goal_of(result)["artifacts"]] == [False, True]


@pytest.mark.parametrize(
    ("events", "disposition"),
    [
        ([("closeGoal", 10, {"closed": True, "disposition": "dropped"})], "dropped"),
        ([("closeGoal", 10, {"closed": True}), ("closeGoal", 11, {"closed": False})], "open"),
        ([("archiveGoal", 10, {"archived": True})], "parked"),
        ([("archiveGoal", 10, {"archived": True}), ("archiveGoal", 11, {"archived": False})], "open"),
        ([("archiveGoal", 10, {"archived": True}), ("closeGoal", 11, {"closed": False})], "open"),
        ([("closeGoal", 10, {"closed": False}), ("archiveGoal", 11, {"archived": True})], "parked"),
        ([("closeGoal", 10, {"closed": True}), ("archiveGoal", 11, {"archived": False})], None),
    ],
)
def test_g3_one_ending(events: list[tuple[str, int, Json]], disposition: str | None) -> None:
    goal = goal_of(fold(*[write(BOB, kind, minute, goal=ref(GOAL), **fields) for kind, minute, fields in events]))
    assert (goal["ending"]["disposition"] if goal["ended"] else "open") == disposition


def artifact_type(by: str, minute: int, name: str, scope: str = "project") -> Json:
    return write(by, "artifactType", minute, space=ref(SPACE), name=name, brief="b", outputSpec="o", scope=scope)


def test_a_the_registry_is_the_admins() -> None:
    spec, plan = artifact_type(ROOT, 10, "spec"), artifact_type(ROOT, 11, "plan")
    built_in, foreign = artifact_type(ROOT, 12, "review"), artifact_type(BOB, 13, "spec")
    asked = [request(BOB, 20, "spec"), request(BOB, 21, "unheard"), request(BOB, 22, "implementation")]
    result = fold(spec, plan, built_in, foreign, *asked)
    assert rules(result) == {built_in["uri"]: "A1", foreign["uri"]: "A2"}
    known = [(one["name"], one["scope"], one["builtIn"]) for one in space_of(result)["artifactTypes"]]
    assert known == [("implementation", "goal", True), ("plan", "project", True), ("spec", "project", False)]
    fits = [(one["typeKnown"], one["scopeFits"]) for one in goal_of(result)["requests"]]
    assert fits == [(True, False), (False, None), (True, True)]


# --- R ----------------------------------------------------------------------------------------------


def test_r1_a_review_without_subject_and_an_answer_without_assignee() -> None:
    said = message(BOB, 9)
    review, answer = request(BOB, 10, "review"), request(BOB, 11, "answer", subject=ref(said))
    assert rules(fold(said, review, answer)) == {review["uri"]: "R1", answer["uri"]: "R1"}


def test_r2_an_artifact_fulfils_its_request_and_no_other() -> None:
    asked = request(BOB, 10)
    good, wrong_type = artifact(BOT, 11, asked), artifact(BOT, 12, asked, type="implementation")
    unresolved = artifact(BOT, 13, request(EVE, 10))
    result = fold(asked, good, wrong_type, unresolved)
    (view,) = goal_of(result)["requests"]
    assert rules(result) == {wrong_type["uri"]: "R2"}
    assert (view["fulfilledBy"], view["open"], view["dispatchable"]) == ([good["uri"]], False, False)
    assert [one["request"]["resolved"] for one in goal_of(result)["artifacts"]] == [True, False]


def test_r2_a_review_fulfils_the_request_about_its_subject() -> None:
    plan = request(BOB, 10)
    first, second = artifact(BOT, 11, plan), artifact(BOT, 12, plan)
    asked = request(BOB, 13, "review", subject=ref(first))
    good = write(BOB, "review", 14, subject=ref(first), request=ref(asked), verdict="approve")
    wrong = write(BOB, "review", 15, subject=ref(second), request=ref(asked), verdict="approve")
    free = write(BOB, "review", 16, subject=ref(second), verdict="request_changes")
    result = fold(plan, first, second, asked, good, wrong, free)
    assert rules(result) == {wrong["uri"]: "R2"}
    assert goal_of(result)["requests"][1]["fulfilledBy"] == [good["uri"]]
    assert [one["uri"] for one in goal_of(result)["artifacts"][1]["reviews"]] == [free["uri"]]


def test_r2_no_artifact_fulfils_a_review_request() -> None:
    plan = request(BOB, 10)
    work = artifact(BOT, 11, plan)
    asked = request(BOB, 12, "review", subject=ref(work))
    mistaken = artifact(BOT, 13, asked, type="review")
    assert rules(fold(plan, work, asked, mistaken)) == {mistaken["uri"]: "R2"}


def test_r2_an_answer_comes_from_the_assignee_under_its_subject() -> None:
    question = message(BOT, 9)
    asked = request(BOT, 10, "answer", subject=ref(question), assignee=BOB)
    beside = message(BOB, 11, re=ref(asked))
    foreign = message(ROOT, 12, re=ref(asked), parent=ref(question))
    answer = message(BOB, 13, re=ref(asked), parent=ref(question))
    (view,) = goal_of(fold(question, asked, beside, foreign, answer))["requests"]
    assert view["fulfilledBy"] == [answer["uri"]]
    assert [one["uri"] for one in view["questions"]] == [beside["uri"]]


def test_r3_a_retraction_is_its_authors_or_an_admins() -> None:
    asked = request(BOB, 10)
    foreign, own = (
        write(BOT, "retractRequest", 11, request=ref(asked)),
        write(BOB, "retractRequest", 12, request=ref(asked)),
    )
    result = fold(asked, foreign, own)
    assert rules(result) == {foreign["uri"]: "R3"}
    assert goal_of(result)["requests"][0]["retractedBy"] == own["uri"]


def test_r4_only_the_assignee_declines() -> None:
    asked = request(ROOT, 10, assignee=BOB)
    others, own = message(BOT, 11, re=ref(asked), declines=True), message(BOB, 12, re=ref(asked), declines=True)
    assert goal_of(fold(asked, others))["requests"][0]["open"] is True
    assert goal_of(fold(asked, others, own))["requests"][0]["declinedBy"] == own["uri"]


def test_r6_an_agents_question_waits_for_a_reply_by_another() -> None:
    asked = request(BOB, 10)
    thought, question = message(ROOT, 11, re=ref(asked)), message(BOT, 12, re=ref(asked))
    prose, own, reply = message(BOB, 13), message(BOT, 14, parent=ref(question)), message(BOB, 15, parent=ref(question))
    (waiting,) = goal_of(fold(asked, thought, question, prose, own))["requests"]
    assert waiting["awaitingInput"] is True
    assert waiting["questions"] == [{"uri": question["uri"], "author": BOT, "answeredBy": None}]
    (answered,) = goal_of(fold(asked, thought, question, prose, own, reply))["requests"]
    assert answered["awaitingInput"] is False
    assert answered["questions"][0]["answeredBy"] == reply["uri"]


# --- C ----------------------------------------------------------------------------------------------


def test_c1_nobody_claims_an_assigned_request() -> None:
    asked = request(BOB, 10, assignee=BOT)
    leased = claim(BOT, 11, asked, 30)
    assert rules(fold(asked, leased)) == {leased["uri"]: "C1"}


def test_c3_c7_claims_rank_by_date_and_fence_the_later_one() -> None:
    asked = request(BOB, 10)
    first, second, third = claim(BOT, 20, asked, 40), claim(BOB, 30, asked, 60), claim(ROOT, 70, asked, 80)
    works = [artifact(BOT, 90 + step, asked, claim=ref(one)) for step, one in enumerate((first, second, third))]
    result = fold(third, second, first, asked, *works)
    assert goal_of(result)["requests"][0]["claims"] == [first["uri"], second["uri"], third["uri"]]
    assert [one["claim"]["lost"] for one in goal_of(result)["artifacts"]] == [False, True, False]


def test_c7_a_claim_on_another_request_fences_nothing() -> None:
    asked, other = request(BOB, 10), request(BOB, 11)
    leased = claim(BOT, 20, other, 40)
    work, said = artifact(BOT, 30, asked, claim=ref(leased)), message(BOT, 31, claim=ref(leased))
    goal = goal_of(fold(asked, other, leased, work, said))
    assert goal["artifacts"][0]["claim"] == {"uri": leased["uri"], "lost": None}
    assert goal["messages"][0]["claim"] == {"uri": leased["uri"], "lost": None}


def test_c4_a_lease_is_a_duration_from_the_observers_own_sighting() -> None:
    asked = request(BOB, 10)
    first, second = claim(BOT, 20, asked, 40), claim(BOB, 30, asked, 60)
    claims = [(one["uri"], one["value"]) for one in (second, first)]
    seen = {first["uri"]: at(100), second["uri"]: at(100)}
    assert oracle.live(first["value"], at(100), at(119))
    assert not oracle.live(first["value"], at(100), at(120))
    assert oracle.live(first["value"], None, at(500))
    assert oracle.winner(claims, seen, at(119)) == first["uri"]
    assert oracle.winner(claims, seen, at(121)) == second["uri"]
    assert oracle.winner(claims, seen, at(130)) is None


# --- X, M, N ----------------------------------------------------------------------------------------


def test_x2_chains_follow_prev_within_one_type() -> None:
    plan, code = request(BOB, 10), request(BOB, 11, "implementation")
    first = artifact(BOT, 12, plan)
    second, fork = artifact(BOT, 13, plan, prev=ref(first)), artifact(BOT, 14, plan, prev=ref(first))
    other = artifact(BOT, 15, code, type="implementation", prev=ref(fork))
    assert goal_of(fold(plan, code, first, second, fork, other))["chains"] == [
        {
            "type": "plan",
            "versions": [first["uri"], second["uri"], fork["uri"]],
            "current": fork["uri"],
            "forks": True,
        },
        {"type": "implementation", "versions": [other["uri"]], "current": other["uri"], "forks": False},
    ]


@pytest.mark.parametrize(("passes", "passed"), [([], False), ([True], True), ([True, False], False)])
def test_x4_a_checkrun_passes_when_all_of_at_least_one_result_do(*, passes: list[bool], passed: bool) -> None:
    asked = request(BOB, 10)
    work = artifact(BOT, 11, asked)
    results = [{"name": "t", "pass": one} for one in passes]
    run = write(BOB, "checkrun", 12, artifact=ref(work), commit="c", results=results)
    assert goal_of(fold(asked, work, run))["artifacts"][0]["checkruns"][0]["passed"] is passed


def test_x6_staleness_counts_later_merges_of_implementations() -> None:
    spec = artifact_type(ROOT, 9, "spec")
    asked = write(BOB, "artifactRequest", 10, project=ref(PROJECT), type="spec")
    code = request(BOB, 11, "implementation")
    design = write(BOT, "artifact", 20, request=ref(asked), project=ref(PROJECT), type="spec", body="")
    works = [artifact(BOT, minute, code, type="implementation") for minute in (21, 22)]
    merges = [
        write(BOB, "merge", 40, artifact=ref(works[0]), pr="at://did:plc:x/a.b.c/d", mergedAt=at(20)),
        write(BOB, "merge", 41, artifact=ref(works[1]), pr="https://x.test/1"),
    ]
    result = fold(spec, asked, code, design, *works, *merges)
    assert space_of(result)["projects"][0]["system"] == [{"type": "spec", "current": design["uri"], "staleness": 1}]
    assert [one["merged"]["at"] for one in goal_of(result)["artifacts"]] == [at(20), at(41)]


def test_m1_a_forest_depth_first_with_cycles_at_the_top() -> None:
    top, later = message(BOB, 10), message(BOB, 11)
    child, grandchild = (
        message(BOT, 12, parent=ref(top)),
        message(BOB, 13, parent=ref(message(BOT, 12, parent=ref(top)))),
    )
    one = message(BOB, 14, parent={**ref(top), "uri": message(BOT, 15)["uri"]})
    two = message(BOT, 15, parent=ref(one))
    off = message(ROOT, 16, parent=ref(two))
    shown = goal_of(fold(off, two, one, grandchild, child, later, top))["messages"]
    assert [(row["uri"], row["depth"]) for row in shown] == [
        (top["uri"], 0),
        (child["uri"], 1),
        (grandchild["uri"], 2),
        (later["uri"], 0),
        (one["uri"], 0),
        (two["uri"], 0),
        (off["uri"], 1),
    ]
    assert [row["parent"]["resolved"] for row in shown if row["parent"]] == [True, True, False, False, True]


def test_m2_a_blessing_leaves_guests_when_it_is_retracted() -> None:
    words = {"uri": f"at://{EVE}/app.bsky.feed.post/1", "cid": ref(SPACE)["cid"]}
    bless = write(BOB, "blessComment", 10, goal=ref(GOAL), comment=words, body="hello")
    foreign, own = write(BOT, "retractBless", 11, bless=ref(bless)), write(BOB, "retractBless", 12, bless=ref(bless))
    result = fold(bless, foreign)
    assert rules(result) == {foreign["uri"]: "M2"}
    (guest,) = goal_of(result)["guests"]
    assert (guest["by"], guest["guest"], guest["body"], guest["comment"]["resolved"]) == (BOB, EVE, "hello", False)
    assert goal_of(fold(bless, own))["guests"] == []
    assert bless["uri"] in goal_of(fold(bless, own))["records"]


def test_m3_guest_comments_are_an_admins_setting() -> None:
    on, foreign = (write(by, "setGuestComments", 10, space=ref(SPACE), enabled=True) for by in (ROOT, BOB))
    result = fold(on, foreign)
    assert space_of(result)["guestComments"] is True
    assert rules(result) == {foreign["uri"]: "M3"}


def test_n2_closures_over_edges() -> None:
    plan = request(BOB, 10)
    made = artifact(BOT, 11, plan)
    code = request(BOB, 12, "implementation", basedOn=[ref(made)])
    work = artifact(BOT, 13, code, type="implementation")
    run = write(BOB, "checkrun", 14, artifact=ref(work), commit="c", results=[])
    everything = [*LAB, plan, made, code, work, run]
    assert oracle.upstream(everything, run["uri"]) == [one["uri"] for one in (plan, made, code, work)]
    assert oracle.downstream(everything, made["uri"]) == [one["uri"] for one in (code, work, run)]
    assert oracle.upstream(everything, "at://nowhere") == []


# --- the whole --------------------------------------------------------------------------------------


def busy_history() -> list[Json]:
    """Return a history with edits, deletions, strangers, cycles and unresolved references, on two spaces."""
    other = write(EVE, "space", 1, name="other")
    asked = request(BOB, 10)
    leased = claim(BOT, 20, asked, 40)
    work = artifact(BOT, 21, asked, claim=ref(leased))
    blob = {"$type": "blob", "ref": {"$link": ref(SPACE)["cid"]}, "mimeType": "image/png", "size": 3}
    return [
        *LAB,
        other,
        asked,
        again(asked, brief="edited"),
        {**leased, "rev": REVS[1], "seenAt": at(20)},
        {**again(leased, renewedAt=at(30), expiresAt=at(60)), "rev": REVS[2]},
        {**leased, "seenAt": at(25)},
        deletion(leased, rev=REVS[0]),
        work,
        artifact(BOT, 22, asked, prev=ref(work)),
        message(EVE, 23),
        message(BOB, 24, parent=ref(message(BOB, 24))),
        {**again(GOAL, closed=True), "seenAt": at(50)},
        deletion(GOAL),
        AGENT,
        again(AGENT, harness="new"),
        deletion(write(BOB, "join", 5, space=ref(SPACE))),
        write(BOB, "image", 25, blob=blob),
        write(EVE, "image", 26, blob={**blob, "size": 10_000_001}),
        {"uri": f"at://{EVE}/app.bsky.feed.post/1", "value": 3},
        removal(ROOT, BOT_IN, 70),
        grant(ROOT, BOT, 71, role="agent", kind="agent"),
    ]


@pytest.mark.parametrize("seed", range(10))
def test_order_and_repetition_change_nothing(seed: int) -> None:
    history = busy_history()
    expected = oracle.materialize(history)
    shuffled = history + random.Random(seed).choices(history, k=10)
    random.Random(seed).shuffle(shuffled)
    assert oracle.materialize(shuffled) == expected


def test_every_uri_is_in_exactly_one_place() -> None:
    result = oracle.materialize(busy_history())
    places = [row["uri"] for row in result["ignored"]] + [row["uri"] for row in result["images"]]
    for space in result["spaces"]:
        for place in [space, *space["projects"], *space["goals"]]:
            places += place["records"]
    agents = [uri for uri in places if "radial.agent/" in uri]
    assert len(places) - len(agents) == len(set(places)) - len(set(agents))
    assert set(places) == {observation["uri"] for observation in busy_history()}


def test_a_record_redigests_its_goal_and_no_other() -> None:
    second = write(ROOT, "goal", 5, space=ref(SPACE), project=ref(PROJECT), title="two", body="")
    before, after = space_of(fold(second)), space_of(fold(second, message(BOB, 10)))
    assert before["goals"][0]["digest"] != after["goals"][0]["digest"]
    assert before["goals"][1]["digest"] == after["goals"][1]["digest"]
    assert before["projects"][0]["digest"] == after["projects"][0]["digest"]
    assert before["digest"] != after["digest"]


def test_a_renewal_does_not_enter_the_digest_and_a_claim_does() -> None:
    asked = request(BOB, 10)
    leased = claim(BOT, 20, asked, 40)
    renewed = again(leased, renewedAt=at(30), expiresAt=at(60))
    assert fold(asked, leased)["digest"] == fold(asked, leased, renewed)["digest"]
    assert fold(asked, leased)["digest"] != fold(asked)["digest"]


def test_a_long_thread_and_a_long_chain_need_no_stack() -> None:
    asked = request(BOB, 10)
    thread, chain = [message(BOB, 11)], [artifact(BOT, 11, asked)]
    for minute in range(12, 212):
        thread.append(message(BOB, minute, parent=ref(thread[-1])))
        chain.append(artifact(BOT, minute, asked, prev=ref(chain[-1])))
    goal = goal_of(fold(asked, *thread, *chain))
    assert [row["depth"] for row in goal["messages"]] == list(range(201))
    assert [len(one["versions"]) for one in goal["chains"]] == [201]
