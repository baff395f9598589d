"""`radial rebuild`: the index is a cache, and this makes it anew from what was seen.

Strategy: everything is folded from the first row on, and the digest is compared with the one that was saved, which
stands with the row up to which it was made and with the version of the program that made it. Where all three are the
same, so must the digests be; where they are not, it is said what came in between, and nothing more is claimed.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import attrs

from radial_cli.exits import FAILURE, Failure, Silent
from radial_cli.output import out, out_json, say
from radial_cli.storing.place import Damages, opened
from radial_cli.untrusted import one_line
from radial_core import Index, __version__, materialize
from radial_io.store.store import Store

if TYPE_CHECKING:
    from radial_core.observations import Observation


@attrs.frozen
class Saved:
    """A digest, the last row that it covers, the version that made it, and when."""

    digest: str
    row: int
    version: str
    at: str

    @classmethod
    def of(cls, store: Store) -> Saved | None:
        """Give what is saved in a store."""
        digest, row, version, at = (store.meta(f"digest{part}") for part in ("", ".row", ".version", ".at"))
        if digest is None or row is None or version is None or at is None:
            return None
        return cls(digest, int(row), version, at)

    def save(self, store: Store) -> None:
        """Save it."""
        store.note(
            {"digest": self.digest, "digest.row": str(self.row), "digest.version": self.version, "digest.at": self.at}
        )


def rebuild(name: str | None, *, as_json: bool) -> None:
    """Fold everything anew, say how the digest compares, and save it. Raises `Silent` when it should be the same."""
    damages = Damages()
    with opened(name, write=False) as store:
        before = Saved.of(store)
        rows = _Rows()
        index = materialize(rows.met(store.observations(on_damage=damages)))
    now = Saved(index.digest, rows.last, __version__, f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}")
    is_same = _compare(before, now)
    _print(index, before, now, is_same, as_json=as_json)
    damages.end()
    _save(name, now)
    if is_same is False:
        raise Silent(FAILURE)


class _Rows:
    """Remembers the last row that went by."""

    last = 0

    def met(self, rows: Iterator[tuple[int, Observation]]) -> Iterator[Observation]:
        for row, observation in rows:
            self.last = row
            yield observation


def _compare(before: Saved | None, now: Saved) -> bool | None:
    """Tell whether the digest is the one that it has to be; nothing where there is none to compare it with."""
    if before is None or (before.row, before.version) != (now.row, now.version):
        return None
    return before.digest == now.digest


def _print(index: Index, before: Saved | None, now: Saved, is_same: bool | None, *, as_json: bool) -> None:
    if as_json:
        saved = None if before is None else attrs.asdict(before)
        out_json({"digest": now.digest, "row": now.row, "spaces": len(index.spaces), "before": saved, "same": is_same})
        return
    out(f"{now.digest}\n")
    say(f"radial: {_words(before, now, is_same)}")


def _words(before: Saved | None, now: Saved, is_same: bool | None) -> str:
    if before is None:
        return f"row {now.row}; no digest was saved before"
    was = f"{one_line(before.digest, 100)} was saved {one_line(before.at, 40)} at row {before.row}"
    if is_same is None:
        by = "" if before.version == now.version else f" by version {one_line(before.version, 40)}"
        return f"row {now.row}; {was}{by}: other rows or another version, so it need not be the same"
    return f"row {now.row}; {was}: " + ("the same" if is_same else "NOT the same, of the same rows by the same version")


def _save(name: str | None, now: Saved) -> None:
    try:
        with opened(name, write=True) as store:
            now.save(store)
    except Failure as failure:  # what was asked for is printed: that it could not be saved is no reason to fail
        say(f"radial: the digest is not saved: {failure.message}")
