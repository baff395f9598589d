"""The verbs that ask (inbox, queue, system, log, provenance, describe, query) and what a picture tells besides.

The facts are those of the example's story.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import attrs
import pytest

from radial_cli.asking.freshness import _of, in_words
from radial_cli.diagnosing.situation import Situation
from radial_core import materialize, read_jsonl
from radial_core.jsonviews import to_plain
from radial_core.query.answers import Freshness, Question
from radial_core.query.asking import query
from radial_core.query.describing import describe
from radial_core.query.inbox import KINDS
from radial_core.query.schema import SCHEMA
from radial_io.accounts.book import Accounts
from radial_io.accounts.values import Account
from radial_io.ingest.choosing import Way
from radial_io.ingest.health import Health, Notes
from radial_io.store.values import Repo, Stats
from tests.cli.conftest import Call
from tests.cli.people import ADA, BEN, OSKAR, PREFIX, ROOK, SPACE, WREN, line, ref, uri
from tests.cli.test_lists import rows
from tests.golden.schema import Schema

HOSTILE = '"]; evil\n<b>&|`\x1b[2J\u202e\\" --yes; rm -rf ~ #x'


def words(text: str) -> str:
    """Undo the wrapping and the styles."""
    return " ".join(re.sub(r"\x1b\[[0-9;]*m", "", text).split())


def with_more(example: Path, *lines: str) -> bytes:
    return example.read_bytes() + "".join(lines).encode()


# inbox ----------------------------------------------------------------------------------------------------------------

# One of each kind, for Ben, on top of the example, in which Rook's question about the printer waits for him.
EACH = (
    line(ADA, "artifactRequest/for-ben", goal=ref(ADA, "goal/spring-tides"), type="plan", assignee=BEN),
    line(
        ROOK, "artifact/spring", at="2026-03-06T00:00:00Z", goal=ref(ADA, "goal/spring-tides"), type="implementation",
        request=ref(BEN, "artifactRequest/asked"), title="A page", body="",
    ),
    line(BEN, "artifactRequest/asked", goal=ref(ADA, "goal/spring-tides"), type="implementation"),
    line(ROOK, "checkrun/spring", artifact=ref(ROOK, "artifact/spring"), commit="abc", results=[]),
    line(BEN, "artifactRequest/declined", goal=ref(BEN, "goal/ten-years"), type="implementation", assignee=ROOK),
    line(
        ROOK, "message/declined", goal=ref(BEN, "goal/ten-years"), body="No.", declines=True,
        re=ref(BEN, "artifactRequest/declined"),
    ),
    line(BEN, "artifactRequest/odd", goal=ref(BEN, "goal/ten-years"), type="sonnet"),
    line(WREN, "message/hey", at="2026-03-09T00:00:00Z", goal=ref(BEN, "goal/ten-years"), body="Hey!", mentions=[BEN]),
    line(BEN, "goal/late", at="9000-01-01T00:00:00Z", space=ref(ADA, "space/tidewater"),
         project=ref(ADA, "project/tide-tables"), title="Later", body=""),
    line(ADA, "space/attic", name="Attic"),
    line(ADA, "addMember/ben-attic", space=ref(ADA, "space/attic"), did=BEN, kind="human", role="member"),
    line(ADA, "space/cellar", name="Cellar"),
    line(ADA, "addMember/ben-cellar", space=ref(ADA, "space/cellar"), did=BEN, kind="human", role="member"),
    line(ADA, "removeMember/ben-cellar", at="2026-01-02T00:00:00Z", space=ref(ADA, "space/cellar"), did=BEN,
         membership=ref(ADA, "addMember/ben-cellar")),
)  # fmt: skip
EXPECTED = [
    ("question", ROOK, "message/which-printer", "reply message/which-printer"),
    ("request", ADA, "artifactRequest/for-ben", "artifact submit artifactRequest/for-ben"),
    ("review", ROOK, "artifact/spring", "review artifact/spring approve"),
    ("checks", ROOK, "artifact/spring", "request implementation --from artifact/spring"),
    ("declined", ROOK, "artifactRequest/declined", "request retract artifactRequest/declined"),
    ("stuck", BEN, "artifactRequest/odd", "request retract artifactRequest/odd"),
    ("mention", WREN, "message/hey", "reply message/hey"),
    ("invitation", ADA, "space/attic", "space join space/attic"),
    ("trust", ADA, "removeMember/ben-cellar", "explain removeMember/ben-cellar"),
    ("future", BEN, "goal/late", "explain goal/late"),
]


def short(text: str) -> str:
    """Name records shortly."""
    return re.sub(r"at://[^ ]*?/com\.disnetdev\.radial\.", "", text)


def test_everything_that_waits_is_listed_with_the_command_that_answers_it(radial: Call, example: Path) -> None:
    done = radial("inbox", "--as", BEN, "-", stdin=with_more(example, *EACH))
    assert (done.status, done.err) == (0, "radial: freshness unknown\n")
    found = [
        (row["kind"], row["by"], short(row["about"]), short(row["command"]).removesuffix(f" --as {BEN}"))
        for row in rows(done.out)
    ]
    assert found == [(kind, by, about, f"radial {command}") for kind, by, about, command in EXPECTED]
    assert [kind for kind, *_ in EXPECTED] == [*KINDS]


def test_each_item_tells_its_scope_and_who_made_it_wait(radial: Call, example: Path) -> None:
    stdin = with_more(example, *EACH)
    found = json.loads(radial("inbox", "--as", BEN, "-", "--json", stdin=stdin).out)
    assert found["who"] == BEN
    by_kind = {item["kind"]: item for item in found["items"]}
    assert [item["kind"] for item in found["items"]] == [*KINDS]
    assert {by_kind[kind]["space"] for kind in ("question", "checks")} == {SPACE}
    assert by_kind["checks"]["place"] == uri(ADA, "goal/spring-tides")
    assert by_kind["checks"]["words"] == f"checks of implementation failed on commit “abc”, observed by {ROOK}"
    assert by_kind["checks"]["note"]["standing"] == "observed"
    assert by_kind["invitation"]["space"] == uri(ADA, "space/attic")
    assert by_kind["request"]["commands"] == [
        f"radial artifact submit {uri(ADA, 'artifactRequest/for-ben')} --as {BEN}",
        f"radial decline {uri(ADA, 'artifactRequest/for-ben')} --as {BEN}",
    ]
    assert by_kind["stuck"]["reason"] == "the space does not know its type"


def test_on_a_terminal_it_is_told_in_words_with_the_beginning_of_a_question(radial: Call, example: Path) -> None:
    done = radial("inbox", "--as", BEN, example, terminal=True)
    text = words(done.out)
    assert "question did:plc:rookfqvx… asks, and cannot go on with implementation before somebody replies" in text
    assert "“Is the harbour office's printer" in text
    assert "2026-03-03 11:02, Next week's spring tides on one page, Tidewater" in text
    assert f"radial reply message/which-printer --as {BEN}" in text
    assert text.endswith("1 thing waits")


def test_answering_takes_it_out(radial: Call, example: Path) -> None:
    reply = line(
        BEN, "message/it-is", at="2026-03-10T00:00:00Z", goal=ref(ADA, "goal/spring-tides"), body="It is.",
        parent=ref(ROOK, "message/which-printer"), root=ref(ROOK, "message/which-printer"),
    )  # fmt: skip
    done = radial("inbox", "--as", BEN, "-", stdin=with_more(example, reply))
    assert rows(done.out) == []
    assert done.err == f"radial: nothing waits for {BEN}\nradial: freshness unknown\n"


def test_a_review_and_an_answer_that_were_asked_for_are_answered_where_they_are_about(
    radial: Call, example: Path
) -> None:
    asked = [
        line(ADA, "artifactRequest/judge", goal=ref(ADA, "goal/spring-tides"), type="review", assignee=BEN,
             subject=ref(WREN, "artifact/plan-spring-1")),
        line(ADA, "artifactRequest/say", goal=ref(ADA, "goal/spring-tides"), type="answer", assignee=BEN,
             subject=ref(WREN, "message/chart-datum")),
    ]  # fmt: skip
    found = json.loads(radial("inbox", "--as", BEN, "-", "--json", stdin=with_more(example, *asked)).out)
    commands = [short(" ; ".join(item["commands"])).replace(f" --as {BEN}", "") for item in found["items"][1:]]
    judged = "radial review artifact/plan-spring-1"
    assert commands == [
        f"{judged} approve ; {judged} request-changes ; radial decline artifactRequest/judge",
        "radial reply message/chart-datum ; radial decline artifactRequest/say",
    ]


def test_without_a_name_it_is_that_of_the_account(
    radial: Call, example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RADIAL_ACCOUNTS", str(tmp_path / "accounts"))
    monkeypatch.delenv("RADIAL_ACCOUNT", raising=False)
    done = radial("inbox", example)
    assert (done.status != 0, done.out) == (True, "")
    assert "nobody is logged in" in done.err
    Accounts(tmp_path / "accounts").add(Account(BEN, "ben.example.com", "https://pds.example.com", "file"))
    found = json.loads(radial("inbox", "--json", example).out)
    assert (found["who"], len(found["items"])) == (BEN, 1)
    # Whoever acts is the same account: the command needs no --as.
    assert found["items"][0]["commands"] == [f"radial reply {uri(ROOK, 'message/which-printer')}"]
    assert json.loads(radial("inbox", "--as", "ben.example.com", "--json", example).out)["who"] == BEN


def test_a_store_that_was_named_is_named_in_the_command(radial: Call, example: Path, tmp_path: Path) -> None:
    store = tmp_path / "a store.db"
    assert radial("import", example, "--store", store).status == 0
    found = json.loads(radial("inbox", "--as", BEN, "--store", store, "--json").out)
    assert shlex.split(found["items"][0]["commands"][0])[-2:] == ["--store", str(store)]
    assert found["freshness"] == to_plain(Freshness(unread=(ADA, BEN, ROOK, WREN)))


def test_a_hostile_type_stands_in_no_command(radial: Call, example: Path) -> None:
    lines = [
        line(BEN, "artifactRequest/x", goal=ref(BEN, "goal/ten-years"), type=HOSTILE),
        line(ROOK, "artifact/x", goal=ref(BEN, "goal/ten-years"), request=ref(BEN, "artifactRequest/x"), type=HOSTILE,
             title=HOSTILE, body=""),
        line(ROOK, "checkrun/x", artifact=ref(ROOK, "artifact/x"), commit=HOSTILE, results=[]),
    ]  # fmt: skip
    stdin = with_more(example, *lines)
    found = json.loads(radial("inbox", "--as", BEN, "--json", "-", stdin=stdin).out)
    commands = [command for item in found["items"] for command in item["commands"]]
    assert len(found["items"]) == 3
    assert all("evil" not in command for command in commands)
    assert f"radial show {uri(ROOK, 'artifact/x')}" in commands
    for terminal in (True, False):
        out = radial("inbox", "--as", BEN, "-", stdin=stdin, terminal=terminal).out
        assert "\x1b[2J" not in out
        assert "\u202e" not in out


def test_a_long_type_stands_in_no_command(radial: Call, example: Path) -> None:
    for length, verb in ((64, "request"), (65, "show")):
        made: dict[str, Any] = {"goal": ref(BEN, "goal/ten-years"), "type": "x" * length}
        lines = [
            line(BEN, "artifactRequest/x", **made),
            line(ROOK, "artifact/x", request=ref(BEN, "artifactRequest/x"), body="", **made),
            line(ROOK, "checkrun/x", artifact=ref(ROOK, "artifact/x"), commit="c", results=[]),
        ]
        found = json.loads(radial("inbox", "--as", BEN, "--json", "-", stdin=with_more(example, *lines)).out)
        (red,) = (item for item in found["items"] if item["kind"] == "checks")
        assert red["commands"][0].split()[1] == verb


def test_what_is_not_here_is_neither_reviewed_nor_answered(radial: Call, example: Path) -> None:
    lines = [
        line(ADA, f"artifactRequest/{kind}", goal=ref(ADA, "goal/spring-tides"), type=kind, assignee=BEN,
             subject=ref(WREN, subject))
        for kind, subject in (("review", "artifact/none"), ("answer", "message/none"))
    ]  # fmt: skip
    found = json.loads(radial("inbox", "--as", BEN, "--json", "-", stdin=with_more(example, *lines)).out)
    commands = [item["commands"] for item in found["items"] if item["kind"] == "request"]
    assert [[short(command) for command in each] for each in commands] == [
        [f"radial decline artifactRequest/{kind} --as {BEN}"] for kind in ("answer", "review")
    ]


@pytest.mark.parametrize("columns", ["40", "72", "110"])
def test_a_command_that_is_broken_is_still_one_command(
    columns: str, radial: Call, example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of one might be a command as well, for another account or another store."""
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.chdir(tmp_path)
    store = "a store.db"
    assert radial("import", example, "--store", store).status == 0
    text = re.sub(r"\x1b\[[0-9;]*m", "", radial("inbox", "--as", BEN, "--store", store, terminal=True).out)
    shown = text[text.index("    radial ") : text.index("1 thing waits")]
    assert [shlex.split(command) for command in shown.replace("\\\n", "").splitlines() if command] == [
        ["radial", "reply", "message/which-printer", "--as", BEN, "--store", store]
    ]


# queue, system --------------------------------------------------------------------------------------------------------


def test_the_queue_is_what_still_wants_work_the_oldest_first(radial: Call, example: Path) -> None:
    done = radial("queue", example)
    assert [(row["type"], row["state"], short(row["uri"])) for row in rows(done.out)] == [
        ("implementation", "awaiting input", "artifactRequest/build-spring"),
        ("architecture", "open", "artifactRequest/architecture-again"),
        ("plan", "open", "artifactRequest/plan-ten-years"),
    ]
    found = json.loads(radial("queue", "--json", example).out)["requests"]
    listed = json.loads(radial("requests", "--dispatchable", "--json", example).out)["requests"]
    keys = {"claimedBy"}
    assert sorted(each["uri"] for each in found) == sorted(each["uri"] for each in listed)
    assert [{key: value for key, value in each.items() if key not in keys} for each in found] == sorted(
        listed, key=lambda each: str(each["createdAt"])
    )


def test_the_queue_tells_who_works_on_it_now(radial: Call, example: Path) -> None:
    live = line(WREN, "claim/now", at="2026-03-09T00:00:00Z", request=ref(BEN, "artifactRequest/plan-ten-years"),
                expiresAt="2026-03-09T01:00:00Z")  # fmt: skip
    stdin = with_more(example, live)  # seen nobody knows when: as if it were now (C5)
    claimed = {short(row["uri"]): row["claimed by"] for row in rows(radial("queue", "-", stdin=stdin).out)}
    assert claimed["artifactRequest/plan-ten-years"] == WREN
    text = words(radial("queue", "-", stdin=stdin, terminal=True).out)
    assert "claimed by did:plc:wrenwhr4…" in text
    none = radial("queue", "--space", SPACE, "-", stdin=line(ADA, "space/tidewater", name="T").encode())
    assert none.err == "radial: nothing is to be worked on\n"


def test_documents_equal_the_index_s_system(radial: Call, example: Path) -> None:
    lines = [
        line(WREN, f"artifact/again-{name}", project=ref(ADA, "project/tide-tables"), type="architecture", body="",
             request=ref(ADA, "artifactRequest/architecture"), prev=ref(WREN, "artifact/architecture-1"),
             at=f"2026-03-06T0{name}:00:00Z", title=f"Version {name}")
        for name in (2, 3)
    ]  # fmt: skip
    stdin = with_more(example, *lines)
    found = json.loads(radial("system", "-", "--json", stdin=stdin).out)
    project = json.loads(radial("materialize", "--json", "-", stdin=stdin).out)["spaces"][0]["projects"][0]
    (shown,) = found["projects"]
    assert [{key: each[key] for key in ("type", "current", "staleness")} for each in shown["system"]] == project[
        "system"
    ]
    assert [(each["versions"], each["forks"]) for each in shown["system"]] == [(3, True)]
    text = words(radial("system", "-", stdin=stdin, terminal=True).out)
    assert "“Version 3” artifact/again-3" in text
    assert "the last of 3 versions; there are rival versions" in text


def test_documents_of_the_example_single_and_stale(radial: Call, example: Path) -> None:
    (row,) = rows(radial("system", "project/tide-tables", example).out)
    assert (row["type"], row["title"], row["by"], row["versions"], row["rivals"], row["staleness"]) == (
        "architecture", "From the gauge to the crew's telephone", WREN, "1", "no", "1",
    )  # fmt: skip
    assert "1 implementation merged since" in words(radial("system", example, terminal=True).out)


def test_no_documents_and_no_project(radial: Call, example: Path) -> None:
    done = radial("system", "-", stdin=line(ADA, "space/tidewater", name="T").encode())
    assert (done.status, done.err) == (0, "radial: no project here has a document of its own\n")
    done = radial("system", "goal/quiet-gauge", example)
    assert (done.status, "there is no file goal/quiet-gauge" in done.err) == (2, True)
    done = radial("system", uri(BEN, "goal/quiet-gauge"), example)
    assert (done.status, "is no project in this input" in done.err) == (3, True)


# log ------------------------------------------------------------------------------------------------------------------


def test_the_log_tells_what_happened_by_goal(radial: Call, example: Path) -> None:
    done = radial("log", "--in", "goal/text-messages", example)
    assert [(row["when"][11:16], row["who"], row["what"]) for row in rows(done.out)] == [
        ("09:00", BEN, "set the goal “Send the warnings as text messages, too”"),
        ("09:02", BEN, "asked for: implementation"),
        ("09:20", ROOK, "declined a request"),
        ("09:30", BEN, "asked for: plan"),
        ("16:00", BEN, "took a request back"),
        ("16:10", ADA, "ended the goal: parked"),
    ]
    text = words(radial("log", "--limit", "12", example, terminal=True).out)
    places = [
        "goal “Send the warnings as text messages, too”",
        "goal “Next week's",
        "goal “Keep ten years of readings”",
    ]
    assert [text.index(place) for place in places] == sorted(text.index(place) for place in places)


def test_the_log_is_bounded_and_says_so(radial: Call, example: Path) -> None:
    done = radial("log", "--since", "2026-03-04", "--limit", "2", example)
    assert [row["kind"] for row in rows(done.out)] == ["artifactRequest", "claim"]
    assert done.err == "radial: 9 things happened before that: --limit shows more\n"
    found = json.loads(radial("log", "--since", "2026-03-04T16:10:00Z", "--json", example).out)
    assert (found["total"], found["truncated"]) == (6, False)
    assert [short(note["uri"]) for note in found["happenings"]] == [
        "closeGoal/text-messages", "blessComment/gus", "artifactRequest/architecture-again", "goal/ten-years",
        "artifactRequest/plan-ten-years", "claim/plan-ten-years",
    ]  # fmt: skip


def test_the_log_of_one_person_and_of_a_time_ago(radial: Call, example: Path) -> None:
    found = rows(radial("log", "--by", WREN, example).out)
    assert {row["who"] for row in found} == {WREN}
    assert len(found) == 8
    assert rows(radial("log", "--since", "1h", example).out) == []
    assert radial("log", "--since", "30min", example).err == "radial: nothing happened\n"
    assert len(rows(radial("log", "--since", "999999w", "--limit", "1000", example).out)) == 57


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["--since", "yesterday"], 2, "yesterday is no time"),
        (["--since", "2026-02-30"], 2, "2026-02-30 is no time"),
        (["--in", "artifact/plan-quiet-1"], 2, "is no space, project or goal here"),
        (["--in", "goal/none"], 3, "nothing here is called goal/none"),
    ],
)
def test_what_the_log_cannot_do(options: list[str], status: int, said: str, radial: Call, example: Path) -> None:
    done = radial("log", *options, example)
    assert (done.status, done.out) == (status, "")
    assert said in done.err


# provenance -----------------------------------------------------------------------------------------------------------


def test_provenance_tells_step_by_step_what_something_came_from(radial: Call, example: Path) -> None:
    text = words(radial("provenance", "artifact/build-quiet-2", example).out)
    assert "1 step up (2) artifactRequest/build-quiet did:plc:benm4ain… asked for: implementation" in text
    assert "basedOn artifact/plan-quiet-2" in text
    assert "3 steps up (2) artifactRequest/plan-quiet" in text
    down = words(radial("provenance", "artifact/build-quiet-2", "--down", example).out)
    assert "checkrun/build-quiet-2 did:plc:rookfqvx… observed: checks passed on commit c81d9b2" in down
    assert "merge/build-quiet did:plc:ada7xxeg… observed: merged" in down


def test_a_depth_is_kept_and_the_rest_counted(radial: Call, example: Path) -> None:
    done = radial("provenance", "artifact/build-quiet-2", "--depth", "1", example)
    assert "2 steps" not in done.out
    assert done.err == "radial: 3 records beyond --depth 1\n"
    found = json.loads(radial("provenance", "artifact/build-quiet-2", "--depth", "1", "--json", example).out)
    assert (found["direction"], found["more"], [record["steps"] for record in found["records"]]) == ("up", 3, [0, 1, 1])


def test_what_is_not_here_is_named(radial: Call, example: Path) -> None:
    lost = line(ROOK, "artifact/lost", goal=ref(BEN, "goal/ten-years"), request=ref(BEN, "artifactRequest/none"),
                type="plan", body="")  # fmt: skip
    stdin = with_more(example, lost)
    text = words(radial("provenance", "artifact/lost", "-", stdin=stdin).out)
    assert f"Not here (1) {uri(BEN, 'artifactRequest/none')} request of artifact/lost: it was not seen" in text
    assert "style=dashed" in radial("provenance", "artifact/lost", "--format", "dot", "-", stdin=stdin).out
    assert (
        f'n1("{uri(BEN, "artifactRequest/none")}")'
        in radial("provenance", "artifact/lost", "--format", "mermaid", "-", stdin=stdin).out
    )


def circle(title: str) -> bytes:
    """Two versions that name each other."""
    made: dict[str, Any] = {
        "goal": ref(BEN, "goal/ten-years"),
        "request": ref(BEN, "artifactRequest/plan-ten-years"),
        "type": "plan",
    }
    return (
        line(ROOK, "artifact/one", prev=ref(ROOK, "artifact/two"), title=title, body="", **made)
        + line(ROOK, "artifact/two", prev=ref(ROOK, "artifact/one"), title=title, body="", **made)
    ).encode()


def test_a_circle_ends_in_every_form(radial: Call, example: Path) -> None:
    stdin = example.read_bytes() + circle("T")
    for options in ([], ["--format", "dot"], ["--format", "mermaid"], ["--json"], ["--down"]):
        done = radial("provenance", "artifact/one", *options, "-", stdin=stdin)
        assert done.status == 0
        assert "artifact/two" in done.out


def test_no_title_is_code_in_a_drawing(radial: Call, example: Path) -> None:
    stdin = example.read_bytes() + circle(HOSTILE)
    dot = radial("provenance", "artifact/one", "--format", "dot", "-", stdin=stdin).out
    for each in dot.splitlines()[3:-1]:
        assert re.fullmatch(r'  n\d+( -> n\d+)? \[label="(?:[^"\\\n]|\\.)*"(, style=dashed)?\];', each), each
    mermaid = radial("provenance", "artifact/one", "--format", "mermaid", "-", stdin=stdin).out
    for each in mermaid.splitlines()[1:]:
        assert re.fullmatch(r'  n\d+(\["[^"<>&`|;\[\]]*(#\d+;[^"<>&`|;\[\]]*)*"\]| -- \w+ --> n\d+)', each), each
    assert "#34;#93;#59; evil" in mermaid
    entities = radial(
        "provenance", "artifact/one", "--format", "dot", "-", stdin=example.read_bytes() + circle("&#8238;")
    )
    assert "“&amp;#8238;”" in entities.out  # Graphviz would put the character itself there
    assert "\x1b" not in dot + mermaid


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["artifact/plan-quiet-1", "--up", "--down"], 2, "do not go together"),
        (["artifact/plan-quiet-1", "--format", "svg"], 2, "no such format"),
        (["review/not-in-rust"], 3, "T5"),
        (["at://did:plc:x/com.disnetdev.radial.goal/x"], 3, "was never seen"),
    ],
)
def test_what_provenance_cannot_do(options: list[str], status: int, said: str, radial: Call, example: Path) -> None:
    done = radial("provenance", *options, example)
    assert (done.status, done.out) == (status, "")
    assert said in done.err


# describe, query ------------------------------------------------------------------------------------------------------


def test_the_description_is_that_of_the_library(radial: Call) -> None:
    """RK-13.1."""
    assert json.loads(radial("describe", "--json").out) == describe()
    text = words(radial("describe").out)
    assert text.startswith("Surface 1 radial query subject about the URI of a record")
    assert all(f"radial query {question['ask']}" in text for question in describe()["questions"])


@pytest.mark.parametrize(
    ("ask", "about"),
    [
        ("subject", "goal/quiet-gauge"),
        ("dependents", "artifact/plan-quiet-1"),
        ("dependencies", "blessComment/gus"),
        ("impact", "project/tide-tables"),
        ("search", "spring tides"),
        ("subject", "review/not-in-rust"),
    ],
)
def test_answers_are_those_of_the_library(ask: str, about: str, radial: Call, example: Path) -> None:
    index = materialize(read_jsonl(example.read_text(encoding="utf-8").splitlines()))
    whole = next((entry for entry in (uri(did, about) for did in (ADA, BEN, ROOK, OSKAR)) if index.entry(entry)), None)
    whole = about if ask == "search" else whole or uri(OSKAR, about)
    done = radial("query", ask, about, "--json", example)
    found = json.loads(done.out)
    assert found == json.loads(json.dumps(to_plain(query(index, Question(ask=ask, about=whole)))))
    assert Schema(SCHEMA).faults(found) == []
    assert done.status == (3 if found["resolved"] is False else 0)


def test_unresolved_and_without_dependents_are_two_answers(radial: Call, example: Path) -> None:
    """RK-13.3."""
    unknown = radial("query", "dependents", uri(ADA, "goal/none"), "--json", example)
    leaf = radial("query", "dependents", "closeGoal/text-messages", "--json", example)
    assert (unknown.status, json.loads(unknown.out)["resolved"], json.loads(unknown.out)["total"]) == (3, False, 0)
    assert (leaf.status, json.loads(leaf.out)["resolved"], json.loads(leaf.out)["total"]) == (0, True, 0)
    done = radial("query", "dependents", "goal/none", example)
    assert (done.status, "Unresolved" in done.out, "was never seen" in done.out) == (3, True, True)


def test_a_limit_is_told(radial: Call, example: Path) -> None:
    """RK-13.2."""
    done = radial("query", "impact", SPACE, "--limit", "10", example)
    # 57 records stand somewhere; the space itself is no part of its impact.
    assert "10 of 56 items; --skip 10 goes on" in done.out
    assert "57 records in 1 space; 8 records ignored" in done.out
    found = json.loads(radial("query", "impact", SPACE, "--limit", "10", "--skip", "50", "--json", example).out)
    assert (len(found["items"]), found["total"], found["truncated"]) == (6, 56, False)


def test_a_search_tells_where_and_what_it_passed_by(radial: Call, example: Path) -> None:
    text = words(radial("query", "search", "silence", "--space", "space/tidewater", example).out)
    assert "artifact/plan-quiet-2" in text
    assert "superseded passed by: --superseded" in text
    assert "artifact/plan-quiet-1" not in text
    assert "artifact/plan-quiet-1" in radial("query", "search", "silence", "--superseded", example).out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["everything", "goal/quiet-gauge"], "there is no such question"),
        (["subject", "goal/quiet-gauge", "--limit", "1001"], "a limit lies between 1 and 1000"),
        (["subject", "goal/quiet-gauge", "--superseded"], "only a search"),
        (["search", " "], "about something"),
    ],
)
def test_what_can_be_no_question_is_a_wrong_command_line(
    options: list[str], said: str, radial: Call, example: Path
) -> None:
    done = radial("query", *options, example)
    assert (done.status, done.out) == (2, "")
    assert said in done.err


def test_freshness_of_a_store_is_told_as_the_store_knows_it(radial: Call, example: Path, tmp_path: Path) -> None:
    """RK-13.2, RK-16.4: imported records make no member's repo read."""
    store = tmp_path / "store.db"
    assert radial("import", example, "--store", store).status == 0
    fresh = json.loads(radial("query", "subject", SPACE, "--store", store, "--json").out)["freshness"]
    assert fresh == to_plain(Freshness(unread=(ADA, BEN, ROOK, WREN)))
    text = words(radial("query", "subject", SPACE, "--store", store).out)
    assert "freshness unknown; 4 members never read wholly" in text


def test_freshness_is_that_of_the_spaces_in_question(radial: Call, example: Path, tmp_path: Path) -> None:
    store, gus = tmp_path / "store.db", "did:plc:gus"
    attic = [
        line(ADA, "space/attic", name="Attic"),
        line(ADA, "addMember/gus", space=ref(ADA, "space/attic"), did=gus, kind="human", role="member"),
    ]
    assert radial("import", "-", "--store", store, stdin=with_more(example, *attic)).status == 0
    tidewater, everybody = [ADA, BEN, ROOK, WREN], sorted([ADA, BEN, ROOK, WREN, gus])
    for arguments, unread in (
        (("query", "subject", SPACE), tidewater),
        (("query", "subject", "addMember/gus"), [ADA, gus]),
        (("query", "search", "spring"), everybody),
        (("query", "search", "spring", "--space", SPACE), tidewater),
        (("inbox", "--as", BEN), tidewater),
        (("inbox", "--as", ADA), everybody),
        (("inbox", "--as", gus), [ADA, gus]),
        (("inbox", "--as", "did:plc:nobody"), everybody),
    ):
        said = json.loads(radial(*arguments, "--store", store, "--json").out)
        assert said["freshness"]["unread"] == unread, arguments


def test_how_fresh_a_store_is_when_everybody_was_read() -> None:
    behind = fresh(live=(False, False), looked=("2026-03-01T00:00:10Z", "2026-03-01T01:00:00+01:00"))
    assert behind == Freshness(state="unknown", as_of="2026-03-01T01:00:00+01:00", behind=61)
    assert in_words(behind) == "freshness unknown; everybody's repo was looked at by 2026-03-01T01:00:00+01:00"
    looked = ("2026-03-01T00:00:10Z", "2026-03-01T00:00:00Z")
    live = fresh(live=(True, True), looked=looked)
    assert (live.state, in_words(live)) == ("live", "live")
    assert fresh(live=(True, False), looked=looked).state == "unknown"
    assert fresh(live=(True, False), looked=(looked[0], None)) == Freshness(unread=("did:plc:1",))


def test_who_looks_from_time_to_time_makes_nothing_live() -> None:
    """What was written since the last look is not heard of."""
    polled = fresh(live=(True, True), looked=("2026-03-01T00:00:00Z",) * 2, way=Way("poll", "https://pds.example.com"))
    assert (polled.state, polled.as_of) == ("unknown", "2026-03-01T00:00:00Z")


def test_a_space_that_nobody_follows_is_not_live_though_another_one_is() -> None:
    """Whoever is in both is followed for the one; who else is in the other is not."""
    looked = ("2026-03-01T00:00:10Z", "2026-03-01T00:00:00Z")
    other = uri(ADA, "space/attic")
    standing = _standing(live=(True, True), looked=looked)
    standing.names[other] = "Attic"
    standing.repos[0] = attrs.evolve(standing.repos[0], spaces=(SPACE, other))
    standing.repos.append(attrs.evolve(standing.repos[0], repo=Repo("did:plc:2"), spaces=(other,), looked_at=None))
    assert _of(standing, frozenset({SPACE})).state == "live"
    for spaces in ({other}, {SPACE, other}):
        assert _of(standing, frozenset(spaces)) == Freshness(unread=("did:plc:2",))
    standing.repos.pop()  # and if everybody there happens to be followed: whoever joins is not
    assert _of(standing, frozenset({other})) == Freshness(as_of=looked[0], behind=61)
    assert _of(standing, frozenset({SPACE, uri(ADA, "space/unseen")})).state == "unknown"
    assert _of(standing, frozenset()) == Freshness()


STREAM = Way("firehose", "https://pds.example.com")


def fresh(**standing: Any) -> Freshness:
    return _of(_standing(**standing), frozenset({SPACE}))


def _standing(
    *,
    live: tuple[bool, bool],
    looked: tuple[str | None, str | None],
    way: Way = STREAM,
) -> Any:
    repos = [
        Health(
            repo=Repo(f"did:plc:{number}", read_at=at), spaces=(SPACE,), way=way, written_at=None, looked_at=at,
            is_live=is_live, lag=None if at is None else 60.5 - number,
        )
        for number, (is_live, at) in enumerate(zip(live, looked, strict=True))
    ]  # fmt: skip
    stats = Stats(*(0 for _ in Stats.__attrs_attrs__))
    return Situation(
        now="2026-03-01T00:01:00Z", notes=Notes(followed={SPACE: "x"}, ways={}, skew=None, skew_at=None),
        names={SPACE: "T"}, repos=repos, sources=(), failures=(), stats=stats, damages=[],
    )  # fmt: skip


# diff -----------------------------------------------------------------------------------------------------------------


def test_whichever_record_one_side_lacks_is_named_with_its_place(radial: Call, example: Path, tmp_path: Path) -> None:
    """RAD-12.5: each line of the example is dropped in turn."""
    lines = example.read_text(encoding="utf-8").splitlines(keepends=True)
    part, whole = tmp_path / "part.jsonl", materialize(read_jsonl(lines))
    named = 0
    for number, dropped in enumerate(lines):
        rest = lines[:number] + lines[number + 1 :]
        part.write_text("".join(rest), encoding="utf-8")
        done = radial("diff", example, part)
        if done.status == 0:  # D1: no two observers need to agree on it
            continue
        lacked = json.loads(dropped)["uri"]
        differing = whole.diff(materialize(read_jsonl(rest)))
        found = [each for each in differing if lacked in (*each.only_here, *each.only_there, *each.changed)]
        if not found:  # V4: the record is there, in the version that counts; an ending was read off this one
            assert "the same records; what is read off them differs" in words(done.out)
            continue
        named += 1
        assert all(each.uri in words(done.out) for each in found)
        assert re.search(rf"\b{re.escape(short(lacked))}\b", done.out)
        is_unseen = lacked not in {json.loads(each)["uri"] for each in rest}
        assert (f"take in {example}" in done.err) == is_unseen
    assert named > 50


def test_what_to_take_in_is_said_for_both_sides(radial: Call, example: Path, tmp_path: Path) -> None:
    lines = example.read_text(encoding="utf-8").splitlines(keepends=True)
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    one.write_text("".join(line_ for line_ in lines if 'review/plan-quiet-1"' not in line_), encoding="utf-8")
    other.write_text("".join(line_ for line_ in lines if 'message/merged"' not in line_), encoding="utf-8")
    done = radial("diff", one, other)
    assert f"radial: A lacks 1 record of {WREN}: take in {other}" in done.err
    assert f"radial: B lacks 1 record of {ADA}: take in {one}" in done.err


# Everywhere -----------------------------------------------------------------------------------------------------------

WATCHED = """
import sys
from radial_cli.main import run
def hook(event, arguments):
    if event.startswith("socket.") and event not in {"socket.gethostname"}:
        sys.stderr.write(f"SOCKET {event} {arguments}\\n")
sys.addaudithook(hook)
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["query", "impact", SPACE],
        ["query", "search", "spring"],
        ["describe"],
        ["inbox", "--as", BEN],
        ["queue"],
        ["system"],
        ["log"],
        ["provenance", "artifact/plan-quiet-1", "--down"],
        ["show", "artifact/plan-quiet-1"],
    ],
)
def test_no_socket_is_opened(
    arguments: list[str], radial: Call, example: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    """RK-16.1."""
    store = tmp_path / "store.db"
    assert radial("import", example, "--store", store).status == 0
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *arguments],
        env=environment | {"RADIAL_STORE": str(store)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "SOCKET" in done.stderr) == (0, False)
    assert done.stdout


def test_a_socket_would_be_noticed(environment: dict[str, str]) -> None:
    program = WATCHED.replace("sys.exit(run(sys.argv[1:]))", "import socket; socket.socket().close()")
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert "SOCKET socket.__new__" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", SPACE],
        ["show", "goal/quiet-gauge"],
        ["show", "artifact/build-quiet-1"],
        ["show", "checkrun/build-quiet-1"],
        ["show", ROOK],
        ["log", "--limit", "1000"],
        ["provenance", "artifact/build-quiet-1", "--down"],
        ["provenance", "artifact/build-quiet-1", "--down", "--format", "dot"],
        ["query", "subject", "artifact/build-quiet-1"],
        ["query", "dependents", "artifact/build-quiet-1"],
        ["query", "impact", "artifact/plan-quiet-2"],
    ],
)
def test_whoever_posted_a_check_run_is_shown_with_it(
    arguments: list[str], radial: Call, example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RAD-10.28: wherever a result stands, its observer stands in the same sentence."""
    monkeypatch.setenv("COLUMNS", "110")
    text = radial(*arguments, example, terminal=True).out
    results = [*re.finditer(r"checks (?:failed|passed)|checkrun/build-quiet-\d (?:failed|passed)", words(text))]
    assert results or arguments[1] == "checkrun/build-quiet-1"
    for result in results:
        around = words(text)[max(0, result.start() - 80) : result.end() + 80]
        assert "did:plc:rookfqvx" in around, around
    assert "did:plc:rookfqvx" in text


def test_what_is_claimed_stands_apart_from_what_was_observed(radial: Call, example: Path) -> None:
    """RK-9.1."""
    text = words(radial("show", "artifact/build-quiet-2", example).out)
    assert "Claimed by did:plc:rookfqvx… As before; the unused variable" in text
    assert "checks passed on commit c81d9b2, observed by did:plc:rookfqvx…" in text
    assert "Merged 2026-03-02 14:18, observed by did:plc:ada7xxeg…" in text
    goal = words(radial("show", "goal/quiet-gauge", example).out)
    assert "Claimed by did:plc:rookfqvx…: " in goal
    log = rows(radial("log", "--limit", "1000", example).out)
    assert {row["kind"] for row in log if row["standing"] == "observed"} == {"checkrun", "merge"}
    assert all(row["what"].startswith("observed: ") == (row["standing"] == "observed") for row in log)


def test_a_thing_comes_with_its_timeline(radial: Call, example: Path) -> None:
    text = radial("show", "artifactRequest/plan-quiet", example).out
    names = re.findall(r"\b\w+/[\w-]+", words(text.partition("Timeline (")[2]))
    assert names == [
        "artifactRequest/plan-quiet", "claim/plan-quiet-rook", "claim/plan-quiet-wren", "message/how-long",
        "artifact/plan-quiet-1", "artifact/plan-quiet-2",
    ]  # fmt: skip
    as_json = json.loads(radial("show", "artifactRequest/plan-quiet", example, "--json").out)
    assert [short(note["uri"]) for note in as_json["timeline"]] == names
    assert json.loads(radial("show", "review/not-in-rust", example, "--json").out)["timeline"] == []
    assert "Lately (10)" in radial("show", SPACE, example).out


def test_a_long_timeline_shows_its_end(radial: Call, example: Path) -> None:
    talk = [line(BEN, f"message/m{n}", at=f"2026-03-09T00:00:{n:02}Z", goal=ref(BEN, "goal/ten-years"), body="x")
            for n in range(40)]  # fmt: skip
    text = words(radial("show", "goal/ten-years", "-", stdin=with_more(example, *talk)).out)
    assert "Timeline (43, the latest 30)" in text
    assert "message/m39" in text.partition("Timeline")[2]
    assert "message/m10" not in text.partition("Timeline")[2]


def test_a_picture_in_a_text_is_a_placeholder_that_names_it(radial: Call, example: Path) -> None:
    """RAD-4.27: nobody is asked; what cannot be had is named, and the status is 0."""
    here, gone = uri(ADA, "image/slipway"), uri(ADA, "image/none")
    body = f"Look: ![\x1b[2J](radial-image:{here})\n\nand ![the old one](radial-image:{gone})"
    talk = line(BEN, "message/look", at="2026-03-09T00:00:00Z", goal=ref(BEN, "goal/ten-years"), body=body)
    bare = line(BEN, "message/bare", at="2026-03-09T00:00:01Z", goal=ref(BEN, "goal/ten-years"),
                body=f"![](radial-image:{here}) ![](radial-image:{uri(ADA, 'image/no')})")  # fmt: skip
    done = radial("show", "goal/ten-years", "-", stdin=with_more(example, talk, bare))
    assert done.status == 0
    text = words(done.out)
    assert f"Picture “\\x1b[2J”, by did:plc:ada7xxeg…: {here}" in text
    assert f"Picture “the old one”, by did:plc:ada7xxeg…: {gone} (missing: its record is not here" in text
    assert "Picture “The wooden board at the slipway, last week's sheet still on it" in text
    assert f"Picture, by did:plc:ada7xxeg…: {uri(ADA, 'image/no')} (missing:" in text
    assert "\x1b" not in done.out


def test_somebody_is_shown_by_their_did(radial: Call, example: Path) -> None:
    text = words(radial("show", BEN, example).out)
    assert "human, admin, since 2026-03-03 08:05" in text
    assert "granted 2026-03-02 08:01 by did:plc:ada7xxeg…, replaced 2026-03-03 08:05 by did:plc:ada7xxeg…" in text
    assert "Lately (17)" in text
    gone = words(radial("show", OSKAR, example).out)
    assert "no member any more" in gone
    assert "revoked 2026-03-03 08:00 by did:plc:ada7xxeg…" in gone
    assert "4 records of theirs are ignored" in gone
    assert "Profile builder: claude-code, for plan and implementation" in words(radial("show", ROOK, example).out)
    found = json.loads(radial("show", OSKAR, "--json", example).out)
    assert (found["did"], found["spaces"][0]["member"], found["ignored"]) == (OSKAR, None, 4)
    assert [grant["state"] for grant in found["spaces"][0]["grants"]] == ["revoked"]
    done = radial("show", "did:plc:nobody", example)
    assert (done.status, done.out, done.err) == (3, "", "radial: nothing here is of did:plc:nobody\n")
    assert PREFIX not in words(radial("show", ADA, example).out).partition("Lately")[2]
