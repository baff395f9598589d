"""`radial login`: a session at one's own server."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import FromPlc

EXAMPLES = """\b
Examples:
  radial login alice.example
  radial login did:plc:… --json
  radial login alice.test --pds http://127.0.0.1:2583
  radial login alice.example --password-stdin < FILE

\b
Use an app password, which the settings of your account make: it can be
revoked alone. It is sent to your server once and kept nowhere. What your
server gives for it lies in the system's keyring or, where there is none or
RADIAL_VAULT=file asks for it, in a file that only you can read.
"""


def login(
    handle: Annotated[str, typer.Argument(metavar="HANDLE", help="Your handle, or your DID.", show_default=False)],
    pds: Annotated[
        str | None,
        typer.Option("--pds", metavar="URL", help="Your server, if it should not be looked up.", show_default=False),
    ] = None,
    plc: FromPlc = None,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the app password from standard input.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the account as JSON.")] = False,
) -> None:
    """Log in with an app password, to act in your own name.

    Several accounts may be logged in; the last one acts, or whom `radial use` names.
    """
    from radial_cli.accounts.signing_in import login as run

    run(handle, pds=pds, plc=plc, from_stdin=password_stdin, as_json=as_json)
