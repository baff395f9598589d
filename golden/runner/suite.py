"""What there is to run: the cases of the suite, in the order in which a port meets its faults.

Strategy: a case is a file, its path is its name. Encoding comes first, then reading, then single records, then the
rules with `smoke` at their head: without equal CIDs nothing else can agree. Whatever is named on the command line and
is not there is an error; a list of exceptions that names nothing would be kept for ever.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

FORMAT: Final = 1
SMOKE: Final = "smoke"
# The folders of cases, in order; a scenario's name leaves the first part out.
FOLDERS: Final = ("canonical", "lines", "records", "scenarios")
DATA: Final = (*FOLDERS, "bundles", "schemas")
STATED: Final = frozenset({".json", ".toml"})  # and packets as Markdown
MANIFEST: Final = "MANIFEST"


class UsageError(Exception):
    """The command line, or a file that it names, asks for what is not there."""


@dataclass(frozen=True)
class Case:
    """One file of the suite: `id` is its path without `.json` (of a scenario: under `scenarios/`)."""

    id: str
    kind: str
    document: dict[str, Any]

    @property
    def folder(self) -> str:
        """The heading under which it is counted."""
        return self.id.split("/", 1)[0]


def load(golden: Path) -> list[Case]:
    """Read every case. Raises `UsageError` for a file that is no case of this format."""
    cases = [_case(golden, kind, path) for kind in FOLDERS for path in sorted((golden / kind).rglob("*.json"))]
    if not cases:
        raise UsageError(f"there are no cases in {golden}")
    return sorted(cases, key=lambda case: (FOLDERS.index(case.kind), case.folder != SMOKE, case.id))


def _case(golden: Path, kind: str, path: Path) -> Case:
    top = golden / kind if kind == "scenarios" else golden
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        raise UsageError(f"{path} cannot be read: {fault}") from fault
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise UsageError(f"{path} is not of format {FORMAT}, the one that this runner reads")
    return Case(path.relative_to(top).with_suffix("").as_posix(), kind, document)


def select(cases: list[Case], names: Iterable[str]) -> list[Case]:
    """Keep the cases with these names, or in these folders; all when there are none."""
    wanted = {name.removesuffix(".json").rstrip("/") for name in names}
    if unknown := sorted(name for name in wanted if not any(_is_at(case.id, name) for case in cases)):
        raise UsageError(f"there is no case and no folder {', '.join(unknown)}; see --list")
    return [case for case in cases if any(_is_at(case.id, name) for name in wanted)] if wanted else cases


def _is_at(identifier: str, name: str) -> bool:
    return identifier == name or identifier.startswith(name + "/")


def read_exceptions(path: Path, cases: list[Case]) -> frozenset[str]:
    """Read a list of cases that may go wrong: an id a line, `#` before what is said about it.

    Raises `UsageError` for an id that is no case, or one of `smoke`: who fails there implements something else.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as fault:
        raise UsageError(f"{path} cannot be read: {fault}") from fault
    names = [name for line in lines if (name := line.split("#", 1)[0].strip())]
    folders = {case.id: case.folder for case in cases}
    for name in names:
        if folders.get(name, SMOKE) == SMOKE:
            raise UsageError(f"{path}: {name}: " + ("smoke takes no exceptions" if name in folders else "no such case"))
    if len(set(names)) != len(names):
        raise UsageError(f"{path} names a case twice")
    return frozenset(names)


def manifest(golden: Path) -> str:
    """List the files that say what is true, each with its SHA-256: a line of the MANIFEST each."""
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n" for name, path in _files(golden))


def _files(golden: Path) -> Iterator[tuple[str, Path]]:
    for folder in DATA:
        for path in sorted((golden / folder).rglob("*")):
            if path.suffix in STATED or path.name == "bundle.md":
                yield path.relative_to(golden).as_posix(), path


def identity(golden: Path) -> tuple[str, bool]:
    """Name this very suite by a digest over its files, and tell whether they are those of its MANIFEST."""
    text = manifest(golden)
    file = golden / MANIFEST
    as_made = file.is_file() and file.read_text(encoding="utf-8") == text
    return hashlib.sha256(text.encode()).hexdigest()[:16], as_made
