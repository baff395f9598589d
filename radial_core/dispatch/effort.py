"""What a turn's effort and model were to be, what was handed over, and what ran: three facts, never mixed.

Strategy: levels are the provider's own words, so they are compared and not ranked. What is *requested* by a person goes
before what the operator's route says; that is *resolved*. What the harness reports is *observed*; nothing else ever is,
so a harness that says nothing leaves it unknown. A choice that is known to be unsupported is refused before anything
starts. A set of levels that nobody can list is not an empty one: there the choice is passed on, as unverified. Nothing
is replaced in silence: another model than the resolved one is a substitution, unless the operator listed it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from radial_core.dispatch.refusals import Refusal, refuse
from radial_core.dispatch.said import says_something
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Collection


_LONGEST_WORD: Final = 512  # characters


def is_model(_owner: object, _field: object, name: str) -> None:
    """Raise `ValueError` for what cannot stand in a record as the name of a model: nothing, unseen or endless text."""
    if not _is_word(name):
        raise ValueError(f"no name of a model: {quoted(str(name))}")


def is_word(_owner: object, field: attrs.Attribute[str], word: str) -> None:
    """Raise `ValueError` for what no field of a setup can be called by: nothing, unseen or endless text."""
    if not _is_word(word):
        raise ValueError(f"no {field.name}: {quoted(str(word))}")


def _is_word(word: object) -> bool:
    if not isinstance(word, str) or len(word) > _LONGEST_WORD:
        return False
    return word.isprintable() and says_something(word)


@attrs.frozen(kw_only=True)
class Setting:
    """An `effort` or a `model` of one turn. None is unknown, never a default.

    `verified` tells that the resolved value is known to be supported, or that none was chosen.
    """

    name: str
    requested: str | None = None
    resolved: str | None = None
    observed: str | None = None
    verified: bool = True

    def observe(self, value: str) -> Setting:
        """Note what the harness reported last."""
        return attrs.evolve(self, observed=value)

    def substitution(self, listed: Collection[str] = ()) -> str | None:
        """Give what ran in the place of the resolved value, if that is known and not `listed` as a fallback."""
        if self.observed is None or self.resolved in {None, self.observed} or self.observed in listed:
            return None
        return self.observed


def resolve(
    name: str, requested: str | None, *, routed: str | None, known: Collection[str] | None
) -> Setting | Refusal:
    """Settle a setting before a turn starts, or refuse it: `UnsupportedEffort`, `UnsupportedModel`.

    `routed` is the operator's own choice for the type; `known` is all that the harness takes there, None where nobody
    can list that. Without any choice the harness does as it does, and that stays unknown.
    """
    resolved = routed if requested is None else requested
    if resolved is None or known is None:
        return Setting(name=name, requested=requested, resolved=resolved, verified=resolved is None)
    if resolved not in known:
        remedy = f"use one of {', '.join(sorted(known))}" if known else f"leave it out: no {name} can be chosen there"
        return refuse(f"Unsupported{name.capitalize()}", f"{quoted(resolved)} is not supported there", remedy, name)
    return Setting(name=name, requested=requested, resolved=resolved)
