"""`radial status`: how each repo stands.

Strategy: a table for a person; in a pipe every field, separated by tabs. Freshness is `live` or `unknown`, and never
`now` for what nobody follows (RK-16.4).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import attrs

from radial_cli.diagnosing.situation import Situation, situation
from radial_cli.output import is_terminal, out, out_json, say, width
from radial_cli.pictures.words import brief_title, counted
from radial_cli.render import Page, Parts
from radial_cli.storing.place import opened
from radial_cli.untrusted import one_line
from radial_io.ingest.health import Health
from radial_io.ingest.telling import ASSURANCE

_FIELDS: Final = (
    "did", "member", "state", "ready", "fresh", "lag", "rev", "written", "looked at", "way", "host", "error", "spaces"
)  # fmt: skip
_UNITS: Final = ((86_400, "d"), (3600, "h"), (60, "min"))


def print_status(name: str | None, *, as_json: bool) -> None:
    """Print how each repo stands."""
    with opened(name, write=False) as store:
        found, path = situation(store), str(store.path)
    if as_json:
        out_json(_json(found, path))
        return
    out(_page(found, path) if is_terminal() else "".join("\t".join(map(one_line, row)) + "\n" for row in _rows(found)))
    if found.notes.skew is not None and found.notes.skew.is_worth_a_warning:
        say(f"radial: {found.notes.skew.in_words()}: set it, for your records are ordered by it")


def _json(found: Situation, path: str) -> dict[str, Any]:
    skew = found.notes.skew
    return {
        "file": path,
        "ready": found.is_ready,
        "live": any(state.is_live for state in found.sources),
        "spaces": [_space(uri, found) for uri in sorted(found.names.keys() | found.notes.followed.keys())],
        "repos": [_repo(repo) for repo in found.repos],
        "clock": None if skew is None else {**attrs.asdict(skew), "at": found.notes.skew_at},
    }


def _space(uri: str, found: Situation) -> dict[str, Any]:
    members = [repo for repo in found.repos if uri in repo.spaces]
    is_there = uri in found.names
    return {
        "uri": uri,
        "name": found.names.get(uri),
        "followedAt": found.notes.followed.get(uri),
        "members": len(members),
        "ready": is_there and all(repo.is_ready for repo in members),
    }


def _repo(health: Health) -> dict[str, Any]:
    repo, way = health.repo, health.way
    return {
        "did": repo.did,
        "member": bool(health.spaces),
        "spaces": list(health.spaces),
        "state": repo.state,
        "ready": health.is_ready,
        "freshness": "live" if health.is_live else "unknown",
        "lag": None if health.lag is None else round(health.lag, 1),
        "lookedAt": health.looked_at,
        "rev": repo.rev,
        "writtenAt": health.written_at,
        "readAt": repo.read_at,
        "readFrom": None if repo.source is None else attrs.asdict(repo.source),
        "way": None if way is None else attrs.asdict(way),
        "assurance": None if way is None else ASSURANCE[way.adapter],
        "failure": repo.failure,
        "failedAt": repo.failed_at,
    }


def _rows(found: Situation) -> Iterator[tuple[str, ...]]:
    yield _FIELDS
    for health in found.repos:
        row = _repo(health)
        way = row["way"] or {"adapter": "", "host": ""}
        flags = ("yes" if row["member"] else "no", row["state"] or "", "yes" if row["ready"] else "no")
        times = (row["rev"] or "", row["writtenAt"] or "", row["lookedAt"] or "")
        lag = "" if row["lag"] is None else str(row["lag"])
        yield (
            *(row["did"], *flags, row["freshness"], lag, *times),
            *(way["adapter"], way["host"] or _host(health), row["failure"] or "", " ".join(row["spaces"])),
        )


def _host(health: Health) -> str:
    return health.repo.source.host if health.repo.source is not None else ""


def _page(found: Situation, path: str) -> str:
    page = Page(width(), styled=True)
    page.line([(path, "title"), "  ", ("ready", "good") if found.is_ready else ("not ready", "wait")])
    skew = found.notes.skew
    if skew is not None:
        page.line(
            (f"{skew.in_words()} ({found.notes.skew_at})", "bad" if skew.is_worth_a_warning else "quiet"), indent=2
        )
    for uri in sorted(found.names.keys() | found.notes.followed.keys()):
        space = _space(uri, found)
        page.heading(brief_title(space["name"] or "(not there)"), uri)
        at = f"followed {space['followedAt']}" if space["followedAt"] else "not followed by this store"
        page.line((f"{counted(space['members'], 'member')}; {at}", "quiet"), indent=2)
        _repos(page, [repo for repo in found.repos if uri in repo.spaces])
    former = [repo for repo in found.repos if not repo.spaces]
    if former:
        page.heading("Of nobody who is a member", "(not read any more; what was read stays)")
        _repos(page, former)
    return page.text()


def _repos(page: Page, repos: list[Health]) -> None:
    page.columns(map(_columns, repos), indent=2)
    for health in repos:
        if health.repo.failure is not None:
            page.line(
                [(health.repo.did, "name"), f" {health.repo.failed_at}: ", (health.repo.failure, "bad")], indent=4
            )


def _columns(health: Health) -> tuple[Parts, ...]:
    repo, way = health.repo, health.way
    ready: Parts = ("read wholly", "good") if health.is_ready else ("never read wholly", "wait")
    fresh: Parts = ("live", "good") if health.is_live else ("freshness unknown", "wait")
    by = f"{way.adapter} {way.host or _host(health)}" if way is not None else ""
    return (repo.did, "name"), repo.state or "state unknown", ready, fresh, _lag(health.lag), by


def _lag(seconds: float | None) -> str:
    """Spell a lag in the unit that fits it."""
    if seconds is None:
        return "never looked at"
    size, unit = next(((size, unit) for size, unit in _UNITS if seconds >= size), (1, "s"))
    return f"{seconds / size:.0f} {unit} behind at most"
