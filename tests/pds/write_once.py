"""A process that carries out the acts of a plan, and is killed at one step of one of them.

python -m tests.pds.write_once FOLDER PLAN STEP NUMBER

The step is one of `STEPS`, or `none`; NUMBER is which time it comes by. What was done is noted in FOLDER, act by act,
as a person would see it on the screen; the next run goes on from there.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import anyio

from radial_io.accounts import session
from radial_io.accounts.book import Accounts
from radial_io.accounts.session import open_session
from radial_io.store.outbox import Outbox
from radial_io.store.store import Store
from radial_io.writing.executing import execute, send_pending
from tests.pds.writing import HASTY, plan

STEPS: Final[dict[str, tuple[Any, str, bool]]] = {
    "before it is recorded": (Outbox, "add", False),
    "recorded": (Outbox, "add", True),
    "answered": (session, "call_once", True),
    "marked as written": (Outbox, "mark_written", True),
    "in the store": (Store, "take", True),
    "dropped from the outbox": (Outbox, "drop", True),
}


def die_at(step: str, number: int) -> None:
    """Have this process killed when a step comes by for the nth time."""
    place, name, after = STEPS[step]
    whole = getattr(place, name)
    times = 0

    def die() -> None:
        nonlocal times
        times += 1
        if times == number:
            os.kill(os.getpid(), signal.SIGKILL)

    setattr(place, name, _dying(whole, die, after=after))


def _dying(whole: Callable[..., Any], die: Callable[[], None], *, after: bool) -> Callable[..., Any]:
    def now(*arguments: Any, **named: Any) -> Any:
        if not after:
            die()
        result = whole(*arguments, **named)
        if after:
            die()
        return result

    async def later(*arguments: Any, **named: Any) -> Any:
        result = await whole(*arguments, **named)
        die()
        return result

    return later if whole.__name__ == "call_once" else now


async def carry_on(folder: Path, name: str) -> None:
    """Send what an earlier run left, then go on with the acts that nobody was told of yet."""
    accounts, told, store = Accounts(folder / "accounts"), folder / f"told-{name}", folder / "store.db"
    async with open_session(accounts, accounts.find(None)) as own:
        await send_pending(session=own, store=store, manners=HASTY)
        done = len(told.read_text().splitlines()) if told.exists() else 0
        for number, intents in enumerate(plan(name).acts[done:], start=done):
            await execute(intents, session=own, store=store, manners=HASTY)
            with told.open("a") as stream:
                stream.write(f"{number}\n")


if __name__ == "__main__":
    if sys.argv[3] != "none":
        die_at(sys.argv[3], int(sys.argv[4]))
    anyio.run(carry_on, Path(sys.argv[1]), sys.argv[2])
