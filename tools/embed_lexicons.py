"""Write the lexicon documents into the core as a Python module.

Strategy: the JSON files are the contract and the only source; the core reads no file, so it carries them as literals.
The literals are laid out as `ruff format` would, one item a line, so that a change of a document is the same change of
the module. Run without arguments from anywhere to write it; a test holds it against the documents.
"""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEXICONS = ROOT / "lexicons"
MODULE = ROOT / "radial_core" / "embedded.py"

_HEAD = '''"""The lexicon documents as literals, sorted by id. Made by tools/embed_lexicons.py: change the documents."""

# ruff: noqa: E501

from typing import Any, Final

'''


def documents() -> list[dict[str, object]]:
    """Read every lexicon document below `lexicons`, sorted by id."""
    read = [json.loads(path.read_text(encoding="utf-8")) for path in LEXICONS.rglob("*.json")]
    return sorted(read, key=lambda document: document["id"])


def literal(value: object, indent: str = "") -> str:
    """Spell a value of JSON as Python, laid out as the formatter leaves it."""
    deeper = indent + "    "
    if isinstance(value, dict) and value:
        items = (f"{deeper}{literal(key)}: {literal(item, deeper)},\n" for key, item in value.items())
        return "{\n" + "".join(items) + indent + "}"
    if isinstance(value, list | tuple) and value:
        brackets = "[]" if isinstance(value, list) else "()"
        items = (f"{deeper}{literal(item, deeper)},\n" for item in value)
        return brackets[0] + "\n" + "".join(items) + indent + brackets[1]
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def module() -> str:
    """Give the text of the whole module."""
    return f"{_HEAD}DOCUMENTS: Final[tuple[dict[str, Any], ...]] = {literal(tuple(documents()))}\n"


if __name__ == "__main__":
    MODULE.write_text(module(), encoding="utf-8")
