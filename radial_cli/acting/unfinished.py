"""What became of an act whose writing failed, or was stopped: said at once, for what is kept is written later.

Strategy: an act that was recorded goes on with the next one, also when somebody pressed Ctrl-C because they had thought
better of it. So whoever stopped it, and whatever failed, it is said what is written, and what is kept and how to drop
it. The outbox alone knows; where it cannot be read the error is what there is to say.
"""

from __future__ import annotations

from contextlib import suppress

from radial_cli.acting.manner import Manner
from radial_cli.acting.prepared import Prepared
from radial_cli.acting.telling import Outcome, tell
from radial_cli.exits import Failure, Silent
from radial_cli.output import say
from radial_cli.pictures.words import counted
from radial_cli.storing.place import place_of
from radial_cli.untrusted import one_line
from radial_io.store.errors import StoreError
from radial_io.writing.errors import KeptError, WriteError
from radial_io.writing.taking import waiting_writes
from radial_io.writing.written import Written


def tell_unfinished(ready: Prepared, manner: Manner, failure: Failure) -> bool:
    """Say what is written of it and what is kept; give whether anything is kept."""
    cause = failure.__cause__
    written = cause.written if isinstance(cause, WriteError) else ()
    for each in written:
        say(f"radial: {one_line(each.uri)} is written")
    number = _kept(ready, manner)
    is_kept = number > 0 or isinstance(cause, KeptError)
    if number and not isinstance(cause, KeptError):
        say(
            f"radial: the outbox keeps {counted(number, 'record')} of this act, to be sent with your next one."
            " `radial outbox list` lists what it keeps; `radial outbox drop NUMBER` takes it out."
        )
    if manner.as_json and not isinstance(failure, Silent):
        _tell_json(ready, manner, written, "kept" if is_kept else "failed")
    return is_kept


def _kept(ready: Prepared, manner: Manner) -> int:
    did = ready.view.account.did
    own = {draft.uri(did) for draft in ready.act.drafts} | {removal.uri(did) for removal in ready.act.removals}
    with suppress(StoreError):
        return len(own.intersection(waiting_writes(place_of(manner.store), did)))
    return 0


def _tell_json(ready: Prepared, manner: Manner, written: tuple[Written, ...], ending: str) -> None:
    with suppress(Failure):  # of standard output: what failed before is said in any case
        tell(Outcome(ready, manner, written, ending=ending))
