"""Is off by one instant: a lease still runs at the very moment at which it ends (against C4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from golden.drivers.faulty.honest import serve_honestly
from radial_cli import driver
from radial_core import leases

if TYPE_CHECKING:
    from radial_core import Instant, Lease


def _live(lease: Lease, seen_at: Instant | None, now: Instant) -> bool:
    return seen_at is None or now.since(seen_at) <= lease.expires_at.since(lease.renewed_at)


if __name__ == "__main__":
    leases.live = driver.live = _live  # type: ignore[attr-defined]
    serve_honestly()
