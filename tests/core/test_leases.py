"""Leases (C2–C5): the contract at its bounds, liveness as a duration, and the winner in rank order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from radial_core import Instant, Lease, live, materialize, parse_instant, winner
from radial_core.leases import breach
from tests.core.small_world import BOT, CLAIM, LAB, REQUEST, at, ref, write
from tests.oracle import leases as oracle

if TYPE_CHECKING:
    from collections.abc import Sequence

URI = "at://did:plc:ada/com.disnetdev.radial.claim/c"
NINE = "2026-01-01T09:00:00Z"


def lease(created: str, renewed: str, expires: str, uri: str = URI, cid: str = "cid") -> Lease:
    return Lease(parse_instant(created), uri, cid, parse_instant(renewed), parse_instant(expires))


# C2 -----------------------------------------------------------------------------------------------------------------

BACKWARDS = "the lease was renewed before the claim was made"
NOTHING = "the lease does not last at all: expiresAt is not later than renewedAt"
TOO_LONG = "the lease lasts more than one hour from renewedAt"
TOO_LATE = "the lease ends more than 24 hours after the claim's createdAt"


@pytest.mark.parametrize(
    ("renewed", "expires", "complaint"),
    [
        (NINE, "2026-01-01T09:00:00.000000000000000000001Z", None),
        (NINE, "2026-01-01T10:00:00Z", None),
        (NINE, "2026-01-01T11:00:00.000+01:00", None),
        (NINE, "2026-01-01T10:00:00.000000000000000000001Z", TOO_LONG),
        (NINE, NINE, NOTHING),
        (NINE, "2026-01-01T10:00:00+01:00", NOTHING),
        (NINE, "2026-01-01T08:59:59.999Z", NOTHING),
        ("2026-01-01T08:59:59.999999999999Z", "2026-01-01T09:30:00Z", BACKWARDS),
        ("2026-01-01T09:59:59+01:00", "2026-01-01T09:30:00Z", BACKWARDS),
        ("2026-01-02T08:00:00Z", "2026-01-02T09:00:00Z", None),
        ("2026-01-02T08:00:00.5Z", "2026-01-02T09:00:00.5Z", TOO_LATE),
        ("2026-01-02T08:59:59.9Z", "2026-01-02T09:00:00Z", None),
        ("2026-01-02T08:59:59.9Z", "2026-01-02T09:00:00.000000000000000000001Z", TOO_LATE),
        ("2026-01-02T09:00:00Z", "2026-01-02T09:00:00.1Z", TOO_LATE),
        ("2026-01-01T09:00:00.3Z", "2026-01-01T10:00:00.3Z", None),
        ("2026-01-01T09:00:00.3Z", "2026-01-01T10:00:00.30000000001Z", TOO_LONG),
    ],
)
def test_the_contract_at_its_bounds(renewed: str, expires: str, complaint: str | None) -> None:
    assert breach(lease(NINE, renewed, expires)) == complaint


def test_a_missing_renewal_reads_as_the_creation() -> None:
    renewed = write(BOT, "claim", 50, "renewed", request=ref(REQUEST), renewedAt=at(55), expiresAt=at(99))
    index = materialize([*LAB, renewed])
    created, renewed_at = parse_instant(at(22)), parse_instant(at(55))
    assert index.leases(REQUEST.uri) == (
        Lease(created, CLAIM.uri, CLAIM.cid, created, parse_instant(at(52))),
        Lease(parse_instant(at(50)), renewed.uri, renewed.cid, renewed_at, parse_instant(at(99))),
    )


# C4, C5 -------------------------------------------------------------------------------------------------------------

HALF_AN_HOUR = lease("2026-01-01T00:00:00Z", NINE, "2026-01-01T09:30:00.25Z")


@pytest.mark.parametrize(
    ("seen_at", "now", "is_live"),
    [
        ("2027-05-05T12:00:00Z", "2027-05-05T12:00:00Z", True),
        ("2027-05-05T12:00:00Z", "2027-05-05T12:30:00.2499999999999999999Z", True),
        ("2027-05-05T12:00:00Z", "2027-05-05T12:30:00.25Z", False),  # over at the very end
        ("2027-05-05T12:00:00Z", "2027-05-05T14:30:00.2500+02:00", False),
        ("2027-05-05T12:00:00Z", "2027-05-05T12:30:01Z", False),
        ("2027-05-05T12:00:00.75Z", "2027-05-05T12:30:00.9999Z", True),
        ("2027-05-05T12:00:00.75Z", "2027-05-05T12:30:01Z", False),
        ("2027-05-05T12:00:00Z", "2027-05-05T11:00:00Z", True),  # the observer's clock went back
        ("1999-05-05T12:00:00Z", "1999-05-05T12:30:00Z", True),  # years before the claim was made
        ("0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", False),
        (None, "9999-12-31T23:59:59Z", True),  # C5: seen now
        (None, "0000-01-01T00:00:00Z", True),
    ],
)
def test_a_lease_is_a_duration_from_the_observers_own_sighting(seen_at: str | None, now: str, is_live: bool) -> None:  # noqa: FBT001
    assert live(HALF_AN_HOUR, None if seen_at is None else parse_instant(seen_at), parse_instant(now)) is is_live


def test_a_hostile_fraction_stops_nobody() -> None:
    # 100,000 digits are a legal datetime (L2); no integer of Python's may be read from so many.
    long = lease(NINE, NINE, "2026-01-01T09:30:00." + "0" * 99_999 + "1Z")
    assert breach(long) is None
    seen_at = parse_instant(NINE)
    assert live(long, seen_at, parse_instant("2026-01-01T09:30:00Z"))
    assert not live(long, seen_at, parse_instant("2026-01-01T09:30:00.1Z"))
    assert winner([long], {(URI, "cid"): seen_at}, parse_instant("2026-01-01T09:30:00Z")) == long


# C3 -----------------------------------------------------------------------------------------------------------------

FIRST = lease(NINE, NINE, "2026-01-01T09:10:00Z", "at://did:plc:zoe/com.disnetdev.radial.claim/z")
SECOND = lease("2026-01-01T09:01:00Z", "2026-01-01T09:01:00Z", "2026-01-01T10:01:00Z", URI + "B")
TIED = lease("2026-01-01T10:01:00+01:00", "2026-01-01T09:02:00Z", "2026-01-01T10:01:00Z", URI + "a", "aaa")
THIRD = lease("2026-01-01T09:02:00Z", "2026-01-01T09:02:00Z", "2026-01-01T09:03:00Z", "at://did:plc:a/x")
SEEN = parse_instant("2030-01-01T00:00:00Z")


def winner_after(minutes: int, leases: Sequence[Lease], unseen: Sequence[Lease] = ()) -> Lease | None:
    sightings = {(one.uri, one.cid): SEEN for one in leases if one not in unseen}
    return winner(leases, sightings, SEEN.plus(60 * minutes))


@pytest.mark.parametrize(
    ("minutes", "expected"),
    [(0, FIRST), (9, FIRST), (10, SECOND), (58, SECOND), (59, SECOND), (60, None)],
)
def test_the_first_live_lease_in_rank_order_wins(minutes: int, expected: Lease | None) -> None:
    for leases in ([FIRST, SECOND, TIED, THIRD], [THIRD, TIED, SECOND, FIRST], [TIED, FIRST, THIRD, SECOND]):
        assert winner_after(minutes, leases) == expected


def test_rank_is_creation_then_uri_and_never_cid() -> None:
    assert sorted([THIRD, TIED, SECOND, FIRST]) == [FIRST, SECOND, TIED, THIRD]
    assert winner_after(59, [TIED]) is None  # 59 minutes from its renewal, though 60 from its creation


def test_a_lease_without_a_sighting_is_live() -> None:
    assert winner_after(10_000, [FIRST, SECOND], unseen=[SECOND]) == SECOND
    assert winner([FIRST], {(FIRST.uri, FIRST.cid): None}, SEEN) == FIRST
    # A sighting of another version is none of this one.
    assert winner([FIRST], {(FIRST.uri, "other"): parse_instant("1999-01-01T00:00:00Z")}, SEEN) == FIRST


def test_nobody_wins_nothing() -> None:
    assert winner([], {}, SEEN) is None
    assert winner(iter([FIRST]), {}, SEEN) == FIRST


# RAD-6.10 -----------------------------------------------------------------------------------------------------------

MOMENTS = st.builds(
    Instant, st.integers(0, 10_000), st.text("0123456789", max_size=3).map(lambda text: text.rstrip("0"))
)
LEASES = st.builds(Lease, MOMENTS, st.sampled_from([URI + key for key in "aBc"]), st.just("cid"), MOMENTS, MOMENTS)
SIGHTINGS = st.none() | MOMENTS
SHIFTS = st.integers(-(10**11), 10**11)


def shifted(one: Lease, seconds: int) -> Lease:
    return one._replace(
        created_at=one.created_at.plus(seconds),
        renewed_at=one.renewed_at.plus(seconds),
        expires_at=one.expires_at.plus(seconds),
    )


@given(LEASES, SIGHTINGS, MOMENTS, SHIFTS)
def test_a_writers_clock_changes_no_answer_about_its_lease(
    one: Lease, seen_at: Instant | None, now: Instant, shift: int
) -> None:
    assert live(shifted(one, shift), seen_at, now) is live(one, seen_at, now)
    assert breach(shifted(one, shift)) == breach(one)


@given(st.lists(st.tuples(LEASES, SIGHTINGS), max_size=5), MOMENTS, st.lists(SHIFTS, min_size=5, max_size=5))
def test_writers_clocks_change_no_liveness_among_rivals(
    held: list[tuple[Lease, Instant | None]], now: Instant, shifts: list[int]
) -> None:
    before = [live(one, seen_at, now) for one, seen_at in held]
    assert [live(shifted(one, shift), seen, now) for (one, seen), shift in zip(held, shifts, strict=False)] == before


@given(LEASES, MOMENTS, MOMENTS, SHIFTS)
def test_the_observers_clock_may_show_what_it_likes(one: Lease, seen_at: Instant, now: Instant, shift: int) -> None:
    assert live(one, seen_at.plus(shift), now.plus(shift)) is live(one, seen_at, now)


TEXTS = st.sampled_from(
    ["2026-01-01T09:00:00Z", "2026-01-01T09:20:00.5Z", "2026-01-01T10:20:00.50+01:00", "2026-01-01T09:40:00Z",
     "2026-01-01T09:40:00.000001Z", "2026-01-01T10:00:00Z", "2026-01-01T23:00:00-00:01"]
)  # fmt: skip
CLAIMS = st.fixed_dictionaries({"createdAt": TEXTS, "expiresAt": TEXTS}, optional={"renewedAt": TEXTS})


@given(st.dictionaries(st.sampled_from([URI + key for key in "aBc"]), CLAIMS), st.data(), TEXTS)
def test_the_oracle_agrees(claims: dict[str, dict[str, str]], data: st.DataObject, now: str) -> None:
    seen = {uri: data.draw(TEXTS) for uri in claims if data.draw(st.booleans())}
    held = [lease(v["createdAt"], v.get("renewedAt", v["createdAt"]), v["expiresAt"], uri) for uri, v in claims.items()]
    sightings = {(uri, "cid"): parse_instant(text) for uri, text in seen.items()}
    found = winner(held, sightings, parse_instant(now))
    assert (None if found is None else found.uri) == oracle.winner(list(claims.items()), seen, now)
