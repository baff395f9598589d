"""A command line as a process that is killed at one of its steps.

python -m tests.pds.act_once STEP WORD…

The steps are those of an act that brings a file: see `STEPS`.
"""

from __future__ import annotations

import inspect
import os
import signal
import sys
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from radial_cli.acting import writing
from radial_cli.main import run
from radial_io.accounts import session
from radial_io.store.outbox import Outbox
from radial_io.store.store import Store


class Step(NamedTuple):
    """Before or after which call, and which time it comes by, the process dies."""

    place: Any
    name: str
    after: bool
    number: int = 1


STEPS: Final = {
    "before the upload": Step(writing, "upload_blob", after=False),
    "uploaded": Step(session, "call_once", after=True),
    "the upload is noted": Step(Outbox, "note_upload", after=True),
    "before it is recorded": Step(Outbox, "add", after=False),
    "recorded": Step(Outbox, "add", after=True),
    "about to be sent": Step(session, "call_once", after=False, number=2),
    "answered": Step(session, "call_once", after=True, number=2),
    "marked as written": Step(Outbox, "mark_written", after=True),
    "before it is stored": Step(Store, "take", after=False),
    "stored": Step(Store, "take", after=True),
    "out of the outbox": Step(Outbox, "drop", after=True),
}


def die_at(step: Step) -> None:
    """Have this process killed when the step comes by."""
    whole: Callable[..., Any] = getattr(step.place, step.name)
    times = 0

    def passing(*, after: bool) -> None:
        nonlocal times
        times += not after
        if after is step.after and times == step.number:
            os.kill(os.getpid(), signal.SIGKILL)

    def now(*arguments: Any, **named: Any) -> Any:
        passing(after=False)
        result = whole(*arguments, **named)
        passing(after=True)
        return result

    async def later(*arguments: Any, **named: Any) -> Any:
        passing(after=False)
        result = await whole(*arguments, **named)
        passing(after=True)
        return result

    setattr(step.place, step.name, later if inspect.iscoroutinefunction(whole) else now)


if __name__ == "__main__":
    die_at(STEPS[sys.argv[1]])
    sys.exit(run(sys.argv[2:]))
