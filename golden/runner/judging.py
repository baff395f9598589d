"""One case: what is asked, and whether the answer is right.

Strategy: each kind of case is a function that asks and judges. An expectation becomes a question that holds nothing of
its answer. A scenario is asked in several variants that say the same thing, and must be answered alike in all of them,
beyond what is expected too. The first thing that is wrong is the result.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from golden.runner.comparing import ABSENT, Difference, first_difference, first_missing
from golden.runner.process import Broken
from golden.runner.suite import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from golden.runner.suite import Case

    Ask: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class Result:
    """What became of one case; `variant`, `question` and `difference` say where it went wrong.

    `alone` tells whether that variant by itself shows it. `allowed`: a list of exceptions names the case.
    """

    id: str
    status: str
    variant: str | None = None
    question: str | None = None
    difference: Difference | None = None
    message: str | None = None
    stderr: str = ""
    alone: bool = True
    allowed: bool = False


# The variants of a scenario: the same set of observations each time ---------------------------------------------------

AS_GIVEN: Final = "as-given"


def _shuffled(records: list[Any], case: str, seed: int) -> list[Any]:
    mixed = list(records)
    random.Random(f"{seed}/{case}").shuffle(mixed)  # noqa: S311 - repeatable is what it has to be
    return mixed


VARIANTS: Final[dict[str, Callable[[list[Any], str, int], list[Any]]]] = {
    AS_GIVEN: lambda records, _case, _seed: records,
    "reversed": lambda records, _case, _seed: records[::-1],
    "shuffled": _shuffled,
    "twice": lambda records, _case, _seed: [record for record in records for _ in range(2)],
}


@dataclass(frozen=True)
class Plan:
    """How scenarios are asked."""

    variants: Sequence[str] = tuple(VARIANTS)
    seed: int = 0


# Questions ------------------------------------------------------------------------------------------------------------

# What an expectation says of the index alone: where it stands in the answer.
_OF_THE_INDEX: Final[dict[str, Callable[[dict[str, Any]], Any]]] = {
    "ignored": lambda index: index.get("ignored", ABSENT),
    "edits": lambda index: index.get("edits", ABSENT),
    "index": lambda index: index,
}
# What is asked for by name, and how much of the expectation the question repeats.
_BY_NAME: Final[dict[str, Callable[[Any], Any]]] = {
    "explain": lambda rows: [row["uri"] for row in rows],
    "capable": lambda rows: [{"space": row["space"], "type": row["type"]} for row in rows],
    "upstream": sorted,
    "downstream": sorted,
    "live": sorted,
    "winner": sorted,
}
CIRCUMSTANCES: Final[tuple[str, ...]] = ("at", "sightings")


def question(expectation: dict[str, Any]) -> dict[str, Any]:
    """Ask what an expectation answers. Raises `UsageError` for one that this runner does not know."""
    known = {"description", *_OF_THE_INDEX, *_BY_NAME, *CIRCUMSTANCES}
    if unknown := expectation.keys() - known:
        raise UsageError(f"an expectation says {', '.join(sorted(unknown))}, which this runner does not know")
    circumstances: dict[str, Any] = {key: expectation[key] for key in CIRCUMSTANCES if key in expectation}
    asked = {key: repeat(expectation[key]) for key, repeat in _BY_NAME.items() if key in expectation}
    return {"index": True, **circumstances, **asked}


def _claims(expectation: dict[str, Any], answer: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Pair what is expected with what was answered, the most telling question first."""
    for key, pick in _OF_THE_INDEX.items():
        if key in expectation:
            index = answer.get("index", ABSENT)
            yield key, expectation[key], pick(index) if isinstance(index, dict) else ABSENT
    for key in _BY_NAME:
        if key in expectation:
            yield key, expectation[key], answer.get(key, ABSENT)


# The kinds of cases ---------------------------------------------------------------------------------------------------


def try_scenario(case: Case, ask: Ask, plan: Plan) -> Result:
    """Ask a scenario in every variant of the plan."""
    expected = case.document["expect"]
    questions = [question(expectation) for expectation in expected]
    first: tuple[str, list[Any]] | None = None
    for variant in plan.variants:
        records = VARIANTS[variant](case.document["records"], case.id, plan.seed)
        answer = ask({"cmd": "run", "records": records, "ask": questions})
        if (refused := _refusal(case, answer, variant)) is not None:
            return refused
        answers = _answers(answer, len(questions))
        failure = _failure(case, variant, expected, answers) or _disagreement(case, variant, first, answers)
        if failure is not None:
            return failure
        first = first or (variant, answers)
    return Result(case.id, "passed")


def _answers(answer: dict[str, Any], number: int) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = answer["answers"]
    if len(answers) != number or not all(isinstance(one, dict) for one in answers):
        raise Broken("protocol-error", f"{number} questions were answered with {len(answers)} answers, or no objects")
    return answers


def _failure(case: Case, variant: str, expected: list[dict[str, Any]], answers: list[dict[str, Any]]) -> Result | None:
    for expectation, answer in zip(expected, answers, strict=True):
        for key, wanted, found in _claims(expectation, answer):
            if (difference := first_missing(wanted, found)) is not None:
                return Result(case.id, "failed", variant, f"{expectation['description']} ({key})", difference)
    return None


def _disagreement(case: Case, variant: str, first: tuple[str, list[Any]] | None, answers: list[Any]) -> Result | None:
    """The variants say the same thing: whatever is answered, expected or not, is answered alike."""
    if first is None:
        return None
    earlier, before = first
    if json.dumps(before, sort_keys=True) == json.dumps(answers, sort_keys=True):
        return None
    difference = first_difference(before, answers)
    if difference is None:
        return None
    asked = f"the same answers as to {earlier}"
    return Result(case.id, "failed", variant, asked, difference, alone=False)


def try_record(case: Case, ask: Ask, _plan: Plan) -> Result:
    """Fold one record: an invalid one is ignored by L1 for its one fault, a valid one by no rule about its form."""
    uri, fault = case.document["uri"], case.document.get("fault")
    answer = ask({"cmd": "run", "records": [{"uri": uri, "value": case.document["value"]}], "ask": [{"index": True}]})
    if (refused := _refusal(case, answer)) is not None:
        return refused
    (only,) = _answers(answer, 1)
    rule, reason = _ruling(only.get("index"), uri)
    wanted = {"rule": "L1", "faults": [fault]} if fault is not None else _WELL_FORMED
    found = {"rule": rule, "faults": _PATHS(reason)} if rule in {"L1", "L6"} else _WELL_FORMED
    return _judged(case, "what is wrong with its form (ignored)", wanted, found)


_WELL_FORMED: Final = {"rule": "none about its form", "faults": []}
# The wording of a fault, `message @ $.path`, is everybody's own, and so is how several are strung together.
_PATHS: Final = re.compile(r"@ (\$[^\s;,]*)").findall


def _ruling(index: Any, uri: str) -> tuple[Any, str]:
    """Find the rule that keeps a record out, and the reason in words."""
    rows = index.get("ignored") if isinstance(index, dict) else None
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and row.get("uri") == uri:
            return row.get("rule", ABSENT), str(row.get("reason"))
    return ABSENT, ""


def try_value(case: Case, ask: Ask, _plan: Plan) -> Result:
    """Encode one value."""
    answer = ask({"cmd": "encode", "value": case.document["value"]})
    wanted = {"hex": case.document["bytes"], "cid": case.document["cid"]}
    return _refusal(case, answer) or _judged(case, "the bytes and the CID", wanted, answer)


def try_line(case: Case, ask: Ask, _plan: Plan) -> Result:
    """Read one line: whether it is malformed; if not, whose CID it has, as far as the line says so itself."""
    answer = ask({"cmd": "parse", "line": case.document["line"]})
    if (refused := _refusal(case, answer)) is not None:
        return refused
    malformed = case.document["malformed"]
    if malformed and answer["ok"] is False and not answer.get("faults"):
        return Result(
            case.id, "failed", None, "the faults", Difference("$.faults", "at least one", answer.get("faults"))
        )
    wanted = {"ok": False} if malformed else {"ok": True, **_stated_cid(case.document["line"])}
    return _judged(case, "whether the line is malformed", wanted, answer)


def _stated_cid(line: str) -> dict[str, Any]:
    """Nothing is stored of a deletion or a blank line; a line may say its CID; else this runner cannot know it."""
    item = json.loads(line) if line.strip() else {"deleted": True}
    if item.get("deleted") is True:
        return {"cid": None}
    return {"cid": item["cid"]} if isinstance(item.get("cid"), str) else {}


def _judged(case: Case, asked: str, wanted: dict[str, Any], found: dict[str, Any]) -> Result:
    difference = first_missing(wanted, found)
    return Result(case.id, "passed") if difference is None else Result(case.id, "failed", None, asked, difference)


def _refusal(case: Case, answer: dict[str, Any], variant: str | None = None) -> Result | None:
    if "skip" in answer:
        return Result(case.id, "skipped", variant, message=answer["skip"])
    return Result(case.id, "errored", variant, message=answer["error"]) if "error" in answer else None


KINDS: Final = {"canonical": try_value, "lines": try_line, "records": try_record, "scenarios": try_scenario}


def judge(case: Case, ask: Ask, plan: Plan) -> Result:
    """Ask a case and give what became of it; a conversation that breaks off is a result as well."""
    variants: list[str] = []

    def noted(request: dict[str, Any]) -> dict[str, Any]:
        if case.kind == "scenarios":
            variants.append(plan.variants[len(variants)])
        return ask(request)

    try:
        return KINDS[case.kind](case, noted, plan)
    except Broken as end:
        return Result(case.id, end.status, variants[-1] if variants else None, message=end.message, stderr=end.stderr)
