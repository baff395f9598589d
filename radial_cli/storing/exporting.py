"""`radial export`: everything that was seen, as JSON Lines, for another store or another program.

Strategy: every sighting that the store keeps is a line, in the order of URIs, so that two stores that hold the same
write the same. Lines stream: nothing is gathered. When this observer first stored something is all in them that is not
public anyhow, so `--anonymous-sightings` leaves `seenAt` out altogether. Nothing is lost by it: who imports the lines
stamps them by their own clock in any case (O1). A time made coarser would still tell when somebody was awake, and would
be a wrong time on top.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from radial_cli.files import replacing, target
from radial_cli.output import out_json, out_lines
from radial_cli.storing.place import Damages, opened
from radial_core import Record, to_line
from radial_io.store.store import Store


def write_export(name: str | None, output: str | None, dids: Sequence[str], *, anonymous: bool, as_json: bool) -> None:
    """Write what a store holds, of some repos or all, to a file or to standard output."""
    damages, counts = Damages(), Counts()
    with opened(name, write=False) as store:
        lines = _lines(store, set(dids) or None, damages, counts, anonymous=anonymous)
        if output is None:
            out_lines(lines)
        else:
            with replacing(target(output)) as stream:
                stream.writelines((line + "\n").encode() for line in lines)
            if as_json:
                out_json({"file": output, "records": counts.records, "deletions": counts.deletions})
    damages.end()


class Counts:
    """How many lines were written of each kind."""

    records = 0
    deletions = 0


def _lines(store: Store, dids: set[str] | None, damages: Damages, counts: Counts, *, anonymous: bool) -> Iterator[str]:
    for one in store.every_sighting(dids=dids, on_damage=damages):
        if isinstance(one, Record):
            counts.records += 1
        else:
            counts.deletions += 1
        yield to_line(attrs.evolve(one, seen_at=None) if anonymous else one)
