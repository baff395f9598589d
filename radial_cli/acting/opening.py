"""Who acts, and what is known: the beginning of every act."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from radial_cli.accounts.place import accounts
from radial_cli.acting.manner import Manner
from radial_cli.acting.view import Keys, View
from radial_cli.exits import NOT_FOUND, USAGE, Failure
from radial_cli.outside import told
from radial_cli.reading import Reading
from radial_cli.storing.place import Damages, place_of, told as store_told
from radial_cli.untrusted import one_line
from radial_core import materialize, parse_instant
from radial_core.acts.references import Found, resolve
from radial_io.accounts.values import Account
from radial_io.store.store import open_store
from radial_io.writing.taking import own_writes

if TYPE_CHECKING:
    from radial_core.observations import Observation


def account_of(manner: Manner) -> Account:
    """Give who acts. Raises `Failure` when nobody is logged in, or not whom was named."""
    if manner.pds is not None and manner.plc is not None:
        raise Failure("--pds and --plc exclude each other", "With --pds no directory is asked.", USAGE)
    with told():
        return accounts().find(manner.author)


def look(manner: Manner, account: Account, keys: Keys, now: str) -> View:
    """Read what is known at this moment; a store that is not there yet holds nothing."""
    reading = _read(manner)
    return View(reading=reading, account=account, space=_space(manner, reading), now=now, keys=keys)


def _read(manner: Manner) -> Reading:
    path = place_of(manner.store)
    observed: list[Observation] = []
    if path.exists():
        damages = Damages()
        with store_told(), open_store(path, write=False) as store:
            observed = [observation for _, observation in store.observations(on_damage=damages)]
    with store_told():
        observed += own_writes(path)  # what this machine has written and the store does not hold yet
    moment = parse_instant(datetime.now(UTC).isoformat())
    return Reading(materialize(observed), observed, moment)


def _space(manner: Manner, reading: Reading) -> str | None:
    """Give the URI of the space that was named. Raises `Failure` for one that is unknown, or ambiguous."""
    if manner.space is None or manner.space.startswith("at://"):
        return manner.space
    found = resolve(reading.index, manner.space, kinds=("space",))
    if isinstance(found, Found):
        return found.uri
    raise Failure(
        f"{one_line(manner.space, 200)} names no one space here",
        "Give its URI; `radial spaces` lists those that you joined.",
        NOT_FOUND,
    )
