"""Write golden/MANIFEST: every file that says what is true, with its SHA-256.

Strategy: a copy of the suite, in another repository or another language, can be held against it (in its folder,
`sha256sum -c MANIFEST`), and two runs that name one suite asked the same. Run without arguments from anywhere; a test
holds the file against the folder.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from golden.runner.suite import MANIFEST, manifest

GOLDEN = Path(__file__).resolve().parent.parent / "golden"

if __name__ == "__main__":
    (GOLDEN / MANIFEST).write_text(manifest(GOLDEN), encoding="utf-8")
