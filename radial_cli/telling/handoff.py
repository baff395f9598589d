"""`radial handoff`: a packet for a seat that a person operates by hand, and what comes back from there.

Strategy: what is exported is bound to what it holds for; what comes back is compared with the same things as they are
now, and taken or refused. Taking writes one file, named after what is in it, so taking twice is taking once; it starts
nothing and writes no record.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from radial_cli.exits import FAILURE, USAGE, Failure, Silent
from radial_cli.inputs import unique
from radial_cli.output import is_terminal, out, out_bytes, out_json, say
from radial_cli.reading import reading
from radial_cli.telling.bundle import compile_for
from radial_cli.untrusted import escaped_json, file_name, one_line
from radial_cli.viewing.writing import may_write, write_bytes
from radial_core.dispatch.handoff import Binding, Contribution, Refused, bind, export, take
from radial_core.dispatch.piece import written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radial_core.dispatch.packet import Bundle


def print_handoff(
    name: str,
    files: Sequence[str] | None,
    *,
    store: str | None,
    at: dict[str, str],
    total: int,
    unread: str | None,
    output: str | None,
    force: bool,
) -> None:
    """Print a handoff, or write it into a file. Raises `Failure`."""
    path = None if output is None else may_write(output, force=force)
    names = () if unread is None else _lines_of(unread)
    with reading(files, keep_going=False, store=store) as found:
        packet = compile_for(name, found, files=files, store=store, total=total)
        text = export(packet, _bound(packet, at), names).to_json_text()
        if path is not None:
            write_bytes(path, text.encode())
        elif is_terminal():
            out(escaped_json(text))
        else:
            out_bytes(text.encode())


def _bound(packet: Bundle, at: dict[str, str]) -> Binding:
    try:
        return bind(packet, **at)
    except ValueError as error:
        raise Failure(one_line(str(error)), "See `radial handoff --help`.", USAGE) from error


def take_reply(
    reply: str,
    name: str,
    files: Sequence[str] | None,
    *,
    store: str | None,
    at: dict[str, str],
    total: int,
    folder: str,
    as_json: bool,
) -> None:
    """Take a reply, or refuse it. Raises `Failure`."""
    brought = _json_of(reply)
    place = Path(folder)
    if not place.is_dir():
        raise Failure(f"there is no folder {file_name(folder)}", "Make it first.", USAGE)
    with reading(files, keep_going=False, store=store) as found:
        packet = compile_for(name, found, files=files, store=store, total=total)
        outcome = take(brought, _bound(packet, at), {path.stem for path in place.glob("*.json")})
    if isinstance(outcome, Refused):
        _refuse(reply, outcome, as_json=as_json)
    else:
        _keep(brought, outcome, place, as_json=as_json)


def _refuse(reply: str, refused: Refused, *, as_json: bool) -> None:
    moved = [moved._asdict() for moved in refused.moved]
    if as_json:
        out_json({"taken": False, "id": None, "new": False, "faults": list(refused.faults), "moved": moved})
        raise Silent(FAILURE)
    for fault in refused.faults:
        say(f"{file_name(reply)}: {one_line(fault)}")
    for one in refused.moved:
        say(f"{one.what} moved: the reply is for {one_line(one.then, 200)}, and now it is {one_line(one.now, 200)}")
    raise Failure("the reply is refused, and nothing was taken", _REFUSED)


_REFUSED: Final = "Export the request again, and let it be answered as it is now."


def _keep(brought: Any, taken: Contribution, place: Path, *, as_json: bool) -> None:
    path = place / f"{taken.id}.json"
    if taken.is_new:
        write_bytes(path, (written(brought) + "\n").encode())
    if as_json:
        out_json({"taken": True, "id": taken.id, "new": taken.is_new, "faults": [], "moved": []})
    else:
        out(f"{'taken' if taken.is_new else 'taken before'}: {file_name(str(path))}\n")


def _json_of(name: str) -> Any:
    text = _text_of(name)
    try:
        return json.loads(text, object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise Failure(f"{file_name(name)} is no JSON: {one_line(str(error), 200)}") from error


def _lines_of(name: str) -> tuple[str, ...]:
    return tuple(line for line in _text_of(name).split("\n") if line)


def _text_of(name: str) -> str:
    try:
        return Path(name).read_text(encoding="utf-8")
    except OSError as error:
        raise Failure(f"{file_name(name)} cannot be read: {error.strerror or error}", "Name a file.", USAGE) from error
    except ValueError as error:
        raise Failure(f"{file_name(name)} is not UTF-8") from error
