"""Whether a space was read a moment ago, and reading it if not (RK-7.10).

Strategy: an act that rests on who is trusted must not rest on yesterday. A repo is fresh while a stream tells of it, or
when it was looked at less than a minute ago; else it is read before anything is decided. Who looks from time to time,
as `radial watch` does where no stream was chosen, holds the store meanwhile: then a copy of it is read on, and what is
new in the copy is given to the act. What authority stands on are the repos of the root and the admins: without those
nothing is written. Another member's that cannot be read is named, and stops nobody.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from radial_cli.acting.manner import Manner
from radial_cli.acting.view import now
from radial_cli.diagnosing.situation import Situation, situation
from radial_cli.exits import NOT_FOUND, TRY_AGAIN, Failure
from radial_cli.output import say
from radial_cli.outside import told
from radial_cli.pictures.words import counted
from radial_cli.running import run
from radial_cli.stopping import UNFINISHED
from radial_cli.storing.place import opened, place_of, told as store_told
from radial_cli.syncing.progress import progress
from radial_cli.syncing.session import Asked, following
from radial_cli.untrusted import one_line
from radial_core.instants import parse_instant
from radial_core.views import SpaceView
from radial_io.ingest.following import Settings
from radial_io.ingest.health import Health
from radial_io.ingest.listing import TRUST
from radial_io.ingest.news import News
from radial_io.ingest.syncing import Synced, sync_spaces
from radial_io.ingest.tail import Tail
from radial_io.store.errors import StoreBusyError
from radial_io.store.store import Store, open_store

if TYPE_CHECKING:
    from radial_core.observations import Observation

FRESH_FOR: Final = 60.0  # seconds
NOW: Final = 0.0  # seconds: nothing that was read before will do, unless a stream tells of it
_PATIENCE: Final = 1.0  # seconds that another writer of the store is waited for: other acts hold it for moments
_MEMORY: Final = 64  # MiB
_UNITS: Final = ((86400.0, "day"), (3600.0, "hour"), (60.0, "minute"), (1.0, "second"))
_ADVICE: Final = "Try again, or act on the view as it is with --no-sync."


def require_fresh(spaces: Sequence[str], manner: Manner, *, within: float = FRESH_FOR) -> Sequence[Observation]:
    """See to it that these spaces are fresh; with `--no-sync` they are as they are. Raises `Failure`.

    Gives what was read and could not be put into the store.
    """
    stale = [uri for uri in spaces if not _is_fresh(_repos_of(uri, manner), within)] if manner.sync else []
    return _read(stale, manner) if stale else ()


def say_age(spaces: Sequence[str], manner: Manner) -> None:
    """Say how old the view of these spaces is, which `--no-sync` leaves as it is."""
    for uri in spaces:
        if not _is_fresh(repos := _repos_of(uri, manner), FRESH_FOR):
            say(f"radial: {_age(repos)}, and --no-sync leaves it at that: {one_line(uri)}")


def _situation(manner: Manner) -> Situation | None:
    path = place_of(manner.store)
    if not path.exists():
        return None
    with store_told(), open_store(path, write=False) as store:
        return situation(store)


def _repos_of(space: str, manner: Manner) -> list[Health]:
    found = _situation(manner)
    return [] if found is None or space not in found.names else [each for each in found.repos if space in each.spaces]


def _is_fresh(repos: Sequence[Health], within: float) -> bool:
    return bool(repos) and all(repo.is_ready and (_is_told(repo) or _was_read(repo, within)) for repo in repos)


def _was_read(repo: Health, within: float) -> bool:
    """Tell whether a repo was looked at just now. A look in the future was one under a clock that was wrong."""
    if repo.looked_at is None or repo.lag is None or parse_instant(repo.looked_at) > parse_instant(now()):
        return False
    return repo.lag < within


def _is_told(repo: Health) -> bool:
    """Tell whether a stream tells of a repo: who polls it may be behind by all that came since the last look."""
    return repo.is_live and repo.way is not None and repo.way.is_stream


def _age(repos: Sequence[Health]) -> str:
    lags = [repo.lag for repo in repos if repo.lag is not None]
    if len(lags) < len(repos) or not lags:
        return "not all of the space was ever read"
    size, unit = next(((size, unit) for size, unit in _UNITS if max(lags) >= size), (1.0, "second"))
    return f"the space was read {counted(int(max(lags) // size), unit)} ago"


def _read(spaces: Sequence[str], manner: Manner) -> Sequence[Observation]:
    asked = Asked(list(spaces), [], manner.pds, manner.plc, manner.store, _MEMORY)
    with told():
        asked.require_sense()
    try:
        with told(), opened(manner.store, write=True, busy_wait=_PATIENCE) as store:
            _read_into(store, asked)
    except Failure as failure:
        if not isinstance(failure.__cause__, StoreBusyError):
            raise
    else:
        return ()
    return _read_beside(asked, place_of(manner.store))


def _read_beside(asked: Asked, path: Path) -> Sequence[Observation]:
    """Read into a copy of a store that somebody else holds; give what is new there."""
    with tempfile.TemporaryDirectory(prefix="radial-") as folder, store_told():
        copy = Path(folder) / "store.db"
        UNFINISHED.update(copy.with_name(copy.name + end) for end in ("", "-wal", "-shm", ".lock"))
        with open_store(path, write=False) as store:
            store.copy(copy)
        with told(), open_store(copy, write=True) as store:
            row = store.last_row()
            _read_into(store, asked)
            return [observation for _, observation in store.observations(after=row)]


def _read_into(store: Store, asked: Asked) -> None:
    """Read the spaces as they are at this moment. Raises `Failure` for what stops an act."""
    settings = Settings(choice=asked.choice(live=False), limits=asked.limits)
    with progress() as bars:
        synced = run(lambda: _sync(asked, settings, store, bars.see))
    trusted = Tail(store, frozenset(TRUST)).catch_up()
    _judge(synced, [view for uri in asked.spaces if (view := trusted.space(uri)) is not None])


async def _sync(asked: Asked, settings: Settings, store: Store, see: Callable[[News], None]) -> Synced:
    async with following(asked, settings, store, see) as follower:
        return await sync_spaces(follower)


def _judge(synced: Synced, spaces: Sequence[SpaceView]) -> None:
    """Say what could not be read. Raises `Failure` where authority stands on it, or where a space is not there."""
    if synced.missing_spaces:
        raise Failure(f"there is no space {one_line(synced.missing_spaces[0])}", "Check its URI.", NOT_FOUND)
    failed = {did: reading for did, reading in sorted(synced.readings.items()) if reading.how == "failed"}
    trusted = {space.root for space in spaces} | {
        member.did for space in spaces for member in space.members if member.role == "admin"
    }
    for did, reading in failed.items():
        why = one_line("; ".join(reading.words), 300)
        if did in trusted or not spaces:
            raise Failure(f"the space cannot be read anew: {did} could not be read: {why}", _ADVICE, TRY_AGAIN)
        say(f"radial: {did} could not be read, and is seen as it was: {why}")
