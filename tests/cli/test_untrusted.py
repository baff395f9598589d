"""Text that others wrote reaches no terminal unspelled."""

from __future__ import annotations

import json
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from radial_cli.untrusted import escaped_json, one_line, visible
from tests.cli.conftest import Call
from tests.cli.people import ADA, SPACE, line, ref, uri

JOINERS = {"\u200c", "\u200d"}
# Signs that Unicode calls formats but that are seen: they stand before numbers, or over the end of a verse.
SEEN = {chr(code) for code in (*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD)}

HOSTILE = (
    "\x1b[31mred\x1b[0m"  # colour
    "\x1b]0;title\x07"  # the window's title
    "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\"  # a link that says something else
    "\x9b2J"  # clear the screen, in one character
    "\r\b\x7f\x00"
    "\u202egnp.exe\u202c\u2066x\u2069"  # reordered
    "\u200b\ufeff\u2028\u2029"
    "\U000e0041\U000e0042"  # text hidden in tags
    "[bold red]markup[/] [link=https://evil.example]x[/link] :smile:"  # what rich would act upon
)


def test_every_character_that_is_not_seen_is_spelled_out() -> None:
    kinds = {"Cc", "Cf", "Zl", "Zp", "Cs"}
    unseen = {chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) in kinds}
    left = {character for character in unseen if visible(character) == character}
    assert left == {"\n", "\t"} | JOINERS | SEEN


def test_letters_of_every_script_stay() -> None:
    text = "Größe, дом, 日本語, العربية, עברית, हिन्दी, می‌خواهم, 👩‍👩‍👧, \N{FAMILY} §½"
    assert visible(text) == text


@given(st.text())
def test_nothing_is_dropped_and_nothing_unseen_is_left(text: str) -> None:
    shown = visible(text)
    assert visible(shown) == shown
    assert len(shown) >= len(text.replace("\r\n", "\n"))


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1
    assert "\t" not in one_line(text)


def test_one_line_is_cut_where_it_is_too_long() -> None:
    assert one_line("abcdef", 6) == "abcdef"
    assert one_line("abcdefg", 6) == "abcdef…"
    assert one_line("  abcde  fg ", 6) == "abcde…"


@given(
    st.recursive(
        st.text() | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_escaped_json_is_the_same_json(value: object) -> None:
    text = escaped_json(json.dumps(value, ensure_ascii=False))
    assert json.loads(text) == value
    assert visible(text) == text


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A space in which every text that somebody can choose is hostile."""
    space, project, goal = (ref(ADA, name) for name in ("space/tidewater", "project/p", "goal/g"))
    model = {"name": HOSTILE, "costHint": HOSTILE}
    request, artifact = ref(ADA, "artifactRequest/r"), ref(ADA, "artifact/a")
    result = {"name": HOSTILE, "pass": False, "log": HOSTILE}
    finding = {"severity": HOSTILE, "body": HOSTILE, "path": HOSTILE, "line": 1}
    lines = [
        line(ADA, "space/tidewater", name=HOSTILE, description=HOSTILE),
        line(ADA, "project/p", space=space, name=HOSTILE, gitUrl="https://x.example", defaultBranch=HOSTILE,
             checks=[{"name": HOSTILE, "command": HOSTILE}], autoReview={HOSTILE: True}),
        line(ADA, "goal/g", space=space, project=project, title=HOSTILE, body=HOSTILE),
        line(ADA, "closeGoal/c", goal=goal, closed=True, disposition=HOSTILE),
        line(ADA, "artifactRequest/r", goal=goal, type=HOSTILE, brief=HOSTILE),
        line(ADA, "artifact/a", request=request, goal=goal, type=HOSTILE, title=HOSTILE, body=HOSTILE,
             criteria=[HOSTILE], model=HOSTILE, links={"branch": HOSTILE, "commit": HOSTILE}),
        line(ADA, "review/v", subject=artifact, verdict="approve", findings=[finding], model=HOSTILE),
        line(ADA, "checkrun/k", artifact=artifact, commit=HOSTILE, results=[result]),
        line(ADA, "message/m", goal=goal, body=HOSTILE, model=HOSTILE, **{HOSTILE: HOSTILE}),
        line(ADA, "agent/b", handleName=HOSTILE, harness=HOSTILE, models=[model], artifactTypes=[HOSTILE]),
        line(ADA, "artifactType/t", space=space, name=HOSTILE, brief=HOSTILE, outputSpec=HOSTILE, scope="goal"),
        line(ADA, "blessComment/b", goal=goal, comment=ref("did:plc:" + "g" * 24, "message/x"), body=HOSTILE),
        line(ADA, "review/w", subject=artifact, verdict=HOSTILE, **{HOSTILE: HOSTILE}),
        json.dumps({"uri": HOSTILE, "value": {HOSTILE: HOSTILE}}) + "\n",
    ]  # fmt: skip
    file = tmp_path / "hostile.jsonl"
    file.write_text("".join(lines), encoding="utf-8")
    return file


def named(command: tuple[str, ...]) -> str:
    return " ".join(command).replace(HOSTILE, "HOSTILE")


ASKING = (
    ("show", ADA),
    ("inbox", "--as", ADA),
    ("queue",),
    ("system",),
    ("log", "--limit", "1000"),
    ("provenance", "artifact/a"),
    ("provenance", "artifact/a", "--down"),
    ("provenance", "artifact/a", "--format", "dot"),
    ("provenance", "artifact/a", "--format", "mermaid"),
    ("query", "subject", "goal/g"),
    ("query", "dependents", "artifact/a"),
    ("query", "dependencies", "blessComment/b"),
    ("query", "impact", SPACE),
    ("query", "search", "red"),
    ("query", "search", HOSTILE),
    ("query", "subject", HOSTILE),
)
COMMANDS = (
    ("show", SPACE),
    ("show", "project/p"),
    ("show", "goal/g"),
    ("show", "artifactRequest/r"),
    ("show", "artifact/a"),
    ("show", "message/m"),
    ("show", "agent/b"),
    ("show", "artifactType/t"),
    ("show", "review/w"),
    ("show", HOSTILE),
    ("show", uri(ADA, f"goal/{HOSTILE}")),
    ("explain", "review/w"),
    ("explain", HOSTILE),
    ("goals", "--all"),
    ("requests",),
    ("members",),
    ("digest", "--tree"),
    ("materialize",),
    ("validate",),
    *ASKING,
)


def unseen(text: str) -> set[str]:
    """Give the characters in a text that a terminal would act upon, the line's end aside."""
    return {character for character in text if visible(character) != character or character == "\t"}


@pytest.mark.parametrize("command", COMMANDS, ids=named)
def test_a_pipe_gets_no_control_character(command: tuple[str, ...], radial: Call, hostile: Path) -> None:
    done = radial(*command, hostile)
    assert unseen(done.out) <= {"\t"}  # between the fields of a list
    assert unseen(done.err) == set()
    assert "Traceback" not in done.err


@pytest.mark.parametrize("command", COMMANDS, ids=named)
def test_a_terminal_gets_only_our_own_colours(command: tuple[str, ...], radial: Call, hostile: Path) -> None:
    done = radial(*command, hostile, terminal=True)
    ours = [f"\x1b[{style}m" for style in ("0", "1", "2", "31", "32", "33", "36", "1;36")]
    bare = done.out
    for style in ours:
        bare = bare.replace(style, "")
    assert unseen(bare) == set()
    if command[0] == "show" and command[1] != ADA and done.status == 0:
        assert "[bold red]markup[/]" in " ".join(bare.split())  # shown as it stands, not obeyed
        assert r"\x1b[31mred\x1b[0m" in "".join(bare.split())


@pytest.mark.parametrize("command", [*COMMANDS[:11], *COMMANDS[13:16], ("materialize",), *ASKING], ids=named)
def test_json_says_the_same_and_moves_no_cursor(command: tuple[str, ...], radial: Call, hostile: Path) -> None:
    done = radial(*command, hostile, "--json")
    assert unseen(done.out) == set()
    if done.status == 0 and command[0] not in {"members", "inbox", "queue", "system", "provenance", "query"}:
        assert HOSTILE in strings_in(json.loads(done.out))


def strings_in(value: object) -> str:
    """Put every string of a JSON value behind the other."""
    if isinstance(value, dict):
        return "".join(map(strings_in, [*value, *value.values()]))
    if isinstance(value, list):
        return "".join(map(strings_in, value))
    return value if isinstance(value, str) else ""


def test_a_file_name_is_text_of_others_too(radial: Call) -> None:
    done = radial("goals", f"/nowhere/{HOSTILE.replace(chr(0), '')}")
    assert done.status == 2
    assert unseen(done.err) == set()
