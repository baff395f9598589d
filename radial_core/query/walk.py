"""How far things reach: a walk over references, level by level.

Strategy: every record is met once, at the least number of steps, whatever the number of ways to it; so a cycle ends
where it began, and nothing here is as deep as the data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def steps_from(start: str, neighbours: Callable[[str], Iterable[str]]) -> dict[str, int]:
    """Map everything that can be reached from `start`, itself left out, to the least number of steps (N2)."""
    steps = {start: 0}
    level = [start]
    while level:
        following = dict.fromkeys(uri for at in level for uri in neighbours(at) if uri not in steps)
        steps.update(dict.fromkeys(following, steps[level[0]] + 1))
        level = [*following]
    del steps[start]
    return steps
