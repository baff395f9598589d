"""Instants (L2): the grammar, the calendar, and arithmetic that loses nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from radial_core.instants import Instant, is_datetime, parse_instant
from tests.oracle import instants as oracle

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DAY = 86_400
EPOCH = 719_528 * DAY  # 1970-01-01: the well-known count of days since the first of January of the year 0


def lines(shared: Path, name: str) -> Iterator[str]:
    text = (shared / "fixtures" / "atproto-interop" / "syntax" / name).read_text(encoding="utf-8")
    return (line for line in text.split("\n") if line and not line.startswith("#"))


@pytest.mark.parametrize(
    ("name", "valid", "count"),
    [
        ("datetime_syntax_valid.txt", True, 35),
        ("datetime_syntax_invalid.txt", False, 45),
        ("datetime_parse_invalid.txt", False, 7),
    ],
)
def test_the_interop_files_agree(shared: Path, name: str, valid: bool, count: int) -> None:  # noqa: FBT001 - a column
    cases = list(lines(shared, name))
    assert len(cases) == count
    assert [text for text in cases if is_datetime(text) is not valid] == []


@pytest.mark.parametrize(
    ("text", "seconds", "fraction"),
    [
        ("0000-01-01T00:00:00Z", 0, ""),
        ("0000-01-01T00:00:00-23:59", 86_340, ""),
        ("0000-02-29T00:00:00Z", 59 * DAY, ""),  # the year 0 is a leap year
        ("0000-03-01T00:00:00Z", 60 * DAY, ""),
        ("0000-12-31T23:59:59Z", 366 * DAY - 1, ""),
        ("0001-01-01T00:00:00Z", 366 * DAY, ""),
        ("0001-01-01T00:00:00+23:59", 366 * DAY - 86_340, ""),
        ("0004-03-01T00:00:00Z", (366 + 3 * 365 + 60) * DAY, ""),
        ("0100-03-01T00:00:00Z", (25 * 366 + 75 * 365 + 59) * DAY, ""),  # no leap year; 0, 4, …, 96 were
        ("1970-01-01T00:00:00Z", EPOCH, ""),
        ("1969-12-31T23:59:59.999Z", EPOCH - 1, "999"),
        ("2000-02-29T12:00:00Z", EPOCH + 11_016 * DAY + DAY // 2, ""),  # 30 · 365 + 7 leap days + 59
        ("2026-01-31T12:34:56.7890Z", EPOCH + 20_484 * DAY + 45_296, "789"),
        # 10000-01-01 is 25 · 146097 days after 0000-01-01; an offset may lead beyond the last year there is a name for.
        ("9999-12-31T23:59:59.9-23:59", 25 * 146_097 * DAY + 86_339, "9"),
        ("9999-12-31T23:59:59Z", 25 * 146_097 * DAY - 1, ""),
    ],
)
def test_a_datetime_is_seconds_since_the_year_0(text: str, seconds: int, fraction: str) -> None:
    assert parse_instant(text) == (seconds, fraction)


@pytest.mark.parametrize(
    "spellings",
    [
        ("2026-01-01T00:00:00Z", "2026-01-01T01:00:00.000+01:00", "2026-01-01T00:00:00.0000000000Z"),
        ("2026-03-01T00:00:00Z", "2026-02-28T23:00:00-01:00", "2026-03-01T23:59:00+23:59", "2026-03-01T00:00:00+00:00"),
        ("2024-02-29T23:59:59.5Z", "2024-03-01T00:59:59.50+01:00", "2024-02-29T00:00:59.500000-23:59"),
        ("1999-12-31T12:00:00Z", "2000-01-01T02:00:00+14:00"),
    ],
)
def test_an_instant_has_many_spellings(spellings: tuple[str, ...]) -> None:
    instants = [parse_instant(text) for text in spellings]
    assert len(set(instants)) == 1
    assert len({hash(instant) for instant in instants}) == 1


def test_every_digit_counts() -> None:
    digits = "1" + "0" * 20_000
    texts = [
        "2026-01-01T00:00:00.0999999999999999Z",
        "2026-01-01T00:00:00.1Z",
        f"2026-01-01T00:00:00.{digits}1Z",
        f"2026-01-01T00:00:00.{digits}2Z",
        "2026-01-01T00:00:00.10000000000000001Z",
        "2026-01-01T00:00:00.11Z",
        "2026-01-01T00:00:00.9Z",
        "2026-01-01T00:00:01Z",
    ]
    instants = [parse_instant(text) for text in texts]
    assert instants == sorted(instants)
    assert len(set(instants)) == len(texts)
    assert parse_instant(f"2026-01-01T00:00:00.{digits}Z") == parse_instant("2026-01-01T00:00:00.1Z")


GRAMMAR = "not an atproto datetime"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", GRAMMAR),
        ("2026-01-01", GRAMMAR),
        ("2026-01-01T00:00:00", GRAMMAR),
        ("2026-01-01t00:00:00Z", GRAMMAR),
        ("2026-01-01T00:00:00z", GRAMMAR),
        ("2026-01-01T00:00Z", GRAMMAR),
        ("2026-01-01T00:00:00.Z", GRAMMAR),
        ("2026-01-01T00:00:00,5Z", GRAMMAR),
        ("2026-01-01T00:00:00Z\n", GRAMMAR),
        ("2026-01-01T00:00:00Z ", GRAMMAR),
        ("-0001-01-01T00:00:00Z", GRAMMAR),
        ("+2026-01-01T00:00:00Z", GRAMMAR),
        ("10000-01-01T00:00:00Z", GRAMMAR),
        ("2026-01-01T00:00:00+0100", GRAMMAR),
        ("2026-01-01T00:00:00−01:00", GRAMMAR),
        ("２０２６-01-01T00:00:00Z", GRAMMAR),  # noqa: RUF001 - digits of another script
        ("2026-01-01T00:00:00.٣Z", GRAMMAR),
        ("2026-00-01T00:00:00Z", "no such date: 2026-00-01"),
        ("2026-13-01T00:00:00Z", "no such date: 2026-13-01"),
        ("2026-01-00T00:00:00Z", "no such date: 2026-01-00"),
        ("2026-01-32T00:00:00Z", "no such date: 2026-01-32"),
        ("2026-02-29T00:00:00Z", "no such date: 2026-02-29"),
        ("2024-02-30T00:00:00Z", "no such date: 2024-02-30"),
        ("1900-02-29T00:00:00Z", "no such date: 1900-02-29"),
        ("2026-04-31T00:00:00Z", "no such date: 2026-04-31"),
        ("2026-01-01T24:00:00Z", "no such time of day"),
        ("2026-01-01T00:60:00Z", "no such time of day"),
        ("2016-12-31T23:59:60Z", "no such time of day"),
        ("2026-01-01T00:00:00+24:00", "no such offset from UTC"),
        ("2026-01-01T00:00:00-12:60", "no such offset from UTC"),
        ("2026-01-01T00:00:00-00:00", "the zone is unknown"),
        ("2026-01-01T24:00:00.000Z", "no such time of day"),
        ("2026-01-01T00:60:00.000Z", "no such time of day"),
        ("2016-12-31T23:59:60.000Z", "no such time of day"),
        ("2026-01-01T1x:00:00.000Z", GRAMMAR),
        ("2026-01-01T10-00:00.000Z", GRAMMAR),
        ("2026-01-01T10:00 00.000Z", GRAMMAR),
        ("2026-01-01T10:00:+1.000Z", GRAMMAR),
        ("2026-01-01T10:00:00.0_0Z", GRAMMAR),
        ("2026-01-01T10:00:00.٣٣٣Z", GRAMMAR),
        ("2026-01-01 10:00:00.000Z", GRAMMAR),
        ("0000-01-01T00:00:00+00:01", "before the year 0000"),
        ("0000-01-01T23:58:59.9+23:59", "before the year 0000"),
    ],
)
def test_anything_else_is_refused_with_a_reason(text: str, complaint: str) -> None:
    assert not is_datetime(text)
    with pytest.raises(ValueError, match=complaint):
        parse_instant(text)


def test_the_first_instant_may_be_spelled_with_an_offset() -> None:
    assert parse_instant("0000-01-01T23:59:00+23:59") == parse_instant("0000-01-01T00:00:00Z")


OFFSETS = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(st.datetimes(timezones=OFFSETS))
def test_the_calendar_is_pythons_calendar(moment: datetime) -> None:
    # Subtracting 0001-01-01 of UTC never leaves the range of `timedelta`, as converting to UTC may.
    elapsed = moment - datetime(1, 1, 1, tzinfo=UTC)
    sign = "-" if (offset := moment.utcoffset() or timedelta()) < timedelta() else "+"
    minutes = abs(offset) // timedelta(minutes=1)
    text = f"{moment.replace(tzinfo=None).isoformat()}{sign}{minutes // 60:02}:{minutes % 60:02}"
    expected = timedelta(days=366) + elapsed
    fraction = f"{expected.microseconds:06}".rstrip("0")
    assert parse_instant(text) == (expected // timedelta(seconds=1), fraction)


DIGITS = st.text("0123456789", max_size=6) | st.sampled_from(["9", "99", "0", "00", "1" + "0" * 40, "9" * 30])


@st.composite
def datetimes(draw: st.DrawFn) -> str:
    """Draw datetimes that crowd around few instants, so that equal ones and near ones meet."""
    year = draw(st.sampled_from(["0000", "0001", "1999", "2000", "2026", "9999"]))
    day = draw(st.sampled_from(["01-01", "02-28", "03-01", "12-31"]))
    clock = draw(st.sampled_from(["00:00:00", "00:59:59", "01:00:00", "01:00:59", "23:59:00", "23:59:59"]))
    digits = draw(DIGITS)
    zone = draw(st.sampled_from(["Z", "+00:00", "+01:00", "-01:00", "+23:59", "-23:59", "+00:01"]))
    return f"{year}-{day}T{clock}" + (f".{digits}" if digits else "") + zone


def exact(instant: Instant) -> Fraction:
    return Fraction(instant.seconds) + Fraction(int(instant.fraction or "0"), 10 ** len(instant.fraction))


@given(datetimes())
def test_an_instant_is_the_oracles_fraction(text: str) -> None:
    assert is_datetime(text) is oracle.is_datetime(text)
    if is_datetime(text):
        assert exact(parse_instant(text)) == oracle.instant(text)
        assert not parse_instant(text).fraction.endswith("0")


@given(st.lists(datetimes().filter(oracle.is_datetime), min_size=2, max_size=8))
def test_instants_are_ordered_as_the_fractions_they_stand_for(texts: list[str]) -> None:
    assert sorted(texts, key=parse_instant) == sorted(texts, key=oracle.instant)
    for one in texts:
        for other in texts:
            assert (parse_instant(one) < parse_instant(other)) is (oracle.instant(one) < oracle.instant(other))
            assert (parse_instant(one) == parse_instant(other)) is (oracle.instant(one) == oracle.instant(other))


@given(datetimes().filter(oracle.is_datetime), datetimes().filter(oracle.is_datetime))
def test_since_is_exact(one: str, other: str) -> None:
    difference = parse_instant(one).since(parse_instant(other))
    assert Fraction(difference) == oracle.instant(one) - oracle.instant(other)


@given(datetimes().filter(oracle.is_datetime), st.integers(-(10**12), 10**12))
def test_plus_moves_by_whole_seconds(text: str, seconds: int) -> None:
    start = parse_instant(text)
    assert exact(start.plus(seconds)) == exact(start) + seconds
    assert start.plus(seconds).since(start) == seconds


@pytest.mark.parametrize(
    ("later", "earlier", "seconds"),
    [
        ("2026-01-01T01:00:00Z", "2026-01-01T00:00:00Z", "3600"),
        ("2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z", "-3600"),
        ("2026-01-01T00:00:01.25Z", "2026-01-01T00:00:00.5Z", "0.75"),
        ("2026-01-01T00:00:00.25Z", "2026-01-01T00:00:00.5Z", "-0.25"),
        ("2026-01-01T00:00:00.000000000001Z", "2025-12-31T23:59:59.999999999999Z", "0.000000000002"),
        ("2026-01-01T00:00:00+01:00", "2026-01-01T00:00:00Z", "-3600"),
        ("2026-01-01T00:00:00.5Z", "2026-01-01T01:00:00.50+01:00", "0"),
    ],
)
def test_since_by_hand(later: str, earlier: str, seconds: str) -> None:
    assert parse_instant(later).since(parse_instant(earlier)) == Decimal(seconds)


def test_more_digits_than_an_integer_may_have_are_subtracted_too() -> None:
    # Python refuses to read an integer of more than 4300 digits: no author may stop an observer with that.
    sliver = parse_instant("2026-01-01T00:00:00." + "0" * 99_999 + "1Z")
    start = parse_instant("2026-01-01T00:00:00Z")
    assert sliver.since(start) > 0
    assert start.since(sliver) < 0
    assert sliver.since(start) == Decimal("1e-100000")
    assert sliver.plus(3600).since(start) > 3600
    assert start.plus(3600).since(sliver) < 3600
