"""DC-1: the core imports what is listed here and nothing else, and calls no built-in that reaches outside.

import-linter and ruff forbid what somebody thought of; an allow-list also forbids what nobody did.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PURE_STANDARD_LIBRARY = {
    "binascii",
    "__future__",
    "base64",
    "bisect",
    "collections",
    "dataclasses",
    "decimal",
    "enum",
    "fractions",
    "functools",
    "hashlib",
    "heapq",
    "itertools",
    "json",
    "math",
    "operator",
    "re",
    "string",
    "types",
    "typing",
    "unicodedata",
}
LIBRARIES = {"attrs", "cattrs", "cbor2", "multiformats"}
ALLOWED = PURE_STANDARD_LIBRARY | LIBRARIES | {"radial_core"}
OUTSIDE = {"__import__", "breakpoint", "eval", "exec", "input", "open", "print"}


def strangers(source: str) -> Iterator[str]:
    """Yield every import outside the list, and every use of a built-in that reaches outside."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names if name.name.split(".")[0] not in ALLOWED)
            case ast.ImportFrom(module=str(module), level=0) if module.split(".")[0] not in ALLOWED:
                yield module
            case ast.ImportFrom(level=level) if level:
                yield "a relative import"
            case ast.Name(id=name, ctx=ast.Load()) if name in OUTSIDE:
                yield name
            case _:
                pass


def test_the_core_imports_only_what_is_pure(root: Path) -> None:
    files = sorted((root / "radial_core").rglob("*.py"))
    assert files
    found = {str(file.relative_to(root)): [*strangers(file.read_text(encoding="utf-8"))] for file in files}
    assert {name: names for name, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("source", "stranger"),
    [
        ("import os.path", "os.path"),
        ("import json, time", "time"),
        ("from datetime import datetime", "datetime"),
        ("from . import views", "a relative import"),
        ("def f():\n    import random", "random"),
        ("text = open('x').read()", "open"),
        ("import radial_io.store", "radial_io.store"),
    ],
)
def test_a_stranger_is_noticed(source: str, stranger: str) -> None:
    assert [*strangers(source)] == [stranger]


def test_what_the_core_imports_anyway_is_no_stranger() -> None:
    assert [*strangers("import json\nfrom collections.abc import Iterable\nfrom radial_core.views import x")] == []
