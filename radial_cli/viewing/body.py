"""`radial body`: the whole of what a record says.

Strategy: a person at a terminal reads text, with everything that a terminal would act upon spelled out; a program in a
pipe gets the bytes as they are. What is no text goes into a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import anyio

from radial_cli.exits import Failure
from radial_cli.output import is_terminal, out, out_bytes, out_json
from radial_cli.outside import told
from radial_cli.untrusted import one_line, visible
from radial_cli.viewing.sources import cupboard, looking, not_here, require_one_way
from radial_cli.viewing.writing import may_write, write_bytes
from radial_io.atproto.identity import open_servers
from radial_io.errors import BlobError
from radial_io.viewing.bodies import Body, fetch_body, find_body, text_of
from radial_io.viewing.files import Files


def print_body(
    name: str,
    files: Sequence[str],
    *,
    store: str | None,
    output: str | None,
    force: bool,
    pds: str | None,
    plc: str | None,
    as_json: bool,
) -> None:
    """Print a body, or write it into a file. Raises `Failure`."""
    require_one_way(pds, plc)
    path = None if output is None else may_write(output, force=force)
    with looking(files, store) as found:
        uri = found.names.find(name)
        with told(f"the body of {one_line(uri)} cannot be shown: "):
            body = find_body(uri, found.index)
            if body is None:
                raise not_here(uri, found, "has no body")
            raw = body.text.encode() if body.blob is None else anyio.run(partial(_fetch, body, pds, plc))
        if path is not None:
            write_bytes(path, raw)
        if as_json:
            out_json(_json(body, raw, output))
        elif path is None:
            _print(raw)


async def _fetch(body: Body, pds: str | None, plc: str | None) -> bytes:
    async with open_servers(pds=pds, plc=plc) as (client, resolver):
        return await fetch_body(body, Files(client, resolver, cupboard()))


def _print(raw: bytes) -> None:
    if not is_terminal():
        out_bytes(raw)
        return
    try:
        text = visible(text_of(raw))
    except BlobError as error:
        raise Failure(str(error), "Write it into a file: -o FILE.") from error
    out(text if text.endswith("\n") else text + "\n")


def _json(body: Body, raw: bytes, output: str | None) -> dict[str, object]:
    try:
        text = None if output is not None else text_of(raw)
    except BlobError:
        text = None
    blob = body.blob
    return {
        "uri": body.uri,
        "author": body.author,
        "blob": None if blob is None else {"cid": str(blob.cid), "size": blob.size, "claimed": blob.claimed},
        "bytes": len(raw),
        "file": output,
        "text": text,
    }
