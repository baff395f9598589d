"""Where the store lies, and opening it for a command.

Strategy: `--store`, else RADIAL_STORE, else the folder for a user's data on this system. What a store fails with is
said with its advice, and with a status that tells whether trying again may help.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from platformdirs import user_data_path

from radial_cli.exits import FAILURE, TRY_AGAIN, USAGE, Failure
from radial_cli.output import say
from radial_cli.pictures.words import counted
from radial_cli.untrusted import file_name, one_line
from radial_io.store.errors import NoStoreError, StoreBusyError, StoreError
from radial_io.store.store import Store, open_store
from radial_io.store.values import Damage


def place_of(name: str | None) -> Path:
    """Give the path of the store that is meant."""
    if name == "":
        raise Failure("an empty name is the name of no store", "Name a file.", USAGE)
    return Path(name) if name is not None else user_data_path("radial", appauthor=False) / "store.db"


@contextmanager
def opened(name: str | None, *, write: bool, busy_wait: float = 0.0) -> Iterator[Store]:
    """Open the store for the block. Raises `Failure` for everything that a store can fail with."""
    with told(), open_store(place_of(name), write=write, busy_wait=busy_wait) as store:
        yield store


@contextmanager
def told() -> Iterator[None]:
    """Turn what a store fails with in the block into a `Failure`."""
    try:
        yield
    except StoreError as error:
        raise Failure(file_name(str(error)), error.advice, _status(error)) from error


def _status(error: StoreError) -> int:
    if isinstance(error, StoreBusyError):
        return TRY_AGAIN
    return USAGE if isinstance(error, NoStoreError) else FAILURE


class Damages:
    """What is damaged in a store: each is named on standard error as it is met."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self, damage: Damage) -> None:
        """Name one."""
        self.number += 1
        say(f"radial: {one_line(damage.uri)} ({one_line(damage.cid, 100)}) is damaged: {one_line(damage.reason, 200)}")

    def end(self) -> None:
        """Raise `Failure` if there were any."""
        if self.number:
            raise Failure(
                f"{counted(self.number, 'version')} damaged and left out of this",
                "`radial store check` looks at everything; restore a backup, or read the spaces anew.",
            )
