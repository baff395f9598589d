"""What the events of three harnesses amount to. Every expected number was computed by hand from the file beside it."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from radial_core.dispatch.reports import CODEX, PI, READERS, codex_total, codex_usage, read_report, usage_of
from radial_core.dispatch.usage import COUNTS, Usage

FOLDER = Path(__file__).parent / "usage"


def events(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def said(usage: Usage) -> dict[str, str]:
    return {name: str(getattr(usage, name)) for name in COUNTS}


def counts(text: str) -> dict[str, str]:
    """Read `input fresh cached written output reasoning cost`: `-` is unknown, `>5` at least 5."""
    words = ["unknown" if word == "-" else word.replace(">", "at least ") for word in text.split()]
    return dict(zip(COUNTS, words, strict=True))


CASES = {
    # input 900 = fresh 300 + cached 500 + written 100
    "codex-run": ("900 300 500 100 70 20 -", ""),
    # the last total: 1500 = 550 + 800 + 150; the two reports that come again add nothing
    "codex-two-turns-replayed": ("1,500 550 800 150 110 30 -", ""),
    "codex-failed": ("- - - - - - -", "codex reports nothing unless"),
    "codex-killed": ("- - - - - - -", "codex reports nothing unless"),
    # an error line is a retry, no end; 640 = 340 + 240 + 60; no reasoning was reported as none
    "codex-retried": ("640 340 240 60 33 0 -", ""),
    "codex-second-turn-failed": (">900 >300 >500 >100 >70 >20 -", "codex did not complete its last turn"),
    # both models: 210 + 30, 1200 + 0, 300 + 0, 45 + 5; 0.0123455 is 12,346 millionths when rounded up, and 100
    "claude-run": ("1,740 240 1,200 300 50 - 12,446", ""),
    # everything, and not the main thread's 150 + 20: 900 + 120 + 0
    "claude-sub-agents": ("1,020 900 120 0 180 - 50,000", ""),
    # the main thread says nothing: 310 + 200 + 50
    "claude-cut-stream": ("560 310 200 50 4 - 3,100", ""),
    # stopped at a limit of its own, with everything reported: 20 + 6 + 5
    "claude-max-turns": ("31 20 6 5 7 - 10,000", ""),
    # msg_1 once, msg_2, not the synthetic one: 100 + 11, 300 + 420, 20 + 0, 1 + 2
    "claude-killed": (">851 >111 >720 >20 >3 - -", "without a result: its messages"),
    "claude-killed-at-once": ("- - - - - - -", "claude ended without a result"),
    "claude-refused": (">0 >0 >0 >0 >0 - -", "only the main thread"),
    "claude-interrupted": (">100 >50 >40 >10 >7 - >2,000", "claude was interrupted"),
    # 40 + 50, 600 + 700, 80 + 0, 25 + 15, 500 + 400 millionths
    "pi-messages": ("1,470 90 1,300 80 40 - 900", ""),
    # 130 is fresh input and cache writes together
    "pi-responses": ("330 - 200 - 9 - 1,000", "fresh input from cache writes"),
    # 170 cache reads at least: 30 of those that pi calls fresh may be some too; all in all 131 + 170 + 30
    "pi-completions": ("331 - >170 30 9 - 1,000", "cache reads as fresh"),
    "pi-completions-without-writes": ("331 131 200 0 9 - 1,000", ""),
    "pi-retried": (">20 >5 >7 >8 >6 - >9", "broke off"),
    "pi-killed": (">20 >5 >7 >8 >6 - >9", "broke off"),
    "pi-no-answer": ("- - - - - - -", "before any answer"),
}
HARNESSES = {"codex": "codex", "claude": "claude-code", "pi": "pi"}


@pytest.mark.parametrize("name", CASES)
def test_what_a_run_used(name: str) -> None:
    usage = usage_of(HARNESSES[name.split("-", maxsplit=1)[0]], events(name))
    expected, note = CASES[name]
    assert said(usage) == counts(expected)
    assert len(usage.notes) == bool(note)
    assert note in "".join(usage.notes)


def test_every_fixture_is_looked_at() -> None:
    assert {file.stem for file in FOLDER.glob("*.jsonl")} == {*CASES, "codex-resumed"}
    assert READERS.keys() == set(HARNESSES.values())


def test_a_resumed_thread_counts_for_what_it_added() -> None:
    before = codex_total(events("codex-run"))
    assert before is not None
    run = codex_usage(events("codex-resumed"), before=before)
    # 550 - 300 fresh, 800 - 500 cached, 150 - 100 written, 110 - 70 output, 30 - 20 reasoning
    assert said(run) == counts("600 250 300 50 40 10 -")
    both = codex_usage(events("codex-run")) + run
    assert said(both) == said(codex_usage(events("codex-resumed")))


def test_a_resumed_thread_whose_earlier_total_is_lost_is_unknown_and_says_so() -> None:
    run = codex_usage(events("codex-resumed"), before=None)
    assert said(run) == counts("- - - - - - -")
    assert run.notes == ("the thread was resumed and its earlier total is not known",)


def test_a_resumed_run_that_only_repeats_the_earlier_total_used_nothing() -> None:
    before = codex_total(events("codex-resumed"))
    assert before is not None
    assert codex_total(events("codex-resumed"), before=before) == before
    assert said(codex_usage(events("codex-resumed"), before=before)) == counts("0 0 0 0 0 0 -")


def test_a_resumed_run_that_reports_less_than_before_is_not_believed_to_have_used_nothing() -> None:
    before = codex_total(events("codex-resumed"))
    assert before is not None
    total = codex_total(events("codex-run"), before=before)
    assert total is not None
    assert said(total) == counts(">1,500 >550 >800 >150 >110 >30 -")
    run = codex_usage(events("codex-run"), before=before)
    assert said(run) == counts("- - - - - - -")
    assert [note.split()[0] for note in run.notes] == ["input", "fresh", "cached", "written", "output", "reasoning"]
    assert all(note.endswith(" is less than in an earlier report of the same thread") for note in run.notes)


def test_a_total_of_which_a_part_fell_is_a_lower_bound() -> None:
    first = read_report({"input_tokens": 9, "cached_input_tokens": 4, "cache_write_input_tokens": 0,
                         "output_tokens": 5, "reasoning_output_tokens": 1}, CODEX)  # fmt: skip
    assert said(first) == counts("9 5 4 0 5 1 -")
    second = {"input_tokens": 20, "cached_input_tokens": 3, "cache_write_input_tokens": 0,
              "output_tokens": 6, "reasoning_output_tokens": 1}  # fmt: skip
    run = codex_usage([{"type": "turn.completed", "usage": second}], before=first)
    # 20 - 9 input, 17 - 5 fresh and 6 - 5 output at least; the others are no more than before
    assert said(run) == counts(">11 >12 - - >1 - -")
    assert run.notes == ("cached is less than in an earlier report of the same thread",)


def completed(given: int, output: int) -> dict[str, Any]:
    usage = {"input_tokens": given, "cached_input_tokens": 0, "cache_write_input_tokens": 0, "output_tokens": output}
    return {"type": "turn.completed", "usage": usage}


@pytest.mark.parametrize(
    ("totals", "expected", "fallen"),
    [
        ([(10, 1), (30, 2)], "30 30 0 0 2 - -", ()),
        # what was seen before is sent again, the earliest too
        ([(10, 1), (30, 2), (10, 1), (30, 2), (40, 3), (10, 1)], "40 40 0 0 3 - -", ()),
        # begun anew, or sent by whoever lies: what is certain is kept, and stays a lower bound
        ([(30, 2), (10, 3)], ">30 >30 - - >3 - -", ("input", "fresh")),
        ([(30, 2), (10, 3), (50, 4)], ">50 >50 - - >4 - -", ("input", "fresh")),
        ([(30, 2), (10, 3), (50, 1)], ">50 >50 - - >3 - -", ("input", "fresh", "output")),
    ],
)
def test_a_total_that_falls_on_the_way(totals: list[tuple[int, int]], expected: str, fallen: tuple[str, ...]) -> None:
    run = codex_usage([completed(*one) for one in totals])
    assert said(run) == counts(expected)
    assert tuple(note.split()[0] for note in run.notes) == fallen


@pytest.mark.parametrize(
    ("report", "expected", "notes"),
    [
        # RK-15.3: subsets are taken out once
        ((100, 40, 30, 10, 5), "100 30 40 30 10 5 -", 0),
        # the seed's own run: 13,410 fresh with the writes, 5,512 without
        ((35_368, 21_958, 7_898, 310, 213), "35,368 5,512 21,958 7,898 310 213 -", 0),
        ((100, 40, None, 10, 5), "100 - 40 - 10 5 -", 1),
        ((100, 80, 30, 10, 5), "100 - 80 30 10 5 -", 1),
        ((None, 40, 30, 10, None), "- - 40 30 10 - -", 0),
        ((100, 100, 0, 0, 0), "100 0 100 0 0 0 -", 0),
    ],
)
def test_an_inclusive_input_is_split_or_said_not_to_be(
    report: tuple[int | None, ...], expected: str, notes: int
) -> None:
    names = (CODEX.input, CODEX.cached, CODEX.written, CODEX.output, CODEX.reasoning)
    usage = read_report({name: count for name, count in zip(names, report, strict=True) if count is not None}, CODEX)
    assert said(usage) == counts(expected)
    assert len(usage.notes) == notes


@pytest.mark.parametrize("count", ["7", 7.0, True, -1, None, [7]])
def test_what_is_no_number_is_not_nothing(count: Any) -> None:
    usage = read_report({"input": count, "cacheRead": 0, "cacheWrite": 0, "output": 1}, PI)
    assert said(usage) == counts(">0 - 0 0 1 - -")


@pytest.mark.parametrize(
    ("price", "cost"),
    [(1, "1,000,000"), (Decimal("0.5"), "500,000"), (0.0000001, "1"), (0.0, "0"), (float("nan"), "unknown"),
     (float("inf"), "unknown"), (-1, "unknown"), ("1", "unknown"), (True, "unknown"), (None, "unknown"),
     (Decimal("1E-400000"), "1"), (Decimal("1E+400000"), "unknown"), (Decimal("NaN"), "unknown"),
     (Decimal("sNaN"), "unknown"), (Decimal("-Infinity"), "unknown"), (1e308, "unknown"), (2**53, "unknown")],
)  # fmt: skip
def test_a_price_is_counted_in_millionths_and_never_rounded_away(price: Any, cost: str) -> None:
    message = {"role": "assistant", "usage": {"cost": {"total": price}}, "stopReason": "stop"}
    usage = usage_of("pi", [{"type": "message_end", "message": message}])
    assert str(usage.cost) == cost


def test_a_number_of_more_digits_than_can_be_spelled_is_no_price() -> None:
    message = {"role": "assistant", "usage": {"cost": {"total": 10**5000}, "input": 10**5000}}
    assert said(usage_of("pi", [{"type": "message_end", "message": message}])) == counts("- - - - - - -")


def test_reports_of_another_shape_report_nothing() -> None:
    odd: list[dict[str, Any]] = [
        {"type": "turn.completed", "usage": [1]},
        {"type": "result", "modelUsage": [1], "usage": "x"},
        {"type": "message_end", "message": {"role": "assistant", "usage": 3, "stopReason": "stop"}},
        {"type": "message_end", "message": "x"},
        {"type": "assistant", "message": None},
        {},
    ]
    for harness in READERS:
        assert said(usage_of(harness, odd)) == counts("- - - - - - -"), harness


def test_of_other_harnesses_nothing_is_known() -> None:
    usage = usage_of("command", events("codex-run"))
    assert said(usage) == counts("- - - - - - -")
    assert usage.notes == ("nothing is known of how command reports what it uses",)


# Where a reader looks for a word, an object or a number, anything may stand.
NAMED = (
    "type", "message", "usage", "id", "model", "role", "api", "stopReason", "subtype", "modelUsage", "cost", "total",
    "input_tokens", "cached_input_tokens", "inputTokens", "outputTokens", "costUSD", "input", "cacheRead", "output",
)  # fmt: skip
KINDS = (
    "turn.started", "turn.completed", "turn.failed", "result", "assistant", "message_end", "error", "stop",
    "openai-responses", "openai-completions", "error_during_execution",
)  # fmt: skip
PRINTED = st.recursive(
    st.sampled_from((None, True, -1, 0, 7, 10**30, 0.5, 1e308, float("nan"), float("-inf"), "", "\ud800", *KINDS)),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(NAMED), inner, max_size=6),
    max_leaves=12,
)


@pytest.mark.parametrize("harness", READERS)
@given(st.lists(PRINTED, max_size=6))
def test_whatever_a_sandbox_prints_is_read_or_passed_over(harness: str, printed: list[Any]) -> None:
    usage = usage_of(harness, printed)
    for name in COUNTS:
        assert 0 <= getattr(usage, name).least <= 3 * len(printed) * 2 * 2**53
