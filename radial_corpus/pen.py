"""How a record gets written, and how an observer comes to see it.

Strategy: a record is its author's, a URI and a value with a true CID; an observation is somebody's word that it stood
there. Everything goes through one pen per space, whose time moves on with every stroke. The pen plays the observer
too: it forgets revisions or its own clock now and then, sees records twice, and catches authors rewriting in place
(O1–O4, V1). What it has seen is drained goal by goal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from radial_core import Deletion, Record
from radial_core.canonical import cid_of, cid_of_bytes
from radial_corpus.clock import SECOND, SPELLINGS, spell, tid

if TYPE_CHECKING:
    from radial_corpus.dice import Dice

PREFIX: Final = "com.disnetdev.radial."

# Shares of all records, or of all references.
_SAME_INSTANT: Final = 0.04
_SPELLED_OTHERWISE: Final = 0.06
_SEEN_AGAIN: Final = 0.03
_EDITED: Final = 0.008
_UNSEEN: Final = 0.012
_POLLED: Final = 90  # seconds between two looks of the observer
# The observer knows both revision and time, or not the first, or not the second, or neither: cumulated shares.
_KNOWS_ALL: Final = 0.75
_KNOWS_TIME: Final = 0.86
_KNOWS_REVISION: Final = 0.95


class Written(NamedTuple):
    """A record as it was first written; `at` is its creation in milliseconds of the corpus's time."""

    uri: str
    cid: str
    did: str
    value: dict[str, Any]
    at: int


class Pen:
    """Writes the records of one space and keeps what was observed of them in `seen`, until drained.

    `now` is the time at the writers' desks in milliseconds, `strokes` the number of observations so far.
    """

    def __init__(self, dice: Dice, clock: int, now: int) -> None:
        self.dice = dice
        self.now = now
        self.strokes = 0
        self.seen: list[Record | Deletion] = []
        self._clock = clock
        self._serial = 0
        self._rewritten: dict[str, str] = {}

    # Writing

    def wait(self, least: int, most: int) -> None:
        """Let between `least` and `most` seconds pass, and some milliseconds."""
        self.now += int((least + (most - least) * self.dice.share()) * SECOND)

    def key(self) -> str:
        """Make a fresh record key."""
        self._serial += 1
        return tid(self.now, self._serial, self._clock)

    def spell(self, instant: int) -> str:
        """Spell an instant, now and then in an unusual way."""
        return self.dice.pick(SPELLINGS)(instant) if self.dice.chance(_SPELLED_OTHERWISE) else spell(instant)

    def write(
        self, did: str, kind: str, fields: dict[str, Any], *, key: str | None = None, at: int | None = None
    ) -> Written:
        """Write a record of ours; `at` dates it otherwise than now, `key` gives it a certain record key."""
        self._pass_time()
        at = self.now if at is None else at
        uri = f"at://{did}/{PREFIX}{kind}/{key or self.key()}"
        value = {"$type": PREFIX + kind, **fields, "createdAt": self.spell(at)}
        written = Written(uri, self.publish(uri, value), did, value, at)
        if self.dice.chance(_EDITED):
            self._edit(written)
        return written

    def publish(self, uri: str, value: dict[str, Any]) -> str:
        """Let any value stand at any URI and be seen there; give its CID."""
        cid = cid_of(value)
        self._see(uri, cid, value)
        return cid

    def rewrite(self, written: Written, **changes: Any) -> Written:
        """Write another value at the same URI; one that is `None` drops its field."""
        self._pass_time()
        value = {name: item for name, item in {**written.value, **changes}.items() if item is not None}
        again = written._replace(cid=self.publish(written.uri, value), value=value)
        self._rewritten[written.uri] = again.cid
        return again

    def delete(self, uri: str) -> None:
        """Take away whatever stands at a URI."""
        self._pass_time()
        rev, seen_at = self._sighting()
        self._take(Deletion(uri=uri, rev=rev, seen_at=seen_at))

    def reference(self, written: Written) -> dict[str, Any]:
        """Point at a record: mostly at the version that counts, else at an edited one or one that nobody saw (L4)."""
        cid = written.cid
        if self.dice.chance(_UNSEEN):
            cid = self.unseen_cid()
        elif written.uri in self._rewritten and self.dice.chance(0.5):
            cid = self._rewritten[written.uri]
        return {"uri": written.uri, "cid": cid}

    def unseen_cid(self) -> str:
        """Make the CID of a version that is nowhere in the corpus."""
        return cid_of_bytes(b"%d" % self.dice.below(2**52))

    def missing(self, did: str, kind: str) -> dict[str, Any]:
        """Point at a record that is nowhere in the corpus."""
        return {"uri": f"at://{did}/{PREFIX}{kind}/{self.key()}", "cid": self.unseen_cid()}

    # Observing

    def drain(self) -> list[Record | Deletion]:
        """Hand over what was seen since the last time, and forget it."""
        seen, self.seen = self.seen, []
        self._rewritten.clear()
        return seen

    def _pass_time(self) -> None:
        if not self.dice.chance(_SAME_INSTANT):
            self.wait(2, 400)

    def _see(self, uri: str, cid: str, value: dict[str, Any]) -> None:
        rev, seen_at = self._sighting()
        self._take(Record(uri=uri, cid=cid, value=value, rev=rev, seen_at=seen_at))
        if self.dice.chance(_SEEN_AGAIN):
            later = self._sighting() if self.dice.chance(0.7) else (rev, seen_at)
            self._take(Record(uri=uri, cid=cid, value=value, rev=later[0], seen_at=later[1]))

    def _sighting(self) -> tuple[str | None, str | None]:
        """Date a sighting by the repo's revision and by the observer's clock, as far as the observer has them (O3)."""
        knows = self.dice.share()
        rev = self.key() if knows < _KNOWS_ALL or _KNOWS_TIME <= knows < _KNOWS_REVISION else None
        return rev, spell(self.now + int(self.dice.share() * _POLLED * SECOND)) if knows < _KNOWS_TIME else None

    def _edit(self, written: Written) -> None:
        """Let the author change the words of a record, or add some where there are none (V1)."""
        field = next((name for name in ("body", "brief", "name") if name in written.value), "note")
        self.rewrite(written, **{field: f"{written.value.get(field, '')} (edited)"})

    def _take(self, observation: Record | Deletion) -> None:
        self.seen.append(observation)
        self.strokes += 1
