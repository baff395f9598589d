"""What every read command begins with: files or the store, folded, and the manners when some of it is no input.

Strategy: every malformed line is named on standard error. Then the command ends, having printed nothing; or, with
`--keep-going`, it prints what the rest amounts to and fails all the same, because a result that lacks something must
not look like one that does not.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from radial_cli.exits import FAILURE, NOT_FOUND, USAGE, Failure, Silent
from radial_cli.inputs import BadLine, observations
from radial_cli.names import Names
from radial_cli.output import say
from radial_cli.untrusted import file_name, one_line
from radial_core import Index, Instant, materialize, parse_instant, winner
from radial_core.views import RequestView, SpaceView

if TYPE_CHECKING:
    from radial_core.observations import Observation


class Reading:
    """An index with the observations that it stands on, and what a picture of it needs: names, values, the time."""

    def __init__(self, index: Index, observed: Sequence[Observation], now: Instant) -> None:
        self.index = index
        self.observed = observed
        self.now = now

    @cached_property
    def names(self) -> Names:
        """Names for all that was seen."""
        dids = {grant.did for space in self.index.spaces for grant in space.grants}
        guests = {guest.guest for space in self.index.spaces for goal in space.goals for guest in goal.guests}
        return Names((seen.uri for seen in self.observed), dids | guests)

    def value(self, uri: str) -> dict[str, Any]:
        """Give the value of a record that counts; empty for any other."""
        entry = self.index.entry(uri)
        return entry.value if entry is not None else {}

    def versions(self, uri: str) -> list[Observation]:
        """List what was observed at a URI."""
        return [seen for seen in self.observed if seen.uri == uri]

    def holder(self, request: RequestView) -> str | None:
        """Give the DID whose lease on a request is live now, as far as these observations tell (C4, C5)."""
        lease = winner(self.index.leases(request.uri), self.index.sightings(request.uri), self.now)
        entry = self.index.entry(lease.uri) if lease is not None else None
        return entry.did if entry is not None else None

    def spaces(self, name: str | None) -> tuple[SpaceView, ...]:
        """Give all spaces, or the one that somebody named. Raises `Failure` when there is none such."""
        if name is None:
            return self.index.spaces
        view = self.index.space(self.names.find(name))
        if view is None:
            raise Failure(
                f"{one_line(name, 200)} is no space in this input", "`radial digest --tree` lists them.", NOT_FOUND
            )
        return (view,)


@contextmanager
def reading(files: Sequence[str] | None, *, keep_going: bool, store: str | None = None) -> Iterator[Reading]:
    """Read and fold files for the command in the block, or the store where no file is named.

    Raises `Failure` before it, or after it (`keep_going`).
    """
    if files:
        if store is not None and store != os.environ.get("RADIAL_STORE"):
            raise Failure("a FILE and --store exclude each other", "Without a FILE the store is read.", USAGE)
        with _of_files(files, keep_going=keep_going) as found:
            yield found
        return
    from radial_cli.storing.place import Damages, opened
    from radial_io.writing.taking import own_writes

    damages = Damages()
    with opened(store, write=False) as shelf:
        observed = [observation for _, observation in shelf.observations(on_damage=damages)]
        observed += own_writes(shelf.path)  # what was written here while somebody else holds the store
    yield Reading(materialize(observed), observed, _now())
    damages.end()


@contextmanager
def _of_files(files: Sequence[str], *, keep_going: bool) -> Iterator[Reading]:
    bad = 0

    def name(line: BadLine) -> None:
        nonlocal bad
        bad += 1
        for fault in line.faults:
            say(f"{line.spot}: {one_line(fault)}")

    observed = [seen for _, seen in observations(files, name)]
    if bad and not keep_going:
        raise Failure(f"{_lines(bad)} malformed, so nothing is printed", _SOME_BAD if observed else _ALL_BAD)
    if not observed and not bad:
        say(f"radial: there are no observations in {', '.join(map(file_name, files))}")
    yield Reading(materialize(observed), observed, _now())
    if bad:
        say(f"radial: {_lines(bad)} malformed and left out of this")
        raise Silent(FAILURE)


_SOME_BAD: Final = "Mend or remove them, or use the rest with --keep-going. `radial validate` also judges the records."
_ALL_BAD: Final = "Observations are JSON, each whole on one line: jq -c . joins the lines of JSON in another layout."


def _lines(number: int) -> str:
    return "1 line is" if number == 1 else f"{number} lines are"


def _now() -> Instant:
    return parse_instant(datetime.now(UTC).isoformat())
