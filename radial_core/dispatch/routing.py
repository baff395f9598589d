"""What an operator set up: the agents it runs, who does what with which model, and how much at once (seed §11).

Strategy: plain values, checked when they are made; nothing here is read from a record. What an agent's published
profile says is for others to choose by; what is taken on is decided by this alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

import attrs
from attrs.validators import deep_iterable, optional

from radial_core.canonical import is_well_formed
from radial_core.dispatch.budget import Budget
from radial_core.dispatch.effort import is_model, is_word
from radial_core.identifiers import is_did, is_record_key
from radial_core.leases import LONGEST_LEASE
from radial_core.places import Trust
from radial_core.rulings import quoted

_AUTHORITIES = ("edit", "inspect")
_SHORTEST_LEASE = 60  # seconds: shorter ones lapse between two looks at the members' repos


def _is_authority(_route: object, _field: object, value: str) -> None:
    if value not in _AUTHORITIES:
        raise ValueError(f"authority is {' or '.join(_AUTHORITIES)}, not {quoted(value)}")


@attrs.frozen(kw_only=True)
class Route:
    """How a turn of one artifact type is run: the harness and, in the provider's own words, model and effort.

    `fallbacks` are the models that may stand in, in this order; none but those written here ever does. `pool` labels
    what shares one allowance, and can be paused together. `authority` is what a turn may do to its checkout: `edit`, or
    only `inspect` it; what it submits is no matter of that.
    """

    harness: str = attrs.field(validator=is_word)
    provider: str | None = attrs.field(default=None, validator=optional(is_word))
    model: str | None = attrs.field(default=None, validator=optional(is_model))
    effort: str | None = attrs.field(default=None, validator=optional(is_word))
    fallbacks: tuple[str, ...] = attrs.field(default=(), validator=deep_iterable(is_model))
    pool: str | None = attrs.field(default=None, validator=optional(is_word))
    authority: str = attrs.field(default="edit", validator=_is_authority)

    @property
    def allowance(self) -> str:
        """The pool that a turn draws on; routes without a label share that of their harness."""
        return self.harness if self.pool is None else self.pool


def _is_did(_profile: object, _field: object, value: Any) -> None:
    if not (isinstance(value, str) and is_did(value)):
        raise ValueError(f"must be a DID, not {quoted(str(value))}")


def _is_key(_profile: object, _field: object, value: Any) -> None:
    if not (isinstance(value, str) and is_record_key(value)):  # M5
        raise ValueError(f"the name of a profile is a record key, not {quoted(str(value))}")


def _is_type(_owner: object, _field: object, value: Any) -> None:
    if not (isinstance(value, str) and value and is_well_formed(value)):
        raise ValueError(f"no name of an artifact type: {quoted(str(value))}")


def _are_types(operator: object, field: object, value: Mapping[str, Any]) -> None:
    for name in value:
        _is_type(operator, field, name)


@attrs.frozen(kw_only=True)
class Profile:
    """One set of capabilities of an agent: the artifact types that it produces, `review` and `answer` among them.

    Its `name` is its record key where it is published (M5).
    """

    did: str = attrs.field(validator=_is_did)
    name: str = attrs.field(validator=_is_key)
    types: tuple[str, ...] = attrs.field(validator=deep_iterable(_is_type))


@attrs.frozen
class Choice:
    """What a person chose for one request, in the provider's own words; None is no choice."""

    model: str | None = attrs.field(default=None, validator=optional(is_model))
    effort: str | None = attrs.field(default=None, validator=optional(is_word))


def _proxy(values: Mapping[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType(dict(values))


def _are_models(offer: object, field: object, value: Any) -> None:
    for name in value or ():
        is_model(offer, field, name)


def _are_efforts(offer: object, field: attrs.Attribute[Any], value: Mapping[str, frozenset[str]]) -> None:
    _are_models(offer, field, value)
    for level in (level for levels in value.values() for level in levels):
        is_word(offer, field, level)


@attrs.frozen(kw_only=True)
class Offer:
    """What a harness is known to take: `models`, None where nobody can list them, and the `efforts` of a model.

    The efforts of a model that is not among them are unknown; of one with an empty set, known to be none.
    """

    models: frozenset[str] | None = attrs.field(default=None, validator=_are_models)
    efforts: Mapping[str, frozenset[str]] = attrs.field(
        factory=dict[str, frozenset[str]], converter=_proxy, validator=_are_efforts, hash=False
    )


def _are_harnesses(operator: object, field: attrs.Attribute[Any], value: Mapping[str, Offer]) -> None:
    for name in value:
        is_word(operator, field, name)


def _is_whole(_operator: object, field: attrs.Attribute[int], value: int) -> None:
    if value.__class__ is not int:
        raise ValueError(f"{field.name} is a whole number, not {value}")


def _is_a_lease(_operator: object, field: attrs.Attribute[int], value: int) -> None:
    _is_whole(_operator, field, value)
    if not _SHORTEST_LEASE <= value <= LONGEST_LEASE:  # C2
        raise ValueError(f"a lease lasts between {_SHORTEST_LEASE} and {LONGEST_LEASE} seconds, not {value}")


def _is_positive(_operator: object, field: attrs.Attribute[int], value: int) -> None:
    _is_whole(_operator, field, value)
    if value < 1:
        raise ValueError(f"{field.name} is at least 1, not {value}")


@attrs.frozen(kw_only=True)
class Operator:
    """The agents of one operator and its limits.

    `source` names the file of the configuration, for messages. `turns` may run at once; `claims` may be held at once;
    a claim's `lease` and `poll_every`, between two looks at one pull request, are in seconds. After `attempts` turns
    in a row that came to nothing, or `outages` that were broken off from outside, a request is left open. `budget`
    bounds a run; `offers` say what each harness takes, as far as that is known.
    """

    profiles: tuple[Profile, ...]
    routes: Mapping[str, Route] = attrs.field(converter=_proxy, validator=_are_types, hash=False)
    source: str = "the configuration"
    turns: int = attrs.field(default=1, validator=_is_positive)
    claims: int = attrs.field(default=4, validator=_is_positive)
    lease: int = attrs.field(default=900, validator=_is_a_lease)
    attempts: int = attrs.field(default=5, validator=_is_positive)
    outages: int = attrs.field(default=24, validator=_is_positive)
    poll_every: int = attrs.field(default=300, validator=_is_positive)
    budget: Budget = attrs.field(factory=Budget)
    offers: Mapping[str, Offer] = attrs.field(
        factory=dict[str, Offer], converter=_proxy, validator=_are_harnesses, hash=False
    )

    @cached_property
    def dids(self) -> frozenset[str]:
        """The identities that act for this operator."""
        return frozenset(profile.did for profile in self.profiles)


class Hands(NamedTuple):
    """Who of an operator's agents may act in one space, by artifact type, in the order in which they were set up."""

    members: frozenset[str]
    makers: Mapping[str, tuple[str, ...]]


def hands_in(operator: Operator, trust: Trust) -> Hands:
    """Tell who of the operator's agents is a member (T5), and for which of the routed types."""
    members = frozenset(did for did in operator.dids if trust.is_member(did))
    makers: dict[str, list[str]] = {}
    for profile in operator.profiles:
        for name in profile.types if profile.did in members else ():
            if name in operator.routes and profile.did not in makers.get(name, ()):
                makers.setdefault(name, []).append(profile.did)
    return Hands(members, {name: tuple(dids) for name, dids in makers.items()})
