"""C4, RAD-6.10: in the module of leases no clock is held against an instant that a writer wrote.

Strategy: the rule is about the text of the program, so the text is read. `now` and `seen_at` are the observer's own:
they may meet in `now.since(seen_at)`, `seen_at` may be unknown, and `now` may be handed on to `live`. Any other use of
them is a finding, and the finder is tried on faulty programs.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

OBSERVERS_OWN = {"now", "seen_at"}


def misuses(source: str) -> list[str]:
    """List every use of the observer's instants that is not one of the three proper ones."""
    tree = ast.parse(source)
    proper = {id(name) for node in ast.walk(tree) for name in _proper_uses(node)}
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in OBSERVERS_OWN]
    return [f"{name.id} in line {name.lineno}" for name in names if id(name) not in proper]


def _proper_uses(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="now") as now, attr="since"),
            args=[ast.Name(id="seen_at") as seen_at],
            keywords=[],
        ):
            return [now, seen_at]
        case ast.Compare(
            left=ast.Name(id="seen_at") as seen_at, ops=[ast.Is()], comparators=[ast.Constant(value=None)]
        ):
            return [seen_at]
        case ast.Call(func=ast.Name(id="live"), args=[_, _, ast.Name(id="now") as now]):
            return [now]
        case _:
            return []


def test_the_observers_clock_is_held_against_nothing_but_itself(root: Path) -> None:
    source = (root / "radial_core" / "leases.py").read_text(encoding="utf-8")
    assert misuses(source) == []
    # The guard has something to guard: two functions take the time, and each uses it once.
    takers = {}
    for function in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)):
        if OBSERVERS_OWN & {argument.arg for argument in function.args.args}:
            uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == "now"]
            takers[function.name] = len(uses)
    assert takers == {"live": 1, "winner": 1}


@pytest.mark.parametrize(
    "body",
    [
        "return now < lease.expires_at",
        "return lease.created_at <= now",
        "return now.since(lease.renewed_at) < 3600",
        "return lease.expires_at.since(now) > 0",
        "return now.seconds < lease.expires_at.seconds",
        "return now == seen_at",
        "return min(now, lease.expires_at) is now",
        "moment = now\n    return moment < lease.expires_at",
        "return lease.expires_at in range(now.seconds)",
        "return now.since(seen_at, lease.created_at)",
        "return now.since(earlier=seen_at)",
        "return now[0] - lease.renewed_at[0]",
        "return sooner(now, lease)",
        "return seen_at < lease.expires_at",
        "return lease.expires_at.since(seen_at) > 0",
        "return seen_at is lease.created_at",
        "return live(lease, now, seen_at)",
    ],
)
def test_the_finder_finds(body: str) -> None:
    assert misuses(f"def live(lease, seen_at, now):\n    {body}\n")


def test_the_finder_lets_the_proper_uses_pass() -> None:
    assert misuses("def live(lease, seen_at, now):\n    return now.since(seen_at) < 5\n") == []
    assert misuses("def winner(leases, now):\n    return [one for one in leases if live(one, None, now)]\n") == []
