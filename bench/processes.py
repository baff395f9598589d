"""What only a process of its own can tell: memory at its peak, the time of an import, the time of a cold start.

Strategy: each child does one thing and prints one JSON object. Memory is the peak of the resident set minus its size
when the corpus stood in memory as records; what a fold holds and what it needs in passing are both in it. Linux tells
both of this very process image. Its `getrusage` does not: there a child starts with the peak of its parent. It stands
in where there is no other word, and present size and peak are then the same figure. Starts are timed with bytecode at
hand, as every start but the first of an installed program has it, whatever the caller's environment says.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

from bench.records import as_read
from radial_core import materialize

ROOT: Final = Path(__file__).resolve().parent.parent
_STATUS: Final = Path("/proc/self/status")

_IMPORT: Final = """
import json, time
start = time.perf_counter()
import radial_core
print(json.dumps(time.perf_counter() - start))
"""
_HELP: Final = "from radial_cli.main import main; main()"


def run(*arguments: str, environment: dict[str, str] | None = None) -> Any:
    """Run Python in the checkout; give the JSON that it prints."""
    command = [sys.executable, *arguments]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


def _least(timed_start: Callable[[dict[str, str]], float], runs: int) -> float:
    """Give the least time of some starts with bytecode at hand, which a start that is not counted writes."""
    with TemporaryDirectory() as bytecode:
        environment = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = bytecode
        return min([timed_start(environment) for _ in range(runs + 1)][1:])


def import_seconds(runs: int) -> float:
    """Give the least time that `import radial_core` took in a fresh process, Python's own start left out."""
    return _least(lambda environment: float(run("-c", _IMPORT, environment=environment)), runs)


def help_seconds(runs: int) -> float | None:
    """Give the least time from starting Python to the end of `radial --help`; nothing where there is no command."""
    if find_spec("radial_cli") is None or find_spec("radial_cli.main") is None:
        return None
    return _least(_help_once, runs)


def _help_once(environment: dict[str, str]) -> float:
    start = perf_counter()
    command = [sys.executable, "-c", _HELP, "--help"]
    subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
    return perf_counter() - start


def memory(records: int, seed: int) -> dict[str, float]:
    """Give bytes a record, measured in a child: the corpus, and the peak of a fold beyond it."""
    found: dict[str, float] = run("-m", "bench.processes", "resident", str(records), str(seed))
    return found


def traced_memory(records: int, seed: int) -> dict[str, float]:
    """Give bytes a record that Python allocated for a fold, measured in a child: at the peak, and kept by the index."""
    found: dict[str, float] = run("-m", "bench.processes", "traced", str(records), str(seed))
    return found


def _kept(name: str) -> int:
    """Give the resident set's size in bytes, `VmRSS`, or its peak, `VmHWM`."""
    if _STATUS.exists():
        lines = _STATUS.read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(name)) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _measure_resident(records: int, seed: int) -> dict[str, float]:
    materialize(())  # what is made once for all folds
    before = _kept("VmRSS")
    corpus = as_read(records, seed)
    loaded = _kept("VmRSS")
    index = materialize(corpus)
    assert index.spaces  # noqa: S101 - every view is made, and the index alive until here
    return {"corpus": (loaded - before) / records, "peak": (_kept("VmHWM") - loaded) / records}


def _measure_traced(records: int, seed: int) -> dict[str, float]:
    corpus = as_read(records, seed)
    tracemalloc.start()
    index = materialize(corpus)
    assert index.spaces  # noqa: S101 - every view is made, and the index alive until here
    kept, peak = tracemalloc.get_traced_memory()
    return {"peak": peak / records, "kept": kept / records}


if __name__ == "__main__":
    _measures = {"resident": _measure_resident, "traced": _measure_traced}
    print(json.dumps(_measures[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]))))
