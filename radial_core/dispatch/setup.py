"""An operator's configuration, from plain values: read as a whole, or refused with everything that is wrong.

Strategy: the names in a configuration are those of `routing.Operator` and its parts, so there is one place where they
are said. Nothing is guessed: an unknown key is a mistake and no extension, a number in quotes is a text. What the
values have to keep to is checked where they are made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from operator import eq
from typing import TYPE_CHECKING, Any, Final

import attrs
from cattrs import BaseValidationError, Converter, ForbiddenExtraKeysError, override, transform_error
from cattrs.gen import make_dict_structure_fn

from radial_core.canonical import is_well_formed
from radial_core.dispatch.budget import Budget
from radial_core.dispatch.routing import Offer, Operator, Profile, Route
from radial_core.lexicon.faults import kind_of
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

_is_key: Final = re.compile(r"\['([A-Za-z_][A-Za-z0-9_-]*)'\]")


def read_operator(value: Any, source: str) -> Operator | tuple[str, ...]:
    """Read a configuration out of the objects, lists, texts and numbers of a TOML or JSON file called `source`.

    Gives the faults instead when there are any, each as `message @ $.path`.
    """
    if not isinstance(value, dict):
        return (f"must be an object, not {kind_of(value)} @ $",)
    try:
        operator: Operator = _converter().structure(value, Operator)
    except BaseValidationError as error:
        found = transform_error(error, format_exception=_told)
        return tuple(_is_key.sub(r".\1", fault) for fault in found)
    faults = tuple(_faults(operator))
    return faults or attrs.evolve(operator, source=source)


def _faults(operator: Operator) -> Iterator[str]:
    seen = set[tuple[str, str]]()
    for number, profile in enumerate(operator.profiles):
        if (profile.did, profile.name) in seen:
            yield f"is configured twice @ $.profiles[{number}].name"
        seen.add((profile.did, profile.name))


# Strictly: cattrs alone would take `"900"` for 900, and a text for a list of letters ----------------------------------


@cache
def _converter() -> Converter:
    """Read what a class has its names for, from the leaves up."""
    converter = Converter(forbid_extra_keys=True)
    converter.register_structure_hook(int, _only(int, lambda value, _: value))
    converter.register_structure_hook(str, _only(str, _well_formed))
    for whole, kind in _PARTS:
        converter.register_structure_hook_func(partial(eq, whole), _only(kind, converter.get_structure_hook(whole)))
    setup = make_dict_structure_fn(Operator, converter, source=override(omit=True), _cattrs_forbid_extra_keys=True)
    converter.register_structure_hook(Operator, setup)
    return converter


_PARTS: Final[tuple[tuple[Any, type], ...]] = (
    (tuple[str, ...], list),
    (frozenset[str], list),
    (Mapping[str, frozenset[str]], dict),
    (Route, dict),
    (Profile, dict),
    (Offer, dict),
    (Budget, dict),
    (tuple[Profile, ...], list),
    (Mapping[str, Route], dict),
    (Mapping[str, Offer], dict),
)
_KINDS: Final[Mapping[type, str]] = {str: "a string", int: "an integer", list: "an array", dict: "an object"}


def _well_formed(text: str, _into: Any) -> str:
    """Refuse halves of surrogate pairs, which JSON can spell: no record and no message could hold them."""
    if not is_well_formed(text):
        raise ValueError("a string with half of a surrogate pair")
    return text


def _only(kind: type, read: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Read a value of this very kind, and nothing that could be made into one."""

    def reading(value: Any, into: Any) -> Any:
        if value.__class__ is not kind:
            raise TypeError(f"must be {_KINDS[kind]}, not {kind_of(value)}")
        return read(value, into)

    return reading


def _told(error: BaseException, _type: Any) -> str:
    if isinstance(error, KeyError):
        return "is missing"
    if isinstance(error, ForbiddenExtraKeysError):
        names = sorted(map(str, error.extra_fields))  # a name that is no text is none either
        return f"has no key {', '.join(map(quoted, names))}"
    return str(error)
