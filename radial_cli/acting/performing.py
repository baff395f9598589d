"""One act from the command line to the records: look, build, foresee, show, ask, look again, write, tell.

    perform(manner, lambda view: close_goal(view.desk, view.find(goal, "goal")))

Strategy: nothing is sent before it is known what would become of it. What the fold would refuse, or what would be for
nothing, is not sent at all unless `--force` says so. After the person has agreed, everything is looked at once more;
where that changes what they agreed to, nothing is sent either. Whatever a record refers to (a file) is uploaded first,
and a failure on the way says that nothing was written. From then on the outbox answers for it: what was begun is
finished, once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from radial_cli.acting.asking import confirm, require_somebody
from radial_cli.acting.freshness import FRESH_FOR, NOW, require_fresh, say_age
from radial_cli.acting.manner import Manner
from radial_cli.acting.opening import account_of, look, look_again
from radial_cli.acting.people import look_up
from radial_cli.acting.prepared import Build, Prepared, Upload, prepare
from radial_cli.acting.telling import Outcome, say_prepared, say_refusals, tell
from radial_cli.acting.texts import Text
from radial_cli.acting.unfinished import tell_unfinished
from radial_cli.acting.view import Keys, Meant, View, now
from radial_cli.acting.writing import write
from radial_cli.exits import FAILURE, NOT_FOUND, TRY_AGAIN, USAGE, Failure, Silent
from radial_cli.output import say
from radial_cli.untrusted import one_line
from radial_io.writing.written import Written


def perform(
    manner: Manner,
    build: Build,
    *,
    text: Text | None = None,
    people: Iterable[str | None] = (),
    spaces: Sequence[str] | None = None,
    uploads: Sequence[Upload] = (),
    is_ending: bool = False,
    question: str = "Write it?",
    whole: Callable[[], Iterable[str]] | None = None,
) -> Outcome:
    """Carry out an act. `spaces` are those to look at, where the act itself does not tell; `()`: at none.

    `is_ending`: it hides, ends or takes back something, so what it would do is judged on a view of this moment.
    `whole` gives lines that show its text to the last byte, where an excerpt is not enough. Raises `Failure`, `Silent`
    with the status of a refusal.
    """
    if not manner.dry_run:
        require_somebody(manner.yes)
    account = account_of(manner)
    view = look(manner, account, Keys(), now())
    view.people = look_up((name for name in people if name is not None), account, manner)
    task = _Task(manner, build, spaces)
    ready = _on_a_fresh_view(task, view, within=NOW if is_ending else FRESH_FOR)
    if not manner.sync:
        say_age(task.concerned(ready), manner)
    say_prepared(ready, manner)
    for line in whole() if whole is not None else ():
        say(line)
    _stop_at_refusals(ready, manner)
    if ready.is_empty or manner.dry_run:
        return tell(Outcome(ready, manner, ()))
    if not manner.yes:
        ready = _asked(task, ready, question)
    return tell(Outcome(ready, manner, _written(ready, uploads, text, manner)))


def _written(ready: Prepared, uploads: Sequence[Upload], text: Text | None, manner: Manner) -> tuple[Written, ...]:
    """Write it, and let go of the text as soon as the repo or the outbox has it: a second copy would be sent twice."""
    try:
        written = write(ready, uploads, manner)
    except Failure as failure:
        if tell_unfinished(ready, manner, failure) and text is not None:
            text.forget()
        raise
    if text is not None:
        text.forget()
    return written


class _Task(NamedTuple):
    """What is to be built, in which manner, on a view of which spaces."""

    manner: Manner
    build: Build
    spaces: Sequence[str] | None

    def concerned(self, ready: Prepared) -> Sequence[str]:
        """Give the spaces on which an act rests: its own, or for a profile or a picture all of its author's."""
        if self.spaces is not None:
            return self.spaces
        return [ready.act.space] if ready.act.space is not None else self.all_spaces(ready.view)

    def all_spaces(self, view: View) -> Sequence[str]:
        """Give the spaces in which what is named may be."""
        if self.spaces is not None:
            return self.spaces
        return [view.space] if view.space is not None else [each.uri for each in view.in_reach()]

    def refresh(self, view: View, spaces: Sequence[str], *, within: float) -> None:
        """See to it that the next look at these spaces is fresh. Raises `Failure`."""
        view.known.learn(require_fresh(spaces, self.manner, within=within))

    def again(self, view: View) -> Prepared:
        """Prepare it on what is known now."""
        return prepare(look_again(self.manner, view), self.build)


def _on_a_fresh_view(task: _Task, view: View, *, within: float) -> Prepared:
    """Prepare the act on what is known, which tells the space it concerns; then on a fresh view of that.

    What is not there, or would be refused, may have come or changed a moment ago: that is said of this moment alone.
    """
    try:
        first = prepare(view, task.build)
    except Failure as failure:
        stale = task.all_spaces(view)
        if failure.status not in {NOT_FOUND, USAGE} or not stale:
            raise
        task.refresh(view, stale, within=NOW)
        return task.again(view)
    meant = list(view.meant)
    task.refresh(view, task.concerned(first), within=NOW if first.is_refused else within)
    ready = task.again(view)
    if ready.is_refused and not first.is_refused:
        task.refresh(view, task.concerned(ready), within=NOW)
        ready = task.again(view)
    _require_same(meant, ready.view.meant)
    return ready


def _require_same(before: Sequence[Meant], after: Sequence[Meant]) -> None:
    """Check that a number or a beginning still means what it meant when the lists were printed. Raises `Failure`."""
    meant = {each.text: each.uri for each in before}
    for each in after:
        if meant.get(each.text, each.uri) != each.uri:
            raise Failure(
                f"{one_line(each.text, 100)} was {one_line(meant[each.text])} and is {one_line(each.uri)} now",
                "Nothing was written. Look at the list again, or give a URI.",
                TRY_AGAIN,
            )


def _asked(task: _Task, ready: Prepared, question: str) -> Prepared:
    """Ask, then look once more (RK-14.3). Raises `Failure` when the answer is no, or the view has changed."""
    if not confirm(question):
        raise Failure("nothing was written", "", FAILURE)
    task.refresh(ready.view, task.concerned(ready), within=NOW)
    later = task.again(ready.view)
    if changes := list(ready.parted(later)):
        raise Failure(
            f"nothing was written, because the space has changed meanwhile: {' and '.join(changes)}",
            "Run the command again to see how it is now.",
            TRY_AGAIN,
        )
    return later


def _stop_at_refusals(ready: Prepared, manner: Manner) -> None:
    """Stop at what the fold would refuse, and at what would be for nothing, unless with `--force`."""
    if not ready.is_refused or manner.force:
        return
    say_refusals(ready)
    if manner.as_json:
        tell(Outcome(ready, manner, (), ending="refused"))
    say("  Nothing was written. --force writes it all the same, and nobody will honour it.")
    raise Silent(FAILURE)
