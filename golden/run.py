"""Run the golden suite against an implementation: `python golden/run.py 'command that starts it'`.

Strategy: this file only finds the rest. The runner is in `runner/`, uses the standard library of Python 3.11 and
nothing else, and works wherever this folder was copied to and whatever it is called there. What is said over the pipe
is in PROTOCOL.md.
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent


def _be_a_package() -> None:
    """Let `golden.…` be this folder, also when it has another name or a stranger called golden is installed."""
    package = ModuleType("golden")
    package.__path__ = [str(HERE)]
    sys.modules["golden"] = package


if __name__ == "__main__":
    _be_a_package()
    from golden.runner.main import main

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # who ends us ends what we started, as with Ctrl-C
    sys.exit(main(sys.argv[1:]))
