"""Counts that know how far they can be trusted, and what becomes of that in a sum."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from radial_core.dispatch.usage import (
    COUNTS,
    NONE,
    NOTHING,
    UNKNOWN,
    Count,
    Mark,
    Usage,
    add_up,
    is_replay,
    since,
    total,
)


def usage(**counts: int) -> Usage:
    found: dict[str, Any] = {name: Count.of(number) for name, number in counts.items()}
    return Usage(**found)


FULL = usage(input=10, fresh=3, cached=5, written=2, output=7, reasoning=4, cost=100)


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (Count.of(2), Count.of(3), "5"),
        (Count.of(2), UNKNOWN, "at least 2"),
        (Count.of(2), Count(Mark.AT_LEAST, 3), "at least 5"),
        (Count(Mark.AT_LEAST, 2), UNKNOWN, "at least 2"),
        (UNKNOWN, UNKNOWN, "unknown"),
        (Count.of(1_000), NONE, "1,000"),
    ],
)
def test_a_sum_is_as_sure_as_its_parts(one: Count, other: Count, both: str) -> None:
    assert str(one + other) == str(other + one) == both


def test_what_is_no_count_is_the_callers_mistake() -> None:
    for mark, least in ((Mark.REPORTED, -1), (Mark.AT_LEAST, -1), (Mark.UNKNOWN, 1)):
        with pytest.raises(ValueError, match="no count"):
            Count(mark, least)
    assert Count.of(None) == UNKNOWN
    assert UNKNOWN != NONE


def test_reasoning_and_the_parts_of_the_input_are_counted_once() -> None:
    assert str(FULL.tokens) == "17"
    assert str((FULL + FULL).tokens) == "34"


def test_notes_are_kept_once_each() -> None:
    one = Usage(notes=("a", "b")) + Usage(notes=("b", "c"))
    assert one.notes == ("a", "b", "c")
    assert FULL.less_sure("why").notes == ("why",)


def test_lower_bounds_stay_and_what_is_unknown_stays_unknown() -> None:
    bounded = usage(input=10).less_sure("why").less_sure("again")
    assert str(bounded.input) == "at least 10"
    assert str(bounded.output) == "unknown"


def test_nothing_added_up_is_nothing_and_one_is_itself() -> None:
    assert add_up([]) == NOTHING
    assert add_up([Usage()]) == Usage()
    assert add_up([FULL]) == FULL
    assert str(add_up([FULL, Usage()]).tokens) == "at least 17"


def test_a_total_names_its_coverage() -> None:
    found = total([FULL, Usage(), usage(input=1, output=1)])
    assert str(found) == "at least 19 tokens (2 of 3 turns reported)"
    assert (found.turns, found.told_tokens, found.told_cost) == (3, 2, 1)
    assert str(found.usage.cost) == "at least 100"
    assert str(total([])) == "0 tokens (0 of 0 turns reported)"
    assert str(total([Usage()])) == "unknown tokens (0 of 1 turns reported)"


def test_a_cumulative_count_that_is_missing_on_one_side_is_unknown() -> None:
    later = usage(input=30, output=9)
    assert str(since(usage(input=10), later).output) == "unknown"
    assert str(since(usage(input=10), later).input) == "20"
    assert str(since(later, usage(output=9)).input) == "unknown"
    assert since(later, usage(output=9)).notes == ()


def test_a_report_says_something_new_when_any_count_is_more() -> None:
    assert is_replay(FULL, FULL)
    earlier = usage(input=5, output=5)
    assert is_replay(earlier, usage(input=5, output=4))
    assert not is_replay(earlier, usage(input=5, output=6))
    assert not is_replay(earlier, usage(input=6, output=5))
    assert not is_replay(earlier, usage(input=5))
    assert not is_replay(Usage(), Usage())
    assert not is_replay(NOTHING, Usage())


GROWTH = st.lists(st.lists(st.integers(0, 9), min_size=len(COUNTS), max_size=len(COUNTS)), min_size=1, max_size=6)


@given(GROWTH, st.data())
def test_what_cumulative_reports_add_sums_up_to_the_last(growth: list[list[int]], data: st.DataObject) -> None:
    """Whatever is sent again in between, the differences are the whole, once."""
    sums = [[sum(column) for column in zip(*growth[: end + 1], strict=True)] for end in range(len(growth))]
    snapshots = [usage(**dict(zip(COUNTS, row, strict=True))) for row in sums]
    before, parts, sent = NOTHING, [NOTHING], [NOTHING]
    for snapshot in snapshots:
        for report in (data.draw(st.sampled_from(sent)), snapshot):
            if not is_replay(before, report):
                parts.append(since(before, report))
                before = report
        sent.append(snapshot)
    assert add_up(parts) == snapshots[-1]
