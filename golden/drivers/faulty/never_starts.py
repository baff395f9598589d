"""Ends before it has said anything."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    sys.exit("no such thing")
