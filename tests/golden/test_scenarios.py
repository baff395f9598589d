"""Every golden scenario, in four variants: as given, reversed, shuffled, and every record twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from radial_core import Index, live, materialize, parse_instant, read_jsonl, winner
from tests.golden.partial import first_difference

if TYPE_CHECKING:
    from collections.abc import Callable

SCENARIOS = Path(__file__).parents[2] / "golden" / "scenarios"
FILES = sorted(SCENARIOS.rglob("*.json"))


def _every_third_first(records: list[Any]) -> list[Any]:
    """Shuffle, the same way each time."""
    return [*records[2::3], *records[::3], *records[1::3]]


VARIANTS: dict[str, Callable[[list[Any]], list[Any]]] = {
    "as given": lambda records: records,
    "reversed": lambda records: records[::-1],
    "shuffled": _every_third_first,
    "twice": lambda records: [*records, *records],
}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SCENARIOS).with_suffix("")))
def test_scenario_holds_in_every_variant(file: Path) -> None:
    scenario = json.loads(file.read_text(encoding="utf-8"))
    for name, vary in VARIANTS.items():
        records = list(read_jsonl(json.dumps(record) for record in vary(scenario["records"])))
        index = materialize(records)
        for expectation in scenario["expect"]:
            found = _answer(index, expectation)
            wanted = {key: expectation[key] for key in found}
            difference = first_difference(wanted, found)
            assert difference is None, f"{name}: {expectation['description']}: {difference}"


def _answer(index: Index, expectation: dict[str, Any]) -> dict[str, Any]:
    """Ask the index what the expectation speaks of."""
    plain = index.to_json()
    answers: dict[str, Callable[[], Any]] = {
        "index": lambda: plain,
        "ignored": lambda: plain["ignored"],
        "edits": lambda: plain["edits"],
        "digest": lambda: index.digest,
        "winner": lambda: {request: _winner(index, request, expectation) for request in expectation["winner"]},
        "live": lambda: {claim: _live(index, claim, expectation) for claim in expectation["live"]},
        "upstream": lambda: {uri: list(index.upstream(uri)) for uri in expectation["upstream"]},
        "downstream": lambda: {uri: list(index.downstream(uri)) for uri in expectation["downstream"]},
        "capable": lambda: [
            ask | {"agents": [agent.uri for agent in index.capable(ask["space"], ask["type"])]}
            for ask in expectation["capable"]
        ],
        "explain": lambda: [_explain(index, row["uri"]) for row in expectation["explain"]],
    }
    unknown = expectation.keys() - answers.keys() - {"description", "at", "sightings"}
    assert not unknown, f"an expectation asks for {unknown}, which this test does not know"
    return {key: answers[key]() for key in expectation if key in answers}


def _explain(index: Index, uri: str) -> dict[str, Any]:
    explanation = index.explain(uri)
    assert explanation.sentences
    return {
        "uri": uri,
        "verdict": explanation.verdict,
        "places": list(explanation.places),
        "rule": explanation.rule,
    }


def _sightings(index: Index, expectation: dict[str, Any]) -> dict[tuple[str, str], Any]:
    given: dict[tuple[str, str], Any] = {}
    for sighting in expectation.get("sightings", ()):
        entry = index.entry(sighting["uri"])
        assert entry is not None
        given[sighting["uri"], sighting.get("cid", entry.cid)] = parse_instant(sighting["seenAt"])
    return given


def _winner(index: Index, request: str, expectation: dict[str, Any]) -> str | None:
    lease = winner(index.leases(request), _sightings(index, expectation), parse_instant(expectation["at"]))
    return None if lease is None else lease.uri


def _live(index: Index, claim: str, expectation: dict[str, Any]) -> bool:
    entry = index.entry(claim)
    assert entry is not None
    lease = next(held for held in index.leases(entry.record.request) if held.uri == claim)
    return live(lease, _sightings(index, expectation).get((lease.uri, lease.cid)), parse_instant(expectation["at"]))


def test_there_are_scenarios() -> None:
    assert FILES, "golden/scenarios is empty: nothing was tested"
