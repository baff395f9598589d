"""Who acts, and what is known: the beginning of every act."""

from __future__ import annotations

from radial_cli.accounts.place import accounts
from radial_cli.acting.known import Known
from radial_cli.acting.manner import Manner
from radial_cli.acting.view import Keys, View
from radial_cli.exits import NOT_FOUND, USAGE, Failure
from radial_cli.outside import told
from radial_cli.reading import Reading
from radial_cli.storing.place import place_of
from radial_cli.untrusted import one_line
from radial_core.acts.references import Found, resolve
from radial_io.accounts.values import Account


def account_of(manner: Manner) -> Account:
    """Give who acts. Raises `Failure` when nobody is logged in, or not whom was named."""
    if manner.pds is not None and manner.plc is not None:
        raise Failure("--pds and --plc exclude each other", "With --pds no directory is asked.", USAGE)
    with told():
        return accounts().find(manner.author)


def look(manner: Manner, account: Account, keys: Keys, now: str) -> View:
    """Read what is known at this moment; a store that is not there yet holds nothing."""
    tail = Known(place_of(manner.store))
    tail.catch_up()
    return View(known=tail, account=account, space=_space(manner, tail.reading), now=now, keys=keys)


def look_again(manner: Manner, view: View) -> View:
    """Read what has become known since; the account, the keys, the moment and the people stay the same."""
    view.known.catch_up()
    space = _space(manner, view.known.reading)
    return View(known=view.known, account=view.account, space=space, now=view.now, keys=view.keys, people=view.people)


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
