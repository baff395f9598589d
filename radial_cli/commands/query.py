"""`radial query`: one bounded question."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import AsJson, FilesOrStore, InSpace, InStore, KeepGoing

EXAMPLES = """\b
Examples:
  radial query subject goal/quiet-gauge
  radial query dependents artifact/plan-quiet-1 space.jsonl
  radial query impact project/tide-tables --limit 20 --skip 20
  radial query search "spring tides" --space space/tidewater --json

\b
An answer states how much of how much it shows, what it rests on and how old
that is. Status 3 says that the subject is not here or does not count: another
answer than that nothing depends on it. Nobody is asked over the network.
"""


def query(
    ask: Annotated[
        str,
        typer.Argument(
            metavar="subject|dependents|dependencies|impact|search", help="The question.", show_default=False
        ),
    ],
    about: Annotated[
        str,
        typer.Argument(
            metavar="URI|WORDS", help="A record, by URI or as KIND/KEY; or what to search.", show_default=False
        ),
    ],
    files: FilesOrStore = None,
    *,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="At most so many items.")] = 50,
    skip: Annotated[int, typer.Option("--skip", metavar="N", help="Leave out the first so many.")] = 0,
    space: InSpace = None,
    superseded: Annotated[
        bool, typer.Option("--superseded", help="Search also what a later version took the place of.")
    ] = False,
    store: InStore = None,
    as_json: AsJson = False,
    keep_going: KeepGoing = False,
) -> None:
    """Answer one question about the records.

    subject: how it stands and what was decided; dependents: what refers to it; dependencies: what it refers to; impact:
    what rests on it through any number of references; search: where words occur.
    """
    from radial_cli.asking.freshness import ages
    from radial_cli.asking.query import print_answer
    from radial_cli.reading import reading

    asked = {"ask": ask, "about": about, "limit": limit, "skip": skip, "space": space, "superseded": superseded}
    fresh = ages(files, store)
    with reading(files, keep_going=keep_going, store=store) as found:
        print_answer(found, asked, fresh, as_json=as_json)
