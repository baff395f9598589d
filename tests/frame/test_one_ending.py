"""RAD-7.16: whoever wants to know whether a goal has ended reads one predicate; one module reads what ended it."""

import ast
from pathlib import Path

ENDINGS = {"CloseGoal", "ArchiveGoal"}
# Where the classes are made, where they are filed by kind, and where they are read.
ALLOWED = {"records.py", "ladder.py", "rules/goals.py"}


def test_only_the_rule_on_goals_reads_what_ends_them(root: Path) -> None:
    core = root / "radial_core"
    readers = {
        str(file.relative_to(core))
        for file in core.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Name) and node.id in ENDINGS)
        or (isinstance(node, ast.ClassDef) and node.name in ENDINGS)
    }
    assert readers == ALLOWED
