"""Which version of a record counts, and why the others do not (O3, O4, V1–V6, L1, L6, C2).

Strategy: all of it is a function of the observations of one URI, gathered and put in order by `sightings`. A table says
how a kind of record picks among the versions that pass L: the earliest, except for claims, agents and goals. Reasons
for the versions left over come from the same picker, so that a choice and its explanation cannot part. Nearly every
record has one version seen once or twice: that path is short.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from radial_core.canonical import encode, measure
from radial_core.entries import Entry
from radial_core.identifiers import record_parts
from radial_core.leases import Lease, breach, lease_of
from radial_core.ledger import observations_in
from radial_core.observations import Record
from radial_core.reading import Read, read_plain, read_sound
from radial_core.records import COLLECTIONS, PREFIX, Claim, Goal
from radial_core.rulings import EditRow, PassedOver, Ruling
from radial_core.sightings import Version, gather, order_of
from radial_core.structure import structural_faults

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from radial_core.ledger import Held
    from radial_core.lexicon import Fault
    from radial_core.observations import Observation
    from radial_core.sightings import Sighting

# V5: the kinds whose deletion takes them away. Everything else is an append-only log.
RETIRABLE: Final = frozenset(PREFIX + kind for kind in ("claim", "agent", "join"))
_MOST_FAULTS: Final = 20
_NONE: Final = frozenset[str]()


class Choice(NamedTuple):
    """What V and L make of a URI that is not plain: an entry, or a ruling with the CID to show (§0); and the edits."""

    entry: Entry[Any] | None
    cid: str | None
    ruling: Ruling | None
    edits: EditRow | None


def choose(uri: str, held: Held) -> Entry[Any] | Choice:
    """Choose the version that counts at `uri` among what a ledger holds there, in whatever order it came.

    The entry alone is given where there is nothing else to say: nothing was passed over.
    """
    parts = record_parts(uri)
    if parts is None or parts[1] not in COLLECTIONS:
        return Choice(None, _earliest_cid(observations_in(held)), _not_ours(parts), None)
    only = held if isinstance(held, Record) else _only_version(observations_in(held))
    if only is not None:
        return _choose_only(only, parts[0], parts[1])
    return _Versions(uri, parts[0], parts[1], observations_in(held)).choice()


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


def _choose_only(seen: Record, did: str, collection: str) -> Entry[Any] | Choice:
    """The common case: one version, seen once or more, never deleted. Which sighting is which changes nothing."""
    read = judge(collection, seen.value)
    if isinstance(read, Ruling):
        return _refused(seen, read, "invalid")
    if isinstance(read.record, Claim):
        breached = breach(lease_of(seen.uri, seen.cid, read.created_at, read.record))
        if breached is not None:
            return _refused(seen, Ruling("C2", breached), "C2")
    return _entry(seen, did, read)


def _refused(seen: Record, ruling: Ruling, reason: str) -> Choice:
    edits = EditRow(seen.uri, None, (PassedOver(seen.cid, reason),), deleted=False)
    return Choice(None, seen.cid, ruling, edits)


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


def _entry(seen: Record, did: str, read: Read, others: frozenset[str] = _NONE) -> Entry[Any]:
    (seconds, fraction), record = read
    closed = isinstance(record, Goal) and record.closed is True
    return Entry(seconds, fraction, seen.uri, seen.cid, did, record, seen.value, others, closed)


class _Versions:
    """The several versions of one URI, or its deletions."""

    def __init__(self, uri: str, did: str, collection: str, observations: Sequence[Observation]) -> None:
        self.uri, self.did, self.collection = uri, did, collection
        self.order = order_of(observations)
        versions, self.deletions = gather(observations)
        self.seen = sorted(versions, key=self.order.earliest)
        judged = {version.cid: judge(collection, version.seen.value) for version in self.seen}
        self.rulings = {cid: made for cid, made in judged.items() if isinstance(made, Ruling)}
        self.read = {cid: made for cid, made in judged.items() if isinstance(made, Read)}
        self.left = self._undeleted()
        self.valid = [version for version in self.left if version.cid in self.read]

    def _undeleted(self) -> list[Version]:
        # V5: only for some kinds does a deletion drop the sightings that are not later.
        if self.collection not in RETIRABLE or not self.deletions.any:
            return self.seen
        kept = [version._replace(sightings=self._after_deletions(version)) for version in self.seen]
        return [version for version in kept if version.sightings]

    def _after_deletions(self, version: Version) -> tuple[Sighting, ...]:
        return tuple(seen for seen in version.sightings if self.deletions.all_before(seen))

    def choice(self) -> Choice:
        pick = _PICKERS.get(self.collection, _pick_earliest)(self) if self.valid else None
        kept = pick.kept if pick is not None else None
        edits = self._edits(pick)
        if pick is None or kept is None:
            return Choice(None, self.seen[0].cid if self.seen else None, self._ruling(pick), edits)
        others = frozenset(version.cid for version in self.seen if version.cid != kept.cid)
        entry = _entry(kept.seen, self.did, self.read[kept.cid], others)
        if pick.closed is not None:
            entry = entry._replace(closed=pick.closed)
        return Choice(entry, kept.cid, None, edits)

    def _ruling(self, pick: _Pick | None) -> Ruling:
        if pick is not None:  # a claim none of whose versions is in contract
            return Ruling("C2", "no version of this claim keeps the lease contract: " + pick.complaint)
        # §0: the earliest version gives the rule, unless some version passes L: then deletions took all that do.
        return self.rulings[self.seen[0].cid] if self.seen and not self.read else _DELETED

    def _edits(self, pick: _Pick | None) -> EditRow | None:
        kept = pick.kept.cid if pick is not None and pick.kept is not None else None
        left = {version.cid for version in self.left}
        others = tuple(
            PassedOver(version.cid, self._reason(version, left, pick)) for version in self.seen if version.cid != kept
        )
        deleted = self._is_deleted()
        return EditRow(self.uri, kept, others, deleted) if others or deleted else None

    def _reason(self, version: Version, left: set[str], pick: _Pick | None) -> str:
        """V6: the first reason that fits."""
        if version.cid in self.rulings:
            return "invalid"
        if version.cid not in left:
            return "deleted"
        return pick.reasons.get(version.cid, "edit") if pick is not None else "edit"

    def _is_deleted(self) -> bool:
        # V6: a deletion was seen, and nothing later than every deletion.
        return self.deletions.any and not any(self._after_deletions(version) for version in self.seen)


_DELETED: Final = Ruling("V5", "its author deleted it, and nothing later was seen")


def _earliest_cid(observations: Sequence[Observation]) -> str | None:
    versions, _ = gather(observations)
    return min(versions, key=order_of(observations).earliest).cid if versions else None


# How each kind picks (V1–V4) -----------------------------------------------------------------------------------------


class _Pick(NamedTuple):
    """The version kept, and V6's reasons for those that were candidates and are not.

    `closed` is a goal's effective legacy ending (V4). `complaint` says what a claim without any good version breaks.
    """

    kept: Version | None
    reasons: dict[str, str]
    closed: bool | None = None
    complaint: str = ""


def _pick_earliest(versions: _Versions) -> _Pick:
    """V1: the earliest version is the record; nothing else is ever adopted."""
    return _Pick(min(versions.valid, key=versions.order.earliest), {})


def _pick_latest(versions: _Versions) -> _Pick:
    """V2: a profile is republished whole."""
    kept = max(versions.valid, key=versions.order.latest)
    return _Pick(kept, {version.cid: "superseded" for version in versions.valid})


def _pick_claim(versions: _Versions) -> _Pick:
    """V3: the base freezes request and creation; of what keeps the contract, the furthest expiry counts."""
    leases = {version.cid: _held(version, versions.read[version.cid]) for version in versions.valid}
    base = leases[min(versions.valid, key=versions.order.earliest).cid]
    frozen = (base.request, base.lease.created_at)
    thawed = {cid for cid, held in leases.items() if (held.request, held.lease.created_at) != frozen}
    breaches = {cid: breach(held.lease) for cid, held in leases.items()}
    good = [version for version in versions.valid if version.cid not in thawed and breaches[version.cid] is None]
    latest = versions.order.latest
    kept = max(good, key=lambda version: (leases[version.cid].lease.expires_at, latest(version)), default=None)
    reasons = {
        version.cid: "frozen"
        if version.cid in thawed
        else "C2"
        if breaches[version.cid] is not None
        else "shortened"
        if kept is not None and latest(version) > latest(kept)
        else "superseded"
        for version in versions.valid
    }
    return _Pick(kept, reasons, complaint=breaches[base.lease.cid] or "")


class _HeldClaim(NamedTuple):
    request: str
    lease: Lease


def _held(version: Version, read: Read) -> _HeldClaim:
    claim = read.record
    assert isinstance(claim, Claim)  # noqa: S101 - the collection says so
    return _HeldClaim(claim.request, lease_of(version.seen.uri, version.cid, read.created_at, claim))


def _pick_goal(versions: _Versions) -> _Pick:
    """V4: the base is the record; the latest version that differs in `closed` alone says whether it is closed."""
    base = min(versions.valid, key=versions.order.earliest)
    unclosed = _bytes_without_closed(base)
    alike = [version for version in versions.valid if version is base or _bytes_without_closed(version) == unclosed]
    closed = max(alike, key=versions.order.latest).seen.value.get("closed") is True
    return _Pick(base, {version.cid: "legacy ending" for version in alike}, closed=closed)


def _bytes_without_closed(version: Version) -> bytes:
    return encode({key: inner for key, inner in version.seen.value.items() if key != "closed"})


_PICKERS: Final[dict[str, Callable[[_Versions], _Pick]]] = {
    PREFIX + "agent": _pick_latest,
    PREFIX + "claim": _pick_claim,
    PREFIX + "goal": _pick_goal,
}
