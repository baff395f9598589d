"""`radial handoff`: a packet for a seat that a person operates by hand, and what comes back from there.

Strategy: what is exported is bound to what it holds for; what comes back is compared with the same things as they are
now, and taken or refused. Taking writes one file, named after what is in it, so taking twice is taking once; a file of
that name that holds something else is written again, and that is said. It starts nothing and writes no record.
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
        outcome = take(brought, _bound(packet, at))
    if isinstance(outcome, Refused):
        _refuse(reply, outcome, packet, as_json=as_json)
    else:
        _keep(brought, outcome, place, as_json=as_json)


def _refuse(reply: str, refused: Refused, packet: Bundle, *, as_json: bool) -> None:
    moved = [moved._asdict() for moved in refused.moved]
    if as_json:
        out_json({"taken": False, "id": None, "new": False, "faults": list(refused.faults), "moved": moved})
        raise Silent(FAILURE)
    for fault in refused.faults:
        say(f"{file_name(reply)}: {one_line(fault)}")
    for one in refused.moved:
        say(f"{one.what} moved: the reply is for {one_line(one.then, 200)}, and now it is {one_line(one.now, 200)}")
        say(f"  {one.means}{_WHERE.get(one.what, '')}")
        if one.what == "subjects":
            _tell_subjects(packet)
    raise Failure("the reply is refused, and nothing was taken", _ILL_FORMED if refused.faults else _MOVED)


def _tell_subjects(packet: Bundle) -> None:
    """Name the records as they are now, in their order, for a look into the handoff that the reply was written for."""
    for subject in packet.subjects[:_MOST_SUBJECTS]:
        say(f"    {one_line(subject.uri)} is now {one_line(subject.cid)}")
    if len(packet.subjects) > _MOST_SUBJECTS:
        say(f"    and {len(packet.subjects) - _MOST_SUBJECTS} more")


_ILL_FORMED: Final = "Mend the file and bring it again."
_MOVED: Final = "Export the request again, and let it be answered as it is now."
_WHERE: Final = {"packet": ": give --total as it was for the export"}
_MOST_SUBJECTS: Final = 32


def _keep(brought: Any, taken: Contribution, place: Path, *, as_json: bool) -> None:
    path, raw = place / f"{taken.id}.json", (written(brought) + "\n").encode()
    held = _held(path)
    if held != raw:
        write_bytes(path, raw)
    if held not in {None, raw}:
        say(f"{file_name(str(path))} held something else, and was written again")
    if as_json:
        out_json({"taken": True, "id": taken.id, "new": held != raw, "faults": [], "moved": []})
    else:
        out(f"{'taken before' if held == raw else 'taken'}: {file_name(str(path))}\n")


def _held(path: Path) -> bytes | None:
    """Read what stands under the name of a reply; none: nothing does."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Failure(f"{file_name(str(path))} cannot be read: {error.strerror or error}") from error


def _json_of(name: str) -> Any:
    text = _text_of(name)
    try:
        return json.loads(text, object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise Failure(f"{file_name(name)} is no JSON: {one_line(str(error), 200)}") from error


def _lines_of(name: str) -> tuple[str, ...]:
    """Read names of files, one a line; such a name may be no UTF-8 and hold anything but the end of a line."""
    lines = (line.removesuffix(b"\r") for line in _bytes_of(name).split(b"\n"))
    return tuple(line.decode("utf-8", "surrogateescape") for line in lines if line)


def _text_of(name: str) -> str:
    try:
        return _bytes_of(name).decode("utf-8")
    except ValueError as error:
        raise Failure(f"{file_name(name)} is not UTF-8") from error


def _bytes_of(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except (OSError, ValueError) as error:
        words = error.strerror if isinstance(error, OSError) else None
        raise Failure(f"{file_name(name)} cannot be read: {words or error}", "Name a file.", USAGE) from error
