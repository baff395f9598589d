"""An act that was not written, or not known to be: what is kept is said, and said again before the next act is sent."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from radial_cli.acting import performing
from radial_cli.acting.prepared import Prepared
from radial_cli.exits import Failure, Silent
from radial_cli.main import run
from radial_io.accounts.errors import SessionEndedError
from radial_io.store.outbox import open_outbox, outbox_file
from radial_io.writing.errors import KeptError, WriteRefusedError
from radial_io.writing.letters import letters_of
from radial_io.writing.written import Written
from tests.cli.harbour import Harbour, harbour
from tests.cli.people import ADA, BEN
from tests.cli.test_reference import documented_keys_hold, section

__all__ = ["harbour"]  # a fixture

NOW = "2026-01-01T00:00:00Z"
MESSAGE = ("message", "1", "--body", "Hello", "--yes")


def fail_with(monkeypatch: pytest.MonkeyPatch, failure: Failure, cause: Exception | None, *, recorded: bool) -> None:
    """Have the writer end so, after or before the outbox has the act."""

    def write(ready: Prepared, _uploads: object, manner: Any) -> tuple[Written, ...]:
        if recorded:
            with open_outbox(Path(manner.store)) as outbox:
                outbox.add(letters_of(ready.act.drafts, ready.view.account.did, "act"), NOW)
        raise failure from cause

    monkeypatch.setattr(performing, "write", write)


REFUSED = WriteRefusedError("no", 400, "No")
ENDINGS = [
    (Failure("gone", status=75), KeptError(SessionEndedError("over"), 1), "kept", 0),
    (Failure("the disk is full"), None, "kept", 1),
    (Failure("no session is kept"), SessionEndedError("no session is kept"), "failed", 0),
    (Failure("refused with status 400"), REFUSED, "failed", 0),
]


@pytest.mark.parametrize(("failure", "cause", "word", "notes"), ENDINGS)
def test_json_says_whether_it_is_kept(
    failure: Failure,
    cause: Exception | None,
    word: str,
    notes: int,
    harbour: Harbour,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fail_with(monkeypatch, failure, cause, recorded=word == "kept")
    done = harbour.call(*MESSAGE, "--json")
    said = json.loads(done.out)
    assert (done.status, said["outcome"], said["after"]) == (failure.status, word, None)
    assert [record["how"] for record in said["records"]] == [None]
    assert done.err.count("the outbox keeps 1 record of this act") == notes


def test_who_stops_it_is_told_that_it_will_be_sent(harbour: Harbour, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(monkeypatch, Silent(130), None, recorded=True)
    done = harbour.call(*MESSAGE, "--json")
    assert (done.status, done.out) == (130, "")
    assert "the outbox keeps 1 record of this act" in done.err
    assert "radial outbox drop NUMBER" in done.err


def test_who_stops_it_before_anything_is_recorded_is_told_nothing(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_with(monkeypatch, Silent(130), None, recorded=False)
    done = harbour.call(*MESSAGE)
    assert done.status == 130
    assert "outbox" not in done.err


def test_a_piped_text_that_the_outbox_has_is_not_kept_a_second_time(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_with(monkeypatch, Silent(130), None, recorded=True)
    harbour.call("message", "1", "--body-file", "-", "--yes", stdin=b"Hello")
    assert harbour.drafts == []


def test_what_was_written_of_an_act_that_failed_is_named(harbour: Harbour, monkeypatch: pytest.MonkeyPatch) -> None:
    cause = WriteRefusedError("no", 400, "No")
    cause.written = (Written("at://one", "bafy", None, "written"),)
    fail_with(monkeypatch, Failure("refused"), cause, recorded=False)
    assert "radial: at://one is written" in harbour.call(*MESSAGE).err


def test_what_waits_from_before_is_said_before_the_next_act(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch, root: Path
) -> None:
    assert harbour.act(*MESSAGE)["waiting"] == []
    with monkeypatch.context() as patched:
        fail_with(patched, Silent(130), None, recorded=True)
        harbour.call(*MESSAGE)
    done = harbour.call(*MESSAGE, "--json", "--dry-run")
    assert "1 record that waits in the outbox from before" in done.err
    said = json.loads(done.out)
    assert [uri.startswith(f"at://{ADA}/") for uri in said["waiting"]] == [True]
    page = (root / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    documented_keys_hold(section(page, "goal"), said)
    assert harbour.act(*MESSAGE, who=BEN)["waiting"] == []  # it is somebody else's


def test_an_outbox_that_cannot_be_read_stops_an_act_before_it_is_asked_about(harbour: Harbour) -> None:
    outbox_file(harbour.store).write_bytes(b"no database" * 500)
    done = harbour.call(*MESSAGE)
    assert (done.status, harbour.written) == (1, [])
    assert "Move it away" in done.err


def test_what_still_waits_is_not_said_to_be_nothing(harbour: Harbour, monkeypatch: pytest.MonkeyPatch) -> None:
    assert harbour.call_plain("outbox", "send").err == "radial: nothing was waiting to be sent\n"
    fail_with(monkeypatch, Silent(130), None, recorded=True)
    harbour.call(*MESSAGE)
    done = harbour.call_plain("outbox", "send")
    assert "no session of ada.example is kept" in done.err
    assert "nothing was waiting" not in done.err
    assert done.status == 1


class Full(io.TextIOWrapper):
    """Standard output on a full disk."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO())

    def flush(self) -> None:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("options", [(), ("--json",)])
@pytest.mark.parametrize("stream", [None, Full])
def test_who_cannot_be_told_that_it_is_written_is_not_told_that_it_is_not(
    stream: type[Full] | None, options: tuple[str, ...], harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    err = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream() if stream is not None else None)
    monkeypatch.setattr(sys, "stderr", err)
    assert run([*MESSAGE, "--as", ADA, "--no-sync", *options]) == 1
    (draft,) = harbour.written
    assert f"but it is written: {draft.uri(ADA)}" in err.getvalue()
