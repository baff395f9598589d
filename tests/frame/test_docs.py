"""The reference names what there is: every rule that the code cites, every record, nothing that is not there."""

import os
import re
import subprocess
import sys
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


def test_the_tutorial_works_as_written(root: Path, tmp_path: Path) -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```", read(root / "docs/tutorial/first-space.md"), re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines() if not line.startswith(("scripts/", "export "))]
    assert len(lines) >= 10
    (tmp_path / "examples").symlink_to(root / "examples")
    radial = tmp_path / "radial"
    radial.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c 'from radial_cli.main import main; main()' \"$@\"\n")
    radial.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(root)}

    def run(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    ran = {line: run(line) for line in lines}
    assert {line: one.stderr for line, one in ran.items() if one.returncode and "radial diff" not in line} == {}
    assert [one.returncode for line, one in ran.items() if "radial diff" in line] == [1]
    assert len({one.stdout for line, one in ran.items() if "radial digest" in line}) == 1
