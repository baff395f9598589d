"""Digests claims by their CID, so that observers part at every renewal (against C3, D1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from golden.drivers.faulty.honest import serve_honestly
from radial_core import digest
from radial_core.rules.claims import rank

if TYPE_CHECKING:
    from collections.abc import Callable

_honest: Callable[..., dict[str, Any]] = digest._place  # noqa: SLF001 - the flaw sits inside


def _place(place: Any) -> dict[str, Any]:
    leases = place.fact(rank).leases
    claims = [[request, [[lease.uri, lease.cid] for lease in held]] for request, held in sorted(leases.items())]
    return _honest(place) | {"claims": claims}


if __name__ == "__main__":
    digest._place = _place  # noqa: SLF001
    serve_honestly()
