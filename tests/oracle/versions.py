"""Strategy: from observations to at most one version per record (O, L, V).

Everything seen at one URI is a `History`. `choose` reads it once and returns a `Choice`: the version
that counts, or the rule that keeps all of them out; the effective `closed` of a goal; and for each other
version the reason why it is not the one. Every rule below is one function.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.oracle import formats, structure
from tests.oracle.canonical import cid_of, encode
from tests.oracle.instants import instant

REVOCABLE = ("claim", "agent", "join")
HOUR, DAY = Fraction(3600), Fraction(24 * 3600)


@dataclass(frozen=True)
class Sighting:
    """One moment at which a version, or a deletion, was seen."""

    rev: str | None
    seen: Fraction | None


@dataclass(eq=False)
class Version:
    """O4: one CID at one URI, with all its sightings."""

    cid: str
    value: Any
    data: bytes
    sightings: list[Sighting] = field(default_factory=list)


@dataclass
class History:
    """Everything that was seen at one URI."""

    uri: str
    versions: dict[str, Version] = field(default_factory=dict)
    deletions: list[Sighting] = field(default_factory=list)

    @property
    def order(self) -> str:
        """O3: one order per URI, by what all sightings of the record have."""
        sightings = [sighting for version in self.versions.values() for sighting in version.sightings]
        if all(sighting.rev is not None for sighting in sightings):
            return "rev"
        if all(sighting.seen is not None for sighting in sightings):
            return "seenAt"
        return "both"


@dataclass
class Choice:
    """What V decides about one URI. `cid` is what a row of `ignored` would show."""

    kept: Version | None
    rule: str | None
    reason: str
    cid: str | None
    closed: bool
    others: list[dict[str, str]]
    deleted: bool


# --- O ----------------------------------------------------------------------------------------------


def gather(observations: list[dict[str, Any]]) -> dict[str, History]:
    """Group observations by URI and CID (O1, O2, O4). ValueError: a caller's mistake."""
    histories: dict[str, History] = {}
    for observation in observations:
        present = {key: value for key, value in observation.items() if value is not None}  # O5: null means absent
        history = histories.setdefault(present["uri"], History(present["uri"]))
        seen = instant(present["seenAt"]) if "seenAt" in present else None
        sighting = Sighting(present.get("rev"), seen)
        if ("value" in present) == (present.get("deleted") is True):
            raise ValueError("an observation has either a value or deleted: true")
        if "value" in present:
            _version_of(history, present).sightings.append(sighting)
        else:
            history.deletions.append(sighting)
    return histories


def _version_of(history: History, observation: dict[str, Any]) -> Version:
    value = observation["value"]
    cid = observation["cid"] if "cid" in observation else cid_of(value)
    version = history.versions.setdefault(cid, Version(cid, value, encode(value)))
    if version.data != encode(value):
        raise ValueError(f"two values with one CID at {history.uri}")
    return version


def earliest_key(order: str, version: Version, sightings: list[Sighting]) -> tuple[Any, ...]:
    """O3, O4: sort by this for "earliest first": least rev and seenAt, unknown after every known, then CID."""
    revs = [sighting.rev for sighting in sightings if sighting.rev is not None]
    seens = [sighting.seen for sighting in sightings if sighting.seen is not None]
    rev = (0, min(revs)) if revs else (1, "")
    seen = (0, min(seens)) if seens else (1, Fraction(0))
    return {"rev": (rev, version.cid), "seenAt": (seen, version.cid), "both": (rev, seen, version.cid)}[order]


def latest_key(order: str, version: Version, sightings: list[Sighting]) -> tuple[Any, ...]:
    """O3, O4: the greatest of this is "latest": greatest rev and seenAt, unknown before every known, then CID."""
    revs = [sighting.rev for sighting in sightings if sighting.rev is not None]
    seens = [sighting.seen for sighting in sightings if sighting.seen is not None]
    rev = (1, max(revs)) if revs else (0, "")
    seen = (1, max(seens)) if seens else (0, Fraction(0))
    return {"rev": (rev, version.cid), "seenAt": (seen, version.cid), "both": (rev, seen, version.cid)}[order]


def kind_of(uri: str) -> str | None:
    """O6: the kind of record at a URI; None when a URI like this is ignored."""
    parts = formats.uri_parts(uri)
    if parts is None or len(parts) != 3 or not formats.is_did(parts[0]):
        return None
    kind = formats.kind_named(uri)
    return kind if kind in structure.RECORDS else None


# --- V ----------------------------------------------------------------------------------------------


def is_later(sighting: Sighting, deletion: Sighting) -> bool:
    """V5: greater `rev` if both are known, else greater `seenAt` if both are known, else not later."""
    if sighting.rev is not None and deletion.rev is not None:
        return sighting.rev > deletion.rev
    if sighting.seen is not None and deletion.seen is not None:
        return sighting.seen > deletion.seen
    return False


def survives(history: History, sighting: Sighting) -> bool:
    """V5: a sighting that is not later than some deletion is dropped."""
    return all(is_later(sighting, deletion) for deletion in history.deletions)


def is_deleted(history: History) -> bool:
    """V6: a deletion was seen and no sighting is later than every deletion."""
    sightings = [sighting for version in history.versions.values() for sighting in version.sightings]
    return bool(history.deletions) and not any(survives(history, sighting) for sighting in sightings)


def expiry(value: dict[str, Any]) -> Fraction:
    """Return the instant a claim declares as its end."""
    return instant(value["expiresAt"])


def renewal(value: dict[str, Any]) -> Fraction:
    """C1: a missing `renewedAt` reads as `createdAt`."""
    return instant(value.get("renewedAt", value["createdAt"]))


def keeps_contract(value: dict[str, Any]) -> bool:
    """C2: the lease contract, a pure function of the version."""
    created, renewed, expires = instant(value["createdAt"]), renewal(value), expiry(value)
    return 0 < expires - renewed <= HOUR and renewed >= created and expires <= created + DAY


def is_frozen(base: Version, version: Version) -> bool:
    """V3: a version that changes `request.uri` or the `createdAt` instant is a rejected edit."""
    same_request = version.value["request"]["uri"] == base.value["request"]["uri"]
    return not same_request or instant(version.value["createdAt"]) != instant(base.value["createdAt"])


def differs_in_closed_alone(base: Version, version: Version) -> bool:
    """V4: the canonical bytes without `closed` are the same."""
    first, second = ({k: v for k, v in one.value.items() if k != "closed"} for one in (base, version))
    return encode(first) == encode(second)


class Chooser:
    """V for one history of a known kind."""

    def __init__(self, history: History, kind: str) -> None:
        self.history, self.kind, self.order = history, kind, history.order
        self.versions = list(history.versions.values())
        self.broken = {version.cid: structure.broken_rule(kind, version.value) for version in self.versions}
        self.valid = [version for version in self.versions if self.broken[version.cid] is None]
        self.sightings = {version.cid: self.counted(version) for version in self.versions}
        self.candidates = [version for version in self.valid if self.sightings[version.cid]]
        self.base = min(self.candidates, key=self.early, default=None)

    def counted(self, version: Version) -> list[Sighting]:
        """V5: of a claim, agent or join only the sightings later than every deletion; else all."""
        if self.kind not in REVOCABLE:
            return version.sightings
        return [sighting for sighting in version.sightings if survives(self.history, sighting)]

    def early(self, version: Version) -> tuple[Any, ...]:
        """Sort by this for the earliest version, among the sightings that V5 leaves."""
        return earliest_key(self.order, version, self.sightings[version.cid])

    def late(self, version: Version) -> tuple[Any, ...]:
        """Sort by this for the latest version (V2's order)."""
        return latest_key(self.order, version, self.sightings[version.cid])

    def kept(self) -> Version | None:
        """V1-V4: the version that counts; None when there is none."""
        if self.base is None:
            return None
        if self.kind == "agent":  # V2
            return max(self.candidates, key=self.late)
        if self.kind == "claim":  # V3
            leases = [version for version in self.candidates if self.refusal(version) is None]
            return max(leases, key=lambda version: (expiry(version.value), self.late(version)), default=None)
        return self.base  # V1, V4

    def refusal(self, version: Version) -> str | None:
        """V3: why a claim's version may not be chosen at all."""
        if self.base is not None and is_frozen(self.base, version):
            return "frozen"
        return None if keeps_contract(version.value) else "C2"

    def closed(self) -> bool:
        """V4: the effective `closed`: that of the latest among the base and those that differ in it alone."""
        if self.kind != "goal" or self.base is None:
            return False
        alike = [version for version in self.candidates if differs_in_closed_alone(self.base, version)]
        return max(alike, key=self.late).value.get("closed") is True

    def why_not(self, version: Version, kept: Version | None) -> str:
        """V6: the first reason that fits."""
        if version not in self.valid:
            return "invalid"
        if version not in self.candidates:
            return "deleted"
        if self.kind == "claim":
            return self.refusal(version) or self.outrun(version, kept)
        if self.kind == "agent":
            return "superseded"
        if self.kind == "goal" and self.base is not None and differs_in_closed_alone(self.base, version):
            return "legacy ending"
        return "edit"

    def outrun(self, version: Version, kept: Version | None) -> str:
        """V6: in contract, and later than `kept` in V2's order, or not."""
        return "shortened" if kept is not None and self.late(version) > self.late(kept) else "superseded"

    def verdict(self, kept: Version | None, first: Version | None) -> tuple[str | None, str]:
        """§0: which of L6, L1, V5, C2 keeps the record out; `first` is the earliest version seen."""
        if kept is not None:
            return None, ""
        if first is not None and not self.valid:
            return self.broken[first.cid] or (None, "")
        if not self.candidates:
            return "V5", "deleted"
        return "C2", "no version keeps the lease contract"


def in_order(history: History) -> list[Version]:
    """O3: all versions seen, earliest first."""
    return sorted(history.versions.values(), key=lambda v: earliest_key(history.order, v, v.sightings))


def choose(history: History) -> Choice:
    """Decide O6, L6, L1, V5 and C2, choose a version (V), and say why the others are not it (V6)."""
    kind, versions = kind_of(history.uri), in_order(history)
    first = versions[0] if versions else None
    if kind is None:
        return Choice(None, "O6", "not the URI of a record of ours", first.cid if first else None, False, [], False)
    chooser = Chooser(history, kind)
    kept = chooser.kept()
    rule, reason = chooser.verdict(kept, first)
    shown = kept or first
    return Choice(
        kept=kept,
        rule=rule,
        reason=reason,
        cid=shown.cid if shown else None,
        closed=chooser.closed(),
        others=[{"cid": v.cid, "reason": chooser.why_not(v, kept)} for v in versions if v is not kept],
        deleted=is_deleted(history),
    )
