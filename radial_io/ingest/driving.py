"""The loop that carries out what flows ask for.

Strategy: a flow decides, this does; it knows no protocol. One flow is one task: each request is answered before the
next is taken, so what belongs to a flow needs no lock.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from typing import Any, TypeVar

from radial_io.errors import RadialIoError

Q = TypeVar("Q")
T = TypeVar("T")


async def drive(flow: Generator[Q, Any, T], answer: Callable[[Q], Awaitable[Any]]) -> T:
    """Carry a flow to its end, and give its result. A `RadialIoError` goes to the flow first."""
    try:
        request = next(flow)
        while True:
            try:
                result = await answer(request)
            except RadialIoError as error:
                request = flow.throw(error)
            else:
                request = flow.send(result)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    finally:
        flow.close()
