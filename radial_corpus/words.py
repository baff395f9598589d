"""What people and agents write: titles, sentences, names.

Strategy: a few short lists and three shapes of sentence give enough different prose to look at and to search in. A few
words lie outside ASCII, one of them outside the basic plane, because order by code point (L3) shows only there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from radial_corpus.dice import Dice

_DEEDS: Final = (
    "Speed up", "Simplify", "Document", "Retire", "Rewrite", "Measure", "Split", "Translate", "Harden", "Untangle",
    "Cache", "Test", "Schedule", "Rename", "Review", "Extend", "Stabilise", "Migrate", "Explain", "Trim",
)  # fmt: skip
_TRAITS: Final = (
    "nightly", "public", "slow", "old", "shared", "noisy", "hidden", "French", "offline", "monthly", "first", "naïve",
    "quarterly", "fragile", "central", "mobile", "generated", "accessible", "temporary", "weekly",
)  # fmt: skip
_THINGS: Final = (
    "export", "search index", "sign-up page", "parser", "glossary", "import", "map view", "invoice run", "test suite",
    "menu", "photo gallery", "mail digest", "calendar", "backup", "style sheet", "landing page", "queue", "café guide",
    "sync", "release notes", "archive", "price table", "error page", "dashboard", "résumé template", "ferry timetable",
)  # fmt: skip
_OPENINGS: Final = (
    "I looked at", "We should start with", "Nobody has touched", "There are two ways to change", "Most readers miss",
    "Half of the complaints concern", "The plan leaves out", "It took me a while to understand",
    "Please have a look at", "The tests now cover", "Before we go on, let us agree on",
    "Yesterday's numbers say little about", "I would keep",
)  # fmt: skip
_TURNS: Final = (
    "because it fails when the list is empty", "and the tests say why", "which nobody needs any more",
    "so that a newcomer finds it", "before the summer", "although it is slower at first", "as the plan proposes",
    "since two of us tripped over it", "without breaking old links", "if that is all right with you",
    "and left the rest as it was", "with one exception, see below", "once the dates are exact 🚀",
)  # fmt: skip
_TOWNS: Final = (
    "Aalborg", "Bergen", "Cádiz", "Dunedin", "Esbjerg", "Funchal", "Galway", "Hobart", "Izmir", "Jyväskylä", "Kuopio",
    "Łódź", "Malmö", "Nantes", "Odense", "Porto", "Quito", "Riga", "Split", "Tartu", "Umeå", "Vigo", "Zürich",
)  # fmt: skip
_GROUPS: Final = ("library", "transit desk", "print shop", "archive", "field notes", "kitchen", "observatory", "choir")


def thing(dice: Dice) -> str:
    """Name something one can work on."""
    return f"{dice.pick(_TRAITS)} {dice.pick(_THINGS)}"


def title(dice: Dice) -> str:
    """Name a piece of work."""
    return f"{dice.pick(_DEEDS)} the {thing(dice)}"


def sentence(dice: Dice) -> str:
    """Say one thing."""
    return f"{dice.pick(_OPENINGS)} the {thing(dice)} {dice.pick(_TURNS)}."


def prose(dice: Dice, least: int, most: int) -> str:
    """Say several things."""
    return " ".join([sentence(dice) for _ in range(dice.between(least, most))])


def group_name(dice: Dice) -> str:
    """Name a space."""
    return f"{dice.pick(_TOWNS)} {dice.pick(_GROUPS)}"


def slug(dice: Dice) -> str:
    """Name a repository, a branch or a file."""
    return "-".join(dice.pick(_THINGS).encode("ascii", "ignore").decode().split()) + f"-{dice.below(1000)}"
