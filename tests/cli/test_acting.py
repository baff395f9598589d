"""What each acting verb writes, over the example: the space, the people and the goals are those of its story."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from radial_core.acts.templates import TEMPLATES
from tests.cli.harbour import HANDLES, PDS, Harbour, harbour
from tests.cli.people import ADA, BEN, OSKAR, PREFIX, ROOK, SPACE, WREN, line, ref, uri
from tests.cli.test_reference import documented_keys_hold, section

__all__ = ["harbour"]

DATUM = uri(ADA, "message/which-datum")
GAUGE, SPRING = uri(BEN, "goal/quiet-gauge"), uri(ADA, "goal/spring-tides")
TABLES = uri(ADA, "project/tide-tables")
PLAN = uri(ROOK, "artifact/plan-quiet-2")


def names(value: Any) -> Any:
    """Reduce references to their URIs: what a record names is what counts, its CID follows."""
    if isinstance(value, dict):
        return value["uri"] if value.keys() == {"uri", "cid"} else {name: names(each) for name, each in value.items()}
    return [names(each) for each in value] if isinstance(value, list) else value


# The command line, who gives it, and the records that it means.
ACTS: list[tuple[list[str], str, list[dict[str, Any]]]] = [
    (
        ["space", "guest-comments", "off"],
        BEN,
        [{"kind": "setGuestComments", "space": SPACE, "enabled": False}],
    ),
    (
        ["member", "add", "did:plc:new", "--role", "admin", "--space", "Tide"],
        ADA,
        [{"kind": "human", "space": SPACE, "did": "did:plc:new", "role": "admin"}],
    ),
    (
        ["member", "add", OSKAR, "--kind", "agent"],
        BEN,
        [{"kind": "agent", "space": SPACE, "did": OSKAR, "role": "agent"}],
    ),
    (
        ["member", "remove", "@builder"],
        ADA,
        [{"kind": "removeMember", "space": SPACE, "did": ROOK, "membership": uri(ADA, "addMember/rook")}],
    ),
    (
        ["project", "create", "Buoys", "--git", "https://git.example/buoys", "--check", "test=make -j2 X=1 test"],
        WREN,
        [
            {
                "kind": "project",
                "space": SPACE,
                "name": "Buoys",
                "gitUrl": "https://git.example/buoys",
                "defaultBranch": "main",
                "checks": [{"name": "test", "command": "make -j2 X=1 test"}],
            }
        ],
    ),
    (
        ["project", "edit", "tide tables", "--branch", "trunk"],
        ADA,
        [{"kind": "editProject", "project": TABLES, "defaultBranch": "trunk"}],
    ),
    (["project", "archive", "1"], ADA, [{"kind": "archiveProject", "project": TABLES, "archived": True}]),
    (
        ["project", "auto-review", "tide-tables", "plan", "off"],
        BEN,
        [{"kind": "setAutoReview", "project": TABLES, "type": "plan", "enabled": False}],
    ),
    (
        ["type", "add", "--from-template", "decision", "--scope", "goal"],
        BEN,
        [
            {
                "kind": "artifactType",
                "space": SPACE,
                "name": "decision",
                "brief": TEMPLATES["decision"].brief,
                "outputSpec": TEMPLATES["decision"].output_spec,
                "scope": "goal",
            }
        ],
    ),
    (
        ["goal", "create", "Warn earlier", "--body", "By an hour."],
        BEN,
        [{"kind": "goal", "space": SPACE, "project": TABLES, "title": "Warn earlier", "body": "By an hour."}],
    ),
    (
        ["goal", "close", "Next week"],
        WREN,
        [{"kind": "closeGoal", "goal": SPRING, "closed": True, "disposition": "completed"}],
    ),
    (["goal", "reopen", "#1"], ADA, [{"kind": "closeGoal", "goal": GAUGE, "closed": False}]),
    (
        ["request", "plan", "--goal", "4", "--assignee", "@reader", "--brief", "Short."],
        ADA,
        [
            {
                "kind": "artifactRequest",
                "goal": uri(BEN, "goal/ten-years"),
                "type": "plan",
                "assignee": WREN,
                "brief": "Short.",
            }
        ],
    ),
    (
        ["request", "implementation", "--from", "artifact/plan-quiet-2", "--based-on", DATUM, "--auto-review"],
        ADA,
        [
            {
                "kind": "artifactRequest",
                "goal": GAUGE,
                "type": "implementation",
                "basedOn": [PLAN, DATUM],
                "autoReview": True,
            }
        ],
    ),
    (
        ["request", "review", "--from", "Notice silence, and"],
        BEN,
        [{"kind": "artifactRequest", "goal": GAUGE, "type": "review", "subject": PLAN}],
    ),
    (
        ["request", "plan", "--from", "review/plan-quiet-2"],
        BEN,
        [
            {
                "kind": "artifactRequest",
                "goal": GAUGE,
                "type": "plan",
                "basedOn": [PLAN, uri(BEN, "review/plan-quiet-2")],
            }
        ],
    ),
    (
        ["request", "architecture", "--project", "Tide"],
        ADA,
        [{"kind": "artifactRequest", "project": TABLES, "type": "architecture"}],
    ),
    (
        ["request", "retract", uri(BEN, "artifactRequest/plan-ten-years")],
        BEN,
        [{"kind": "retractRequest", "request": uri(BEN, "artifactRequest/plan-ten-years")}],
    ),
    (
        ["capture", "plan-quiet-2", "architecture"],
        ADA,
        [{"kind": "artifactRequest", "project": TABLES, "type": "architecture", "basedOn": [PLAN]}],
    ),
    (
        ["review", "artifact/plan-spring-1", "request-changes", "--finding", "major: Which datum: chart or sea?"],
        BEN,
        [
            {
                "kind": "review",
                "subject": uri(WREN, "artifact/plan-spring-1"),
                "verdict": "request_changes",
                "findings": [{"severity": "major", "body": "Which datum: chart or sea?"}],
            }
        ],
    ),
    (
        ["review", "artifactRequest/review-plan-quiet", "approve"],
        WREN,
        [
            {
                "kind": "review",
                "subject": uri(ROOK, "artifact/plan-quiet-1"),
                "verdict": "approve",
                "request": uri(ADA, "artifactRequest/review-plan-quiet"),
            }
        ],
    ),
    (
        ["artifact", "submit", "plan-ten-years", "--title", "Keep", "--body", "All.", "--commit", "c0ffee"],
        WREN,
        [
            {
                "kind": "artifact",
                "request": uri(BEN, "artifactRequest/plan-ten-years"),
                "goal": uri(BEN, "goal/ten-years"),
                "type": "plan",
                "title": "Keep",
                "body": "All.",
                "links": {"commit": "c0ffee"},
            }
        ],
    ),
    (
        ["message", "2", "--body", "Hello.", "--mention", "@builder", "--mention", BEN],
        ADA,
        [{"kind": "message", "goal": SPRING, "body": "Hello.", "mentions": [ROOK, BEN]}],
    ),
    (["message", PLAN, "--body", "Good."], BEN, [{"kind": "message", "artifact": PLAN, "body": "Good."}]),
    (
        ["message", "2", "--re", "plan-spring", "--body", "Well?"],
        BEN,
        [{"kind": "message", "goal": SPRING, "re": uri(ADA, "artifactRequest/plan-spring"), "body": "Well?"}],
    ),
    (
        ["reply", "clubhouse", "--body", "There."],
        ADA,
        [{"kind": "message", "goal": SPRING, "root": DATUM, "parent": uri(BEN, "message/clubhouse"), "body": "There."}],
    ),
    (
        ["decline", "build-spring", "--body", "No printer."],
        ROOK,
        [
            {
                "kind": "message",
                "goal": SPRING,
                "re": uri(BEN, "artifactRequest/build-spring"),
                "declines": True,
                "body": "No printer.",
            }
        ],
    ),
    (
        ["bless", "retract", "gus"],
        ADA,
        [{"kind": "retractBless", "bless": uri(BEN, "blessComment/gus")}],
    ),
    (
        ["agent", "publish", "builder", "--harness", "h", "--model", "m=low", "--model", "n", "--type", "plan"],
        ROOK,
        [
            {
                "kind": "agent",
                "handleName": "builder",
                "harness": "h",
                "models": [{"name": "m", "costHint": "low"}, {"name": "n"}],
                "artifactTypes": ["plan"],
            }
        ],
    ),
]


@pytest.mark.parametrize(("words", "who", "records"), ACTS, ids=[" ".join(words[:3]) for words, _, _ in ACTS])
def test_what_a_command_line_means(words: list[str], who: str, records: list[dict[str, Any]], harbour: Harbour) -> None:
    said = harbour.act(*words, who=who)
    assert (said["outcome"], said["refused"]) == ("written", [])
    found = [record["value"] for record in said["records"]]
    for value, record in zip(found, said["records"], strict=True):
        assert record["uri"].startswith(f"at://{who}/{value['$type']}/")
        del value["createdAt"]
    wanted = [dict(record) for record in records]
    kinds = [value.pop("$type").removeprefix(PREFIX) for value in found]
    for value, kind in zip(wanted, kinds, strict=True):
        assert kind == ("addMember" if words[:2] == ["member", "add"] else value.pop("kind"))
    assert names(found) == wanted
    assert len(harbour.written) == len(records)


def test_making_a_space_joins_it(harbour: Harbour) -> None:
    space, join = harbour.act("space", "create", "Lab", "--description", "For trying", who=BEN)["records"]
    assert space["value"]["name"] == "Lab"
    assert join["value"]["space"] == {"uri": space["uri"], "cid": space["cid"]}


def test_asking_an_agent_writes_a_message_and_the_request_that_pins_it(harbour: Harbour) -> None:
    """RAD-10.37: the second names the first by its very version."""
    said, asked = harbour.act("ask", "@builder", "2", "--body", "Which printer?")["records"]
    assert (said["value"]["mentions"], said["value"]["goal"]["uri"]) == ([ROOK], SPRING)
    assert asked["value"]["subject"] == {"uri": said["uri"], "cid": said["cid"]}
    assert (asked["value"]["type"], asked["value"]["assignee"]) == ("answer", ROOK)


def test_a_reply_to_what_one_was_asked_is_the_answer(harbour: Harbour) -> None:
    request = {"type": "answer", "subject": ref(ADA, "message/which-datum"), "goal": ref(ADA, "goal/spring-tides")}
    harbour.observe(line(ADA, "artifactRequest/again", assignee=BEN, at="2026-03-05T00:00:00Z", **request))
    (answer,) = harbour.act("reply", DATUM, "--body", "Chart.", who=BEN)["records"]
    assert answer["value"]["re"]["uri"] == uri(ADA, "artifactRequest/again")
    (reply,) = harbour.act("reply", DATUM, "--body", "Chart.", who=ROOK)["records"]
    assert "re" not in reply["value"]


def test_alternatives_are_as_many_requests_blind_to_each_other(harbour: Harbour) -> None:
    """RK-12.7: on one basis, with keys of their own."""
    said = harbour.act("request", "plan", "--goal", "2", "--based-on", PLAN, "--alternatives", "3")
    values = [record["value"] for record in said["records"]]
    assert len({record["uri"] for record in said["records"]}) == 3
    assert values[0] == values[1] == values[2]
    assert [target["uri"] for target in values[0]["basedOn"]] == [PLAN]


def test_a_profile_is_taken_away_and_no_other(harbour: Harbour) -> None:
    said = harbour.act("agent", "retire", "builder", who=ROOK)
    (record,) = said["records"]
    assert (record["uri"], record["operation"], record["value"]) == (uri(ROOK, "agent/builder"), "delete", None)
    assert harbour.call("agent", "retire", "builder", "--yes", who=WREN).status == 3


def test_joining_twice_writes_nothing_more(harbour: Harbour) -> None:
    done = harbour.call("space", "join", SPACE, "--yes", who=BEN)
    assert (done.status, done.out, harbour.written) == (0, "", [])
    assert "you have joined this space before" in done.err
    assert "there was nothing to write" in done.err


# What is said ---------------------------------------------------------------------------------------------------------


def test_the_json_has_the_documented_keys(harbour: Harbour, root: Path) -> None:
    page = (root / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    said = harbour.act("message", "2", "--body", "Hello.")
    assert documented_keys_hold(section(page, "goal"), said) == 3
    assert said["principal"] == {"did": ADA, "handle": HANDLES[ADA]}
    assert (said["space"], said["repo"], said["mode"]) == (SPACE, PDS, "real")
    assert said["meant"] == [{"text": "2", "kind": "goal", "uri": SPRING}]
    assert said["after"]["uri"] == SPRING
    assert said["records"][0]["uri"] in said["after"]["records"]


def test_a_dry_run_prints_the_exact_records_and_writes_nothing(harbour: Harbour) -> None:
    done = harbour.call("goal", "close", "2", "--dry-run")
    (record,) = json.loads(done.out)
    assert (done.status, harbour.written) == (0, [])
    assert (record["did"], record["repo"], record["operation"]) == (ADA, PDS, "create")
    assert record["value"]["goal"]["uri"] == SPRING
    assert harbour.act("goal", "close", "2", "--dry-run")["outcome"] == "not written"


def test_space_principal_repo_mode_and_target_are_shown_before(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RK-12.9."""
    monkeypatch.setenv("COLUMNS", "110")
    for options, mode in ((["--yes"], "real"), (["--yes", "--force"], "forced"), (["--dry-run"], "dry run")):
        said = harbour.call("goal", "close", "2", *options).err
        assert f"Tidewater  {SPACE}" in said
        assert f"{HANDLES[ADA]}  {ADA}" in said
        assert PDS in said
        assert f"mode   {mode}" in said
        assert "“Next week's spring tides on one page”" in said


def test_a_person_sees_what_was_written_and_how_the_place_is_now(harbour: Harbour) -> None:
    shown = re.sub("\x1b\\[[0-9;]*m", "", harbour.call("goal", "close", "2", "--yes", screen=True).out)
    assert harbour.written[0].cid in shown
    assert "Next week's spring tides on one page  ended, completed" in shown
    assert "2 requests" not in shown  # there are three
    assert "3 requests" in shown


@pytest.mark.parametrize(
    ("words", "who", "shown"),
    [
        (["project", "edit", "1", "--name", "Tides"], ADA, ["Tides  project/tide-tables", "architecture  open"]),
        (["project", "archive", "1"], ADA, ["Tide tables  archived  project/tide-tables"]),
        (["member", "add", OSKAR], ADA, [f"{OSKAR}  human, member", "not joined yet", "4 goals"]),
        (["space", "guest-comments", "off"], ADA, ["Comments by guests are not asked for."]),
        (["agent", "retire", "builder"], ROOK, ["taken away"]),
    ],
)
def test_each_place_has_its_picture(words: list[str], who: str, shown: list[str], harbour: Harbour) -> None:
    done = harbour.call(*words, "--yes", who=who, screen=True)
    assert done.status == 0, done.err
    text = re.sub("\x1b\\[[0-9;]*m", "", done.out)
    assert [words for words in shown if words not in text] == []


def test_a_goal_needs_a_project_and_none_is_guessed(harbour: Harbour) -> None:
    words = ("goal", "create", "Warn", "--body", "x", "--yes")
    harbour.observe(line(BEN, "space/pier", name="Pier", at="2026-03-06T00:00:00Z"))
    assert "start one first" in harbour.call(*words, "--space", "Pier", who=BEN).err.lower()
    fields = {"space": ref(ADA, "space/tidewater"), "gitUrl": "https://git.example/x", "defaultBranch": "main"}
    harbour.observe(line(BEN, "project/two", name="Second", at="2026-03-06T00:00:00Z", **fields))
    done = harbour.call(*words)
    assert (done.status, harbour.written) == (2, [])
    assert "2 projects, and none is guessed" in done.err


def test_who_is_in_no_space_is_told_how_to_name_one(harbour: Harbour) -> None:
    done = harbour.call("type", "add", "--from-template", "glossary", "--yes", who=OSKAR)
    assert (done.status, harbour.written) == (3, [])
    assert "`radial spaces`" in done.err


def test_a_pipe_gets_uri_and_cid(harbour: Harbour) -> None:
    uri_, cid, how = harbour.call("goal", "close", "2", "--yes").out.rstrip("\n").split("\t")
    assert (uri_, cid, how) == (harbour.written[0].uri(ADA), harbour.written[0].cid, "written")


def test_what_others_wrote_is_not_obeyed(harbour: Harbour) -> None:
    title = "\x1b[2J Evil \u202e goal"
    fields = {"space": ref(ADA, "space/tidewater"), "project": ref(ADA, "project/tide-tables"), "body": "x"}
    harbour.observe(line(BEN, "goal/evil", title=title, at="2026-03-06T00:00:00Z", **fields))
    done = harbour.call("goal", "close", "goal/evil", "--yes", screen=True)
    assert done.status == 0
    assert "\x1b[2J" not in done.err + done.out
    assert "\u202e" not in done.err + done.out
    assert "\\x1b[2J Evil \\u202e goal" in done.err


def test_who_can_make_it_is_told_with_model_and_cost(harbour: Harbour) -> None:
    """RAD-11.8: exactly the profiles that produce the type."""
    said = harbour.call("request", "plan", "--goal", "2", "--yes").err
    assert f"  @reader  {WREN}  codex on gpt-5" in said
    assert f"  @builder  {ROOK}  claude-code on" in said
    assert "is made by" not in harbour.call("request", "plan", "--goal", "2", "--assignee", WREN, "--yes").err
    assert "is made by" not in harbour.call("request", "haiku", "--goal", "2", "--yes").err


def test_soft_policy_warns_and_does_it_anyway(harbour: Harbour) -> None:
    """RAD-7.12: an implementation from a plan that nobody approved."""
    said = harbour.act("request", "implementation", "--from", "artifact/plan-spring-1")
    assert said["outcome"] == "written"
    assert [warning["code"] for warning in said["warnings"]] != []
    done = harbour.call("request", "implementation", "--from", "artifact/plan-spring-1", "--yes")
    assert (done.status, "Note: " in done.err) == (0, True)


# What stops an act ----------------------------------------------------------------------------------------------------


def test_a_removal_says_what_it_would_hide_with_counts(harbour: Harbour) -> None:
    """T5: Ben's goals, and what others put there."""
    done = harbour.call("member", "remove", BEN, "--dry-run")
    assert "It would hide" in done.err
    assert "3 goals" in done.err
    assert "Keep ten years of readings" in done.err
    hidden = {group["kind"]: group["uris"] for group in harbour.act("member", "remove", BEN, "--dry-run")["hidden"]}
    assert hidden["goal"] == [GAUGE, uri(BEN, "goal/text-messages"), uri(BEN, "goal/ten-years")]
    assert PLAN in hidden["artifact"]


def test_ending_a_goal_says_what_it_would_stop(harbour: Harbour) -> None:
    said = harbour.act("goal", "close", "2", "--dry-run")
    assert said["stopped"] == [uri(BEN, "artifactRequest/build-spring")]
    assert "1 open request would be dispatched no more" in harbour.call("goal", "close", "2", "--dry-run").err


@pytest.mark.parametrize(
    ("words", "who", "rule", "reason"),
    [
        (["type", "add", "--from-template", "glossary"], ROOK, "A2", "you are not an admin of this space"),
        (["project", "edit", "1", "--name", "Mine"], BEN, "P1", "you are not the author of this project"),
        (["message", SPRING, "--body", "Hi"], OSKAR, "T5", "you are no longer a member of this space"),
        (["request", "review", "--goal", "2"], ADA, "R1", ""),
    ],
)
def test_what_a_rule_would_refuse_is_not_written(
    words: list[str], who: str, rule: str, reason: str, harbour: Harbour
) -> None:
    done = harbour.call(*words, "--yes", who=who)
    assert (done.status, done.out, harbour.written) == (1, "", [])
    assert f"({rule})" in done.err
    assert reason in done.err
    said = harbour.act(*words, who=who)
    assert (said["outcome"], [refusal["rule"] for refusal in said["refused"]]) == ("refused", [rule])
    assert harbour.call(*words, "--yes", "--json", who=who).status == 1
    assert harbour.act(*words, "--force", who=who)["mode"] == "forced"
    assert len(harbour.written) == 1


@pytest.mark.parametrize(
    ("words", "who", "code", "reason", "remedy"),
    [
        (
            ["decline", "build-spring", "--body", "Not now."],
            BEN,
            "NotAssignee",
            "only they can decline it",
            "whoever made the request, and an admin, can retract it.",
        ),
        (
            ["review", "plan-quiet-2", "approve", "--finding", "high: a typo"],
            BEN,
            "UnknownSeverity",
            "“high” is no known severity",
            "Use one of blocking, major, minor, nit.",
        ),
    ],
)
def test_what_would_be_for_nothing_is_not_written(
    words: list[str], who: str, code: str, reason: str, remedy: str, harbour: Harbour
) -> None:
    done = harbour.call(*words, "--yes", who=who)
    assert (done.status, done.out, harbour.written) == (1, "", [])
    for said_of_it in (reason, remedy, "Nothing was written. --force writes it all the same"):
        assert said_of_it in done.err
    said = harbour.act(*words, who=who)
    assert (said["outcome"], [each["code"] for each in said["vain"]], said["refused"]) == ("refused", [code], [])
    assert harbour.written == []
    assert harbour.act(*words, "--force", who=who)["outcome"] == "written"
    assert len(harbour.written) == 1


def test_who_is_not_logged_in_writes_nothing(harbour: Harbour) -> None:
    done = harbour.call("goal", "close", "2", "--yes", who="did:plc:nobody")
    assert (done.status != 0, harbour.written) == (True, [])
    assert "is not logged in here" in done.err
    assert "radial login" in done.err


def test_nobody_is_asked_where_nobody_can_answer(harbour: Harbour) -> None:
    done = harbour.call("goal", "close", "2")
    assert (done.status, done.out, harbour.written) == (2, "", [])
    assert "--yes" in done.err


@pytest.mark.parametrize(("answer", "is_written"), [(b"y\n", True), (b"yes\n", True), (b"n\n", False), (b"", False)])
def test_only_yes_is_yes(answer: bytes, *, is_written: bool, harbour: Harbour) -> None:
    done = harbour.call("goal", "close", "2", stdin=answer, keyboard=True)
    assert "End it? [y/N]" in done.err
    assert (done.status == 0, len(harbour.written) == 1) == (is_written, is_written)


def test_what_changed_meanwhile_is_not_overruled(harbour: Harbour, monkeypatch: pytest.MonkeyPatch) -> None:
    """RK-14.3: somebody retracts the request while a person thinks about retracting it."""
    late = line(
        BEN, "retractRequest/first", request=ref(BEN, "artifactRequest/plan-ten-years"), at="2026-03-10T00:00:00Z"
    )

    def agree(_question: str) -> bool:
        harbour.observe(late)
        return True

    monkeypatch.setattr("radial_cli.acting.performing.confirm", agree)
    words = ("request", "retract", "artifactRequest/plan-ten-years")
    done = harbour.call(*words, who=BEN, keyboard=True)
    assert (done.status, harbour.written) == (75, [])
    assert "the space has changed meanwhile" in done.err


def test_no_space_is_guessed(harbour: Harbour) -> None:
    other = line(BEN, "space/pier", name="Pier", at="2026-03-06T00:00:00Z")
    harbour.observe(other)
    done = harbour.call("space", "guest-comments", "off", "--yes", who=BEN)
    assert done.status == 2
    assert "2 spaces are in reach, and none is guessed" in done.err
    assert harbour.act("space", "guest-comments", "on", "--space", "Pier", who=BEN)["space"] == uri(BEN, "space/pier")
    assert harbour.act("goal", "close", SPRING, who=BEN)["space"] == SPACE  # the one that the goal names


@pytest.mark.parametrize(
    ("words", "status", "words_said"),
    [
        (["goal", "close", "99"], 3, "99"),
        (["goal", "close", "Nothing like it"], 3, "Nothing like it"),
        (["goal", "close", PLAN], 3, "is an artifact: a goal is needed"),
        (["review", "Notice silence", "approve"], 2, "may mean several things here"),
        (["message", "2", "--body", "a", "--mention", "@nobody"], 3, "@nobody"),
        (["space", "guest-comments", "maybe"], 2, "maybe is not a switch"),
        (["member", "add", ADA, "--role", "king"], 2, "king is not a role"),
        (["member", "add", ADA, "--kind", "cat"], 2, "cat is not a kind of member"),
        (["review", PLAN, "approve", "--request", "review-plan-quiet"], 2, "a review of another artifact"),
        (["review", PLAN, "reject"], 2, "reject is not a verdict"),
        (["review", PLAN, "approve", "--finding", "bad"], 2, "bad is not SEVERITY:TEXT"),
        (["project", "create", "X", "--git", "https://x.example", "--check", "make"], 2, "make is not NAME=COMMAND"),
        (["project", "edit", "1"], 2, "nothing is to be changed"),
        (["type", "add", "risk"], 2, "a type needs a name"),
        (["type", "add", "--from-template", "ode"], 2, "ode is not a template"),
        (["request", "plan"], 2, "a request needs a place"),
        (["request", "plan", "--goal", "1", "--project", "1"], 2, "exclude each other"),
        (["space", "join", SPRING], 2, "is no space's URI"),
        (["bless", "1", SPRING], 2, "is no message's URI"),
        (["goal", "close", "1", "--pds", "http://x", "--plc", "http://y"], 2, "exclude each other"),
        (["goal", "close", "1", "--space", "Lagoon"], 3, "names no one space here"),
        (["member", "remove", ADA], 2, "nobody removes it"),
        (["member", "remove", OSKAR], 3, "there is nothing to revoke"),
        (["review", uri(BEN, "artifactRequest/plan-ten-years"), "approve"], 2, "no review answers it"),
        (["goal", "create", "Half \ud800", "--body", "x", "--project", "1"], 2, "no record can hold this"),
    ],
)
def test_what_makes_no_sense_is_said(words: list[str], status: int, words_said: str, harbour: Harbour) -> None:
    done = harbour.call(*words, "--yes")
    assert (done.status, done.out, harbour.written) == (status, "", [])
    assert words_said in done.err
    assert "Traceback" not in done.err


def test_an_act_that_comes_to_no_record_is_said_with_what_to_do(harbour: Harbour) -> None:
    done = harbour.call("review", uri(BEN, "artifactRequest/plan-ten-years"), "approve", "--yes")
    assert (done.status, done.err.splitlines()[-1].strip()) == (
        2, "Hand in what it asks for, or name an artifact to judge."
    )  # fmt: skip


def test_types_are_listed_with_their_makers(harbour: Harbour) -> None:
    rows = [row.split("\t") for row in harbour.call_plain("type", "list").out.splitlines()]
    assert rows[0] == ["name", "scope", "built in", "made by", "record", "space"]
    assert [row[:3] for row in rows[1:]] == [
        ["architecture", "project", "no"],
        ["implementation", "goal", "yes"],
        ["plan", "goal", "yes"],
    ]
    listed = json.loads(harbour.call_plain("type", "list", "--json").out)["artifactTypes"]
    assert listed[0]["record"]["uri"] == uri(ADA, "artifactType/architecture")
    assert "@reader" in harbour.call_plain("type", "list", screen=True).out


@pytest.mark.parametrize("who", [ADA, BEN, ROOK, WREN])
def test_every_command_that_the_inbox_names_can_be_carried_out(who: str, harbour: Harbour) -> None:
    """RK-12.6: what waits comes with the command that answers it."""
    items = json.loads(harbour.call_plain("inbox", "--as", who, "--json").out)["items"]
    for command in (words for item in items for words in item["commands"]):
        _, *words = shlex.split(command)
        if words[0] in {"show", "explain"}:
            done = harbour.call_plain(*words)
        else:
            text = ["--body", "x"] if words[0] in {"reply", "decline", "artifact"} else []
            done = harbour.call_plain(*words, *text, "--dry-run", "--no-sync", "--as", who)
        assert done.status == 0, (command, done.err)


def test_members_are_listed_under_both_names(harbour: Harbour) -> None:
    assert harbour.call_plain("member", "list") == harbour.call_plain("members")


def test_numbers_are_shown_where_they_can_be_typed(harbour: Harbour) -> None:
    """A number is the place among all of a kind, whatever the list leaves out."""
    shown = harbour.call_plain("goals", screen=True).out.splitlines()
    assert [row.split()[0] for row in shown if "goal/" in row] == ["2", "4"]
    assert harbour.act("goal", "close", "4", "--dry-run")["meant"][0]["uri"] == uri(BEN, "goal/ten-years")


@pytest.mark.parametrize(
    "words",
    [
        ["space", "create"],
        ["project", "create", "--git", "https://git.example/x"],
        ["project", "edit", "1", "--name"],
        ["goal", "create", "--body", "x", "--project", "1"],
        ["type", "add", "--brief", "x", "--output-spec", "x", "--scope", "goal"],
        ["request", "--goal", "1"],
        ["capture", "The plan"],
        ["artifact", "submit", "1", "--body", "x", "--title"],
    ],
)
@pytest.mark.parametrize("name", ["", "  \t"])
def test_what_has_no_name_is_not_written(words: list[str], name: str, harbour: Harbour) -> None:
    done = harbour.call(*words, name, "--yes")
    assert (done.status, harbour.written) == (2, [])
    assert "needs a name that can be seen" in done.err
