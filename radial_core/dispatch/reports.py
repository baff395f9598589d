"""How each harness reports what it used, read into one form.

Strategy: a harness's events come as the objects that it printed, one a line. For each harness there is one reader, and
for each place where it reports a table of the names it uses there. A number that is missing or is none is unknown, and
whatever else stands where a word or an object is looked for is passed over: what a sandbox prints may be anything. The
peculiarities are measured ones: what is said here about a harness was seen of the version named beside it. A harness
that is not listed reports nothing that we could read.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, Context, Decimal
from functools import reduce
from typing import TYPE_CHECKING, Any, Final

import attrs

from radial_core.dispatch.usage import NOTHING, UNKNOWN, Count, Mark, Usage, add_up, grown, since

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeAlias

    Events: TypeAlias = Sequence[Mapping[str, Any]]


@attrs.frozen
class Names:
    """What the counts are called in one kind of report; `inclusive`: the input holds cached and written tokens too."""

    input: str
    cached: str
    written: str
    output: str
    reasoning: str = ""
    cost: str = ""
    inclusive: bool = False


_DIGITS: Final = 50
_CONTEXT: Final = Context(
    prec=_DIGITS, rounding=ROUND_CEILING, Emin=MIN_EMIN, Emax=MAX_EMAX, capitals=1, clamp=0, flags=[], traps=[]
)
CODEX: Final = Names(
    "input_tokens",
    "cached_input_tokens",
    "cache_write_input_tokens",
    "output_tokens",
    "reasoning_output_tokens",
    inclusive=True,
)
CLAUDE_MODEL: Final = Names(
    "inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens", "outputTokens", cost="costUSD"
)
CLAUDE: Final = Names("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")
PI: Final = Names("input", "cacheRead", "cacheWrite", "output")


def read_report(report: Any, names: Names) -> Usage:
    """Read one report. What is no object reports nothing."""
    found = _object(report)
    given, cached, written = (_number(found.get(name)) for name in (names.input, names.cached, names.written))
    fresh = given
    total = given + cached + written
    notes: tuple[str, ...] = ()
    if names.inclusive:
        total, fresh = given, _rest(given, cached, written)
        if fresh.mark is Mark.UNKNOWN and given.mark is not Mark.UNKNOWN:
            notes = ("the input could not be split into fresh and cached",)
    return Usage(
        input=total,
        fresh=fresh,
        cached=cached,
        written=written,
        output=_number(found.get(names.output)),
        reasoning=_number(found.get(names.reasoning)),
        cost=_millionths(found.get(names.cost)),
        notes=notes,
    )


def _object(value: Any) -> Mapping[str, Any]:
    return value if value.__class__ is dict else {}


def _word(found: Any, name: str) -> str:
    """Give the text under a name, or none."""
    value = _object(found).get(name)
    return value if isinstance(value, str) else ""


_MOST: Final = 2**53 - 1  # of anything: more is no number of tokens, nor one that every store holds


def _number(value: Any) -> Count:
    return Count.of(value) if value.__class__ is int and 0 <= value <= _MOST else UNKNOWN


def _rest(given: Count, cached: Count, written: Count) -> Count:
    """Take the two subsets out of an inclusive input; where that does not come out even, nobody can tell."""
    known = all(count.mark is Mark.REPORTED for count in (given, cached, written))
    rest = given.least - cached.least - written.least
    return Count.of(rest) if known and rest >= 0 else UNKNOWN


def _millionths(value: Any) -> Count:
    """Read a price; what is less than a millionth is rounded up, so that no sum of such is nothing."""
    if not _is_price(value):
        return UNKNOWN
    return _number(int(_CONTEXT.multiply(Decimal(str(value)), 1_000_000).to_integral_value(ROUND_CEILING, _CONTEXT)))


def _is_price(value: Any) -> bool:
    """Compare before anything is converted: a short text can name a number of a million digits."""
    if value.__class__ is Decimal and not value.is_finite():
        return False
    return value.__class__ in {int, float, Decimal} and 0 <= value <= _MOST


# codex 0.171: a total over the whole thread, earlier runs included; nothing after a failure or a signal ---------------


def codex_usage(events: Events, *, before: Usage | None = NOTHING) -> Usage:
    """Give what one run used.

    `before` is the thread's last total before this run (`codex_total`), nothing for a new thread, None when it is lost.
    """
    now = codex_total(events, before=before or NOTHING)
    if now is None:
        return Usage(notes=("codex reports nothing unless a turn is completed",))
    if before is None:
        return Usage(notes=("the thread was resumed and its earlier total is not known",))
    usage = since(before, now)
    broken = [kind for event in events if (kind := _word(event, "type")) in _TURNS][-1] != "turn.completed"
    return usage.less_sure("codex did not complete its last turn: what that used was not reported") if broken else usage


_TURNS: Final = frozenset({"turn.started", "turn.completed", "turn.failed"})


def codex_total(events: Events, *, before: Usage = NOTHING) -> Usage | None:
    """Give the thread's total as it was last reported, or nothing where none was.

    A report that comes again, of this run or the one before, is passed over.
    """
    reports = [read_report(event.get("usage"), CODEX) for event in events if _word(event, "type") == "turn.completed"]
    return reduce(grown, dict.fromkeys((before, *reports))) if reports else None


# claude 2.1: disjoint counts; the messages of the main thread, then totals by model with everything in them -----------


def claude_usage(events: Events) -> Usage:
    """Give what one run used: the totals by model, else what its main thread says, else the sum of its messages."""
    results = [event for event in events if _word(event, "type") == "result"]
    if not results:
        return _claude_messages(events)
    models = _object(results[-1].get("modelUsage"))
    if not models:
        usage = read_report(results[-1].get("usage"), CLAUDE)
        return usage.less_sure("only the main thread was reported, without sub-agents and side calls")
    usage = add_up(read_report(model, CLAUDE_MODEL) for model in models.values())
    broken = results[-1].get("subtype") == "error_during_execution"
    return usage.less_sure("claude was interrupted: a request that ran then was not reported") if broken else usage


def _claude_messages(events: Events) -> Usage:
    """Add up messages, each once: a message has a line for every block, and was counted when it began."""
    messages = [event["message"] for event in events if _is_message(event, "assistant")]
    usages = {_word(message, "id"): message.get("usage") for message in messages if message.get("model") != _SYNTHETIC}
    if not usages:
        return Usage(notes=("claude ended without a result",))
    usage = add_up(read_report(one, CLAUDE) for one in usages.values())
    return usage.less_sure("claude ended without a result: its messages were counted when they began")


_SYNTHETIC: Final = "<synthetic>"  # an error that claude words as a message


# pi 0.73: each request by itself; how it splits depends on the API ----------------------------------------------------


def pi_usage(events: Events) -> Usage:
    """Give what one run used: the sum of the messages at their ends; other events repeat them."""
    ends = [event["message"] for event in events if _is_message(event, "message_end")]
    messages = [message for message in ends if _word(message, "role") == "assistant"]
    if not messages:
        return Usage(notes=("pi ended before any answer",))
    usage = add_up(_pi_message(message) for message in messages)
    reasons = [_word(message, "stopReason") for message in messages]
    broken = reasons[-1] != "stop" or not _BROKEN.isdisjoint(reasons)
    return usage.less_sure("a request of pi's broke off: what it used was not reported") if broken else usage


_BROKEN: Final = frozenset({"error", "aborted"})


def _pi_message(message: Mapping[str, Any]) -> Usage:
    report = _object(message.get("usage"))
    priced = attrs.evolve(read_report(report, PI), cost=_millionths(_object(report.get("cost")).get("total")))
    return _PI_SPLITS.get(_word(message, "api"), _as_is)(priced)


def _as_is(usage: Usage) -> Usage:
    return usage


def _unsplit(usage: Usage) -> Usage:
    """Of the Responses API pi reads no cache writes: they are in what it calls input."""
    note = "pi does not tell fresh input from cache writes over this API"
    return attrs.evolve(usage, fresh=UNKNOWN, written=UNKNOWN, notes=(*usage.notes, note))


def _shifted(usage: Usage) -> Usage:
    """Of the Completions API pi takes cache writes out of the cache reads, where they need not be."""
    if not usage.written.least:
        return usage
    note = "pi may have counted cache reads as fresh input over this API"
    return attrs.evolve(usage, fresh=UNKNOWN, cached=usage.cached.less_sure(), notes=(*usage.notes, note))


_PI_SPLITS: Final[Mapping[str, Callable[[Usage], Usage]]] = {
    "openai-responses": _unsplit,
    "openai-completions": _shifted,
}


def _is_message(event: Mapping[str, Any], kind: str) -> bool:
    return _word(event, "type") == kind and isinstance(event.get("message"), dict)


READERS: Final[Mapping[str, Callable[[Events], Usage]]] = {
    "codex": codex_usage,
    "claude-code": claude_usage,
    "pi": pi_usage,
}


def usage_of(harness: str, events: Iterable[Mapping[str, Any]]) -> Usage:
    """Give what one run of a harness in a thread of its own used; unknown for a harness that is not listed."""
    reader = READERS.get(harness)
    if reader is None:
        return Usage(notes=(f"nothing is known of how {harness} reports what it uses",))
    return reader([*events])
