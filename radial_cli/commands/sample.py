"""`radial sample`: records to try things with."""

from __future__ import annotations

from typing import Annotated

import typer

EXAMPLES = """\b
Examples:
  radial sample --records 1000 | radial materialize -
  radial sample --records 100000 --seed 7 -o large.jsonl
"""


def sample(
    records: Annotated[int, typer.Option("--records", min=0, metavar="N", help="How many observations.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Another number, other spaces.")] = 0,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write there instead.", show_default=False)
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="With -o, sum up as JSON what was written; the records are JSON anyhow.")
    ] = False,
) -> None:
    """Invent records to try things with.

    The same N and S give the same JSON Lines everywhere.
    """
    from radial_cli.sampling import write_sample

    write_sample(records, seed, output, as_json=as_json)
