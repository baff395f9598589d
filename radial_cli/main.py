"""The process `radial`: its streams, its signals, its exit status.

Strategy: whatever a command does, it ends here, and no traceback gets out unless there is a bug. Commands raise
`Failure` with words for the person; this turns it into lines on standard error and a status (`radial_cli.exits`). What
is heavy is imported by the commands when they run.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

from radial_cli.exits import FAILURE, OK, Failure, ReaderGone
from radial_cli.output import say
from radial_cli.stopping import stop_when_asked
from radial_cli.untrusted import visible


def main() -> None:
    """Be the command: the entry point of the distribution."""
    stop_when_asked()
    # A fold makes millions of objects and hardly a cycle: the collector may look less often in this process.
    gc.set_threshold(200_000, 20, 100)
    status = run(sys.argv[1:])
    _leave(status)


def run(arguments: Sequence[str]) -> int:
    """Carry out one command line and give its exit status; nothing but a bug raises."""
    try:
        from radial_cli.app import app

        app(args=list(arguments), prog_name="radial")
    except SystemExit as end:  # typer's way to end: 0 after --help, 2 after a wrong command line
        return end.code if isinstance(end.code, int) else OK
    except Failure as failure:
        _tell(failure)
        return failure.status
    except (ReaderGone, BrokenPipeError):
        return OK
    except OSError as error:
        say(f"radial: {visible(str(error))}")
        return FAILURE
    return OK


def _tell(failure: Failure) -> None:
    if failure.message:
        say(f"radial: {failure.message}")
    if failure.advice:
        say(f"  {failure.advice}")


def _leave(status: int) -> None:
    """End without another word: a closed pipe would complain once more when Python flushes its streams."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (BrokenPipeError, OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(status)
