"""`why`, `bundle` and `handoff`: the pure half of dispatch at the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from radial_core import materialize, read_jsonl
from radial_core.canonical import cid_of
from radial_core.dispatch.bundle import bundle
from radial_core.dispatch.limits import Limits
from radial_io.store.store import open_store
from radial_io.store.values import Batch, Failure, RepoState, Source
from tests.cli.conftest import Call
from tests.cli.people import ADA, SPACE, WREN, line, ref, uri
from tests.cli.test_reference import documented_keys_hold, section

SETUP = f"""
turns = 2

[[profiles]]
did = "{WREN}"
name = "wren"
types = ["plan", "implementation"]

[routes.plan]
harness = "codex"
model = "m-1"
effort = "high"
fallbacks = ["m-2"]
"""


@pytest.fixture
def setup(tmp_path: Path) -> Path:
    file = tmp_path / "radial.toml"
    file.write_text(SETUP, encoding="utf-8")
    return file


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A space in which wren is asked for a plan, anybody for another, and nobody for a dance."""
    file = tmp_path / "small.jsonl"
    goal = ref(ADA, "goal/g")
    records = [
        line(ADA, "space/tidewater", name="Lab"),
        line(ADA, "addMember/wren", space=ref(ADA, "space/tidewater"), did=WREN, kind="agent", role="agent"),
        line(ADA, "project/p", space=ref(ADA, "space/tidewater"), name="P", gitUrl="https://git.test/p",
             defaultBranch="main"),
        line(ADA, "goal/g", space=ref(ADA, "space/tidewater"), project=ref(ADA, "project/p"), title="G", body="Do."),
        line(ADA, "artifactRequest/mine", goal=goal, type="plan", assignee=WREN),
        line(ADA, "artifactRequest/open", goal=goal, type="plan"),
        line(ADA, "artifactRequest/dance", goal=goal, type="dance"),
        line(ADA, "artifactRequest/asked", goal=goal, type="plan", assignee=WREN),
        line(WREN, "message/q", goal=goal, body="Which?", re=ref(ADA, "artifactRequest/asked")),
        line(WREN, "agent/wren", handleName="wren", harness="codex", models=[], artifactTypes=["plan"]),
    ]  # fmt: skip
    file.write_text("".join(records), encoding="utf-8")
    return file


def said(radial: Call, *words: str | Path) -> str:
    done = radial("why", *words)
    assert (done.status, done.err) == (0, "")
    return " ".join(done.out.split())


# why


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ("mine", f"assigned to {WREN[:16]}…, whose daemon may start without a claim (assignee)"),
        ("open", "nobody has claimed it; profiles of did:plc:wrenwhr4… produce type “plan” (C3)"),
        ("dance", "no profile of a member produces type “dance” (M5)"),
        ("asked", "awaiting input: nobody has replied to the question message/q (R6)"),
    ],
)
def test_what_holds_for_everybody(radial: Call, small: Path, request_: str, sentence: str) -> None:
    assert said(radial, f"artifactRequest/{request_}", small) == f"artifactRequest/{request_}: {sentence}"


@pytest.mark.parametrize(
    ("request_", "rule", "sentence"),
    [
        (
            "mine",
            "assignee",
            "a turn is started, codex, model “m-1” (unverified), effort “high” (unverified), else “m-2”",
        ),
        ("open", "C4", "a claim is written first"),
        ("dance", "routes", "no route for type “dance” in "),
        ("asked", "R6", "awaiting input"),
    ],
)
def test_what_the_planner_says_for_an_operator(
    radial: Call, small: Path, setup: Path, request_: str, rule: str, sentence: str
) -> None:
    text = said(radial, f"artifactRequest/{request_}", small, "--operator", setup)
    assert sentence in text
    assert text.endswith(f"({rule})")
    found = json.loads(radial("why", f"artifactRequest/{request_}", small, "--operator", setup, "--json").out)
    assert (found["rule"], found["operator"]) == (rule, str(setup))
    assert sentence in found["reason"]


def test_what_was_answered_or_ended_needs_nobody(radial: Call, example: Path) -> None:
    request = materialize(read_jsonl(example.read_text(encoding="utf-8").splitlines())).spaces[0].goals[0].requests[0]
    assert said(radial, request.uri, example).endswith("(R2)")


def test_a_live_claim_is_named_and_an_operator_s_own_is_its_daemon_s(radial: Call, small: Path, setup: Path) -> None:
    claim = line(WREN, "claim/c", request=ref(ADA, "artifactRequest/open"), expiresAt="2026-01-01T00:15:00Z")
    small.write_text(small.read_text(encoding="utf-8") + claim, encoding="utf-8")
    assert said(radial, "artifactRequest/open", small).endswith("claimed by did:plc:wrenwhr4… (C3)")
    mine = said(radial, "artifactRequest/open", small, "--operator", setup)
    assert mine.endswith("one of this operator's agents; its daemon knows more (C3)")


def test_what_is_no_request_is_said(radial: Call, small: Path) -> None:
    for name in ("goal/g", uri(ADA, "artifactRequest/none")):
        done = radial("why", name, small)
        assert (done.status, done.out) == (3, "")
        assert "Ask about a request" in done.err


@pytest.mark.parametrize(
    ("name", "text", "status", "told"),
    [
        ("a.toml", "turns = 0\nprofiles = []\nroutes = {}", 1, "turns is at least 1, not 0 @ $"),
        ("a.toml", "lease = 'x'\nprofiles = 1\nroutes = {}", 1, "must be an array, not an integer @ $.profiles"),
        ("a.toml", "turns =", 1, "is no TOML"),
        ("a.json", "{", 1, "is no JSON"),
        ("a.json", "[]", 1, "must be an object, not an array @ $"),
        ("none.toml", None, 2, "cannot be read"),
    ],
)
def test_an_operator_s_file_that_is_none_is_refused_with_every_fault(
    radial: Call, small: Path, tmp_path: Path, name: str, text: str | None, status: int, told: str
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = radial("why", "artifactRequest/mine", small, "--operator", tmp_path / name)
    assert (done.status, done.out) == (status, "")
    assert told in done.err


def test_an_operator_s_file_may_be_json(radial: Call, small: Path, tmp_path: Path) -> None:
    file = tmp_path / "radial.json"
    file.write_text(json.dumps({"profiles": [], "routes": {}}), encoding="utf-8")
    assert said(radial, "artifactRequest/open", small, "--operator", file).endswith("radial.json (routes)")


def test_the_example_of_the_reference_is_read(radial: Call, small: Path, tmp_path: Path, root: Path) -> None:
    page = (root / "docs" / "reference" / "operator.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "doc.toml").write_text(example, encoding="utf-8")
    text = said(radial, "artifactRequest/mine", small, "--operator", tmp_path / "doc.toml")
    assert "claude-code, model “claude-sonnet-4-5” (unverified), effort “high” (unverified)" in text


# bundle


def packet_of(file: Path, name: str, total: int = 409_600) -> tuple[str, str]:
    index = materialize(read_jsonl(file.read_text(encoding="utf-8").splitlines()))
    packet = bundle(index, uri(ADA, name), Limits(total=total))
    return packet.to_json_text(), packet.to_markdown()


def test_a_bundle_is_printed_byte_for_byte(radial: Call, small: Path) -> None:
    as_json, as_md = packet_of(small, "artifactRequest/mine")
    assert radial("bundle", "artifactRequest/mine", small) == (0, as_md, "")
    assert radial("bundle", "artifactRequest/mine", small, "--md") == (0, as_md, "")
    assert radial("bundle", "artifactRequest/mine", small, "--json") == (0, as_json, "")


def test_both_files_are_written_and_none_is_replaced_unasked(radial: Call, small: Path, tmp_path: Path) -> None:
    folder = tmp_path / "turn"
    folder.mkdir()
    words = ("bundle", "artifactRequest/mine", small, "-o", folder)
    assert radial(*words) == (0, "", "")
    read = tuple((folder / name).read_bytes().decode() for name in ("bundle.json", "bundle.md"))
    assert read == packet_of(small, "artifactRequest/mine")
    assert radial(*words).status == 2
    assert radial(*words, "--force").status == 0
    assert radial("bundle", "artifactRequest/mine", small, "-o", tmp_path / "none").status == 2


def test_what_a_packet_lacks_is_said(radial: Call, small: Path) -> None:
    long = line(ADA, "message/long", goal=ref(ADA, "goal/g"), body="word " * 20_000)
    small.write_text(small.read_text(encoding="utf-8") + long, encoding="utf-8")
    done = radial("bundle", "artifactRequest/mine", small, "--total", "45000", "--behind", WREN)
    assert done.status == 0
    assert done.out == packet_of(small, "artifactRequest/mine", 45_000)[1].replace(
        "- stale: unknown", f"- stale: yes\n- not read to its end: {WREN}"
    )
    assert "partial: 0 pieces left out, 1 cut" in done.err
    assert "stale: 1 repo not read to the end" in done.err


@pytest.mark.parametrize("name", ["bundle.json", "bundle.md"])
@pytest.mark.parametrize("there", [True, False])
def test_no_link_in_the_folder_leads_a_packet_out_of_it(
    radial: Call, small: Path, tmp_path: Path, name: str, *, there: bool
) -> None:
    folder, elsewhere = tmp_path / "turn", tmp_path / "elsewhere"
    folder.mkdir()
    if there:
        elsewhere.write_text("mine", encoding="utf-8")
    (folder / name).symlink_to(elsewhere)
    done = radial("bundle", "artifactRequest/mine", small, "-o", folder, "--force")
    assert (done.status, "leads elsewhere" in done.err) == (2, True)
    assert (elsewhere.read_text(encoding="utf-8") if there else elsewhere.exists()) == ("mine" if there else False)
    assert [path.name for path in folder.iterdir()] == [name]


@pytest.mark.parametrize("as_json", [True, False])
def test_a_terminal_does_not_obey_what_a_packet_quotes(radial: Call, small: Path, *, as_json: bool) -> None:
    words = line(ADA, "message/esc", goal=ref(ADA, "goal/g"), body="red \x1b[31m")
    small.write_text(small.read_text(encoding="utf-8") + words, encoding="utf-8")
    done = radial("bundle", "artifactRequest/mine", small, *["--json"] * as_json, terminal=True)
    assert "\x1b" not in done.out
    assert "x1b[31m" in done.out or "u001b[31m" in done.out


@pytest.mark.parametrize(
    ("words", "status"),
    [(["goal/g"], 3), (["artifactRequest/none"], 3), (["artifactRequest/mine", "--total", "5"], 2),
     (["artifactRequest/mine", "--total", "20000000000000000000"], 2),
     (["artifactRequest/mine", "--behind", "wren"], 2)],
)  # fmt: skip
def test_a_bundle_that_cannot_be_made_is_said(radial: Call, small: Path, words: list[str], status: int) -> None:
    done = radial("bundle", words[0], small, *words[1:])
    assert (done.status, done.out) == (status, "")
    assert done.err.startswith("radial: ")


def test_from_the_store_a_packet_knows_what_was_never_read(radial: Call, small: Path, tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    assert radial("import", small, "--store", store).status == 0
    done = radial("bundle", "artifactRequest/mine", "--store", store, "--json")
    assert done.status == 0
    assert json.loads(done.out)["behind"] == {"repos": sorted([ADA, WREN]), "unlisted": 0}


def test_from_the_store_a_packet_knows_what_could_not_be_read_again(radial: Call, small: Path, tmp_path: Path) -> None:
    """A repo that was read wholly once and could not be read since is behind; that none is, a store does not know."""
    file = tmp_path / "store.db"
    assert radial("import", small, "--store", file).status == 0

    def told(batch: Batch, at: str) -> tuple[bool | None, list[str]]:
        with open_store(file, write=True) as store:
            store.take(batch, at)
        found = json.loads(radial("bundle", "artifactRequest/mine", "--store", file, "--json").out)
        return found["stale"], found["behind"]["repos"]

    source = Source("repo", "https://pds.example", WREN)
    read = tuple(RepoState(did, None, None, source) for did in (ADA, WREN))
    stranger = Failure("did:plc:stranger", source, "no answer")
    failed = Failure(WREN, source, "no answer")
    assert told(Batch(source=source, repos=read), "2026-01-01T10:00:00Z") == (None, [])
    assert told(Batch(source=source, failures=(failed, stranger)), "2026-01-01T11:00:00Z") == (True, [WREN])
    assert told(Batch(source=source, repos=read), "2026-01-01T12:00:00Z") == (None, [])


# handoff

AT = ("--root", "site", "--revision", "c0ffee")


def exported(radial: Call, small: Path, *words: str | Path) -> dict[str, object]:
    done = radial("handoff", "export", "artifactRequest/mine", small, *AT, *words)
    assert (done.status, done.err) == (0, "")
    handoff: dict[str, object] = json.loads(done.out)
    return handoff


@pytest.fixture
def taken(tmp_path: Path) -> Path:
    folder = tmp_path / "taken"
    folder.mkdir()
    return folder


def reply(radial: Call, small: Path, folder: Path, **changes: object) -> Path:
    file = folder.parent / "reply.json"
    value = {"format": 1, "binding": exported(radial, small)["binding"], "answer": {"body": "Do it."}}
    file.write_text(json.dumps(value | changes), encoding="utf-8")
    return file


def test_what_is_handed_over_is_bound_and_says_what_nobody_read(radial: Call, small: Path, tmp_path: Path) -> None:
    names = tmp_path / "unread.txt"
    names.write_text("vendor/b\n\nvendor/a\n", encoding="utf-8")
    handoff = exported(radial, small, "--unread", names, "--phase", "plan")
    assert handoff["unread"] == {"count": 2, "files": ["vendor/a", "vendor/b"], "unnamed": 0}
    binding = handoff["binding"]
    assert isinstance(binding, dict)
    assert (binding["root"], binding["revision"], binding["phase"]) == ("site", "c0ffee", "plan")
    file = tmp_path / "handoff.json"
    words = ("handoff", "export", "artifactRequest/mine", small, *AT, "-o", file)
    assert radial(*words) == (0, "", "")
    assert json.loads(file.read_text(encoding="utf-8")) == exported(radial, small)
    assert radial(*words).status == 2


@pytest.mark.parametrize("part", ["--root", "--revision", "--phase"])
@pytest.mark.parametrize("text", ["", "caf\udce9"])
def test_what_says_nothing_binds_nothing(radial: Call, small: Path, taken: Path, part: str, text: str) -> None:
    file, bound = reply(radial, small, taken), (*AT, part, text)
    for words in (("export",), ("import", file)):
        into = () if words == ("export",) else ("--into", taken)
        done = radial("handoff", *words, "artifactRequest/mine", small, *bound, *into)
        assert (done.status, done.out) == (2, "")
        assert f"the {part[2:]} is no text" in done.err
    assert list(taken.iterdir()) == []


def test_a_terminal_does_not_obey_a_handoff(radial: Call, small: Path) -> None:
    words = line(ADA, "message/esc", goal=ref(ADA, "goal/g"), body="red \x9b31m \u202e")
    small.write_text(small.read_text(encoding="utf-8") + words, encoding="utf-8")
    shown = radial("handoff", "export", "artifactRequest/mine", small, *AT, terminal=True).out
    assert ("\x9b" in shown, "\u202e" in shown) == (False, False)
    assert json.loads(shown) == exported(radial, small)


def test_a_name_of_a_file_ends_with_its_line_and_nowhere_else(radial: Call, small: Path, tmp_path: Path) -> None:
    names = tmp_path / "unread.txt"
    names.write_text("a\x0bb\u2028c\n\nd", encoding="utf-8")
    assert exported(radial, small, "--unread", names)["unread"] == {
        "count": 2, "files": ["a\x0bb\u2028c", "d"], "unnamed": 0,
    }  # fmt: skip


def test_a_reply_is_taken_once_and_changes_nothing_else(radial: Call, small: Path, taken: Path) -> None:
    file = reply(radial, small, taken)
    before = small.read_bytes()
    words = ("handoff", "import", file, "artifactRequest/mine", small, *AT, "--into", taken)
    name = cid_of(json.loads(file.read_text(encoding="utf-8")))
    assert radial(*words) == (0, f"taken: {taken / name}.json\n", "")
    kept = (taken / f"{name}.json").read_bytes()
    assert json.loads(kept) == json.loads(file.read_text(encoding="utf-8"))
    assert radial(*words) == (0, f"taken before: {taken / name}.json\n", "")
    found = json.loads(radial(*words, "--json").out)
    assert found == {"taken": True, "id": name, "new": False, "faults": [], "moved": []}
    assert [path.name for path in taken.iterdir()] == [f"{name}.json"]
    assert ((taken / f"{name}.json").read_bytes(), small.read_bytes()) == (kept, before)


def test_a_reply_to_what_moved_is_refused_with_both_values(radial: Call, small: Path, taken: Path) -> None:
    file = reply(radial, small, taken)
    words = ["handoff", "import", file, "artifactRequest/mine", small, "--root", "site", "--into", taken]
    done = radial(*words, "--revision", "decaf")
    assert (done.status, done.out) == (1, "")
    assert "revision moved: the reply is for c0ffee, and now it is decaf" in done.err
    plain = json.loads(radial(*words, "--revision", "decaf", "--json").out)
    assert (plain["taken"], plain["moved"]) == (False, [{"what": "revision", "then": "c0ffee", "now": "decaf"}])
    more = line(ADA, "message/m", goal=ref(ADA, "goal/g"), body="Wait.")
    small.write_text(small.read_text(encoding="utf-8") + more, encoding="utf-8")
    assert "packet moved" in radial(*words, "--revision", "c0ffee").err
    assert list(taken.iterdir()) == []


def test_what_is_no_reply_is_refused(radial: Call, small: Path, taken: Path) -> None:
    tail = ("artifactRequest/mine", small, *AT, "--into", taken)
    done = radial("handoff", "import", reply(radial, small, taken, start=True), *tail)
    assert (done.status, "unknown @ $.start" in done.err) == (1, True)
    file = taken.parent / "reply.json"
    for raw, status in ((b"{", 1), (b"\xff", 1)):
        file.write_bytes(raw)
        assert radial("handoff", "import", file, *tail).status == status
    assert radial("handoff", "import", taken / "none", *tail).status == 2
    file.write_text("{}", encoding="utf-8")
    assert radial("handoff", "import", file, "artifactRequest/mine", small, *AT, "--into", taken / "no").status == 2
    assert list(taken.iterdir()) == []


def test_a_reply_that_says_a_thing_twice_is_refused(radial: Call, small: Path, taken: Path) -> None:
    file = reply(radial, small, taken)
    file.write_text('{"answer": {}, ' + file.read_text(encoding="utf-8")[1:], encoding="utf-8")
    done = radial("handoff", "import", file, "artifactRequest/mine", small, *AT, "--into", taken)
    assert (done.status, "a key stands twice" in done.err, list(taken.iterdir())) == (1, True, [])


# the reference


def test_the_documented_keys_are_those_that_are_printed(radial: Call, small: Path, taken: Path, root: Path) -> None:
    page = (root / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    why = json.loads(radial("why", "artifactRequest/open", small, "--json").out)
    assert documented_keys_hold(section(page, "why"), why) == 1
    tail = ("artifactRequest/mine", small, *AT, "--into", taken, "--json")
    moved = json.loads(radial("handoff", "import", reply(radial, small, taken), *tail).out)
    assert documented_keys_hold(section(page, "handoff import"), moved) == 1
    assert json.loads(radial("bundle", "artifactRequest/open", small, "--json").out)["packet"]["space"] == SPACE
