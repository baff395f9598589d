"""The command, called in this process with streams of its own, or started as a process."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

from radial_cli.main import run

PROGRAM = [sys.executable, "-c", "from radial_cli.main import main; main()"]


class Done(NamedTuple):
    """How a call ended, and what it printed."""

    status: int
    out: str
    err: str


Call: TypeAlias = Callable[..., Done]


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take out of the environment what changes how things look."""
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "TTY_COMPATIBLE", "LINES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm-256color")


class Stream(io.TextIOWrapper):
    """A stream in memory that may claim to be a terminal."""

    def __init__(self, content: bytes = b"", *, terminal: bool = False) -> None:
        super().__init__(io.BytesIO(content), encoding="utf-8", newline="")
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal

    def content(self) -> str:
        self.flush()
        held = self.buffer
        assert isinstance(held, io.BytesIO)
        return held.getvalue().decode()


@pytest.fixture
def radial(monkeypatch: pytest.MonkeyPatch) -> Call:
    """Return the command as a function: `radial("goals", file, stdin=b"…", terminal=True)`."""

    def call(*arguments: str | Path, stdin: bytes = b"", terminal: bool = False) -> Done:
        out, err = Stream(terminal=terminal), Stream()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", Stream(stdin))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            status = run([str(argument) for argument in arguments])
        return Done(status, out.content(), err.content())

    return call


@pytest.fixture
def environment(root: Path) -> dict[str, str]:
    """Return the environment for the command as a process."""
    return {**os.environ, "PYTHONPATH": str(root)}


@pytest.fixture
def start(environment: dict[str, str]) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Return a function that starts the command as a process; what still runs at the end is stopped."""
    started: list[subprocess.Popen[bytes]] = []

    def starting(*arguments: str | Path, **options: object) -> subprocess.Popen[bytes]:
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": environment} | options
        process = subprocess.Popen([*PROGRAM, *map(str, arguments)], **pipes)  # type: ignore[call-overload]
        started.append(process)
        return process  # type: ignore[no-any-return]

    yield starting
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture(scope="session")
def example(root: Path) -> Path:
    """Return the example space, of which the README's first command draws a picture."""
    return root / "examples" / "space.jsonl"
