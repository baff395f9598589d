"""`radial store status`: how much there is, how far it was read, and whether it is ready.

Strategy: running but empty is not ready (RK-16.3): a space is, once the repo of each member was read wholly. Who is a
member is asked of the core, over the few records on which membership rests. How fresh something is, is known of a
source only while somebody reads it (RK-16.4); otherwise the word is `unknown`, and never `now`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import attrs

from radial_cli.output import is_terminal, out, out_json, width
from radial_cli.pictures.words import brief_title, counted
from radial_cli.render import Page
from radial_cli.storing.place import Damages, opened
from radial_core import materialize
from radial_core.records import PREFIX
from radial_io.store.store import Store
from radial_io.store.values import Repo, SourceState, Stats

_TRUST: Final = frozenset(PREFIX + kind for kind in ("space", "addMember", "removeMember"))


@attrs.frozen
class SpaceState:
    """A space, how many members it has, and whose repo was never read wholly."""

    uri: str
    name: str
    members: int
    unread: tuple[str, ...]


def print_status(name: str | None, *, as_json: bool) -> None:
    """Print how a store is."""
    damages = Damages()
    with opened(name, write=False) as store:
        stats, sources, repos = store.stats(), store.sources(), store.repos()
        spaces = _spaces(store, damages)
        path = str(store.path)
    is_ready = bool(spaces) and not any(space.unread for space in spaces)
    if as_json:
        out_json(_as_json(path, stats, sources, repos, spaces, is_ready=is_ready))
    else:
        out(_page(path, stats, sources, repos, spaces, is_ready=is_ready))
    damages.end()


def _spaces(store: Store, damages: Damages) -> list[SpaceState]:
    rows = store.observations(collections=_TRUST, on_damage=damages)
    index = materialize(observation for _, observation in rows)
    found = ((space, [member.did for member in space.members]) for space in index.spaces)
    return [SpaceState(space.uri, space.name, len(dids), store.unread(dids)) for space, dids in found]


def _as_json(
    path: str,
    stats: Stats,
    sources: Sequence[SourceState],
    repos: Sequence[Repo],
    spaces: Sequence[SpaceState],
    *,
    is_ready: bool,
) -> dict[str, Any]:
    return {
        "file": path,
        "ready": is_ready,
        "schema": stats.schema,
        "bytes": stats.size,
        "logBytes": stats.wal_size,
        "freeBytes": stats.free,
        "versions": stats.versions,
        "deletions": stats.deletions,
        "records": stats.records,
        "quarantined": stats.quarantined,
        "lastRow": stats.last_row,
        "spaces": [
            {"uri": space.uri, "members": space.members, "unread": list(space.unread), "ready": not space.unread}
            for space in spaces
        ],
        "repos": [_repo_json(repo) for repo in repos],
        "sources": [_source_json(state) for state in sources],
    }


def _repo_json(repo: Repo) -> dict[str, Any]:
    return {
        "did": repo.did,
        "state": repo.state,
        "stateSince": repo.state_since,
        "rev": repo.rev,
        "root": repo.root,
        "source": None if repo.source is None else attrs.asdict(repo.source),
        "readAt": repo.read_at,
        "failure": repo.failure,
        "failedAt": repo.failed_at,
    }


def _source_json(state: SourceState) -> dict[str, Any]:
    return {
        **attrs.asdict(state.source),
        "cursor": state.cursor,
        "takenAt": state.taken_at,
        "failure": state.failure,
        "failedAt": state.failed_at,
        "live": state.is_live,
    }


def _page(
    path: str,
    stats: Stats,
    sources: Sequence[SourceState],
    repos: Sequence[Repo],
    spaces: Sequence[SpaceState],
    *,
    is_ready: bool,
) -> str:
    page = Page(width(), styled=is_terminal())
    page.line([(path, "title"), "  ", ("ready", "good") if is_ready else ("not ready", "wait")])
    page.line(
        f"{counted(stats.records, 'record')} in {counted(stats.versions, 'version')}, "
        f"{counted(stats.deletions, 'deletion')}, {stats.quarantined} set aside; row {stats.last_row}",
        indent=2,
    )
    size = f"{stats.size:,} bytes, {stats.wal_size:,} in its log, {stats.free:,} free; schema {stats.schema}"
    page.line(size, indent=2)
    page.heading("Spaces", f"({len(spaces)})")
    for space in spaces:
        page.line([(brief_title(space.name), "name"), (f"  {space.uri}", "quiet")], indent=2)
        unread = f", {len(space.unread)} never read wholly: {', '.join(space.unread)}" if space.unread else ""
        page.line(f"{counted(space.members, 'member')}{unread or ', each read'}", indent=4)
    page.heading("Repos", f"({len(repos)})")
    page.columns((_repo_row(repo) for repo in repos), indent=2)
    page.heading("Sources", f"({len(sources)})")
    page.columns((_source_row(state) for state in sources), indent=2)
    return page.text()


def _repo_row(repo: Repo) -> tuple[Any, ...]:
    read = f"read {repo.read_at} at {repo.rev or 'no revision'}" if repo.read_at else ("never read wholly", "wait")
    failure = (f"{repo.failed_at}: {repo.failure}", "bad") if repo.failure else ""
    return (repo.did, "name"), repo.state or "state unknown", read, failure


def _source_row(state: SourceState) -> tuple[Any, ...]:
    source = state.source
    fresh = ("live", "good") if state.is_live else ("freshness unknown", "wait")
    last = f"last {state.taken_at}, cursor {state.cursor or 'none'}" if state.taken_at else "nothing taken"
    failure = (f"{state.failed_at}: {state.failure}", "bad") if state.failure else ""
    return source.adapter, f"{source.host} {source.subject}".strip(), fresh, last, failure
