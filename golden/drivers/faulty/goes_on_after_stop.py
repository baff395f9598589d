"""Says that it stops, and goes on."""

from __future__ import annotations

import time

from golden.drivers.faulty.honest import serve_honestly

if __name__ == "__main__":
    serve_honestly()
    time.sleep(3600)
