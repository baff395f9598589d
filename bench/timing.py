"""How time is taken: CPU time, in turns, under each way to run the garbage collector.

Strategy: CPU time rather than the wall's, since other programs share the machine. Two things to compare run in turns,
so that whatever disturbs one disturbs the other. Results are let go of, and garbage collected, between the runs and
outside the time taken. The collector is as any program has it (`as it is`), or the corpus is frozen out of its sight
first (`frozen`), or it is off.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Final

import attrs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


@attrs.frozen
class Times:
    """Seconds of CPU time that something took, run by run."""

    runs: tuple[float, ...]

    @property
    def best(self) -> float:
        """Give the least of them: what it costs when nothing disturbs it."""
        return min(self.runs)

    @property
    def median(self) -> float:
        """Give the middle one."""
        return median(self.runs)


def timed(action: Callable[[], object]) -> float:
    """Run an action once; give the seconds of CPU time that it took, without letting go of what it gave."""
    gc.collect()
    start = process_time()
    result = action()
    taken = process_time() - start
    del result
    return taken


def in_turns(actions: Mapping[str, Callable[[], object]], runs: int) -> dict[str, Times]:
    """Run the actions in turns, `runs` times each."""
    taken: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(runs):
        for name, action in actions.items():
            taken[name].append(timed(action))
    return {name: Times(tuple(seconds)) for name, seconds in taken.items()}


@contextmanager
def _as_it_is() -> Iterator[None]:
    yield


@contextmanager
def _frozen() -> Iterator[None]:
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def _off() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


COLLECTORS: Final = {"as it is": _as_it_is, "frozen": _frozen, "off": _off}
