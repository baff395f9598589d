"""Pictures of the example: what a person has to find in each of them. The facts are those of its story."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call
from tests.cli.people import ADA, BEN, OSKAR, ROOK, SPACE, WREN, line, ref, uri


def words(text: str) -> str:
    """Undo the wrapping."""
    return " ".join(text.split())


@pytest.fixture
def space(radial: Call, example: Path) -> str:
    done = radial("show", SPACE, example)
    assert (done.status, done.err) == (0, "")
    return done.out


def test_a_space_shows_its_members_and_what_became_of_others(space: str) -> None:
    text = words(space)
    assert "Members (4)" in text
    assert f"{ADA} human, root since 2026-03-02 08:00" in text
    assert f"{BEN} human, admin since 2026-03-03 08:05" in text
    assert f"{ROOK} agent since" in text
    assert f"{WREN} agent since" in text
    assert "did:plc:oskarxvk… human, member until 2026-03-03 08:00, removed by did:plc:ada7xxeg…" in text
    assert "did:plc:benm4ain… human, member until 2026-03-03 08:05, granted anew by did:plc:ada7xxeg…" in text
    assert "profile builder: claude-code on opus and sonnet, for plan and implementation" in text
    assert "Comments by guests are welcome." in text
    assert OSKAR not in text


def test_a_space_shows_projects_and_goals_with_requests_and_artifacts(space: str) -> None:
    text = words(space)
    assert "Projects (1) Tide tables project/tide-tables https://git.example/aberwen/tide-tables, branch main" in text
    assert "Checks: test (pytest -q); lint (ruff check)" in text
    assert "Reviewed without being asked: implementation and plan" in text
    assert "1 implementation was merged after artifact/architecture-1" in text
    assert "Goals (2 open, 2 ended)" in text
    goals = [line_.strip() for line_ in space.splitlines() if "  goal/" in line_ and not line_.startswith("   ")]
    assert goals == [
        "Next week's spring tides on one page  open  goal/spring-tides",
        "Keep ten years of readings  open  goal/ten-years",
        "Warn the crew when the gauge goes quiet  ended, completed  goal/quiet-gauge",
        "Send the warnings as text messages, too  ended, parked  goal/text-messages",
    ]
    assert "implementation awaiting input artifactRequest/build-spring for did:plc:rookfqvx…" in text
    assert "plan open artifactRequest/plan-ten-years its claims have lapsed" in text
    assert "implementation declined artifactRequest/build-texts" in text
    assert "plan retracted artifactRequest/plan-texts" in text
    made = "“Silence is an output of the forecaster” artifact/build-quiet-2 2nd of 2 versions; "
    fared = "approved by did:plc:wrenwhr4…; checks passed, observed by did:plc:rookfqvx…; merged 2026-03-02"
    assert made + fared in text
    assert "Talk 4 messages and 1 comment by guests" in text


def test_a_space_shows_what_is_ignored_by_which_rule_and_why(space: str) -> None:
    text = words(space)
    assert "Ignored (8 in this input)" in text
    assert "C2 a claim that breaks the lease contract (1) claim/half-a-morning: the lease lasts more than" in text
    assert (
        "T5 by somebody who is no member (3) artifactRequest/rewrite, message/rewrite-it, review/not-in-rust:" in text
    )
    assert "must be at least 1 @ $.findings[0].line" in text
    assert "edited in place: the first version stays (1) goal/spring-tides" in text


def test_a_space_ends_with_its_digest(space: str, radial: Call, example: Path) -> None:
    whole = radial("digest", example).out.strip()
    own = radial("digest", "--space", SPACE, example).out.strip()
    assert words(space).endswith(f"Digest {own} of this space {whole} of everything in this input")


@pytest.mark.parametrize("columns", [40, 60, 80, 100])
def test_a_picture_fits_its_page(columns: int, radial: Call, example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for name in (
        SPACE,
        "goal/quiet-gauge",
        "goal/spring-tides",
        "artifact/build-quiet-2",
        "artifactRequest/plan-quiet",
    ):
        for shown in radial("show", name, example).out.splitlines():
            longest = max(shown.split(), key=len, default="")
            assert len(shown) <= columns or len(longest) > columns - 30, shown  # a word that is too long stays whole


def test_a_goal_shows_its_thread_indented_and_its_guests(radial: Call, example: Path) -> None:
    shown = radial("show", "goal/spring-tides", example).out
    bodies = (
        "Wren: which datum",
        "Chart datum, since",
        "I have taken the old one down",
        "Is the harbour office's printer",
    )
    lines = {body: each for each in shown.splitlines() for body in bodies if each.lstrip().startswith(body)}
    assert [len(lines[body]) - len(lines[body].lstrip()) for body in bodies] == [4, 6, 8, 4]
    text = words(shown)
    assert "a question without an answer, written with sonnet message/which-printer Is the harbour office's" in text
    assert "A guest, did:plc:gusodzwr…, in the words that did:plc:benm4ain… copied here blessComment/gus" in text
    assert "edited in place: the first version stays; it differs in body" in text
    assert "One printable page with the high waters of the coming week," in text  # V1: the first version


def test_a_goal_shows_versions_and_reviews_with_findings(radial: Call, example: Path) -> None:
    text = words(radial("show", "goal/quiet-gauge", example).out)
    assert "Warn the crew when the gauge goes quiet ended, completed" in text
    assert "Ended 2026-03-02 14:25 by did:plc:ada7xxeg…" in text
    assert (
        "1st version, did:plc:rookfqvx… with sonnet, 2026-03-02 13:10 checks failed on commit 5f0c1e7, observed by "
        "did:plc:rookfqvx…" in text
    )
    assert "major Nothing says what happens when the silence ends." in text  # of the first plan, which is not current
    assert "nit at forecaster.py, line 88 `is_silent` reads as a question about the present" in text
    assert "fulfilled by artifact/plan-quiet-2, by did:plc:rookfqvx…" in text
    assert "a question, answered below" in text


def test_an_artifact_shows_its_text_its_evidence_and_where_it_comes_from(radial: Call, example: Path) -> None:
    text = words(radial("show", "artifact/build-quiet-2", example).out)
    assert "As before; the unused variable was a mail that was never counted." in text
    assert "Follows artifact/build-quiet-1" in text
    assert "pr: https://git.example/aberwen/tide-tables/pulls/41" in text
    assert "approved by did:plc:wrenwhr4…, 2026-03-02 14:05, with gpt-5 review/build-quiet-2" in text
    run = "checks passed on commit c81d9b2, observed by did:plc:rookfqvx…, 2026-03-02 13:31"
    assert f"{run} checkrun/build-quiet-2 test: passed" in text
    assert "Merged 2026-03-02 14:18, observed by did:plc:ada7xxeg…" in text
    assert "Red page, two mails." in text
    # N2, read off the story: the build rests on the second plan, and through it on the first and on the request for it.
    came_from = text.partition("Came from (5)")[2].partition("Led to")[0]
    for name in ("plan-quiet", "plan-quiet-1", "plan-quiet-2", "build-quiet", "build-quiet-1"):
        assert f"/{name} by" in came_from


def test_a_failed_check_shows_its_log(radial: Call, example: Path) -> None:
    text = words(radial("show", "artifact/build-quiet-1", example).out)
    assert "lint: failed mailer.py:17: F841 local variable `sent` is assigned to but never used" in text


def test_a_request_shows_claims_in_rank_order_and_questions(radial: Call, example: Path) -> None:
    text = words(radial("show", "artifactRequest/plan-quiet", example).out)
    first = "did:plc:rookfqvx… for 30 minutes lapsed claim/plan-quiet-rook"
    assert f"{first} did:plc:wrenwhr4… for 30 minutes lapsed claim/plan-quiet-wren" in text
    assert "message/how-long answered by did:plc:benm4ain… in message/a-quarter-hour" in text


def test_a_claim_that_nobody_dated_counts_as_seen_now(radial: Call, example: Path) -> None:
    lines = [json.loads(each) for each in example.read_text(encoding="utf-8").splitlines()]
    undated = "\n".join(json.dumps({key: each[key] for key in each if key != "seenAt"}) for each in lines)
    shown = radial("show", "artifactRequest/plan-ten-years", "-", stdin=undated.encode()).out
    assert "live" in shown
    assert "claimed by did:plc:rookfqvx…" in words(shown).lower()
    fields = radial("requests", "--open", "-", stdin=undated.encode()).out.splitlines()[-1].split("\t")
    assert fields[3] == ROOK


def test_a_project_shows_its_goals_and_its_own_artifacts(radial: Call, example: Path) -> None:
    text = words(radial("show", "project/tide-tables", example).out)
    assert "Goals (4) ended, completed Warn the crew when the gauge goes quiet goal/quiet-gauge open Next" in text
    assert "The silence is a fourth thing that flows between the parts." in text


def test_an_ignored_record_shows_its_rule_and_what_it_holds(radial: Call, example: Path) -> None:
    text = words(radial("show", "review/plan-spring-1", example).out)
    assert "Record: review ignored" in text
    assert "ignored by rule L1: must be one of approve, request_changes @ $.verdict;" in text
    assert "verdict: maybe" in text
    assert "body: The page breaks after Thursday., line: 0, severity: minor" in text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("review/build-quiet-2", "verdict: approve"),
        ("message/chart-datum", "subtracts 2.93 m from the gauge's zero"),
        ("artifactType/architecture", "Describe how the project's parts fit together"),
        ("agent/builder", "harness: claude-code"),
        ("image/slipway", "alt: The wooden board at the slipway"),
        ("claim/plan-quiet-rook", "renewedAt: 2026-03-02T09:34:00Z"),
        ("addMember/ben", "role: member"),
        ("claim/architecture-again", "ignored by rule V5"),
    ],
)
def test_any_record_can_be_shown(name: str, expected: str, radial: Call, example: Path) -> None:
    done = radial("show", name, example)
    assert done.status == 0
    assert expected in words(done.out)


def test_a_version_that_was_rewritten_is_said_of_a_reference(radial: Call) -> None:
    """L4: the review pins a version that nobody saw."""
    here = ref(ADA, "space/s")
    lines = [
        line(ADA, "space/s", name="S"),
        line(ADA, "project/p", space=here, name="P", gitUrl="https://x.example", defaultBranch="main"),
        line(ADA, "goal/g", space=here, project=ref(ADA, "project/p"), title="G", body="g"),
        line(ADA, "artifactRequest/r", goal=ref(ADA, "goal/g"), type="plan", basedOn=[ref(BEN, "artifact/gone")]),
        line(ADA, "artifact/a", goal=ref(ADA, "goal/g"), request=ref(ADA, "artifactRequest/r"), type="plan", body="x"),
        line(ADA, "review/v", subject=ref(ADA, "artifact/a"), verdict="approve"),
        line(
            ADA, "goal/late", at="2999-01-01T00:00:00Z", space=here, project=ref(ADA, "project/p"), title="L", body="l"
        ),
    ]
    text = words(radial("show", "goal/g", "-", stdin="".join(lines).encode()).out)
    assert "approved by did:plc:ada7xxeg…, 2026-01-01 00:00, of a version of it that was never seen" in text
    assert f"based on {uri(BEN, 'artifact/gone')} (which is not here or does not count)" in text
    late = words(radial("show", "goal/late", "-", stdin="".join(lines).encode()).out)
    assert "2999-01-01 00:00 (in the future)" in late  # P3


@pytest.mark.parametrize("depth", [3_000])
def test_a_thread_of_any_depth_can_be_read(depth: int, radial: Call) -> None:
    here = ref(ADA, "space/s")
    lines = [
        line(ADA, "space/s", name="S"),
        line(ADA, "project/p", space=here, name="P", gitUrl="https://x.example", defaultBranch="main"),
        line(ADA, "goal/g", space=here, project=ref(ADA, "project/p"), title="G", body="g"),
        line(ADA, "message/m0", goal=ref(ADA, "goal/g"), body="first"),
    ]
    goal = ref(ADA, "goal/g")
    lines += [
        line(ADA, f"message/m{at}", goal=goal, parent=ref(ADA, f"message/m{at - 1}"), body="b")
        for at in range(1, depth)
    ]
    done = radial("show", "goal/g", "-", stdin="".join(lines).encode())
    assert done.status == 0
    assert f"reply {depth - 1} deep" in done.out
    assert max(map(len, done.out.splitlines())) <= 80
