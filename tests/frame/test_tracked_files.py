"""No tracked file names where packages come from, or a folder of the machine on which it was written."""

import re
import subprocess
from pathlib import Path

import pytest

# Written so that this file does not contain what it looks for.
PACKAGE_HOSTS = re.compile(
    r"\bpypi\s?\.\s?org|python(?:hosted)|\bregistry\s?\.\s?npm|\bnpm(?:js|mirror)\s?\.\s?(?:com|org)"
    r"|\bdeb(?:ian)?\s?\.\s?debian|\bcrates\s?\.\s?io/|proxy\s?\.\s?golang"
    r"|\"resolved\":\s*\"http|^\s*(?:--)?(?:extra-)?index-url|^\s*registry\s*=",
    re.IGNORECASE | re.MULTILINE,
)
FOLDERS = re.compile(r"(?<![\w.:/-])/(?:work|root|home/\w+|opt/wheels)/")


@pytest.fixture(scope="module")
def texts(root: Path) -> dict[str, str]:
    """Return every tracked text file by its name."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout: there is no list of tracked files")
    files = [root / name for name in listed.stdout.split("\0") if name]
    found = {str(file.relative_to(root)): file.read_bytes() for file in files if file.is_file()}
    return {name: content.decode() for name, content in found.items() if b"\0" not in content[:8192]}


def naming(pattern: re.Pattern[str], texts: dict[str, str]) -> dict[str, str]:
    """Return the files in which the pattern occurs, with its first occurrence."""
    found = {name: pattern.search(text) for name, text in texts.items()}
    return {name: match[0] for name, match in found.items() if match}


def test_no_file_names_a_package_host(texts: dict[str, str]) -> None:
    assert naming(PACKAGE_HOSTS, texts) == {}


def test_no_file_names_a_folder_of_this_machine(texts: dict[str, str], root: Path) -> None:
    here = {str(folder) for folder in (root, root.parent, Path.home()) if len(folder.parts) > 1}
    pattern = re.compile("|".join([FOLDERS.pattern, *(re.escape(f"{folder}/") for folder in sorted(here))]))
    assert naming(pattern, texts) == {}


@pytest.mark.parametrize(
    "line",
    [
        '"resolved": "' + "https://somewhere/x.tgz",
        "--index-" + "url somewhere",
        "files.python" + "hosted.example",
        "registry." + "npmjs.example",
        "registry" + "=x",
    ],
)
def test_a_package_host_is_noticed(line: str) -> None:
    assert naming(PACKAGE_HOSTS, {"x": f"first\n{line}\n"}) != {}


@pytest.mark.parametrize("path", ["cd /ro" + "ot/x", "'/ho" + "me/ann/radial'", "(/wo" + "rk/x)"])
def test_a_folder_of_a_machine_is_noticed(path: str) -> None:
    assert naming(FOLDERS, {"x": path}) != {}
