"""`radial store check`, `vacuum` and `backup`."""

from __future__ import annotations

from pathlib import Path

from radial_cli.exits import FAILURE, Silent
from radial_cli.files import replacing, target
from radial_cli.output import out, out_json, say
from radial_cli.pictures.words import counted
from radial_cli.storing.place import opened, told
from radial_cli.untrusted import one_line


def check(name: str | None, *, as_json: bool) -> None:
    """Look at everything and name what is wrong. Raises `Silent` when something is."""
    with opened(name, write=False) as store:
        faults = list(store.faults())
        path = str(store.path)
    if as_json:
        out_json({"file": path, "sound": not faults, "faults": faults})
    else:
        out("".join(f"{one_line(fault)}\n" for fault in faults))
        say(f"radial: {counted(len(faults), 'fault') if faults else 'sound'}")
    if faults:
        raise Silent(FAILURE)


def vacuum(name: str | None, *, as_json: bool) -> None:
    """Give free room back to the disk, and say how much."""
    with opened(name, write=True) as store:
        before = store.stats()
        store.shrink()
        after = store.stats()
        path = str(store.path)
    sizes = (before.size + before.wal_size, after.size + after.wal_size)
    if as_json:
        out_json({"file": path, "bytesBefore": sizes[0], "bytes": sizes[1]})
    else:
        say(f"radial: {sizes[0]:,} bytes before, {sizes[1]:,} now")


def backup(name: str | None, output: str, *, as_json: bool) -> None:
    """Write a copy of the store, as it stands now, into a file that is whole or not there."""
    with opened(name, write=False) as store, replacing(target(output)) as stream:
        Path(stream.name).chmod(0o600)
        with told():
            store.copy(Path(stream.name))
        size = Path(stream.name).stat().st_size
    if as_json:
        out_json({"file": output, "bytes": size})
    else:
        say(f"radial: {size:,} bytes")
