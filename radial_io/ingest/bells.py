"""Telling a task that there is something to do."""

from __future__ import annotations

import anyio


class Bell:
    """One task waits for it, any may ring; what was rung while nobody waited is heard at the next wait."""

    def __init__(self) -> None:
        self._event = anyio.Event()

    def ring(self) -> None:
        """Ring."""
        self._event.set()

    async def heard(self) -> None:
        """Wait until it was rung since the last time."""
        await self._event.wait()
        self._event = anyio.Event()


class Gong:
    """Any number of tasks wait for it, and each stroke wakes those that wait at that moment."""

    def __init__(self) -> None:
        self._event = anyio.Event()

    def strike(self) -> None:
        """Wake all."""
        self._event.set()
        self._event = anyio.Event()

    async def heard(self, at_most: float | None) -> None:
        """Wait for the next stroke, or so many seconds."""
        with anyio.move_on_after(at_most):
            await self._event.wait()
