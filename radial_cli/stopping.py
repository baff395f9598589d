"""Stopping when somebody asks for it (Ctrl-C, a terminating service, a closed terminal).

Strategy: at once and for certain. An exception would have to find its way through whatever code is running, and some
of it swallows exceptions; so the process ends where it stands, after taking away the files that are not finished, which
are named here from before they come into being. Nothing is printed: who stopped it knows.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Final

from radial_cli.exits import INTERRUPTED

UNFINISHED: Final[set[Path]] = set()


def stop_when_asked() -> None:
    """Let SIGINT, SIGTERM and SIGHUP end this process, tidily and quietly; SIGHUP unless `nohup` shut it out."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    hang_up = getattr(signal, "SIGHUP", None)  # not every system has it
    if hang_up is not None and signal.getsignal(hang_up) is not signal.SIG_IGN:
        signal.signal(hang_up, _stop)


def _stop(number: int, _frame: FrameType | None) -> None:
    for path in list(UNFINISHED):
        with suppress(OSError):
            path.unlink()
    os._exit(INTERRUPTED if number == signal.SIGINT else 128 + number)  # 128 + n: as shells tell of a signal
