"""Counts that know how far they can be trusted, and what becomes of that in a sum."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from typing import Any

import attrs
import pytest
from hypothesis import given, strategies as st

from radial_core.dispatch.usage import (
    COUNTS,
    MOST_COST,
    MOST_TOKENS,
    NONE,
    NOTHING,
    UNKNOWN,
    Count,
    Mark,
    Usage,
    add_up,
    believed,
    grown,
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


def test_a_total_that_is_less_in_anything_keeps_the_higher_of_each_and_is_a_lower_bound() -> None:
    earlier = usage(input=5, output=5)
    assert grown(earlier, earlier) == earlier
    assert grown(earlier, usage(input=6, output=5)) == usage(input=6, output=5)
    assert grown(NOTHING, FULL) == FULL
    found = grown(earlier, usage(input=6, output=4))
    assert (str(found.input), str(found.output), str(found.cached)) == ("at least 6", "at least 5", "unknown")
    assert found.notes == ("output is less than in an earlier report of the same thread",)
    again = grown(found, usage(input=9, output=9))
    assert (str(again.input), str(again.output), again.notes) == ("at least 9", "at least 9", found.notes)
    assert grown(earlier, usage(input=5)) == usage(input=5)  # what is not reported any more is unknown, not less


def test_what_a_lower_bound_adds_is_one() -> None:
    bounded = usage(input=7, output=5).less_sure("why")
    assert str(since(usage(input=5, output=5), bounded).input) == "at least 2"
    assert str(since(usage(input=5, output=5), bounded).output) == "unknown"
    assert str(since(bounded, usage(input=9, output=9)).input) == "unknown"


GROWTH = st.lists(st.lists(st.integers(0, 9), min_size=len(COUNTS), max_size=len(COUNTS)), min_size=1, max_size=6)


@given(GROWTH)
def test_what_cumulative_reports_add_sums_up_to_the_last(growth: list[list[int]]) -> None:
    sums = [[sum(column) for column in zip(*growth[: end + 1], strict=True)] for end in range(len(growth))]
    snapshots = [NOTHING, *(usage(**dict(zip(COUNTS, row, strict=True))) for row in sums)]
    assert reduce(grown, snapshots) == snapshots[-1]
    assert add_up(since(*pair) for pair in pairwise(snapshots)) == snapshots[-1]


@given(GROWTH)
def test_whatever_reports_say_no_total_falls_and_what_may_be_more_is_not_called_exact(rows: list[list[int]]) -> None:
    reports = [usage(**dict(zip(COUNTS, row, strict=True))) for row in rows]
    total = reduce(grown, reports)
    falls = any(later < earlier for pair in pairwise(rows) for earlier, later in zip(*pair, strict=True))
    for name, column in zip(COUNTS, zip(*rows, strict=True), strict=True):
        assert getattr(total, name) == Count(Mark.AT_LEAST if falls else Mark.REPORTED, max(column))
    assert bool(total.notes) == falls


MOST, DEAREST = Count.of(MOST_TOKENS), Count.of(MOST_COST)
OVER, TOO_DEAR = Count.of(MOST_TOKENS + 1), Count.of(MOST_COST + 1)
COUNTED = Usage(input=Count.of(9), fresh=Count.of(9), output=Count.of(2), cost=Count.of(5))


@pytest.mark.parametrize("name", ["input", "fresh", "cached", "written", "output", "reasoning"])
@pytest.mark.parametrize("lie", [OVER, Count.of(2**53), Count(Mark.AT_LEAST, MOST_TOKENS + 1)])
def test_a_report_of_more_tokens_than_a_turn_can_use_tells_none(name: str, lie: Count) -> None:
    changes: dict[str, Any] = {name: lie}
    found = believed(attrs.evolve(COUNTED, **changes))
    assert {getattr(found, one) for one in COUNTS if one != "cost"} == {Count()}
    assert found.tokens == Count()
    assert found.cost == Count.of(5)
    assert found.notes == ("no turn can have used so many tokens",)


def test_what_adds_up_to_more_is_no_better_and_a_price_is_judged_by_itself() -> None:
    half = Count.of(MOST_TOKENS // 2 + 1)
    assert believed(Usage(input=half, output=half)).tokens == Count()
    dear = believed(attrs.evolve(COUNTED, cost=TOO_DEAR))
    assert (dear.tokens, dear.cost, dear.notes) == (Count.of(11), Count(), ("no turn can have cost so much",))
    most = Usage(input=MOST, output=Count.of(0), cost=DEAREST)
    assert [believed(one) for one in (most, COUNTED, Usage())] == [most, COUNTED, Usage()]


def test_a_sum_takes_such_turns_as_silent_and_counts_them() -> None:
    found = total([COUNTED, attrs.evolve(COUNTED, input=OVER), attrs.evolve(COUNTED, cost=TOO_DEAR), Usage()])
    assert (found.turns, found.told_tokens, found.told_cost, found.unbelieved) == (4, 2, 2, 2)
    assert str(found.usage.tokens) == "at least 22"
    assert str(found.usage.cost) == "at least 10"
