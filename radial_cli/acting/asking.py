"""Asking the person at the terminal.

Strategy: questions go to standard error, so that standard output holds data alone. Nobody is asked where nobody can
answer: a pipe at standard input is no person. Ctrl-C at a question is an answer too: nothing is written.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from radial_cli.exits import INTERRUPTED, USAGE, Failure, Silent
from radial_cli.output import say


def can_ask() -> bool:
    """Tell whether there is somebody to ask."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr is not None


def require_somebody(yes: bool) -> None:
    """Check that the question can be asked that will have to be. Raises `Failure`."""
    if not yes and not can_ask():
        raise Failure(
            "nobody can be asked here: standard input is no terminal",
            "Look at what would be written with --dry-run, and write it with --yes.",
            USAGE,
        )


def confirm(question: str) -> bool:
    """Ask; only `y` and `yes` are a yes. Raises `Silent` when Ctrl-C was the answer."""
    with _interruptible():
        try:
            sys.stderr.write(f"{question} [y/N] ")
            sys.stderr.flush()
            return sys.stdin.readline().strip().lower() in {"y", "yes"}
        except KeyboardInterrupt:
            say("")
            raise Silent(INTERRUPTED) from None


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C raise in the block instead of ending the process, so that what was kept can be named."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
