"""The runner says the right thing about right and about faulty implementations.

A runner is worth what it catches: each driver under golden/drivers/faulty has one flaw and must turn a run red, with
the status that names it. Selections are small and waits short, so that the whole stays quick.
"""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from golden.runner.main import GREEN, RED, USAGE, main

HONEST = f"{shlex.quote(sys.executable)} golden/drivers/python.py"
SMOKE = "smoke/a-goal-gets-its-plan"
MERGE = "artifacts/the-first-merge-is-named"


@dataclass
class Run:
    """What a run printed, reported and returned."""

    status: int
    out: str
    rows: list[dict[str, Any]]

    def row(self, identifier: str) -> dict[str, Any]:
        (found,) = (row for row in self.rows if row["id"] == identifier)
        return found


Start = Callable[..., Run]


@pytest.fixture
def start(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Start:
    """Run the suite in this process: the command, the cases, more options."""
    monkeypatch.chdir(root)

    def run(command: str, only: str = "", *options: str) -> Run:
        report = tmp_path / "report.jsonl"
        selected = [word for name in only.split() for word in ("--only", name)]
        status = main([command, *selected, *options, "--report", str(report)])
        rows = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
        return Run(status, capsys.readouterr().out, rows)

    return run


def faulty(name: str, *arguments: object) -> str:
    """Return the command that starts a faulty driver."""
    return shlex.join([sys.executable, "-m", f"golden.drivers.faulty.{name}", *map(str, arguments)])


# Right


def test_ours_is_green(start: Start) -> None:
    run = start(HONEST)
    assert run.status == GREEN
    assert run.out.splitlines()[-1] == "green"
    assert {row["status"] for row in run.rows} == {"passed"}
    assert {"canonical", "lines", "records", "smoke", "claims"} <= {row["id"].split("/")[0] for row in run.rows}


def test_two_processes_find_the_same_in_the_same_order(start: Start) -> None:
    one, two = (start(HONEST, "smoke claims/lease", "--jobs", jobs) for jobs in ("1", "2"))
    assert two.status == GREEN
    assert one.rows == two.rows


# Faulty: wrong answers

WRONG: dict[str, tuple[str, str | None, str, str]] = {
    # driver: case, variant, part of the question, part of the path
    "unsorted": (SMOKE, "reversed", "index", "records[0]"),
    "counts_twice": (SMOKE, "twice", "index", "records[1]"),
    "utf16": ("structure/names-are-ordered-by-code-point", "as-given", "index", "artifactTypes["),
    "dates_as_text": ("structure/an-offset-is-not-a-later-time", "as-given", "index", "records["),
    "last_write_wins": ("versions/the-earliest-rev-is-the-record", "as-given", "edits", "$"),
    "trusts_everybody": ("guests/a-guest-is-not-heard", "as-given", "ignored", "$"),
    "lease_too_long": ("claims/lease/a-lease-is-a-duration", "as-given", "live", "/c"),
    "digests_claims": ("digest/a-project-with-claims", "as-given", "index", "digest"),
    "ignores_in_silence": ("guests/a-guest-is-not-heard", "as-given", "ignored", "$[0]"),
    "booleans_as_numbers": (SMOKE, "as-given", "index", "joined"),
    "leaves_nulls_out": (SMOKE, "as-given", "index", "grant"),
    "depends_on_order": (SMOKE, "reversed", "the same answers as to as-given", "first[0]"),
    "takes_everything": ("records/invalid/no-type", None, "its form", "rule"),
    "keys_as_written": ("canonical/keys-by-length-first", None, "bytes", "hex"),
    "echoes": (SMOKE, "as-given", "ignored", "$"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_answer_is_named_with_its_place(name: str, start: Start) -> None:
    case, variant, question, path = WRONG[name]
    run = start(faulty(name), case)
    row = run.row(case)
    assert run.status == RED
    assert (row["status"], row.get("variant")) == ("failed", variant)
    assert question in row["question"]
    assert path in row["path"]
    assert row["expected"] != row["found"]
    assert f"FAILED {case}" in run.out
    assert run.out.splitlines()[-1] == "red: 1 failed, nothing passed"


def test_what_is_remembered_shows_in_the_next_case(start: Start) -> None:
    run = start(faulty("remembers"), "smoke")
    assert run.status == RED
    assert run.rows[0]["status"] == "passed"
    assert "failed" in {row["status"] for row in run.rows}


def test_a_bad_line_that_is_taken_is_noticed(start: Start) -> None:
    run = start(faulty("takes_everything"), "lines/malformed/no-json lines/taken/blank")
    assert {row["id"]: row["status"] for row in run.rows} == {
        "lines/malformed/no-json": "failed",
        "lines/taken/blank": "passed",
    }


# Faulty: broken conversations

BROKEN: dict[str, tuple[str, str]] = {
    # driver: status of the case with a merge, part of the message
    "crashes": ("crashed", "it ended with status 1"),
    "hangs": ("timeout", "no answer within 2 s"),
    "never_ends_a_line": ("timeout", "bytes without a newline within 2 s"),
    "huge_line": ("protocol-error", "a line of more than"),
    "prints_debug_lines": ("protocol-error", "DEBUG folding"),
    "repeats_a_key": ("protocol-error", "a key stands twice"),
    "wrong_seq": ("protocol-error", "was answered with seq"),
    "answers_twice": ("protocol-error", ""),  # noticed as a second line, or as an answer to the wrong question,
    "answers_ahead": ("protocol-error", ""),  # or as one to no question: it depends on when it comes
    "answers_too_few": ("protocol-error", "1 questions were answered with 0 answers"),
    "skips_everything": ("skipped", "not implemented"),
    "reports_errors": ("errored", "out of luck"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_conversation_is_named(name: str, start: Start) -> None:
    status, message = BROKEN[name]
    run = start(faulty(name), MERGE, "--timeout", "2")
    row = run.rows[0]
    assert run.status == RED
    assert (row["id"], row["status"]) == (MERGE, status)
    assert message in row["message"]
    assert f"{status.upper()} {MERGE} [" in run.out


@pytest.mark.parametrize("name", ["crashes", "hangs"])
def test_the_next_case_gets_a_new_process(name: str, start: Start) -> None:
    run = start(faulty(name), f"{MERGE} registry/an-admin-adds-a-type", "--timeout", "2")
    assert [row["status"] for row in run.rows] == [BROKEN[name][0], "passed"]


def test_the_last_words_of_a_crash_are_shown_and_harmless(start: Start) -> None:
    run = start(faulty("crashes"), MERGE)
    assert "  stderr | no merges, please\n  stderr | \\x1b[31mreally\n" in run.out
    assert run.rows[0]["stderr"] == "no merges, please\n\x1b[31mreally\n"


def test_a_process_that_ends_after_its_answer_is_a_crash(start: Start) -> None:
    run = start(faulty("ends_after_one"), "canonical/a-blob canonical/a-link")
    assert run.status == RED
    assert [(row["id"], row["status"]) for row in run.rows] == [
        ("canonical/a-blob", "passed"),
        ("canonical/a-link", "crashed"),
    ]


@pytest.mark.parametrize(
    ("name", "status", "message"),
    [("never_starts", "crashed", "ended with status 1"), ("another_protocol", "protocol-error", "speaks protocol 2")],
)
def test_what_does_not_start_runs_nothing(name: str, status: str, message: str, start: Start) -> None:
    run = start(faulty(name), "smoke")
    assert run.status == RED
    assert [(row["id"], row["status"]) for row in run.rows] == [("(start)", status)]
    assert message in run.rows[0]["message"]
    assert "5 not run, nothing passed" in run.out.splitlines()[-1]


def test_what_does_not_start_again_ends_the_run(start: Start, tmp_path: Path) -> None:
    run = start(faulty("starts_once", tmp_path / "lock"), "canonical/a-blob smoke")
    assert run.status == RED
    assert [row["status"] for row in run.rows] == ["passed", "crashed", "crashed"]
    assert "cannot be started again" in run.rows[-1]["message"]
    assert run.out.splitlines()[-1] == "red: 2 crashed, 3 not run"


def test_a_run_that_breaks_off_again_and_again_is_given_up(start: Start) -> None:
    greets = """while read line; do echo '{"ok":true,"protocol":1}'; done"""
    run = start(shlex.join(["sh", "-c", greets]), "goals")
    assert run.status == RED
    assert [row["status"] for row in run.rows] == ["protocol-error"] * 20
    assert " not run, nothing passed" in run.out.splitlines()[-1]


@pytest.mark.parametrize(
    ("name", "status", "message"),
    [("goes_on_after_stop", "timeout", "still runs after 1 s"), ("ends_badly", "crashed", "ended with status 3")],
)
def test_a_bad_ending_is_red(name: str, status: str, message: str, start: Start) -> None:
    run = start(faulty(name), SMOKE, "--timeout", "1")
    assert run.status == RED
    assert [(row["id"], row["status"]) for row in run.rows] == [(SMOKE, "passed"), ("(stop)", status)]
    assert message in run.rows[1]["message"]


def test_every_faulty_driver_is_tried(root: Path) -> None:
    there = {file.stem for file in (root / "golden/drivers/faulty").glob("*.py")} - {"honest"}
    text = Path(__file__).read_text(encoding="utf-8")
    assert {name for name in there if f'"{name}"' not in text} == set()
    assert len(there) >= 30


# Lists of exceptions


@pytest.fixture
def listed(tmp_path: Path) -> Callable[[str], str]:
    """Write a list of exceptions and return its name."""

    def write(text: str) -> str:
        file = tmp_path / "list"
        file.write_text(text, encoding="utf-8")
        return str(file)

    return write


def test_a_listed_failure_is_none(start: Start, listed: Callable[[str], str]) -> None:
    case = "claims/lease/a-lease-is-a-duration"
    run = start(faulty("lease_too_long"), f"{SMOKE} {case}", "--xfails", listed(f"# known\n\n{case}  # off by one\n"))
    assert run.status == GREEN
    assert (run.row(case)["status"], run.row(case)["allowed"]) == ("failed", True)
    assert "failed as listed" in run.out


def test_a_listed_failure_that_passes_is_stale(start: Start, listed: Callable[[str], str]) -> None:
    case = "claims/lease/a-lease-is-a-duration"
    run = start(HONEST, f"{SMOKE} {case}", "--xfails", listed(case))
    assert run.status == RED
    assert run.row(case)["status"] == "stale-xfail"


def test_a_list_excuses_no_crash(start: Start, listed: Callable[[str], str]) -> None:
    run = start(faulty("crashes"), f"{SMOKE} {MERGE}", "--xfails", listed(MERGE))
    assert run.status == RED
    assert "allowed" not in run.row(MERGE)


def test_a_failure_list_excuses_no_skip(start: Start, listed: Callable[[str], str]) -> None:
    run = start(faulty("skips_everything"), MERGE, "--xfails", listed(MERGE))
    assert run.status == RED
    assert "allowed" not in run.row(MERGE)


def test_a_listed_skip_is_allowed_but_nothing_passed(start: Start, listed: Callable[[str], str]) -> None:
    run = start(faulty("skips_everything"), MERGE, "--skips", listed(MERGE))
    assert run.status == RED
    assert run.row(MERGE)["allowed"]
    assert run.out.splitlines()[-1] == "red: nothing passed"


def test_smoke_is_never_skipped(start: Start, listed: Callable[[str], str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([HONEST, "--skips", listed(SMOKE)]) == USAGE
    assert "smoke takes no exceptions" in capsys.readouterr().err
    assert start(faulty("skips_everything"), SMOKE).status == RED


# The command line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name the command"),
        (["x", "--only", "smoke/no-such"], "no case and no folder smoke/no-such"),
        (["x", "--only", "smok"], "no case and no folder smok"),
        (["no-such-program-anywhere", "--only", "smoke"], "cannot be started"),
        (["x 'y", "--only", "smoke"], "cannot be read"),
        (["x", "--xfails", "no/such/file"], "cannot be read"),
        (["x", "--report", "no/such/folder/file"], "cannot be written"),
    ],
)
def test_a_wrong_command_line_is_told_apart(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == USAGE
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("text", ["smoke/x\n", "claims/x\n", f"{MERGE}\n{MERGE}\n"])
def test_a_list_that_names_what_is_not_there_is_wrong(text: str, listed: Callable[[str], str]) -> None:
    assert main([HONEST, "--xfails", listed(text)]) == USAGE


@pytest.mark.parametrize("options", [["--variant", "sideways"], ["--timeout", "0"], ["--jobs", "0"]])
def test_a_wrong_option_is_refused(options: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([HONEST, *options])


def test_the_list_names_every_file(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == GREEN
    names = capsys.readouterr().out.split()
    folders = ("canonical", "lines", "records", "scenarios")
    files = [file for folder in folders for file in (root / "golden" / folder).rglob("*.json")]
    assert len(names) == len(set(names)) == len(files)
    assert names.index("canonical/a-blob") < names.index("lines/taken/blank") < names.index("records/valid/goal-most")
    assert (
        names.index("records/valid/goal-most") < names.index(SMOKE) < names.index("agents/two-profiles-under-one-did")
    )


def test_the_command_that_is_printed_shows_the_failure_again(start: Start, root: Path) -> None:
    run = start(faulty("unsorted"), SMOKE, "--seed", "7")
    words = shlex.split(run.rows[0]["repeat"])
    assert words[2:-1] == ["--only", SMOKE, "--variant", "reversed"]
    again = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    assert again.returncode == RED
    assert run.rows[0]["path"] in again.stdout
    assert f"  repeat:   {run.rows[0]['repeat']}\n" in run.out


def test_a_disagreement_is_repeated_with_all_variants(start: Start) -> None:
    assert "--variant" not in start(faulty("depends_on_order"), SMOKE).rows[0]["repeat"]


def test_the_runner_needs_neither_this_checkout_nor_its_name(root: Path, tmp_path: Path) -> None:
    copy = tmp_path / "a suite"
    for part in ("runner", "canonical"):
        shutil.copytree(root / "golden" / part, copy / part)
    shutil.copy(root / "golden/run.py", copy)
    driver = shlex.join([sys.executable, str(root / "golden/drivers/python.py")])
    command = [sys.executable, "-S", "-E", str(copy / "run.py"), driver]  # -S: nothing that was ever installed
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1], done.stderr) == (GREEN, "green", "")


@pytest.mark.parametrize("wish", [signal.SIGINT, signal.SIGTERM])
def test_who_ends_the_run_ends_the_implementation(wish: signal.Signals, root: Path, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    # It greets, notes its number, and then listens for ever.
    driver = f"""echo $$ > {shlex.quote(str(note))}; read line; echo '{{"ok":true,"protocol":1}}'; sleep 3600"""
    command = [sys.executable, "golden/run.py", shlex.join(["sh", "-c", driver]), "--only", "smoke"]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as runner:
        assert runner.stdout is not None
        assert any(line.startswith("implementation:") for line in runner.stdout)
        runner.send_signal(wish)
        _, told = runner.communicate()
    assert (runner.returncode, told) == (130, "golden/run.py: interrupted\n")
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text(encoding="utf-8")), 0)


def test_a_reader_that_reads_no_further_is_no_crash(root: Path) -> None:
    command = f"{sys.executable} golden/run.py {shlex.quote(faulty('skips_everything'))} --only canonical"
    done = subprocess.run(f"{command} | head -n 3", shell=True, cwd=root, capture_output=True, text=True, check=True)  # noqa: S602 - the pipe is what is tested
    assert (len(done.stdout.splitlines()), done.stderr) == (3, "")


def test_lines_are_of_bounded_length(start: Start) -> None:
    out = start(faulty("echoes"), "whole/one-of-every-kind requests/table").out
    assert max(len(line) for line in out.splitlines() if not line.startswith("  repeat: ")) <= 160


def test_no_answer_is_ever_sent(root: Path, tmp_path: Path, start: Start) -> None:
    """A tap between runner and driver keeps the requests: nothing of an expectation but its questions is in them."""
    heard = tmp_path / "heard"
    tap = f"sh -c {shlex.quote(f'tee {shlex.quote(str(heard))} | {HONEST}')}"
    case = "claims/lease/the-first-live-claim-wins"
    assert start(tap, f"{case} provenance explain", "--variant", "as-given").status == GREEN
    requests = [json.loads(line) for line in heard.read_text(encoding="utf-8").splitlines()]
    scenario = json.loads((root / f"golden/scenarios/{case}.json").read_text(encoding="utf-8"))
    (asked,) = (request for request in requests if request.get("records") == scenario["records"])
    assert asked.keys() == {"cmd", "seq", "records", "ask"}
    for question, expectation in zip(asked["ask"], scenario["expect"], strict=True):
        assert question == {
            "index": True,
            "at": expectation["at"],
            "sightings": expectation["sightings"],
            "live": sorted(expectation["live"]),
            "winner": sorted(expectation["winner"]),
        }
    known = {"index", "at", "sightings", "live", "winner", "upstream", "downstream", "explain", "capable"}
    questions = [question for request in requests for question in request.get("ask", ())]
    assert {key for question in questions for key in question} <= known
    assert all(isinstance(question[key], list) for question in questions for key in question.keys() - {"index", "at"})
    assert all(isinstance(uri, str) for question in questions for uri in question.get("explain", ()))
