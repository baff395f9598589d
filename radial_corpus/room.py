"""A space under way: everybody and everything that the writers of its records need at hand.

Strategy: a `Room` holds the few records that later ones refer to (the space, its projects, the last documents and
artifacts), never all; it is the memory of the generator and stays small however long the space's history gets. A `Desk`
is the same for one goal, and is thrown away with it.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Final

import attrs

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from radial_corpus.dice import Deck, Dice
    from radial_corpus.pen import Pen, Written
    from radial_corpus.roster import Roster

    Scene: TypeAlias = "Callable[[Desk], None]"
    Affair: TypeAlias = "Callable[[Room], None]"

_REMEMBERED: Final = 12  # artifacts of earlier goals that new requests build upon

MODELS: Final = ("orchid-2", "orchid-2-mini", "lark-large", "pine-1.5")


@attrs.define
class Room:
    """A space while its history is written. `neighbour` is a project of another space, if there was one before."""

    pen: Pen
    dice: Dice
    roster: Roster
    space: Written
    decks: Decks
    neighbour: Written | None
    projects: list[Written] = attrs.Factory(list)
    goal_types: list[str] = attrs.Factory(lambda: ["plan", "implementation"])
    project_types: list[str] = attrs.Factory(list)
    documents: dict[tuple[str, str], Written] = attrs.Factory(dict)  # the last of each chain, by project and type
    recent: deque[Written] = attrs.Factory(lambda: deque(maxlen=_REMEMBERED))

    def ref(self, written: Written) -> dict[str, Any]:
        """Point at a record."""
        return self.pen.reference(written)


@attrs.define
class Desk:
    """A goal while it is worked on, with the artifacts and messages on it so far."""

    room: Room
    project: Written
    goal: Written
    artifacts: list[Written] = attrs.Factory(list)
    messages: list[Written] = attrs.Factory(list)
    pen: Pen = attrs.field(init=False)
    dice: Dice = attrs.field(init=False)
    roster: Roster = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.pen, self.dice, self.roster = self.room.pen, self.room.dice, self.room.roster

    def ref(self, written: Written) -> dict[str, Any]:
        """Point at a record."""
        return self.pen.reference(written)

    @property
    def on_goal(self) -> dict[str, Any]:
        """Give the field that anchors a record at this goal."""
        return {"goal": self.ref(self.goal)}


@attrs.frozen
class Decks:
    """What may happen next: on a goal, oddly, to its end, in its space, against the rules. Spaces share them."""

    scenes: Deck[Scene]
    oddities: Deck[Scene]
    endings: Deck[Scene]
    affairs: Deck[Affair]
    breaches: Deck[Scene]
