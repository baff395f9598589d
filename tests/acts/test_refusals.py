"""What the rules refuse is predicted, for everybody: the tables are read off the protocol, person by person.

`admin` and `root` are admins, `ann` wrote the project, the request and the blessing, `cat` is a plain member, `bot` an
agent, `eve` was a member once, `mal` never was.
"""

import json
from typing import Any

import pytest

from radial_core import Record, materialize
from radial_core.acts.draft import Draft, Removal
from radial_core.acts.foresight import Refusal, foresee
from radial_core.jsonform import from_json
from radial_core.records import COLLECTIONS
from tests.acts.desks import drafted, recorded
from tests.core import small_world as w
from tests.core.small_world import ANN, BOT, EVE, PREFIX, ROOT, at, ref

CAT, DAN, MAL = "did:plc:cat", "did:plc:dan", "did:plc:mal"
PEOPLE = {"root": ROOT, "admin": DAN, "ann": ANN, "cat": CAT, "bot": BOT, "eve": EVE, "mal": MAL}
ADD_CAT = w.add(w.SPACE, 50, CAT, "human", "member")
ADD_DAN = w.add(w.SPACE, 51, DAN, "human", "admin")
# ann is no admin here, so that what she may do she may do as an author.
DEMOTED = w.add(w.SPACE, 52, ANN, "human", "member")
ASSIGNED = w.write(ROOT, "artifactRequest", 55, "assigned", goal=ref(w.GOAL), type="plan", assignee=CAT)
WORLD = (*w.LAB, w.ATTIC, ADD_CAT, ADD_DAN, DEMOTED, ASSIGNED)
INDEX = materialize(WORLD)

SPACE, PROJECT, GOAL = ref(w.SPACE), ref(w.PROJECT), ref(w.GOAL)
PLAN, REQUEST = ref(w.PLAN), ref(w.REQUEST)
IMAGE: Any = from_json(w.BLOB)
NOWHERE = {"uri": w.uri_of(ROOT, "goal", "nowhere"), "cid": w.UNSEEN}
NO_SPACE, NO_PROJECT = w.uri_of(ANN, "space", "no"), w.uri_of(ANN, "project", "no")

ADMINS: dict[str, str | None] = {"root": None, "admin": None}
BY_ADMINS: dict[str, tuple[str, dict[str, Any]]] = {
    "addMember": ("T2", {"space": SPACE, "did": MAL, "kind": "human", "role": "member"}),
    "removeMember": ("T2", {"space": SPACE, "did": CAT, "membership": ref(ADD_CAT)}),
    "setGuestComments": ("M3", {"space": SPACE, "enabled": False}),
    "artifactType": ("A2", {"space": SPACE, "name": "map", "brief": "b", "outputSpec": "o", "scope": "goal"}),
    "setAutoReview": ("P2", {"project": PROJECT, "type": "plan", "enabled": True}),
}
BY_THE_AUTHOR: dict[str, tuple[str, dict[str, Any]]] = {
    "editProject": ("P1", {"project": PROJECT, "name": "n"}),
    "archiveProject": ("P1", {"project": PROJECT, "archived": True}),
}
BY_THE_AUTHOR_OR_ADMINS: dict[str, tuple[str, dict[str, Any]]] = {
    "retractRequest": ("R3", {"request": REQUEST}),
    "retractBless": ("M2", {"bless": ref(w.BLESS)}),
}
BY_MEMBERS: dict[str, dict[str, Any]] = {
    "join": {"space": SPACE},
    "project": {"space": SPACE, "name": "n", "gitUrl": "https://git.example/n", "defaultBranch": "main"},
    "goal": {"space": SPACE, "project": PROJECT, "title": "t", "body": "b"},
    "closeGoal": {"goal": GOAL, "closed": True},
    "archiveGoal": {"goal": GOAL, "archived": True},  # G2: written no more, and judged all the same
    "artifactRequest": {"goal": GOAL, "type": "plan"},
    "claim": {"request": REQUEST, "expiresAt": at(120)},  # C1: it names no assignee; C2: half an hour
    "artifact": {"goal": GOAL, "request": REQUEST, "type": "plan", "body": "b"},
    "review": {"subject": PLAN, "verdict": "approve"},
    "checkrun": {"artifact": PLAN, "commit": "c0ffee", "results": []},
    "merge": {"artifact": PLAN, "pr": "https://git.example/site/2"},
    "message": {"goal": GOAL, "body": "b"},
    "blessComment": {"goal": GOAL, "comment": w.COMMENT, "body": "b"},
    "agent": {"handleName": "a", "harness": "h", "models": [], "artifactTypes": []},
    "image": {"blob": IMAGE},
}


def table() -> dict[tuple[str, str], tuple[Draft, str | None]]:
    """Say for every kind and everybody which rule keeps the record out, if one does."""
    rows: dict[tuple[str, str], tuple[Draft, str | None]] = {}
    for kind, (rule, fields) in BY_ADMINS.items():
        outside = "T2" if rule == "T2" else "T5"
        said = {**ADMINS, "ann": rule, "cat": rule, "bot": rule, "eve": outside, "mal": outside}
        rows |= {(kind, who): (drafted(kind, **fields), expected) for who, expected in said.items()}
    for kind, (rule, fields) in BY_THE_AUTHOR.items():
        said = {"root": rule, "admin": rule, "ann": None, "cat": rule, "bot": rule, "eve": "T5", "mal": "T5"}
        rows |= {(kind, who): (drafted(kind, **fields), expected) for who, expected in said.items()}
    for kind, (rule, fields) in BY_THE_AUTHOR_OR_ADMINS.items():
        said = {**ADMINS, "ann": None, "cat": rule, "bot": rule, "eve": "T5", "mal": "T5"}
        rows |= {(kind, who): (drafted(kind, **fields), expected) for who, expected in said.items()}
    for kind, inner in BY_MEMBERS.items():
        said = {who: "T5" if who in {"eve", "mal"} else None for who in PEOPLE}
        rows |= {(kind, who): (drafted(kind, **inner), expected) for who, expected in said.items()}
    rows |= {("space", who): (drafted("space", name="s"), None) for who in PEOPLE}
    return rows


TABLE = table()


@pytest.mark.parametrize(("kind", "who"), TABLE)
def test_who_may_write_what_is_foreseen(kind: str, who: str) -> None:
    draft, rule = TABLE[kind, who]
    did = PEOPLE[who]
    refusals = foresee(INDEX, did, [draft]).refusals
    assert [refusal.rule for refusal in refusals] == ([] if rule is None else [rule])
    assert [refusal.uri for refusal in refusals] == ([] if rule is None else [draft.uri(did)])
    ignored = {row.uri: row.rule for row in materialize([*WORLD, *recorded(did, draft)]).ignored}
    assert ignored.get(draft.uri(did)) == rule


def test_every_kind_is_in_the_table_for_everybody() -> None:
    kinds = {collection.removeprefix(PREFIX) for collection in COLLECTIONS}
    assert set(TABLE) == {(kind, who) for kind in kinds for who in PEOPLE}


# Refusals that are no matter of who writes ---------------------------------------------------------------------------


def over(record: Record, **changes: Any) -> Draft:
    """Write over a record."""
    _, _, _, collection, key = record.uri.split("/")
    return Draft(collection=collection, rkey=key, value={**record.value, **changes}, replaces=record.cid)


ATTIC_PROJECT = w.write(
    ANN, "project", 56, "loft", space=ref(w.ATTIC), name="L", gitUrl="https://git.example/l", defaultBranch="main"
)
CASES: dict[str, tuple[str, Draft, str]] = {
    "adding the root": (ROOT, drafted("addMember", space=SPACE, did=ROOT, kind="human", role="member"), "T1"),
    "removing the root": (DAN, drafted("removeMember", space=SPACE, did=ROOT, membership=ref(ADD_CAT)), "T1"),
    "removing somebody twice": (DAN, drafted("removeMember", space=SPACE, did=EVE, membership=ref(w.ADD_EVE)), "T4"),
    "removing by another's grant": (DAN, drafted("removeMember", space=SPACE, did=CAT, membership=ref(ADD_DAN)), "T4"),
    "granting before one was an admin": (
        DAN, drafted("addMember", "k1", 20, space=SPACE, did=MAL, kind="human", role="member"), "T2",
    ),
    "a goal between two spaces": (
        ANN, drafted("goal", space=SPACE, project=ref(ATTIC_PROJECT), title="t", body="b"), "T7",
    ),
    "a goal of no project": (
        ANN, drafted("goal", space=SPACE, project={**NOWHERE, "uri": NO_PROJECT}, title="t", body="b"), "L5",
    ),
    "a message at no goal": (ANN, drafted("message", goal=NOWHERE, body="b"), "L5"),
    "a join of no space": (ANN, drafted("join", space={**SPACE, "uri": NO_SPACE}), "L5"),
    "a grant for no space": (
        ANN, drafted("addMember", space={**SPACE, "uri": NO_SPACE}, did=MAL, kind="human", role="member"), "L5",
    ),
    "a built-in type": (
        ROOT, drafted("artifactType", space=SPACE, name="review", brief="b", outputSpec="o", scope="goal"), "A1",
    ),
    "a review of nothing": (ANN, drafted("artifactRequest", goal=GOAL, type="review"), "R1"),
    "an answer at a project": (
        ANN, drafted("artifactRequest", project=PROJECT, type="answer", subject=ref(w.REMARK), assignee=BOT), "R1",
    ),
    "an artifact of another type": (
        ANN, drafted("artifact", goal=GOAL, request=REQUEST, type="implementation", body="b"), "R2",
    ),
    "a verdict on something else": (
        ANN, drafted("review", subject=PLAN, request=REQUEST, verdict="approve"), "R2",
    ),
    "a claim on what is assigned": (
        BOT, drafted("claim", request=ref(ASSIGNED), expiresAt=at(100)), "C1",
    ),
    "a claim that never ends": (BOT, drafted("claim", request=REQUEST, expiresAt=at(1000)), "C2"),
    "a word that is none": (ANN, drafted("review", subject=PLAN, verdict="maybe"), "L1"),
    "no number for a server": (ANN, drafted("checkrun", artifact=PLAN, commit="c", results=[], took=0.5), "L1"),
    "too deep": (ANN, drafted("message", goal=GOAL, body="b", more=json.loads("[" * 70 + "]" * 70)), "L6"),
    "too long": (ANN, drafted("message", goal=GOAL, body="b" * 1_048_576), "L6"),
    "a key that is none": (ANN, drafted("message", "..", goal=GOAL, body="b"), "O6"),
    "a collection that is not Radial's": (ANN, drafted("nothing", goal=GOAL, body="b"), "O6"),
    "an edit in place": (
        ROOT, over(w.GOAL, title="t"), "V1",
    ),
    "a second record at a key": (
        ROOT, drafted("goal", "ship", space=SPACE, project=PROJECT, title="t", body="b"), "V1",
    ),
    "a lease made shorter": (
        BOT, over(w.CLAIM, expiresAt=at(30)), "V3",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_no_rule_allows_is_foreseen(case: str) -> None:
    author, draft, rule = CASES[case]
    index = materialize([*WORLD, ATTIC_PROJECT])
    assert [refusal.rule for refusal in foresee(index, author, [draft]).refusals] == [rule]


# Words --------------------------------------------------------------------------------------------------------------

SAID = {
    ("setAutoReview", "cat"): "you are not an admin of this space (P2)",
    ("artifactType", "cat"): "you are not an admin of this space (A2)",
    ("setGuestComments", "bot"): "you are not an admin of this space (M3)",
    ("addMember", "cat"): "you are not an admin of this space (T2)",
    ("removeMember", "mal"): "you are not an admin of this space (T2)",
    ("editProject", "root"): "you are not the author of this project: nobody else changes or archives it (P1)",
    ("retractRequest", "cat"): "you are neither the author of this request nor an admin of this space (R3)",
    ("retractBless", "cat"): "you are neither the author of this blessing nor an admin of this space (M2)",
    ("message", "mal"): "you are not a member of this space (T5)",
    ("message", "eve"): "you are no longer a member of this space (T5)",
    ("join", "mal"): "you are not a member of this space (T5)",
    ("image", "mal"): "you are not a member of any space seen here (T5)",
}


@pytest.mark.parametrize("case", SAID)
def test_a_refusal_speaks_to_its_author(case: tuple[str, str]) -> None:
    draft, _ = TABLE[case]
    (refusal,) = foresee(INDEX, PEOPLE[case[1]], [draft]).refusals
    assert str(refusal) == SAID[case]
    assert refusal.remedy.endswith(".")


def test_an_admin_whose_clock_is_slow_is_told_so() -> None:
    author, draft, _ = CASES["granting before one was an admin"]
    (refusal,) = foresee(INDEX, author, [draft]).refusals
    assert "were not yet one at 2026-01-01T09:20:00Z" in refusal.reason


def test_a_grant_for_a_space_that_is_not_here_is_a_matter_of_the_space() -> None:
    author, draft, _ = CASES["a grant for no space"]
    (refusal,) = foresee(INDEX, author, [draft]).refusals
    assert refusal.reason.endswith("which is not here or does not count")


@pytest.mark.parametrize("rule", sorted({rule for *_, rule in CASES.values()} | {"P2", "T5"}))
def test_there_is_something_to_do_about_every_refusal(rule: str) -> None:
    assert Refusal("at://x", rule, "no").remedy


# Several at once, and what is taken away -----------------------------------------------------------------------------


def test_drafts_are_judged_together() -> None:
    space = drafted("space", name="s")
    uri = {"uri": space.uri(MAL), "cid": space.cid}
    inside = drafted("project", "k2", space=uri, name="n", gitUrl="https://git.example/n", defaultBranch="main")
    goal = drafted("goal", "k3", space=uri, project={"uri": inside.uri(MAL), "cid": inside.cid}, title="t", body="b")
    assert foresee(INDEX, MAL, [goal, inside, space]).refusals == ()
    assert [one.rule for one in foresee(INDEX, MAL, [goal, inside]).refusals] == ["L5", "L5"]


def test_one_bad_draft_spoils_no_other() -> None:
    good, bad = drafted("message", goal=GOAL, body="b"), drafted("message", "k2", goal=GOAL, body=7)
    forecast = foresee(INDEX, CAT, [bad, good])
    assert [(one.uri, one.rule) for one in forecast.refusals] == [(bad.uri(CAT), "L1")]
    assert forecast.index.entry(good.uri(CAT)) is not None


def test_what_stands_there_already_is_no_edit() -> None:
    same = Draft(collection=PREFIX + "goal", rkey="ship", value=w.GOAL.value)
    assert foresee(INDEX, ROOT, [same]).refusals == ()


def test_a_join_that_was_taken_back_can_be_written_again() -> None:
    gone = w.gone(w.JOIN, w.REVS[3], at(200))
    again = drafted("join", "m5", space=SPACE)
    assert foresee(materialize([*WORLD, gone]), BOT, [again]).refusals == ()


def test_what_is_taken_away_is_gone_in_the_forecast_alone() -> None:
    removal = Removal(collection=PREFIX + "agent", rkey="coder", replaces=w.PROFILE.cid)
    before = materialize(WORLD)
    forecast = foresee(before, BOT, [], [removal])
    assert forecast.index.capable(w.SPACE.uri, "plan") == ()
    assert [agent.uri for agent in before.capable(w.SPACE.uri, "plan")] == [w.PROFILE.uri]
    assert (forecast.refusals, forecast.hidden) == ((), ())
