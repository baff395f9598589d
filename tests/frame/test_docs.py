"""The reference names what there is: every rule that the code cites, every record, nothing that is not there."""

import re
from pathlib import Path

import pytest

RULE = re.compile(r"\b[OVLTPGARCXMND]\d{1,2}\b")


def read(*files: Path) -> str:
    """Return the text of all files, one after another."""
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


@pytest.fixture
def described(root: Path) -> set[str]:
    """Return the rules that head a row of the reference."""
    return set(re.findall(r"^\| ([A-Z]\d+) \|", read(root / "docs/reference/protocol.md"), re.MULTILINE))


@pytest.mark.parametrize("where", ["radial_core", "radial_io", "radial_cli", "docs", "golden/scenarios"])
def test_every_cited_rule_is_described(where: str, root: Path, described: set[str]) -> None:
    files = [file for file in (root / where).rglob("*") if file.suffix in {".py", ".md", ".json"}]
    cited = {*RULE.findall(read(*files))}
    assert cited
    assert cited - described == set()


def test_the_core_cites_every_rule_but_those_for_writers(root: Path, described: set[str]) -> None:
    cited = {*RULE.findall(read(*(root / "radial_core").rglob("*.py")))}
    assert described - cited <= {"C6", "R7", "N3"}  # how to write, what is not policed, what is not inferred


def test_the_records_of_the_reference_are_the_lexicons(root: Path) -> None:
    listed = re.findall(r"^\| `(\w+)` \|", read(root / "docs/reference/records.md"), re.MULTILINE)
    lexicons = [file.stem for file in root.glob("lexicons/com/disnetdev/radial/*.json")]
    assert sorted(listed) == sorted(lexicons)


@pytest.mark.parametrize("page", ["digest.md", "json.md"])
def test_the_reference_names_every_key(page: str, root: Path) -> None:
    sources = {"digest.md": ("digest.py", r'"(\w+)": '), "json.md": ("views.py", r"^    (\w+): ")}
    source, key = sources[page]
    keys = {*re.findall(key, read(root / "radial_core" / source), re.MULTILINE)}
    text = read(root / "docs/reference" / page)
    camel = {re.sub(r"_(\w)", lambda letter: letter[1].upper(), name) for name in keys}
    assert camel
    assert {name for name in camel if not re.search(rf"\b{name}\b", text)} == set()


def test_that_a_slow_clock_wins_is_said_with_its_reason(root: Path) -> None:
    text = read(root / "docs/explanation/leases.md")
    assert "a slow clock wins every race" in text
    assert "**unfair**" in text
    assert "**never divergent**" in text


def test_the_bets_and_the_price_are_named(root: Path) -> None:
    text = read(root / "docs/explanation/prior-art.md")
    assert re.findall(r"First bet|Second bet|## The price", text) == ["First bet", "Second bet", "## The price"]
    assert "Everything is public" in text
