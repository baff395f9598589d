"""What `--help` says, word for word, and what it costs.

To change a page on purpose: `RADIAL_SNAPSHOTS=write pytest tests/cli/test_help.py`, then read the difference.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from radial_cli.exits import MEANINGS
from radial_core import __version__
from tests.cli.conftest import Call

SNAPSHOTS = Path(__file__).parent / "snapshots"
VERBS = (
    "fetch",
    "sync",
    "watch",
    "status",
    "doctor",
    "inbox",
    "show",
    "goals",
    "requests",
    "members",
    "queue",
    "system",
    "log",
    "guests",
    "body",
    "provenance",
    "query",
    "describe",
    "explain",
    "space",
    "spaces",
    "member",
    "project",
    "type",
    "goal",
    "request",
    "capture",
    "artifact",
    "review",
    "message",
    "reply",
    "decline",
    "ask",
    "bless",
    "agent",
    "image",
    "login",
    "logout",
    "whoami",
    "accounts",
    "use",
    "outbox",
    "why",
    "bundle",
    "handoff",
    "validate",
    "materialize",
    "digest",
    "diff",
    "sample",
    "export",
    "import",
    "rebuild",
    "quarantine",
    "store",
)
UNDER = (
    ("space", "create"),
    ("space", "join"),
    ("space", "guest-comments"),
    ("member", "add"),
    ("member", "remove"),
    ("member", "list"),
    ("project", "create"),
    ("project", "edit"),
    ("project", "archive"),
    ("project", "auto-review"),
    ("type", "add"),
    ("type", "list"),
    ("goal", "create"),
    ("goal", "close"),
    ("goal", "reopen"),
    ("request", "new"),
    ("request", "retract"),
    ("artifact", "submit"),
    ("bless", "new"),
    ("bless", "retract"),
    ("agent", "publish"),
    ("agent", "retire"),
    ("image", "show"),
    ("image", "add"),
    ("outbox", "list"),
    ("outbox", "send"),
    ("outbox", "drop"),
    ("handoff", "export"),
    ("handoff", "import"),
)


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_help_reads_as_it_was_approved(verb: str, radial: Call) -> None:
    done = radial(*filter(None, [verb]), "--help")
    page = SNAPSHOTS / f"help{'-' if verb else ''}{verb}.txt"
    if os.environ.get("RADIAL_SNAPSHOTS") == "write":
        page.write_text(done.out, encoding="utf-8")
    assert done == (0, page.read_text(encoding="utf-8"), "")


@pytest.mark.parametrize("verb", VERBS)
def test_help_of_a_verb_has_examples_and_fits_eighty_columns(verb: str, radial: Call) -> None:
    lines = radial(verb, "--help").out.splitlines()
    assert f"    radial {verb}" in "\n".join(lines[lines.index("  Examples:") :])
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize(("verb", "under"), UNDER)
def test_help_of_a_verb_under_another_reads_as_it_was_approved(verb: str, under: str, radial: Call) -> None:
    done = radial(verb, under, "--help")
    page = SNAPSHOTS / f"help-{verb}-{under}.txt"
    if os.environ.get("RADIAL_SNAPSHOTS") == "write":
        page.write_text(done.out, encoding="utf-8")
    assert done == (0, page.read_text(encoding="utf-8"), "")
    assert all(len(line) <= 80 for line in done.out.splitlines())


def test_help_publishes_every_exit_status(radial: Call) -> None:
    page = radial("--help").out
    for status, meaning in MEANINGS.items():
        assert f"{status:>3}  {meaning}" in page


def test_help_lists_the_verbs_with_a_whole_sentence_each(radial: Call) -> None:
    page = radial("--help").out
    listed = page[page.index("Follow spaces:") : page.index("  Examples:")].splitlines()
    titles = [line for line in listed if line.endswith(":")]
    rows = [line for line in listed if line and line not in titles]
    assert len(titles) == 6
    assert [row.split()[0] for row in rows] == list(VERBS)
    assert all(row.startswith("  ") and row.endswith(".") and not row.endswith("...") for row in rows)


def test_help_imports_nothing_heavy(environment: dict[str, str]) -> None:
    program = (
        "import sys\nfrom radial_cli.main import run\nrun(['--help'])\nrun(['fetch', '--help'])\n"
        "heavy = {'radial_core', 'radial_io', 'radial_corpus', 'rich', 'httpx', 'attrs', 'cattrs', 'cbor2'}\n"
        "print('heavy:', sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "heavy: []"


def test_no_arguments_print_the_help(radial: Call) -> None:
    assert radial().status == 2
    assert "See and ask:" in radial().err + radial().out


def test_version_is_that_of_the_core(radial: Call) -> None:
    assert radial("--version") == (0, f"radial {__version__}\n", "")


@pytest.mark.parametrize(
    ("words", "offered"), [("radial gu", "guests"), ("radial goals --ke", "--keep-going"), ("radial expl", "explain")]
)
def test_a_shell_is_offered_completions(words: str, offered: str, environment: dict[str, str]) -> None:
    asked = {"_RADIAL_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    done = subprocess.run(
        [sys.executable, "-c", "from radial_cli.main import main; main()"],
        env=environment | asked,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == [offered]


def test_a_shell_can_be_shown_its_completion_script(radial: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    done = radial("--show-completion", "bash")
    assert done.status == 0
    assert "_RADIAL_COMPLETE" in done.out
