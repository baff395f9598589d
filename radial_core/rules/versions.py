"""Which version of a record counts, and why the others do not (O3, O4, V1–V6, L1, L6, C2).

Strategy: all of it is a function of the observations of one URI, gathered and put in order by `sightings`. A table says
how a kind of record picks among the versions that pass L: the earliest, except for claims, agents and goals. Reasons
for the versions left over come from the same picker, so that a choice and its explanation cannot part; they are made
when somebody asks for them. Nearly every record has one version seen once or twice: that path is short.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from radial_core.canonical import encode, measure
from radial_core.entries import Entry
from radial_core.identifiers import record_parts
from radial_core.leases import breach, lease_of
from radial_core.ledger import observations_in
from radial_core.observations import Record
from radial_core.reading import Read, read_plain, read_sound
from radial_core.records import COLLECTIONS, PREFIX, Claim, Goal
from radial_core.rulings import EditRow, IgnoredRow, PassedOver, Ruling
from radial_core.sightings import Version, gather, order_of
from radial_core.structure import structural_faults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from radial_core.instants import Instant
    from radial_core.ledger import Held
    from radial_core.lexicon import Fault
    from radial_core.observations import Observation
    from radial_core.sightings import Sighting

# V5: the kinds whose deletion takes them away. Everything else is an append-only log.
RETIRABLE: Final = frozenset(PREFIX + kind for kind in ("claim", "agent", "join"))
_MOST_FAULTS: Final = 20


def choose(uri: str, held: Held) -> Entry[Any] | IgnoredRow:
    """Choose the version that counts at `uri` among what a ledger holds there, in whatever order it came.

    Where none does, a row says which rule keeps the record out, and shows a CID (§0).
    """
    parts = record_parts(uri)
    if parts is None or parts[1] not in COLLECTIONS:
        return IgnoredRow(uri, _earliest_cid(observations_in(held)), *_not_ours(parts))
    only = held if isinstance(held, Record) else _only_version(observations_in(held))
    if only is not None:
        return _choose_only(only, parts[0], parts[1])
    return _Versions(uri, parts[1], observations_in(held)).choice(parts[0])


def passed_over(uri: str, held: Held) -> EditRow | None:
    """Say what else was seen at `uri` than the version that `choose` gives (V6); nothing where nothing was."""
    parts = record_parts(uri)
    if parts is None or parts[1] not in COLLECTIONS:
        return None
    return _Versions(uri, parts[1], observations_in(held)).edits()


def _only_version(held: Sequence[Observation]) -> Record | None:
    """Give the only version there is, however often it was seen; nothing when there are more, or a deletion."""
    first = held[0]
    if isinstance(first, Record) and all(isinstance(seen, Record) and seen.cid == first.cid for seen in held):
        return first
    return None


def _not_ours(parts: tuple[str, str, str] | None) -> Ruling:
    if parts is None:
        return Ruling("O6", "the URI is not at://DID/collection/record-key, each part legal")
    return Ruling("O6", f"{parts[1][:120]!a} is not a Radial collection")


def _choose_only(seen: Record, did: str, collection: str) -> Entry[Any] | IgnoredRow:
    """The common case: one version, seen once or more, never deleted. Which sighting is which changes nothing."""
    read = judge(collection, seen.value)
    if isinstance(read, Ruling):
        return IgnoredRow(seen.uri, seen.cid, *read)
    if isinstance(read.record, Claim):
        breached = breach(lease_of(seen.uri, seen.cid, read.created_at, read.record))
        if breached is not None:
            return IgnoredRow(seen.uri, seen.cid, "C2", breached)
    return _entry(seen, did, read)


def judge(collection: str, value: object) -> Read | Ruling:
    """Read a value as a record of this collection, or say what keeps it from being one (L6, L1)."""
    read = read_plain(collection, value)
    if read is not None:
        return read
    misfit = measure(value)
    if misfit is not None:
        return Ruling("L6" if misfit.crosses_bound else "L1", str(misfit))
    faults = structural_faults(collection, value)
    return _faulty(faults) if faults else read_sound(collection, cast("dict[str, Any]", value))


def _faulty(faults: Sequence[Fault]) -> Ruling:
    more = [f"and {len(faults) - _MOST_FAULTS} more"] if len(faults) > _MOST_FAULTS else []
    return Ruling("L1", "; ".join([*map(str, faults[:_MOST_FAULTS]), *more]))


def _entry(seen: Record, did: str, read: Read, others: tuple[str, ...] = ()) -> Entry[Any]:
    (seconds, fraction), record = read
    closed = isinstance(record, Goal) and record.closed is True
    return Entry(seconds, fraction, seen.uri, seen.cid, did, record, seen.value, others, closed)


class _Versions:
    """What was seen at one URI, earliest first: all versions, and the `valid` ones that V5 leaves and L lets pass."""

    def __init__(self, uri: str, collection: str, observations: Sequence[Observation]) -> None:
        self.uri, self.collection = uri, collection
        self.order = order_of(observations)
        versions, self.deletions = gather(observations)
        self.seen = self._earliest_first(versions)
        self.left = self._undeleted()
        self.read: dict[str, Read] = {}
        self.rulings: dict[str, Ruling] = {}
        for version in self.seen:
            made = judge(collection, version.seen.value)
            if isinstance(made, Ruling):
                self.rulings[version.cid] = made
            else:
                self.read[version.cid] = made
        self.valid = [version for version in self.left if version.cid in self.read]
        self.pick = _PICKERS.get(collection, _pick_earliest)(self) if self.valid else _NO_PICK

    def _earliest_first(self, versions: Iterable[Version]) -> list[Version]:
        return sorted(versions, key=self.order.earliest)

    def _undeleted(self) -> list[Version]:
        # V5: only for some kinds does a deletion drop the sightings that are not later.
        if self.collection not in RETIRABLE or not self.deletions.any:
            return self.seen
        kept = [version._replace(sightings=self._after_deletions(version)) for version in self.seen]
        return self._earliest_first(version for version in kept if version.sightings)

    def _after_deletions(self, version: Version) -> tuple[Sighting, ...]:
        return tuple(seen for seen in version.sightings if self.deletions.all_before(seen))

    def choice(self, did: str) -> Entry[Any] | IgnoredRow:
        kept, closed = self.pick.kept, self.pick.closed
        if kept is None:
            return IgnoredRow(self.uri, self.seen[0].cid if self.seen else None, *self._ruling())
        others = tuple(sorted([version.cid for version in self.seen if version.cid != kept.cid]))
        entry = _entry(kept.seen, did, self.read[kept.cid], others)
        return entry if closed is None else entry._replace(closed=closed)

    def _ruling(self) -> Ruling:
        if self.valid:  # a claim none of whose versions is in contract
            return Ruling("C2", "no version of this claim keeps the lease contract: " + self.pick.complaint)
        # §0: the earliest version gives the rule, unless some version passes L: then deletions took all that do.
        return self.rulings[self.seen[0].cid] if self.seen and not self.read else _DELETED

    def edits(self) -> EditRow | None:
        kept = None if self.pick.kept is None else self.pick.kept.cid
        reasons = self._reasons()
        others = tuple(
            PassedOver(version.cid, reasons.get(version.cid, "edit")) for version in self.seen if version.cid != kept
        )
        deleted = self._is_deleted()
        return EditRow(self.uri, kept, others, deleted) if others or deleted else None

    def _reasons(self) -> dict[str, str]:
        """V6: the first reason that fits, by CID."""
        left = {version.cid for version in self.left}
        deleted = {cid: "deleted" for cid in self.read if cid not in left}
        return self.pick.reasons() | deleted | dict.fromkeys(self.rulings, "invalid")

    def _is_deleted(self) -> bool:
        # V6: a deletion was seen, and nothing later than every deletion.
        return self.deletions.any and not any(self._after_deletions(version) for version in self.seen)


_DELETED: Final = Ruling("V5", "its author deleted it, and nothing later was seen")


def _earliest_cid(observations: Sequence[Observation]) -> str | None:
    versions, _ = gather(observations)
    return min(versions, key=order_of(observations).earliest).cid if versions else None


# How each kind picks (V1–V4) -----------------------------------------------------------------------------------------


class _Pick(NamedTuple):
    """The version kept. `reasons` gives V6's, where it is not "edit", for those that were candidates and are not kept.

    `closed` is a goal's effective legacy ending (V4). `complaint` says what a claim without any good version breaks.
    """

    kept: Version | None
    reasons: Callable[[], dict[str, str]]
    closed: bool | None = None
    complaint: str = ""


_NO_PICK: Final = _Pick(None, dict)


def _pick_earliest(versions: _Versions) -> _Pick:
    """V1: the earliest version is the record; nothing else is ever adopted."""
    return _Pick(versions.valid[0], dict)


def _pick_latest(versions: _Versions) -> _Pick:
    """V2: a profile is republished whole."""
    kept = max(versions.valid, key=versions.order.latest)
    return _Pick(kept, lambda: {version.cid: "superseded" for version in versions.valid})


def _pick_claim(versions: _Versions) -> _Pick:
    """V3: the base freezes request and creation; of what keeps the contract, the furthest expiry counts."""
    latest = versions.order.latest
    claims = [_held(version, versions.read[version.cid]) for version in versions.valid]
    frozen = claims[0].frozen
    good = [claim for claim in claims if claim.frozen == frozen and claim.breach is None]
    kept = max(good, key=lambda claim: (claim.expires_at, latest(claim.version))).version if good else None

    def reason(claim: _HeldClaim) -> str:
        if claim.frozen != frozen:
            return "frozen"
        if claim.breach is not None:
            return "C2"
        return "shortened" if kept is not None and latest(claim.version) > latest(kept) else "superseded"

    return _Pick(kept, lambda: {claim.version.cid: reason(claim) for claim in claims}, complaint=claims[0].breach or "")


class _HeldClaim(NamedTuple):
    """A version of a claim: what no other may change, when its lease ends, and how it breaks the contract, if so."""

    version: Version
    frozen: tuple[str, Instant]
    expires_at: Instant
    breach: str | None


def _held(version: Version, read: Read) -> _HeldClaim:
    claim = read.record
    assert isinstance(claim, Claim)  # noqa: S101 - the collection says so
    lease = lease_of(version.seen.uri, version.cid, read.created_at, claim)
    return _HeldClaim(version, (claim.request, read.created_at), claim.expires_at, breach(lease))


def _pick_goal(versions: _Versions) -> _Pick:
    """V4: the base is the record; the latest version that differs in `closed` alone says whether it is closed."""
    base = versions.valid[0]
    unclosed = _bytes_without_closed(base)
    alike = [version for version in versions.valid if version is base or _bytes_without_closed(version) == unclosed]
    closed = max(alike, key=versions.order.latest).seen.value.get("closed") is True
    return _Pick(base, lambda: {version.cid: "legacy ending" for version in alike}, closed=closed)


def _bytes_without_closed(version: Version) -> bytes:
    return encode({key: inner for key, inner in version.seen.value.items() if key != "closed"})


_PICKERS: Final[dict[str, Callable[[_Versions], _Pick]]] = {
    PREFIX + "agent": _pick_latest,
    PREFIX + "claim": _pick_claim,
    PREFIX + "goal": _pick_goal,
}
