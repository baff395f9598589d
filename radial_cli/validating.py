"""`radial validate`: every line judged by itself, as an observation (O5) and as a record (O6, L6, L1).

Strategy: nothing is folded, so nothing is said of authors and spaces. The faults are the data of this command: they go
to standard output, one a line, with file and line before them as compilers do. In the faults of a malformed line `$` is
the line, in all others it is the record.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from radial_cli.exits import FAILURE, Silent
from radial_cli.inputs import BadLine, Spot, observations
from radial_cli.output import out, out_json, say
from radial_cli.pictures.words import counted
from radial_cli.untrusted import one_line
from radial_core import Record
from radial_core.canonical import measure
from radial_core.identifiers import record_parts
from radial_core.records import COLLECTIONS
from radial_core.structure import structural_faults

if TYPE_CHECKING:
    from radial_core.observations import Observation


@attrs.frozen
class Verdict:
    """The faults of one line, and the rule that they break; `uri` is nothing for a malformed line."""

    spot: Spot
    uri: str | None
    rule: str
    faults: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Give it with the keys of the documentation."""
        return {
            "file": self.spot.file,
            self.spot.unit: self.spot.number,
            "uri": self.uri,
            "rule": self.rule,
            "faults": list(self.faults),
        }


def print_faults(files: Sequence[str], *, as_json: bool) -> None:
    """Judge every line and print the faults. Raises `Silent` when there are any."""
    faulty: list[Verdict] = []

    def malformed(line: BadLine) -> None:
        faulty.append(Verdict(line.spot, None, "O5", line.faults))

    judged = 0
    for spot, seen in observations(files, malformed):
        judged += 1
        rule, faults = _judge(seen)
        if faults:
            faulty.append(Verdict(spot, seen.uri, rule, faults))
    total = judged + sum(verdict.uri is None for verdict in faulty)
    if as_json:
        out_json({"observations": total, "valid": total - len(faulty), "faulty": [each.as_json() for each in faulty]})
    else:
        out("".join(f"{each.spot}: {one_line(fault)}\n" for each in faulty for fault in each.faults))
        say(f"radial: {counted(total, 'observation')}, {len(faulty) or 'none'} of them faulty")
    if faulty:
        raise Silent(FAILURE)


def _judge(seen: Observation) -> tuple[str, tuple[str, ...]]:
    parts = record_parts(seen.uri)
    if parts is None or parts[1] not in COLLECTIONS:
        return "O6", (f"{ascii(seen.uri)[:200]} is not the URI of a Radial record @ $",)
    if not isinstance(seen, Record):
        return "", ()
    misfit = measure(seen.value)
    if misfit is not None:
        return "L6" if misfit.crosses_bound else "L1", (str(misfit),)
    return "L1", tuple(map(str, structural_faults(parts[1], seen.value)))
