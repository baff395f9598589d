"""The text of a goal, a message, an artifact: from the command line, a file, a pipe, or the person's editor.

Strategy: words that somebody wrote are not lost. What comes from an editor or a pipe lies in a file of its own, of this
user alone, from the moment it is there until it has been written into a record; where it lies is said at once, so that
whatever happens later, also to this process, need not say it again. A file that somebody named is left as it is.
"""

from __future__ import annotations

import os
import re
import secrets
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from platformdirs import user_state_path

from radial_cli.acting.asking import can_ask
from radial_cli.exits import FAILURE, USAGE, Failure
from radial_cli.output import say
from radial_cli.untrusted import file_name

_STDIN: Final = "-"
_EDITORS: Final = ("VISUAL", "EDITOR")
_USUAL_EDITOR: Final = "vi"
_MOST_BYTES: Final = 50_000_000  # more is no text that somebody wrote
# Git's own cut: what stands below is for the writer and goes nowhere.
_CUT: Final = "<!-- ----- everything from here on is left out ----- -->"


class Source(NamedTuple):
    """Where a text comes from, as the options say it."""

    text: str | None = None
    file: str | None = None

    @property
    def takes_stdin(self) -> bool:
        """Whether it comes through standard input, where nobody can be asked any more."""
        return self.file == _STDIN


class Text:
    """A text, got when it is first asked for, and where it is kept until it was written."""

    def __init__(self, source: Source, verb: str, *, hint: str = "", required: bool = True) -> None:
        self._source = source
        self._verb = verb
        self._hint = hint
        self._required = required
        self._got: str | None = None
        self.kept: Path | None = None

    def __call__(self) -> str:
        """Give it. Raises `Failure` when there is none."""
        if self._got is None:
            self._got = self._get()
        if self._required and not self._got.strip():
            raise Failure("there is no text, so there is nothing to write", "Write some, or leave it at that.")
        return self._got

    def _get(self) -> str:
        text, file = self._source
        if text is not None and file is not None:
            raise Failure("a text and a file of it exclude each other", "Give one of them.", USAGE)
        if text is not None:
            return text
        if file == _STDIN:
            return self._keep(_decoded(_from_stdin(), "standard input"))
        if file is not None:
            return _decoded(_from_file(file), file_name(file))
        return self._edit() if self._required else ""

    def _edit(self) -> str:
        if not can_ask():
            raise Failure(
                "there is no text, and nobody to write it: standard input is no terminal",
                "Give it with --body TEXT or --body-file FILE; - is standard input.",
                USAGE,
            )
        _mention_others()
        self._keep(f"\n{_CUT}\n{self._hint}\n" if self._hint else "")
        assert self.kept is not None  # noqa: S101 - `_keep` has just set it
        _run_editor(self.kept)
        written = _decoded(_from_file(str(self.kept)), file_name(str(self.kept)))
        text = written.partition(_CUT)[0].strip("\n")
        if not text.strip():
            self.forget()
        return text

    def _keep(self, text: str) -> str:
        moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        path = drafts_folder() / f"{re.sub('[^a-z]+', '-', self._verb)}-{moment}-{secrets.token_hex(2)}.md"
        try:
            _write_own(path, text.encode())
        except OSError as error:
            raise Failure(
                f"the text cannot be kept in {file_name(str(path))}: {error.strerror or error}",
                "Nothing was written. Make room there, name another folder with XDG_STATE_HOME, or use --body TEXT.",
            ) from error
        self.kept = path
        say(f"radial: the text is kept in {file_name(str(path))} until it has been written")
        return text

    def forget(self) -> None:
        """Take away what was kept: the text has been written, or there is none."""
        if self.kept is not None:
            self.kept.unlink(missing_ok=True)
            self.kept = None


def _write_own(path: Path, raw: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
        stream.write(raw)


def _mention_others() -> None:
    """Remind of texts that were not written: they may be what somebody is about to write again."""
    folder = drafts_folder()
    waiting = sum(1 for _ in folder.glob("*.md")) if folder.is_dir() else 0
    if waiting:
        one = "1 text that was not written waits" if waiting == 1 else f"{waiting} texts that were not written wait"
        say(f"radial: {one} in {file_name(str(folder))}")


def drafts_folder() -> Path:
    """Give the folder where texts lie that are not written yet."""
    return user_state_path("radial", appauthor=False) / "drafts"


def _from_stdin() -> bytes:
    return sys.stdin.buffer.read(_MOST_BYTES + 1)


def _from_file(name: str) -> bytes:
    try:
        with Path(name).open("rb") as stream:
            return stream.read(_MOST_BYTES + 1)
    except OSError as error:
        raise Failure(f"{file_name(name)} cannot be read: {error.strerror or error}", status=USAGE) from error


def _decoded(raw: bytes, shown: str) -> str:
    if len(raw) > _MOST_BYTES:
        raise Failure(f"{shown} is longer than {_MOST_BYTES} bytes", "That is no text of a person.")
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise Failure(f"{shown} is no UTF-8 text: {error.reason} at byte {error.start}", "Save it as UTF-8.") from error


def _run_editor(path: Path) -> None:
    """Let the person write. Raises `Failure` when the editor does not run, or ends in failure."""
    program = next((os.environ[name] for name in _EDITORS if os.environ.get(name, "").strip()), _USUAL_EDITOR)
    with _editor_gets_signals():
        try:
            done = subprocess.run([*shlex.split(program), str(path)], check=False)  # noqa: S603 - the user's own choice
        except (OSError, ValueError) as error:
            raise Failure(
                f"the editor {file_name(program)} does not run: {error}", "Set EDITOR, or use --body-file."
            ) from error
    if done.returncode:
        raise Failure(
            f"the editor {file_name(program)} ended with status {done.returncode}: nothing was written", "", FAILURE
        )


@contextmanager
def _editor_gets_signals() -> Iterator[None]:
    """Leave Ctrl-C to the editor: it goes to every process at the terminal, and means the editor."""
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
