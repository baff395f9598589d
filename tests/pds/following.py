"""`radial sync` and `radial watch` as processes against the PDS, and what their stores fold to."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import attrs

from radial_core import Index, materialize
from radial_io.store.store import open_store
from tests.pds.accounts import Servers, account
from tests.pds.story import Story

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-c", "from radial_cli.main import main; main()"]


@attrs.frozen
class Observer:
    """Somebody with a store of their own, who runs the command."""

    servers: Servers
    store: Path
    space: str

    def arguments(self, verb: str, *more: str) -> list[str]:
        return [*PROGRAM, verb, self.space, "--plc", self.servers.plc, "--store", str(self.store), *more]

    def run(self, verb: str, *more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.arguments(verb, *more), cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
        )

    def ask(self, verb: str, *more: str) -> Any:
        """Ask a verb that only looks at the store for its JSON."""
        command = [*PROGRAM, verb, "--store", str(self.store), "--json", *more]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
        return json.loads(done.stdout)

    def sync(self, *more: str) -> dict[str, Any]:
        done = self.run("sync", "--json", *more)
        assert done.returncode == 0, done.stderr
        said: dict[str, Any] = json.loads(done.stdout)
        return said

    @contextmanager
    def running(self, verb: str, *more: str) -> Iterator[subprocess.Popen[str]]:
        """Start it; it is killed at the end of the block, unless it has ended."""
        command = self.arguments(verb, *more)
        with subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def index(self) -> Index:
        with open_store(self.store, write=False) as store:
            return materialize(observation for _, observation in store.observations())


@contextmanager
def three(servers: Servers, name: str) -> Iterator[Story]:
    """Three accounts for a story of their own."""
    with ExitStack() as stack:
        root, mate, bot = (stack.enter_context(account(servers, f"{who}-{name}")) for who in ("ruth", "mate", "bot"))
        yield Story(root, mate, bot)
