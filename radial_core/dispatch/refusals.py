"""What a turn is answered when it may not do what it asked for.

Strategy: an agent's mistake is a value, and one that it can mend by itself: a name that programs match, then what is
wrong, where (a path into what it sent), and what to do about it. All mistakes are named at once, each place once, so
that mending them takes one more try and no more; but an answer stays short whatever was sent, so beyond a number it
says that there is more. What leaves nothing to judge (a wrong kind, no data, no object) is told alone.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

import attrs

from radial_core.canonical import spell_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from radial_core.canonical import Path

    # A name that programs match, and the objection in words.
    Named: TypeAlias = "tuple[str, Objection]"

MOST: Final = 32  # objections in one refusal


@attrs.frozen
class Objection:
    """One thing that is wrong: the `message`, the `path` from the root `$` of what was sent, and what to do."""

    message: str
    path: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.message} @ {self.path}: {self.remedy}"


@attrs.frozen
class Refusal:
    """Why nothing was done: the `name` of the first thing that is wrong, and all of them in words."""

    name: str
    objections: tuple[Objection, ...]

    def __str__(self) -> str:
        return f"{self.name}: " + "; ".join(map(str, self.objections))


@attrs.frozen
class Notice:
    """Something to know about a record that is written all the same: its `name`, the `message`, and the `path`."""

    name: str
    message: str
    path: str

    def __str__(self) -> str:
        return f"{self.message} @ {self.path}"


def objection(message: str, remedy: str, *steps: str | int) -> Objection:
    """Object to what stands `steps` below the root."""
    path: Path = steps
    return Objection(message, spell_path(path), remedy)


def refuse(name: str, message: str, remedy: str, *steps: str | int) -> Refusal:
    """Refuse for one reason."""
    return Refusal(name, (objection(message, remedy, *steps),))


def gather(found: Iterable[Named]) -> Refusal | None:
    """Refuse for all that was found, or for nothing; the first `MOST` are told, and whether there are others.

    What one judge objected to no later one names again: there is one thing to do about a place.
    """
    told = [*islice(_each_place_once(found), MOST + 1)]
    if not told:
        return None
    objections = tuple(fault for _, fault in told[:MOST])
    more = (objection("there is more wrong", "mend these first, then submit again"),) if len(told) > MOST else ()
    return Refusal(told[0][0], objections + more)


def _each_place_once(found: Iterable[Named]) -> Iterator[Named]:
    places = set[str]()
    for name, fault in found:
        if fault.path not in places:
            yield name, fault
        places.add(fault.path)
