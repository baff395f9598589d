"""`radial image`: a picture that a text refers to, as a file.

Strategy: the picture is named by its record, alone or within the locator that stands in a text. When it cannot be had,
what is said names what should have been there, as a placeholder does: its words, its author, its URI. Bytes of a
picture never reach a terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import anyio

from radial_cli.exits import NOT_FOUND, USAGE, Failure
from radial_cli.output import is_terminal, out_bytes, out_json, say
from radial_cli.outside import told
from radial_cli.reading import Reading
from radial_cli.untrusted import file_name, one_line
from radial_cli.viewing.sources import cupboard, looking, not_here, require_one_way
from radial_cli.viewing.writing import may_write, write_bytes
from radial_core.images import image_locators
from radial_io.atproto.identity import open_servers
from radial_io.viewing.files import Files
from radial_io.viewing.pictures import Bytes, Missing, Picture, fetch_picture, find_picture, pictures_in

_SCHEME: Final = "radial-image:"
_STDOUT: Final = "-"


def write_image(
    name: str,
    files: Sequence[str],
    *,
    store: str | None,
    output: str,
    force: bool,
    pds: str | None,
    plc: str | None,
    as_json: bool,
) -> None:
    """Write a picture into a file, or to standard output in a pipe. Raises `Failure`."""
    require_one_way(pds, plc)
    if output == _STDOUT and (is_terminal() or as_json):
        raise Failure("a picture is not written among text", "Name a file, or send it into a pipe: -o - > FILE.", USAGE)
    path = None if output == _STDOUT else may_write(output, force=force)
    with looking(files, store) as found:
        picture = _picture(name, found)
        with told(f"{_placeholder(picture)} is missing: "):
            shown = anyio.run(partial(_fetch, picture, pds, plc))
        if path is None:
            out_bytes(shown.raw)
            return
        write_bytes(path, shown.raw)
        say(f"radial: {file_name(output)}: {shown.kind}, {len(shown.raw)} bytes, by {picture.author}")
        if as_json:
            out_json(_json(picture, shown, output))


async def _fetch(picture: Picture, pds: str | None, plc: str | None) -> Bytes:
    async with open_servers(pds=pds, plc=plc) as (client, resolver):
        return await fetch_picture(picture, Files(client, resolver, cupboard()))


def _picture(name: str, found: Reading) -> Picture:
    """Find the picture that is meant. Raises `Failure` when it is none that counts."""
    uri = found.names.find(_named_by(name))
    picture = find_picture(uri, found.index)
    if isinstance(picture, Picture):
        return picture
    body = found.value(uri).get("body")
    pictures = pictures_in(body, found.index) if isinstance(body, str) else ()
    if pictures:
        raise Failure(f"{one_line(uri)} is no picture, it refers to: {_listed(pictures)}", status=NOT_FOUND)
    if found.index.entry(uri) is None:
        raise not_here(uri, found, "is no picture")
    raise Failure(f"{one_line(uri)}: {one_line(picture.reason)}", status=NOT_FOUND)


def _named_by(name: str) -> str:
    """Take the URI out of a locator, with or without the brackets around it."""
    locators = image_locators(name)
    return locators[0].uri if locators else name.removeprefix(_SCHEME)


def _listed(pictures: Sequence[tuple[object, Picture | Missing]]) -> str:
    return ", ".join(one_line(picture.uri) for _, picture in pictures)


def _placeholder(picture: Picture) -> str:
    words = one_line(picture.alt or picture.name or "", 200)
    return f"the picture {f'“{words}” ' if words else ''}of {picture.author} ({one_line(picture.uri)})"


def _json(picture: Picture, shown: Bytes, output: str) -> dict[str, object]:
    return {
        "uri": picture.uri,
        "cid": picture.cid,
        "author": picture.author,
        "alt": picture.alt,
        "name": picture.name,
        "blob": {"cid": str(picture.blob.cid), "size": picture.blob.size, "claimed": picture.blob.claimed},
        "type": shown.kind,
        "file": output,
    }
