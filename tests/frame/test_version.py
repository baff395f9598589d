"""The version stands in one module; what is installed and what the changelog says agree with it."""

import importlib.metadata
import re
from pathlib import Path

import pytest

from radial_core.version import __version__


def test_the_installed_distribution_has_the_version_of_the_core() -> None:
    try:
        installed = importlib.metadata.version("radial-py")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("run from the checkout without installing it: nothing to compare")
    assert installed == __version__


def test_a_released_version_heads_the_changelog(root: Path) -> None:
    released = re.findall(r"^## (\S+)", (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    fragments = [*(root / "changelog.d").glob("*.md")]
    assert fragments or released[0] == __version__


def test_every_package_is_marked_as_typed(root: Path) -> None:
    packages = [file.parent for file in root.glob("radial_*/__init__.py")]
    assert packages
    assert [package.name for package in packages if not (package / "py.typed").is_file()] == []
