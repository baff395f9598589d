"""What these verbs read first: files of observations, or the store when no file is named.

Strategy: nothing is asked of a server before there is an index, because the index says whose records count. The store
is opened for reading only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from platformdirs import user_cache_path

from radial_cli.exits import NOT_FOUND, USAGE, Failure
from radial_cli.reading import Reading, reading
from radial_cli.untrusted import one_line
from radial_io.viewing.cupboard import Cupboard


@contextmanager
def looking(files: Sequence[str], store: str | None) -> Iterator[Reading]:
    """Fold the files, or the store when there are none, for the block. Raises `Failure`."""
    with reading(files, keep_going=False, store=store) as found:
        yield found


def now() -> str:
    """Give this machine's time as a datetime."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def cupboard() -> Cupboard:
    """Give the folder where blobs are kept, among the user's caches."""
    return Cupboard(user_cache_path("radial", appauthor=False) / "blobs")


def require_one_way(pds: str | None, plc: str | None) -> None:
    """Check that repos are looked for one way only."""
    if pds is not None and plc is not None:
        raise Failure("--pds and --plc exclude each other", "With --pds no directory is asked.", USAGE)


def not_here(uri: str, found: Reading, what: str) -> Failure:
    """Say why there is no such thing at a URI."""
    explanation = found.index.explain(uri)
    if explanation.verdict in {"unknown", "ignored"}:
        return Failure(one_line(" ".join(explanation.sentences)), status=NOT_FOUND)
    return Failure(f"{one_line(uri)} {what}", status=NOT_FOUND)
