"""Running a stream, and beside it whoever looks at the repos that it doubts.

    await run_stream(firehose(host, jitter=random.random), world, followed=members, look=look)

Strategy: the stream never waits for a look, and a look never for the stream. A few lookers take turns; who is followed
is asked once more before each look, so that no repo of a former member is read. An error of the store ends everything,
for nothing could be kept from then on; every other failure is a reading's own.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio

from radial_io.ingest.attending import Rereads, StreamFlow, attended
from radial_io.ingest.driving import World, carry_out
from radial_io.store.errors import StoreError

_GLANCE = 0.2  # seconds between two looks at what waits


async def run_stream(
    flow: StreamFlow[None],
    world: World,
    *,
    followed: Callable[[], frozenset[str]],
    look: Callable[[str, str], Awaitable[object]],
    rereads: Rereads | None = None,
    at_once: int = 2,
) -> None:
    """Carry out a stream until it is cancelled. Raises `StoreError`.

    `followed` gives the DIDs of those whose repos are followed at that moment. `look(did, why)` looks at one repo, as
    `read_repo` does; so many run `at_once`.
    """
    waiting = rereads or Rereads()
    failed: list[StoreError] = []
    async with anyio.create_task_group() as tasks:

        async def guarded(work: Awaitable[None]) -> None:
            try:
                await work
            except StoreError as error:
                failed.append(error)
            tasks.cancel_scope.cancel()

        for _ in range(at_once):
            tasks.start_soon(guarded, _look_on(waiting, followed, look))
        await guarded(carry_out(attended(flow, followed=followed, reread=waiting.ask), world))
    if failed:
        raise failed[0]


async def _look_on(
    rereads: Rereads, followed: Callable[[], frozenset[str]], look: Callable[[str, str], Awaitable[object]]
) -> None:
    while True:
        due = rereads.begin(anyio.current_time())
        if due is None:
            await anyio.sleep(_GLANCE)
            continue
        did, why = due
        try:
            if did in followed():
                await look(did, why)
            else:
                rereads.forget(did)
        finally:
            rereads.end(did)
