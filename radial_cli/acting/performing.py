"""One act from the command line to the records: look, build, foresee, show, ask, look again, write, tell.

    perform(manner, lambda view: close_goal(view.desk, view.find(goal, "goal")))

Strategy: nothing is sent before it is known what would become of it. What the fold would refuse is not sent at all
unless `--force` says so. After the person has agreed, everything is looked at once more; where that changes what they
agreed to, nothing is sent either. Whatever a record refers to (a file) is uploaded first, and a failure on the way says
that nothing was written. From then on the outbox answers for it: what was begun is finished, once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from radial_cli.acting.asking import confirm, require_somebody
from radial_cli.acting.freshness import require_fresh
from radial_cli.acting.manner import Manner
from radial_cli.acting.opening import account_of, look
from radial_cli.acting.people import look_up
from radial_cli.acting.prepared import Build, Prepared, Upload, prepare
from radial_cli.acting.telling import Outcome, say_prepared, say_refusals, tell
from radial_cli.acting.texts import Text
from radial_cli.acting.view import Keys, View, now
from radial_cli.acting.writing import write
from radial_cli.exits import FAILURE, NOT_FOUND, TRY_AGAIN, USAGE, Failure, Silent
from radial_cli.output import say
from radial_io.accounts.values import Account

_NO_MORE_THAN: Final = 0.0  # seconds old may the view be that is acted upon after a question


def perform(
    manner: Manner,
    build: Build,
    *,
    text: Text | None = None,
    people: Iterable[str | None] = (),
    spaces: Sequence[str] | None = None,
    uploads: Sequence[Upload] = (),
    question: str = "Write it?",
    whole: Callable[[], Iterable[str]] | None = None,
) -> Outcome:
    """Carry out an act. `spaces` are those to look at, where the act itself does not tell; `()`: at none.

    `whole` gives lines that show its text to the last byte, where an excerpt is not enough.

    Raises `Failure`, `Silent` with the status of a refusal.
    """
    if not manner.dry_run:
        require_somebody(manner.yes)
    account = account_of(manner)
    start = _start(manner, account, [name for name in people if name is not None])
    ready = _on_a_fresh_view(manner, build, start, spaces)
    say_prepared(ready, manner)
    for line in whole() if whole is not None else ():
        say(line)
    _stop_at_refusals(ready, manner)
    if ready.is_empty or manner.dry_run:
        return tell(Outcome(ready, manner, ()))
    if not manner.yes:
        ready = _asked(manner, build, ready, question, spaces)
    outcome = Outcome(ready, manner, write(ready, uploads, manner))
    if text is not None:
        text.forget()
    return tell(outcome)


def _start(manner: Manner, account: Account, people: list[str]) -> View:
    view = look(manner, account, Keys(), now())
    view.people = look_up(people, account, manner)
    return view


def _on_a_fresh_view(manner: Manner, build: Build, view: View, spaces: Sequence[str] | None) -> Prepared:
    """Prepare the act on what is known, which tells the space it concerns; then on a fresh view of that."""
    try:
        stale = _concerned(prepare(view, build), spaces, manner)
    except Failure as failure:
        if failure.status not in {NOT_FOUND, USAGE} or isinstance(failure, Silent):
            raise
        stale = _all_spaces(view, manner)  # what is named may be new
        if not stale:
            raise
    require_fresh(stale, manner)
    return prepare(_again(view, manner), build)


def _concerned(ready: Prepared, spaces: Sequence[str] | None, manner: Manner) -> Sequence[str]:
    """Give the spaces on which an act rests: its own, or for a profile or a picture all of its author's."""
    if spaces is not None:
        return spaces
    return [ready.act.space] if ready.act.space is not None else _all_spaces(ready.view, manner)


def _all_spaces(view: View, manner: Manner) -> list[str]:
    if manner.space is not None and manner.space.startswith("at://"):
        return [manner.space]
    return [view.space] if view.space is not None else [each.uri for each in view.in_reach()]


def _again(view: View, manner: Manner) -> View:
    later = look(manner, view.account, view.keys, view.now)
    later.people = view.people
    return later


def _asked(manner: Manner, build: Build, ready: Prepared, question: str, spaces: Sequence[str] | None) -> Prepared:
    """Ask, then look once more (RK-14.3). Raises `Failure` when the answer is no, or the view has changed."""
    if not confirm(question):
        raise Failure("nothing was written", "", FAILURE)
    require_fresh(_concerned(ready, spaces, manner), manner, within=_NO_MORE_THAN)
    later = prepare(_again(ready.view, manner), build)
    if changes := list(ready.parted(later)):
        raise Failure(
            f"nothing was written, because the space has changed meanwhile: {' and '.join(changes)}",
            "Run the command again to see how it is now.",
            TRY_AGAIN,
        )
    return later


def _stop_at_refusals(ready: Prepared, manner: Manner) -> None:
    """Stop at what the fold would refuse, unless with `--force`."""
    if not ready.forecast.refusals or manner.force:
        return
    say_refusals(ready)
    if manner.as_json:
        tell(Outcome(ready, manner, (), is_refused=True))
    say("  Nothing was written. --force writes it all the same, and nobody will honour it.")
    raise Silent(FAILURE)
