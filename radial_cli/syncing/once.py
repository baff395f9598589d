"""`radial sync`: every repo of some spaces, once.

Strategy: talk goes to standard error: one line for a repo that brought something or could not be read, and the sums.
What moved is data. Whether anything is missing is in the status: 3, a space is not there; 75, a repo could not be read
and may be later; 1, all repos were read and something in them cannot be taken.

A repo whose account has ended, or is away, is no failure when it was read before: what was read stands (decision 13).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from radial_cli.exits import FAILURE, NOT_FOUND, TRY_AGAIN, Silent
from radial_cli.moving import Move, moves
from radial_cli.output import out_json, say
from radial_cli.outside import told
from radial_cli.pictures.words import counted
from radial_cli.running import run
from radial_cli.storing.place import Damages, opened
from radial_cli.syncing.moved import print_moves
from radial_cli.syncing.progress import Bars, progress
from radial_cli.syncing.session import Asked, following
from radial_cli.syncing.telling import in_lines, looked_json
from radial_io.ingest.following import Settings
from radial_io.ingest.news import Looked, News
from radial_io.ingest.syncing import Synced, sync_spaces
from radial_io.ingest.tail import Tail
from radial_io.ingest.visiting import Reading
from radial_io.store.store import Store
from radial_io.store.values import Quarantined, Repo

_AWAY = frozenset({"deactivated", "deleted", "suspended", "takendown"})


@attrs.frozen
class Result:
    """How it went: the looks, what moved (None where nobody folded), what lies in quarantine, what is missing."""

    synced: Synced
    moved: list[Move] | None
    aside: list[Quarantined]
    missing: list[Reading]


def sync_to_store(asked: Asked, *, fold: bool, as_json: bool) -> None:
    """Read the spaces into the store. Raises `Failure`, or `Silent` when something is missing."""
    settings = Settings(choice=asked.choice(live=False), limits=asked.limits)
    damages = Damages()
    with told():
        asked.require_sense()
    with told(), opened(asked.store, write=True) as store:
        tail = Tail(store, on_damage=damages)
        before = tail.catch_up() if fold else None
        with progress() as bars:
            synced = run(lambda: _sync(asked, settings, store, bars))
        moved = None if before is None else moves(before, tail.catch_up(), asked.spaces)
        result = _result(store, synced, moved)
    _print(asked, result, as_json=as_json)
    damages.end()
    _end(result)


async def _sync(asked: Asked, settings: Settings, store: Store, bars: Bars) -> Synced:
    def tell(news: News) -> None:
        bars.see(news)
        is_dull = isinstance(news, Looked) and news.reading.how == "unchanged" and not news.reading.words
        if not is_dull and (line := in_lines(news)) is not None:
            bars.say(line)

    async with following(asked, settings, store, tell) as follower:
        return await sync_spaces(follower)


def _result(store: Store, synced: Synced, moved: list[Move] | None) -> Result:
    repos = {repo.did: repo for repo in store.repos()}
    aside = [entry for did in sorted(synced.readings) for entry in store.quarantine(did)]
    missing = [reading for _, reading in sorted(synced.readings.items()) if _is_missing(reading, repos)]
    return Result(synced, moved, aside, missing)


def _is_missing(reading: Reading, repos: dict[str, Repo]) -> bool:
    repo = repos.get(reading.did, Repo(reading.did))
    return reading.how == "failed" and not (repo.state in _AWAY and repo.read_at is not None)


def _print(asked: Asked, result: Result, *, as_json: bool) -> None:
    if as_json:
        out_json(_json(asked, result))
    elif result.moved is not None:
        print_moves(result.moved)
    readings, taken = result.synced.readings, result.synced.taken
    say(
        f"radial: {counted(len(readings), 'repo')}: {counted(taken.new, 'new version')}, "
        f"{counted(taken.gone, 'deletion')}" + ("" if result.moved is None else f"; {_moved(result.moved)}")
    )
    if result.missing:
        dids = ", ".join(reading.did for reading in result.missing)
        say(f"radial: not the whole: {counted(len(result.missing), 'repo')} could not be read: {dids}")
    if result.aside:
        say(f"radial: {len(result.aside)} set aside in these repos, and in no index: `radial quarantine` says why")


def _moved(found: Sequence[Move]) -> str:
    numbers = {kind: sum(move.kind == kind for move in found) for kind in ("goal", "request")}
    return " and ".join(counted(number, kind) for kind, number in numbers.items()) + " moved"


def _json(asked: Asked, result: Result) -> dict[str, Any]:
    taken = result.synced.taken
    return {
        "spaces": asked.spaces,
        "whole": not (result.missing or result.aside or result.synced.missing_spaces),
        "missingSpaces": list(result.synced.missing_spaces),
        "new": taken.new,
        "deletions": taken.gone,
        "setAside": len(result.aside),
        "repos": [looked_json(reading) for _, reading in sorted(result.synced.readings.items())],
        "moved": None if result.moved is None else [move.to_json() for move in result.moved],
    }


def _end(result: Result) -> None:
    """Say in the status what is missing, the worst of it."""
    if result.synced.missing_spaces:
        raise Silent(NOT_FOUND)
    if result.missing:
        raise Silent(TRY_AGAIN)
    if result.aside:
        raise Silent(FAILURE)
