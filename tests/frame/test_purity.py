"""DC-1: folding touches nothing outside the process's own memory.

The one event that is tolerated, with its reason, stands in `watch.HARMLESS`. A library that generates code, opens or
imports something at its first use has to do so when the core is imported; the two that wait all the same, for a reason
each, are named in `fold_everything`, and were used before anybody listens.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

# What a core must not do, and the name under which it has to be noticed.
TOUCHES = {
    "open(os.devnull).close()": "event open",
    "os.listdir('/')": "call posix.listdir",
    "os.environ.get('HOME')": "call os.",
    "import this_is_not_there": "event import",
    "compile('1', 'x', 'eval')": "event compile",
    "socket.socket().close()": "event socket.__new__",
    "subprocess.run(['true'])": "event subprocess.Popen",
    "time.time()": "call time.time",
    "datetime.datetime.now(datetime.UTC)": "call datetime.now",
    "random.random()": "call random.random",
    "random.choice('ab')": "call random.choice",
    "uuid.uuid4()": "call uuid.uuid4",
    "gc.collect()": "call gc.collect",
    "print('x')": "call builtins.print",
}

WATCHED = """
import contextlib, datetime, gc, json, os, random, socket, subprocess, time, uuid
from tests.frame.watch import events_of
def action():
    with contextlib.suppress(ImportError):
        {touch}
seen = events_of(action)
print(json.dumps(seen))
"""


def run(root: Path, *arguments: str) -> list[str]:
    """Run Python on `arguments` from the checkout and read the events that it prints last."""
    environment = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, *arguments]
    ran = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    seen: list[str] = json.loads(ran.stdout.splitlines()[-1])
    return seen


def test_folding_the_golden_scenarios_touches_nothing(root: Path) -> None:
    files = sorted((root / "golden" / "scenarios").rglob("*.json"))
    assert files
    assert run(root, "-m", "tests.frame.fold_everything", *map(str, files)) == []


def test_folding_the_example_touches_nothing(root: Path) -> None:
    assert run(root, "-m", "tests.frame.fold_everything", str(root / "examples" / "space.jsonl")) == []


@pytest.mark.parametrize("touch", TOUCHES)
def test_a_touch_is_noticed(root: Path, touch: str) -> None:
    seen = run(root, "-c", WATCHED.format(touch=touch))
    assert any(name.startswith(TOUCHES[touch]) for name in seen), seen


def test_plain_computing_is_no_touch(root: Path) -> None:
    assert run(root, "-c", WATCHED.format(touch="sorted(str(hash(n)) for n in range(9))")) == []
