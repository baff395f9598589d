"""Comparison with a partial tree."""

from __future__ import annotations

from typing import Any


def assert_matches(found: Any, wanted: Any, path: str = "$") -> None:
    """Compare with a partial tree: every key given must match, and lists in full."""
    if isinstance(wanted, dict):
        assert isinstance(found, dict), path
        for key, inner in wanted.items():
            assert key in found, f"{path}.{key} is missing"
            assert_matches(found[key], inner, f"{path}.{key}")
    elif isinstance(wanted, list):
        assert isinstance(found, list), path
        for place, (one, other) in enumerate(zip(found, wanted, strict=False)):
            assert_matches(one, other, f"{path}[{place}]")
        assert len(found) == len(wanted), f"{path} has {len(found)} entries, not {len(wanted)}"
    else:
        assert found == wanted, f"{path}: {found!r}, not {wanted!r}"
