"""`radial sample`: invented records, to standard output or to a file that is whole or not there."""

from __future__ import annotations

from radial_cli.files import replacing, target
from radial_cli.output import out_json, out_lines
from radial_core import to_line
from radial_corpus import observations


def write_sample(records: int, seed: int, output: str | None, *, as_json: bool) -> None:
    """Write so many observations, made from a seed."""
    lines = (to_line(observation) for observation in observations(records=records, seed=seed))
    if output is None:
        out_lines(lines)
        return
    with replacing(target(output)) as stream:
        stream.writelines((line + "\n").encode() for line in lines)
    if as_json:
        out_json({"file": output, "records": records, "seed": seed})
