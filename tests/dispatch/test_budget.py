"""A budget stops new work, and says what it could not watch."""

from __future__ import annotations

from typing import Any

import pytest

from radial_core.dispatch.budget import Admission, Budget, Spent, admit, lines
from radial_core.dispatch.usage import Count, Mark, Total, Usage, total


def told(tokens: int, cost: int | None = None) -> Usage:
    return Usage(input=Count.of(tokens), output=Count.of(0), cost=Count.of(cost))


ALL = Budget(turns=5, seconds=3600, tokens=1000, cost=2000, slots=2, retries=3)
USED = Spent(turns=4, running=1, retries=2, seconds=3599, ended=total([told(999, 1999)]))


def stopped(admission: Admission) -> list[str]:
    return [line.name for line in admission.stopped_by]


def test_below_every_limit_a_turn_may_start() -> None:
    admission = admit(ALL, USED, retry=True)
    assert stopped(admission) == []
    assert admission.reason is None


@pytest.mark.parametrize(
    ("spent", "name", "text"),
    [
        (Spent(turns=5), "turns", "turns: 5 of 5"),
        (Spent(seconds=3600), "seconds", "seconds: 3,600 of 3,600"),
        (Spent(ended=total([told(400, 0), told(600, 0)])), "tokens", "tokens: 1,000 of 1,000"),
        (Spent(ended=total([told(0, 2500)])), "cost", "cost: 2,500 of 2,000"),
        (Spent(running=2), "slots", "slots: 2 of 2"),
        (Spent(retries=3), "retries", "retries: 3 of 3"),
    ],
)
def test_each_limit_stops_new_work_when_it_is_reached(spent: Spent, name: str, text: str) -> None:
    admission = admit(ALL, spent, retry=True)
    assert stopped(admission) == [name]
    assert admission.reason == f"the budget allows no more: {text}"
    assert admit(Budget(), spent, retry=True) == Admission(())


def test_all_limits_that_are_reached_are_named() -> None:
    admission = admit(ALL, Spent(turns=6, running=2))
    assert admission.reason == "the budget allows no more: turns: 6 of 5, slots: 2 of 2"


def test_spent_retries_stop_retries_alone() -> None:
    assert stopped(admit(ALL, Spent(retries=3), retry=True)) == ["retries"]
    assert stopped(admit(ALL, Spent(retries=3))) == []


def test_a_limit_of_nothing_allows_nothing() -> None:
    nothing = Budget(turns=0, seconds=0, tokens=0, cost=0, slots=0, retries=0)
    assert len(stopped(admit(nothing, Spent(), retry=True))) == 6


def test_what_was_not_reported_is_said_and_does_not_count_as_nothing() -> None:
    spent = Spent(turns=3, running=1, ended=total([told(400), Usage()]))
    found = {line.name: line for line in lines(ALL, spent)}
    assert str(found["tokens"]) == "tokens: at least 400 of 1,000"
    assert found["tokens"].unenforced == (
        "1 of 2 ended turns did not report all of it, 1 running turns have not reported; at least 400 counted"
    )
    assert found["cost"].used == Count()
    assert found["cost"].unenforced == "2 of 2 ended turns did not report all of it, 1 running turns have not reported"
    assert found["seconds"].unenforced == "1 running turns go on"
    assert [line.name for line in found.values() if line.unenforced] == ["seconds", "tokens", "cost"]


def test_when_all_was_reported_and_nothing_runs_nothing_is_left_to_say() -> None:
    for spent in (Spent(turns=1, ended=total([told(1, 1)])), Spent()):
        assert {line.unenforced for line in lines(ALL, spent)} == {None}


def test_what_is_certain_reaches_a_limit_also_when_more_is_unknown() -> None:
    bounded = Usage(input=Count(Mark.AT_LEAST, 1200), output=Count())
    (line,) = admit(Budget(tokens=1000), Spent(ended=total([bounded]))).stopped_by
    assert str(line) == "tokens: at least 1,200 of 1,000"
    assert line.overshoot == 200


def test_what_is_left_is_no_overshoot() -> None:
    (line,) = lines(Budget(tokens=1000), Spent(ended=Total()))
    assert (line.overshoot, line.reached) == (0, False)


def test_each_limit_says_who_enforces_it() -> None:
    found = {line.name: line.enforced for line in lines(ALL, USED)}
    assert list(found) == ["turns", "seconds", "tokens", "cost", "slots", "retries"]
    assert all(text.startswith("by us") for text in found.values())
    assert {name for name, text in found.items() if "overshoot" in text} == {"seconds", "tokens", "cost"}
    assert "no bill" in found["cost"]


def test_a_limit_that_a_gateway_enforces_is_told_and_stops_nothing_of_ours() -> None:
    budget = Budget(egress=1000)
    (unheard,) = lines(budget, Spent())
    assert (str(unheard), unheard.overshoot) == ("egress: unknown of 1,000", 0)
    assert (unheard.is_loose, unheard.unenforced) == (True, "no gateway says what it has let out")
    gone = Spent(egress=Count.of(1200))
    (line,) = lines(budget, gone)
    assert (str(line), line.overshoot, line.reached) == ("egress: 1,200 of 1,000", 200, False)
    assert line.enforced == "by the gateway, which may overshoot: to us it is a forecast"
    assert (line.is_loose, line.unenforced) == (False, None)
    assert stopped(admit(budget, gone)) == []


@pytest.mark.parametrize("name", ["turns", "seconds", "tokens", "cost", "slots", "retries", "egress"])
def test_a_negative_limit_is_the_callers_mistake(name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} is a limit of at least 0, not -1$"):
        Budget(**{name: -1})


@pytest.mark.parametrize("name", ["turns", "seconds", "tokens", "cost", "slots", "retries", "egress"])
@pytest.mark.parametrize("value", [float("nan"), True, 2.0, "9"])
def test_what_is_no_whole_number_is_no_limit(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"^{name} is a whole number, not {value}$"):
        Budget(**{name: value})


def test_when_the_time_is_over_what_goes_on_is_what_could_not_be_enforced() -> None:
    def seconds(spent: Spent) -> tuple[int, str | None]:
        (line,) = lines(Budget(seconds=60), spent)
        return line.untold, line.unenforced

    assert seconds(Spent(seconds=59, running=2)) == (0, "2 running turns go on")
    assert seconds(Spent(seconds=60, running=2)) == (2, "2 running turns go on")
    assert seconds(Spent(seconds=60, running=2, earlier=1)) == (2, "2 running turns go on")
    assert seconds(Spent(seconds=60)) == (0, None)


def test_what_an_earlier_run_began_is_not_waited_for() -> None:
    spent = Spent(running=3, earlier=2, ended=total([told(1, 1)]))
    found = {line.name: line for line in lines(ALL, spent)}
    assert found["tokens"].unenforced == found["cost"].unenforced == "1 running turns have not reported; 1 counted"
    assert found["slots"].used == Count.of(3)
    assert lines(Budget(tokens=1), Spent(running=2, earlier=2))[0].unenforced is None
