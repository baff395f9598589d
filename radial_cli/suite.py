"""Starts the runner of the golden suite.

Strategy: the suite is not part of the distribution and imports nothing of ours; it lies beside a checkout, or where
somebody says. Its runner is a program, so it is run as one, and how it ends is how we end.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from radial_cli.exits import OK, USAGE, Failure, Silent
from radial_cli.untrusted import visible

_BESIDE: Final = Path(__file__).resolve().parent.parent / "golden"


def run_suite(golden: Path | None, options: Sequence[str], command: Sequence[str]) -> None:
    """Run the suite in a folder against a command. Raises `Failure` without a suite, `Silent` when it is not green."""
    program = (golden or _BESIDE) / "run.py"
    if not program.is_file():
        raise Failure(
            f"there is no golden suite at {visible(str(program.parent))}", "Name its folder: --golden.", USAGE
        )
    words = [sys.executable, str(program), *options, shlex.join(command)]
    done = subprocess.run(words, check=False)  # noqa: S603 - to start what the user names is what it is for
    if done.returncode != OK:
        raise Silent(done.returncode)
