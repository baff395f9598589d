"""Ends with another status than 0 after everything went well."""

from __future__ import annotations

import sys

from golden.drivers.faulty.honest import serve_honestly

if __name__ == "__main__":
    serve_honestly()
    sys.exit(3)
