"""Running what waits for servers, so that it can be stopped in good order.

Strategy: the first signal cancels: transactions end, connections and the store are closed, the terminal is as it was.
A second one ends the process where it stands (`radial_cli.stopping`), which harms nothing either. Errors come out as
they are, not wrapped in a group.
"""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final, Generic, TypeVar

import anyio
import attrs

from radial_cli.exits import INTERRUPTED, Silent
from radial_cli.stopping import stop_when_asked

T = TypeVar("T")
_NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP")  # not every system has the last


def run(work: Callable[[], Awaitable[T]]) -> T:
    """Carry out some asynchronous work. Raises `Silent` when a signal stopped it."""
    runner = _Runner(work)
    with _handlers_kept():
        anyio.run(runner.run)
    if runner.failed is not None:
        raise runner.failed
    if not runner.results:
        raise Silent(INTERRUPTED if runner.stopped_by == signal.SIGINT else 128 + runner.stopped_by)
    return runner.results[0]


@attrs.define
class _Runner(Generic[T]):
    """One run, and how it came to its end."""

    work: Callable[[], Awaitable[T]]
    results: list[T] = attrs.field(factory=list)
    failed: BaseException | None = None
    stopped_by: int = 0

    async def run(self) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._listen, tasks.cancel_scope)
            try:
                self.results.append(await self.work())
            except (Exception, BaseExceptionGroup) as error:  # noqa: BLE001 - it is raised above
                self.failed = _first(error)
            tasks.cancel_scope.cancel()

    async def _listen(self, scope: anyio.CancelScope) -> None:
        with anyio.open_signal_receiver(*_signals()) as arriving:
            self.stopped_by = await anext(arriving)
        stop_when_asked()  # the event loop has just put its defaults there, which wait for threads
        scope.cancel()


def _first(error: BaseException) -> BaseException:
    """Give what failed first: tasks that end together say it as a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _signals() -> list[signal.Signals]:
    numbers = [signal.Signals[name] for name in _NAMES if hasattr(signal, name)]
    return [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]  # as under `nohup`


@contextmanager
def _handlers_kept() -> Iterator[None]:
    """Put the handlers back: the event loop leaves the defaults behind."""
    before = {number: signal.getsignal(number) for number in _signals()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
