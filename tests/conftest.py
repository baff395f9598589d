"""What every test may count on: a Hypothesis profile, the shared fixtures where there are any, the project's own Node.

No deadline in any profile: nothing here fails because a machine is slow.
"""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("RADIAL_SHARED") or ROOT.parent / "shared")

_COMMON = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("fast", _COMMON, max_examples=50)
settings.register_profile("ci", _COMMON, max_examples=150, derandomize=True)
settings.register_profile("deep", _COMMON, max_examples=2_000)
settings.load_profile(os.environ.get("RADIAL_HYPOTHESIS", "fast"))

# scripts/test keeps a pinned Node.js here; a run of pytest by hand finds it too.
os.environ["PATH"] = os.pathsep.join([str(ROOT / ".cache" / "node" / "bin"), os.environ.get("PATH", "")])

# Whoever starts the tests under `nohup` shuts this signal out, for every process that a test starts too.
signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the checkout's top folder."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of shared fixtures (RADIAL_SHARED, else `shared` beside the checkout), or skip."""
    if not SHARED.is_dir():
        pytest.skip(f"no shared fixtures at {SHARED}: set RADIAL_SHARED")
    return SHARED
