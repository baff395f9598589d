"""`radial bundle`: what the turn for a request is told.

Strategy: the bytes are the core's, the same for the same records. At a terminal they are made visible, in a pipe or a
file they are as they are. From the store it is known whose repo was never read wholly, or could not be read when it was
last tried, and the packet says that it is stale. That it is not, nobody here knows: files say nothing of that, and a
store that was read to its end yesterday may be behind today.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from radial_cli.exits import USAGE, Failure
from radial_cli.output import is_terminal, out, out_bytes, say
from radial_cli.pictures.words import counted
from radial_cli.reading import Reading, reading
from radial_cli.storing.place import opened
from radial_cli.untrusted import escaped_json, file_name, one_line, visible
from radial_cli.viewing.sources import not_here
from radial_cli.viewing.writing import may_write, write_bytes
from radial_core.dispatch.bundle import bundle
from radial_core.dispatch.limits import Limits
from radial_core.dispatch.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radial_core.dispatch.packet import Bundle

USUAL_TOTAL: Final = Limits().total


def compile_for(
    name: str, found: Reading, *, files: Sequence[str] | None, store: str | None, total: int, behind: Sequence[str] = ()
) -> Bundle:
    """Compile the packet for the request that is called so. Raises `Failure` where there is none."""
    uri = found.names.find(name)
    if found.index.request(uri) is None:
        raise not_here(uri, found, "is no request")
    known = (*behind, *(() if files else _unread(uri, found, store)))
    try:
        return bundle(found.index, uri, Limits(total=total), known or None)
    except ValueError as error:
        raise Failure(one_line(str(error)), "See `radial bundle --help`.", USAGE) from error


def _unread(uri: str, found: Reading, store: str | None) -> Sequence[str]:
    """Name the members of the request's space whose repos the store never read to their end, or failed to read last."""
    space = found.index.space(Scope(found.index, uri).space)
    members = () if space is None else tuple(member.did for member in space.members)
    with opened(store, write=False) as shelf:
        failed = {repo.did for repo in shelf.repos() if repo.failure is not None}
        return (*shelf.unread(members), *failed.intersection(members))


def print_bundle(
    name: str,
    files: Sequence[str] | None,
    *,
    store: str | None,
    as_json: bool,
    folder: str | None,
    force: bool,
    total: int,
    behind: Sequence[str],
) -> None:
    """Print a packet, or write its two files. Raises `Failure`."""
    paths = None if folder is None else _paths(folder, force=force)
    with reading(files, keep_going=False, store=store) as found:
        packet = compile_for(name, found, files=files, store=store, total=total, behind=behind)
        if paths is not None:
            for path, text in zip(paths, (packet.to_json_text(), packet.to_markdown()), strict=True):
                write_bytes(path, text.encode())
        elif as_json:
            text = packet.to_json_text()
            out(escaped_json(text)) if is_terminal() else out_bytes(text.encode())
        else:
            text = packet.to_markdown()
            out(visible(text)) if is_terminal() else out_bytes(text.encode())
        _tell(packet)


def _paths(folder: str, *, force: bool) -> tuple[Path, ...]:
    if not Path(folder).is_dir():
        raise Failure(f"there is no folder {file_name(folder)}", "Make it first.", USAGE)
    places = [Path(folder) / name for name in ("bundle.json", "bundle.md")]
    for place in places:
        if place.is_symlink():  # nobody named that file: the folder is, and it may be somebody else's checkout
            raise Failure(
                f"{file_name(str(place))} leads elsewhere", "Take the link away, or name another folder.", USAGE
            )
    return tuple(may_write(str(place), force=force) for place in places)


def _tell(packet: Bundle) -> None:
    amounts = packet.amounts
    if packet.is_partial:
        left = counted(amounts.omitted_pieces, "piece")
        say(f"radial: the packet is partial: {left} left out, {amounts.cut_pieces} cut")
    if packet.behind:
        unread = counted(len(packet.behind) + packet.behind_unlisted, "repo")
        say(f"radial: the packet is stale: {unread} not read to the end")
