"""A pytest plugin for mutants: whatever a test module computed while it was imported is computed anew.

Strategy: mutants run in forks of a process that has imported and run every test once. An index that stands at the head
of a test module would come from there, folded and looked at by the code as it is, and its tests would pass whatever the
mutant does. So those modules are forgotten before the tests are collected.
"""

from __future__ import annotations

import sys

STALE = "tests.core"


def pytest_configure() -> None:
    for name in [name for name in sys.modules if name.startswith(STALE)]:
        del sys.modules[name]
