"""What can be wrong with what is in a store, as a list of rules over how things stand.

Strategy: each rule is a function from the situation to what it found; the table below has them in the order in which
people should be told. A rule that finds nothing says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import attrs

from radial_cli.diagnosing.situation import Situation
from radial_cli.pictures.words import counted
from radial_io.ingest.follow import root_of
from radial_io.ingest.health import Health

FAULT: Final = "fault"
WARNING: Final = "warning"
NOTE: Final = "note"

_STALE: Final = 86_400.0  # seconds that nobody looked
_AWAY: Final = frozenset({"deactivated", "deleted", "suspended", "takendown"})


@attrs.frozen
class Finding:
    """Something found: how bad (`level`), of which kind (`what`), about which file, DID or URI; and what to do."""

    level: str
    what: str
    about: str
    words: str
    advice: str


def findings(found: Situation) -> list[Finding]:
    """Go through all rules."""
    return [finding for rule in _RULES for finding in rule(found)]


def _damages(found: Situation) -> Iterator[Finding]:
    for damage in found.damages:
        words = f"a stored version is damaged: {damage.reason}"
        yield Finding(FAULT, "damage", damage.uri, words, "`radial store check` looks at everything; restore a backup.")


def _spaces(found: Situation) -> Iterator[Finding]:
    if not found.notes.followed:
        level = NOTE if found.names else WARNING
        yield Finding(
            level, "spaces", "", "no space was followed with this store", "`radial sync SPACE_URI` reads one."
        )
    for uri in sorted(found.notes.followed.keys() - found.names.keys()):
        advice = f"Check the URI: the repo of {root_of(uri)} does not hold it, or was never read."
        yield Finding(FAULT, "spaces", uri, f"the space {uri} is not in the store", advice)


def _unread(found: Situation) -> Iterator[Finding]:
    for health in found.members:
        if not health.is_ready and not _is_unresolved(health, found):
            did, failure = health.repo.did, health.repo.failure
            words = f"the repo of {did} was never read wholly" + (f": {failure}" if failure else "")
            yield Finding(FAULT, "unread", did, words, _on_unread(health))


def _on_unread(health: Health) -> str:
    if health.repo.state in _AWAY:
        return "An admin of the space can end the membership: nothing more will come."
    return "`radial sync` tries it again; others who read it can give you an export."


def _identities(found: Situation) -> Iterator[Finding]:
    for health in found.members:
        if _is_unresolved(health, found):
            words = f"the identity of {health.repo.did} does not resolve: {health.repo.failure}"
            advice = (
                "Where no server was reached, `radial sync` tries again; else its owner has to mend the DID's document."
            )
            yield Finding(FAULT, "identity", health.repo.did, words, advice)


def _is_unresolved(health: Health, found: Situation) -> bool:
    """A look that failed before it knew a server failed at the identity."""
    last = [(failure, at) for failure, at in found.failures if failure.did == health.repo.did]
    return health.repo.failure is not None and bool(last) and not last[-1][0].source.host


def _failing(found: Situation) -> Iterator[Finding]:
    for health in found.members:
        repo = health.repo
        if repo.failure is None or not health.is_ready or _is_unresolved(health, found):
            continue
        if repo.state in _AWAY:
            words = f"the account {repo.did} is {repo.state} since {repo.state_since}; what was read of it stands"
            yield Finding(
                NOTE, "account", repo.did, words, "If it will not come back, an admin can end the membership."
            )
        else:
            words = f"the repo of {repo.did} could not be read {repo.failed_at}: {repo.failure}"
            yield Finding(WARNING, "failing", repo.did, words, "It is tried again by `radial sync` and `radial watch`.")


def _streams(found: Situation) -> Iterator[Finding]:
    for state in found.sources:
        if state.failure is not None and not state.source.subject:
            source = f"{state.source.adapter} {state.source.host}"
            words = f"the stream {source} broke off {state.failed_at}: {state.failure}"
            yield Finding(WARNING, "stream", state.source.host, words, "`radial watch` tries it again by itself.")


def _quarantine(found: Situation) -> Iterator[Finding]:
    number = found.stats.quarantined
    if number:
        words = f"{counted(number, 'thing')} received and set aside, in no index"
        yield Finding(WARNING, "quarantine", "", words, "`radial quarantine` says what and why; authors can mend it.")


def _stale(found: Situation) -> Iterator[Finding]:
    stale = [h for h in found.members if h.is_ready and not h.is_live and h.lag is not None and h.lag >= _STALE]
    if stale:
        days = max(health.lag or 0.0 for health in stale) / _STALE
        words = f"{counted(len(stale), 'repo')} not looked at for up to {counted(round(days), 'day')}"
        yield Finding(WARNING, "stale", ", ".join(health.repo.did for health in stale), words, "Run `radial sync`.")


def _clock(found: Situation) -> Iterator[Finding]:
    skew = found.notes.skew
    if skew is not None and skew.is_worth_a_warning:
        yield Finding(
            FAULT, "clock", "", skew.in_words(), "Set it: your records are ordered by it, and leases counted."
        )


_RULES: Final[tuple[Callable[[Situation], Iterator[Finding]], ...]] = (
    _damages,
    _clock,
    _spaces,
    _identities,
    _unread,
    _failing,
    _streams,
    _quarantine,
    _stale,
)
