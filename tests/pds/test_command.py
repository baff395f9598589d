"""The same through the commands: `radial fetch`, then `radial materialize --json`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.pds import expected
from tests.pds.accounts import Servers, account
from tests.pds.matching import assert_matches
from tests.pds.story import PREFIX, Story, write

pytestmark = pytest.mark.pds

ROOT = Path(__file__).resolve().parents[2]


def radial(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command as a process of its own."""
    command = [sys.executable, "-c", "from radial_cli.main import main; main()", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def story(servers: Servers) -> Iterator[Story]:
    with ExitStack() as stack:
        root, mate, bot = (stack.enter_context(account(servers, name)) for name in ("ruth-cmd", "mate-cmd", "bot-cmd"))
        story = Story(root, mate, bot)
        write(story)
        yield story


@pytest.mark.parametrize("way", ["pds", "plc"])
def test_fetch_and_materialize(servers: Servers, story: Story, tmp_path: Path, way: str) -> None:
    file = tmp_path / "space.jsonl"
    url = {"pds": servers.pds, "plc": servers.plc}[way]
    fetched = radial("fetch", story.uri("space/main"), f"--{way}", url, "-o", file)
    assert fetched.returncode == 0, fetched.stderr
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert {line["uri"] for line in lines} == {ref["uri"] for name, ref in story.refs.items() if name != "message/oops"}
    assert all(line["rev"] and line["seenAt"] for line in lines)
    shown = radial("materialize", "--json", file)
    assert shown.returncode == 0, shown.stderr
    assert_matches(json.loads(shown.stdout), expected.index(story))


def test_a_space_that_is_not_there_leaves_no_file(servers: Servers, story: Story, tmp_path: Path) -> None:
    uri = f"at://{story.root.did}/{PREFIX}space/elsewhere"
    fetched = radial("fetch", uri, "--pds", servers.pds, "-o", tmp_path / "space.jsonl")
    assert fetched.returncode != 0
    assert uri in fetched.stderr
    assert "Traceback" not in fetched.stderr
    assert list(tmp_path.iterdir()) == []
