"""The table of promises (docs/reference/dispatch-coverage.md) names tests and modules that exist."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "dispatch-coverage.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ((?:RAD|RK)-[\d.]+) \| (.+) \| (.+) \| (.+) \|$", PAGE, re.MULTILINE)


def test_every_promise_is_there_once() -> None:
    assert len(ROWS) == 76
    assert [number for number, times in Counter(row[0] for row in ROWS).items() if times > 1] == []


def test_every_module_that_is_named_exists() -> None:
    named = {name for _, _, modules, _ in ROWS for name in re.findall(r"`(\w+)`", modules)}
    assert {name for name in named if not (ROOT / "radial_core" / "dispatch" / f"{name}.py").is_file()} == set()


def test_every_test_that_is_named_exists() -> None:
    named = [
        (number, *one) for number, _, _, tests in ROWS for one in re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", tests)
    ]
    assert {number for number, _, _ in named} == {row[0] for row in ROWS}
    assert [one for one in named if not _has(one[1], one[2])] == []


def _has(file: str, name: str) -> bool:
    path = ROOT / file
    return path.is_file() and f"\ndef {name}(" in path.read_text(encoding="utf-8")
