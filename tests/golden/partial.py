"""Comparison as golden/README.md has it: objects partly, lists in full."""

from __future__ import annotations

from typing import Any


def first_difference(wanted: Any, found: Any, path: str = "$") -> str | None:
    """Give the first path where `found` is not what is `wanted`, or nothing."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key, inner in wanted.items():
            if key not in found:
                return f"{path}.{key} is missing"
            if (difference := first_difference(inner, found[key], f"{path}.{key}")) is not None:
                return difference
        return None
    if isinstance(wanted, list) and isinstance(found, list):
        if len(wanted) != len(found):
            return f"{path} has {len(found)} items instead of {len(wanted)}: {found!r} instead of {wanted!r}"
        pairs = enumerate(zip(wanted, found, strict=True))
        return next((d for i, (w, f) in pairs if (d := first_difference(w, f, f"{path}[{i}]")) is not None), None)
    same = wanted == found and isinstance(wanted, bool) == isinstance(found, bool)
    return None if same else f"{path} is {found!r} instead of {wanted!r}"
