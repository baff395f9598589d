"""DC-2: importing the core is cheap. What it drags in is pinned; the time is printed, never judged."""

import subprocess
import sys
from pathlib import Path

HEAVY = {"asyncio", "http", "httpx", "multiprocessing", "pydantic", "rich", "sqlite3", "ssl", "subprocess", "typer"}
LOADED = "import sys; import radial_core; print(*sys.modules)"
TIMED = (
    "import time; start = time.perf_counter(); import radial_core; print(round((time.perf_counter() - start) * 1e3))"
)


def python(root: Path, program: str) -> str:
    """Run a program in a fresh interpreter and return what it prints."""
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout


def test_importing_the_core_loads_nothing_heavy(root: Path) -> None:
    loaded = {name.split(".")[0] for name in python(root, LOADED).split()}
    assert "radial_core" in loaded
    assert loaded & HEAVY == set()


def test_the_time_of_the_import_is_told(root: Path) -> None:
    times = [int(python(root, TIMED)) for _ in range(3)]
    print(f"import radial_core: {min(times)} ms at best of {times}; the budget is 100 ms")
