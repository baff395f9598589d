"""Ignores trust: whoever writes is a member (against T5)."""

from __future__ import annotations

from golden.drivers.faulty.honest import serve_honestly
from radial_core.places import Trust

if __name__ == "__main__":
    setattr(Trust, "is_member", lambda _trust, _did: True)  # noqa: B010 - a flaw is no assignment that types allow
    serve_honestly()
