"""The README keeps its word: its program runs and prints what it says, from the checkout and from a bare install.

The bare install is a wheel in an empty virtual environment, with the dependencies that it asks for itself (DC-2).
"""

import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

PUBLIC = "Everything in a Radial space is public: goal titles, artifacts, review findings and talk."


@pytest.fixture(scope="module")
def readme(root: Path) -> str:
    """Return the README's text."""
    return (root / "README.md").read_text(encoding="utf-8")


def block(text: str, language: str) -> str:
    """Return the first code block in a language."""
    found = re.search(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command that must succeed without a warning, and return what it prints."""
    ran = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def bare_python(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of an environment into which the wheel alone was installed."""
    pytest.importorskip("hatchling", reason="the wheel is built with it: run scripts/test")
    folder = tmp_path_factory.mktemp("bare")
    wheels, environment = folder / "wheels", folder / "environment"
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels, root, cwd=folder)
    venv.create(environment, with_pip=True)
    python = environment / "bin" / "python"
    (wheel,) = wheels.iterdir()
    run(python, "-m", "pip", "install", "--quiet", "-c", root / "requirements" / "demo.txt", wheel, cwd=folder)
    return python


def test_the_program_has_at_most_twenty_lines(readme: str) -> None:
    assert sum(bool(line.strip()) for line in block(readme, "python").splitlines()) <= 20


def test_the_program_prints_what_the_readme_says(readme: str, root: Path) -> None:
    assert run(sys.executable, "-W", "error", "-c", block(readme, "python"), cwd=root) == block(readme, "text")


@pytest.mark.slow
def test_the_program_runs_from_a_bare_install(readme: str, bare_python: Path, tmp_path: Path) -> None:
    printed = run(bare_python, "-I", "-W", "error", "-c", block(readme, "python"), cwd=tmp_path)
    assert printed == block(readme, "text")


@pytest.mark.slow
def test_a_bare_install_brings_no_adapter_s_library(bare_python: Path, tmp_path: Path) -> None:
    installed = run(bare_python, "-I", "-m", "pip", "list", "--format", "freeze", cwd=tmp_path).lower()
    names = {line.partition("==")[0] for line in installed.splitlines()}
    assert {"attrs", "cattrs", "cbor2", "multiformats", "radial-py"} <= names
    assert names & {"httpx", "anyio", "typer", "rich", "pytest"} == set()


@pytest.mark.slow
def test_the_wheel_carries_the_lexicons_and_the_marks_of_typed_packages(
    bare_python: Path, root: Path, tmp_path: Path
) -> None:
    where = run(bare_python, "-I", "-c", "import radial_core; print(radial_core.__path__[0])", cwd=tmp_path).strip()
    packaged = Path(where) / "lexicons"
    documents = {file.relative_to(root / "lexicons"): file.read_bytes() for file in root.glob("lexicons/**/*.json")}
    assert documents
    assert {file.relative_to(packaged): file.read_bytes() for file in packaged.rglob("*.json")} == documents
    assert (Path(where) / "py.typed").is_file()


def test_the_readme_names_the_two_commands(readme: str) -> None:
    assert re.findall(r"^scripts/\w+", block(readme, "sh"), re.MULTILINE) == ["scripts/demo", "scripts/test"]


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "docs/explanation/public.md"])
def test_that_everything_is_public_is_said_in_one_sentence(page: str, root: Path) -> None:
    text = (root / page).read_text(encoding="utf-8")
    assert PUBLIC in " ".join(text.replace("**", "").replace("> ", "").split())
