"""One PDS for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.pds.accounts import Servers, running


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """Return where a fresh PDS and its directory listen."""
    with running() as servers:
        yield servers
