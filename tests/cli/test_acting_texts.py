"""Where a text comes from, and that it is not lost whatever happens next."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from radial_cli.exits import Failure
from radial_io.errors import UnreachableError
from radial_io.writing.errors import KeptError
from tests.cli.harbour import Harbour, harbour
from tests.cli.people import BEN, ROOK, WREN, uri

__all__ = ["harbour"]

MESSAGE = ("message", "2")
TEXT = "Grüße,\nund mehr.\n"


def editor(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Make a program that stands in for the person's editor."""
    program = folder / "my editor"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("EDITOR", f"'{program}' --wait")


def body_of(harbour: Harbour) -> str:
    (draft,) = harbour.written
    return str(draft.value["body"])


def test_a_text_comes_from_the_command_line_a_file_or_a_pipe(harbour: Harbour, tmp_path: Path) -> None:
    file = tmp_path / "text.md"
    file.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    for words, stdin in (
        (["--body", TEXT], b""),
        (["-F", str(file)], b""),
        (["--body-file", "-"], TEXT.encode()),
    ):
        harbour.written.clear()
        assert harbour.call(*MESSAGE, *words, "--yes", stdin=stdin).status == 0
        assert body_of(harbour) == TEXT
    assert file.exists()
    assert harbour.drafts == []


@pytest.mark.parametrize(
    ("words", "stdin", "status", "said"),
    [
        ([], b"ignored", 2, "standard input is no terminal"),
        (["--body", "a", "--body-file", "b"], b"", 2, "exclude each other"),
        (["--body", " \n"], b"", 1, "there is no text"),
        (["--body-file", "-"], b"", 1, "there is no text"),
        (["--body-file", "nowhere.md"], b"", 2, "nowhere.md cannot be read"),
        (["--body-file", "-"], b"\xff\xfe", 1, "no UTF-8 text"),
    ],
)
def test_what_is_no_text_is_said(words: list[str], stdin: bytes, status: int, said: str, harbour: Harbour) -> None:
    done = harbour.call(*MESSAGE, *words, "--yes", stdin=stdin)
    assert (done.status, done.out, harbour.written) == (status, "", [])
    assert said in done.err


def test_the_editor_is_asked_for_a_text(harbour: Harbour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(
        tmp_path,
        monkeypatch,
        'grep -q "What do you want to say" "$2" && { echo "As I said."; cat "$2"; } > "$2.new" && mv "$2.new" "$2"',
    )
    done = harbour.call(*MESSAGE, stdin=b"y\n", keyboard=True)
    assert done.status == 0, done.err
    assert body_of(harbour) == "As I said."
    assert harbour.drafts == []


def test_a_text_that_is_left_empty_writes_nothing(
    harbour: Harbour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(tmp_path, monkeypatch, "true")
    done = harbour.call(*MESSAGE, stdin=b"y\n", keyboard=True)
    assert (done.status, harbour.written, harbour.drafts) == (1, [], [])
    assert "there is no text" in done.err


@pytest.mark.parametrize("script", ['echo "Half a" > "$2"; exit 7', 'echo "Half a" > "$2"; kill -9 $$'])
def test_an_editor_that_fails_loses_nothing(
    script: str, harbour: Harbour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor(tmp_path, monkeypatch, script)
    done = harbour.call(*MESSAGE, stdin=b"y\n", keyboard=True)
    assert (done.status, harbour.written) == (1, [])
    (kept,) = harbour.drafts
    assert kept.read_text() == "Half a\n"
    assert str(kept) in done.err


def test_ctrl_c_in_the_editor_is_the_editor_s(
    harbour: Harbour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes to every process at the terminal, and means the one that the person looks at."""
    editor(tmp_path, monkeypatch, 'kill -INT $PPID; echo "Still here" > "$2"')
    done = harbour.call(*MESSAGE, stdin=b"y\n", keyboard=True)
    assert done.status == 0, done.err
    assert body_of(harbour) == "Still here"


def test_an_editor_that_is_not_there_is_said(harbour: Harbour, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "no-such-editor")
    done = harbour.call(*MESSAGE, stdin=b"y\n", keyboard=True)
    assert (done.status, harbour.written) == (1, [])
    assert "no-such-editor does not run" in done.err


def test_what_is_not_written_is_kept_and_named(
    harbour: Harbour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A no, a rule, a failing server: the words are still there, for their owner alone."""
    editor(tmp_path, monkeypatch, 'echo "So much work" > "$2"')
    said = [harbour.call(*MESSAGE, stdin=b"n\n", keyboard=True)]
    harbour.failing = Failure("the server is away", status=75)
    said.append(harbour.call(*MESSAGE, stdin=b"y\n", keyboard=True))
    said.append(harbour.call(*MESSAGE, "--body-file", "-", "--yes", stdin=b"So much work\n"))
    assert [done.status for done in said] == [1, 75, 75]
    assert [kept.read_text() for kept in harbour.drafts] == ["So much work\n"] * 3
    for done in said:
        (kept,) = [path for path in harbour.drafts if str(path) in done.err]
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700


def test_a_text_that_cannot_be_kept_stops_the_act_and_says_what_to_do(harbour: Harbour) -> None:
    (harbour.folder / "state").write_text("a file where a folder should be")
    done = harbour.call(*MESSAGE, "--body-file", "-", "--yes", stdin=b"So much work\n")
    assert (done.status, harbour.written) == (1, [])
    assert "the text cannot be kept in " in done.err
    assert "XDG_STATE_HOME" in done.err


def test_what_the_outbox_keeps_is_not_kept_twice(harbour: Harbour) -> None:
    """The outbox sends it; a second copy would be sent a second time."""
    harbour.failing = Failure("kept in the outbox", status=75)
    harbour.failing.__cause__ = KeptError(UnreachableError("https://pds.example", "no"), 1)
    done = harbour.call(*MESSAGE, "--body-file", "-", "--yes", stdin=b"So much work\n")
    assert (done.status, harbour.drafts) == (75, [])


def test_what_was_kept_before_is_mentioned(harbour: Harbour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(tmp_path, monkeypatch, 'echo "Once more" > "$2"')
    assert "waits" not in harbour.call(*MESSAGE, stdin=b"n\n", keyboard=True).err
    (kept,) = harbour.drafts
    again = harbour.call(*MESSAGE, stdin=b"y\n", keyboard=True)
    assert "1 text that was not written waits" in again.err
    assert str(kept.parent) in again.err


def test_one_look_at_a_wrong_target_comes_before_the_text(harbour: Harbour, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody writes a page to a goal that is not there."""
    monkeypatch.setenv("EDITOR", "no-such-editor")
    done = harbour.call("message", "99", stdin=b"y\n", keyboard=True)
    assert done.status == 3
    assert "no-such-editor" not in done.err


# Long texts and findings ----------------------------------------------------------------------------------------------


def test_a_text_too_long_for_a_record_goes_into_a_file(harbour: Harbour) -> None:
    """RAD-4.18: the record keeps a summary, and the file is there before the record names it."""
    long = "# The plan\n\n" + "A line of it.\n" * 20_000
    words = ("artifact", "submit", uri(BEN, "artifactRequest/plan-ten-years"), "--body-file", "-")
    said = harbour.act(*words, who=WREN, stdin=long.encode())
    value = said["records"][0]["value"]
    (upload,) = harbour.uploads
    assert upload.raw == long.encode()
    assert (value["bodyBlob"]["size"], value["bodyBlob"]["mimeType"]) == (len(long), "text/markdown")
    assert value["body"].startswith("# The plan")
    assert len(value["body"]) < 3000
    summed = harbour.act(*words, "--summary", "In short.", who=WREN, stdin=long.encode())
    assert summed["records"][0]["value"]["body"] == "In short."
    harbour.uploads.clear()
    short = harbour.act(*words, who=ROOK, stdin=b"Short.")
    assert ("bodyBlob" in short["records"][0]["value"], harbour.uploads) == (False, [])


@pytest.mark.parametrize(
    ("findings", "said"),
    [
        ("{", "no JSON"),
        ("{}", "no list of findings"),
        ('[{"severity": "nit"}]', "no list of findings"),
        ('[{"severity": "nit", "body": "x", "colour": "red"}]', "no list of findings"),
        ('[{"severity": "nit", "body": "x", "line": true}]', "no list of findings"),
    ],
)
def test_findings_that_are_none_are_said(findings: str, said: str, harbour: Harbour, tmp_path: Path) -> None:
    file = tmp_path / "findings.json"
    file.write_text(findings, encoding="utf-8")
    done = harbour.call("review", "plan-quiet-2", "approve", "--findings", str(file), "--yes", who=BEN)
    assert (done.status, harbour.written) == (2, [])
    assert said in done.err


def test_findings_come_from_a_file_and_from_the_command_line(harbour: Harbour, tmp_path: Path) -> None:
    found = [{"severity": "major", "path": "plan.md", "line": 3, "body": "Why?"}]
    file = tmp_path / "findings.json"
    file.write_text(json.dumps(found), encoding="utf-8")
    words = ("review", "plan-quiet-2", "request-changes", "--findings", str(file), "--finding", "nit: a typo")
    (record,) = harbour.act(*words, who=BEN)["records"]
    assert record["value"]["findings"] == [*found, {"severity": "nit", "body": "a typo"}]
