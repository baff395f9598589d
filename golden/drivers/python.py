"""The Python implementation as a driver: `python golden/run.py 'python golden/drivers/python.py'`.

What it says is in `radial_cli.driver`, which an installed `radial conformance serve` runs as well; from a checkout this
file needs no installation.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from radial_cli.driver import serve_standard_streams

if __name__ == "__main__":
    serve_standard_streams()
