"""Write docs/reference/rule-coverage.md: for each sentence of the protocol the cases that pin it.

Strategy: golden/rules.json says every sentence in short, numbered within its rule; golden/pins.json names, for each,
the cases that would fail without it, or says why no case can show it. A scenario may also cite a sentence itself
(`T4.2`). The page is those three put together, and nothing is decided here. Run without arguments from anywhere to
write it; a test holds it against its sources, and finds the holes.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "golden"
PAGE = ROOT / "docs" / "reference" / "rule-coverage.md"

_HEAD = """# Which case pins which sentence

Made by `tools/golden_coverage.py` from `golden/rules.json`, `golden/pins.json` and the scenarios: change those.

The sentences are those of the protocol, in short; [the rules](protocol.md) say what each rule is about. S0 is what
holds for the fold as a whole, J1 is [the index as JSON](json.md). Cases are files below `golden/` (scenarios below
`golden/scenarios/`), each of which would fail without the sentence.
"""


@dataclass(frozen=True)
class Sentence:
    """One sentence: `name` is `T4.2`. `cases` pin it; or `why` says that none can."""

    name: str
    text: str
    cases: tuple[str, ...]
    why: str | None

    @property
    def is_hole(self) -> bool:
        """Nothing pins it, and nothing is said about that."""
        return not self.cases and self.why is None


def scenarios() -> dict[str, list[str]]:
    """Give each scenario's citations, by its id."""
    paths = sorted((GOLDEN / "scenarios").rglob("*.json"))
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    return {document["id"]: document["rules"] for document in documents}


def read(name: str) -> dict[str, Any]:
    """Read a JSON file of the suite."""
    tree: dict[str, Any] = json.loads((GOLDEN / name).read_text(encoding="utf-8"))
    return tree


def sentences() -> dict[str, list[Sentence]]:
    """Put the sentences together, by rule, in the order of the protocol."""
    pins, cited = read("pins.json"), scenarios()
    found: dict[str, list[Sentence]] = {}
    for rule, texts in read("rules.json").items():
        names = [f"{rule}.{number}" for number in range(1, len(texts) + 1)]
        found[rule] = [_sentence(name, text, pins[name], cited) for name, text in zip(names, texts, strict=True)]
    return found


def _sentence(name: str, text: str, pinned: list[str] | str, cited: dict[str, list[str]]) -> Sentence:
    citing = [case for case, rules in cited.items() if name in rules]
    if isinstance(pinned, str):
        return Sentence(name, text, tuple(citing), pinned)
    return Sentence(name, text, tuple(dict.fromkeys([*pinned, *citing])), None)


def page() -> str:
    """Give the text of the whole page."""
    found = sentences()
    counts = Counter(rule.split(".")[0] for rules in scenarios().values() for rule in rules)
    return "\n".join([_HEAD, _summary(found), *(_section(rule, rows, counts[rule]) for rule, rows in found.items())])


def _summary(found: dict[str, list[Sentence]]) -> str:
    every = [sentence for rows in found.values() for sentence in rows]
    holes = sum(sentence.is_hole for sentence in every)
    beyond = sum(sentence.why is not None for sentence in every)
    pinned = len(every) - holes - beyond
    return f"{len(every)} sentences: {pinned} pinned, {beyond} that no case can show, {holes} without a case.\n"


def _section(rule: str, rows: list[Sentence], citing: int) -> str:
    told = f"\nCited by {citing} scenarios.\n" if citing else ""
    lines = [f"| {row.name} | {row.text} | {_cases(row)} |" for row in rows]
    return "\n".join([f"## {rule}\n{told}", "| | sentence | cases |", "|---|---|---|", *lines, ""])


def _cases(row: Sentence) -> str:
    if row.is_hole:
        return "**none**"
    named = ", ".join(f"`{case}`" for case in row.cases)
    return "; ".join(filter(None, [named, f"*{row.why}*" if row.why is not None else ""]))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
