"""Requested, resolved, observed: three facts."""

from __future__ import annotations

import pytest

from radial_core.dispatch.effort import Setting, resolve
from radial_core.dispatch.refusals import Refusal

LEVELS = frozenset({"low", "high", "xhigh"})


@pytest.mark.parametrize(
    ("requested", "routed", "known", "resolved", "verified"),
    [
        ("xhigh", None, LEVELS, "xhigh", True),
        ("xhigh", "low", LEVELS, "xhigh", True),
        (None, "low", LEVELS, "low", True),
        (None, None, LEVELS, None, True),
        (None, None, frozenset[str](), None, True),
        (None, None, None, None, True),
        ("enormous", None, None, "enormous", False),
        (None, "enormous", None, "enormous", False),
    ],
)
def test_a_request_goes_before_a_route_and_nothing_is_made_up(
    *, requested: str | None, routed: str | None, known: frozenset[str] | None, resolved: str | None, verified: bool
) -> None:
    found = resolve("effort", requested, routed=routed, known=known)
    assert found == Setting(name="effort", requested=requested, resolved=resolved, observed=None, verified=verified)


@pytest.mark.parametrize(
    ("name", "requested", "routed", "known", "refusal", "remedy"),
    [
        ("effort", "enormous", None, LEVELS, "UnsupportedEffort", "use one of high, low, xhigh"),
        ("effort", "enormous", "low", LEVELS, "UnsupportedEffort", "use one of high, low, xhigh"),
        ("effort", None, "max", LEVELS, "UnsupportedEffort", "use one of high, low, xhigh"),
        ("effort", "high", None, frozenset[str](), "UnsupportedEffort", "leave it out: no effort can be chosen there"),
        ("effort", "HIGH", None, LEVELS, "UnsupportedEffort", "use one of high, low, xhigh"),
        ("model", "m-3", None, frozenset({"m-1"}), "UnsupportedModel", "use one of m-1"),
    ],
)
def test_a_choice_that_is_known_to_be_unsupported_is_refused(
    name: str, requested: str | None, routed: str | None, known: frozenset[str], refusal: str, remedy: str
) -> None:
    found = resolve(name, requested, routed=routed, known=known)
    assert isinstance(found, Refusal)
    assert found.name == refusal
    assert str(found) == f"{refusal}: “{requested or routed}” is not supported there @ $.{name}: {remedy}"


def test_only_what_was_reported_is_observed() -> None:
    setting = Setting(name="effort", requested="high", resolved="high")
    assert setting.observed is None
    seen = setting.observe("medium").observe("low")
    assert (seen.requested, seen.resolved, seen.observed) == ("high", "high", "low")


@pytest.mark.parametrize(
    ("resolved", "observed", "listed", "substitution"),
    [
        ("m-1", None, (), None),
        ("m-1", "m-1", (), None),
        ("m-1", "m-2", (), "m-2"),
        ("m-1", "m-2", ("m-2",), None),
        ("m-1", "m-3", ("m-2",), "m-3"),
        (None, "m-2", (), None),
    ],
)
def test_what_ran_instead_is_named_unless_it_was_listed(
    resolved: str | None, observed: str | None, listed: tuple[str, ...], substitution: str | None
) -> None:
    setting = Setting(name="model", requested=None, resolved=resolved, observed=observed)
    assert setting.substitution(listed) == substitution
