"""The example's people at their machines: each may act in the space of the example, and nothing leaves the machine.

Strategy: the store holds the example, nobody is asked for anything newer, and the writer is one that notes what it is
given: what is tested is everything that comes before it, and what is said after it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import attrs
import pytest

from radial_cli.acting import performing
from radial_cli.acting.prepared import Prepared, Upload
from radial_cli.main import run
from radial_io.accounts.book import Accounts
from radial_io.accounts.values import Account
from radial_io.writing.written import Written
from tests.cli.conftest import Done, Stream
from tests.cli.people import ADA, BEN, OSKAR, ROOK, WREN

HANDLES = {ADA: "ada.example", BEN: "ben.example", ROOK: "rook.example", WREN: "wren.example", OSKAR: "oskar.example"}
PDS = "https://pds.example"


@attrs.define
class Harbour:
    """A machine on which all of them are logged in."""

    folder: Path
    written: list[Any] = attrs.field(factory=list)  # drafts and removals, in order
    uploads: list[Upload] = attrs.field(factory=list)
    failing: Exception | None = None  # what the writer fails with

    @property
    def store(self) -> Path:
        return self.folder / "store.db"

    @property
    def drafts(self) -> list[Path]:
        """The texts that are kept."""
        return sorted((self.folder / "state" / "radial" / "drafts").glob("*"))

    def write(self, ready: Prepared, uploads: list[Upload], _manner: object) -> tuple[Written, ...]:
        """Stand in for the writer."""
        if self.failing is not None:
            raise self.failing
        self.uploads += uploads
        self.written += [*ready.act.drafts, *ready.act.removals]
        did = ready.view.account.did
        written = [Written(draft.uri(did), draft.cid, "3kzzzzzzzzzz2", "written") for draft in ready.act.drafts]
        return (*written, *(Written(gone.uri(did), None, "3kzzzzzzzzzz2", "written") for gone in ready.act.removals))

    def call(
        self, *words: str, who: str = ADA, stdin: bytes = b"", keyboard: bool = False, screen: bool = False
    ) -> Done:
        """Carry out an act; `keyboard`: standard input is a terminal; `screen`: standard output is one."""
        return self.call_plain(*words, "--as", who, "--no-sync", stdin=stdin, keyboard=keyboard, screen=screen)

    def call_plain(self, *words: str, stdin: bytes = b"", keyboard: bool = False, screen: bool = False) -> Done:
        """Carry out any command line."""
        out, err = Stream(terminal=screen), Stream(terminal=keyboard)
        before = sys.stdin, sys.stdout, sys.stderr
        sys.stdin, sys.stdout, sys.stderr = Stream(stdin, terminal=keyboard), out, err
        try:
            status = run(words)
        finally:
            sys.stdin, sys.stdout, sys.stderr = before
        return Done(status, out.content(), err.content())

    def act(self, *words: str, who: str = ADA, stdin: bytes = b"") -> dict[str, Any]:
        """Carry out an act without a question; gives what it says as JSON."""
        done = self.call(*words, "--yes", "--json", who=who, stdin=stdin)
        assert done.out, done.err
        said: dict[str, Any] = json.loads(done.out)
        return said

    def observe(self, *lines: str) -> None:
        """Let the store hold more."""
        self.take(self.folder / "more.jsonl", "".join(lines))

    def take(self, file: Path, text: str) -> None:
        file.write_text(text, encoding="utf-8")
        assert run(["import", "--own", str(file)]) == 0


@pytest.fixture
def harbour(tmp_path: Path, example: Path, monkeypatch: pytest.MonkeyPatch) -> Harbour:
    """Return the machine, with the example in its store."""
    made = Harbour(tmp_path)
    for name, value in (
        ("RADIAL_ACCOUNTS", tmp_path / "accounts"),
        ("RADIAL_STORE", made.store),
        ("XDG_STATE_HOME", tmp_path / "state"),
    ):
        monkeypatch.setenv(name, str(value))
    for name in ("VISUAL", "EDITOR", "RADIAL_ACCOUNT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(performing, "write", made.write)
    for did, handle in HANDLES.items():
        Accounts(tmp_path / "accounts").add(Account(did, handle, PDS, "file"))
    made.take(tmp_path / "example.jsonl", example.read_text(encoding="utf-8"))
    return made
