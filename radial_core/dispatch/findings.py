"""Whether findings mean something: what a lexicon cannot see (L1 has passed them).

Strategy: a finding sends somebody to a place in a file, so the place must exist at the commit that was reviewed. The
listing of that commit is given: paths with their numbers of lines, as its reader took them from git. Without it places
are kept and reported as unchecked, never as right. A severity is checked against the words that readers know, although
the protocol leaves the vocabulary open: an agent that means `high` can say `major`, and no reader has to guess.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import attrs

from radial_core.dispatch.refusals import Notice, objection
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from radial_core.dispatch.refusals import Named

SEVERITIES: Final = ("blocking", "major", "minor", "nit")
_MOST_SUGGESTIONS: Final = 3
_MOST_NAMES: Final = 3


@attrs.frozen
class Listing:
    """The files at a commit, by path from the root of the repository, with their numbers of lines.

    A file that is no text has no lines: None.
    """

    commit: str
    lines: Mapping[str, int | None] = attrs.field(hash=False)


def judge_findings(findings: Sequence[Mapping[str, Any]], listing: Listing | None) -> Iterator[Named]:
    """Name what is wrong with well-formed findings, and what to do about each.

    The names are `EmptyText`, `UnknownSeverity`, `LineWithoutPath`, `PathNotFound` and `LineOutOfRange`.
    """
    for number, finding in enumerate(findings):
        steps = ("findings", number)
        if not finding["body"].strip():
            yield "EmptyText", objection("is empty", "say what is wrong and what to do about it", *steps, "body")
        if finding["severity"] not in SEVERITIES:
            shown = f"{quoted(finding['severity'])} is no known severity"
            yield "UnknownSeverity", objection(shown, f"use one of {', '.join(SEVERITIES)}", *steps, "severity")
        if "path" in finding:
            yield from _place(finding, listing, steps)
        elif "line" in finding:
            remedy = "add the path of the file, or leave the line out"
            yield "LineWithoutPath", objection("is a line of no file", remedy, *steps, "line")


def _place(finding: Mapping[str, Any], listing: Listing | None, steps: tuple[str | int, ...]) -> Iterator[Named]:
    if listing is None:
        return
    path, line = finding["path"], finding.get("line", 0)
    if path not in listing.lines:
        shown = f"there is no file {quoted(path)} at commit {listing.commit}"
        yield "PathNotFound", objection(shown, _suggest(path, listing), *steps, "path")
    elif line > (length := listing.lines[path] or 0):
        remedy = f"name a line from 1 to {length}, or none" if length else "leave the line out"
        shown = f"the file has {length} lines at commit {listing.commit}"
        yield "LineOutOfRange", objection(shown, remedy, *steps, "line")


def _suggest(path: str, listing: Listing) -> str:
    """Name the files that were perhaps meant: those of the same name elsewhere."""
    name = path.rpartition("/")[2]
    alike = sorted(other for other in listing.lines if other.rpartition("/")[2] == name)[:_MOST_SUGGESTIONS]
    said = f"did you mean {', '.join(map(quoted, alike))}? " if alike else ""
    return said + "name it from the root of the repository, or leave the path out"


def judge_addressed(addressed: Sequence[str], known: Collection[str]) -> Iterator[Named]:
    """Name what is wrong with the list of findings that a revision took up: `UnknownFinding`, `NamedTwice`."""
    held, before = frozenset(known), set[str]()
    for number, name in enumerate(addressed):
        if name not in held:
            remedy = f"name open findings by their ids: {_some(known)}" if known else "leave it out: none is open"
            yield "UnknownFinding", objection("is no open finding of this turn", remedy, "addressed", number)
        elif name in before:
            yield "NamedTwice", objection("stands here twice", "name each finding once", "addressed", number)
        before.add(name)


def left_open(addressed: Collection[str], known: Sequence[str]) -> tuple[Notice, ...]:
    """Say which open findings a revision does not claim to have taken up."""
    taken_up = frozenset(addressed)
    left = [name for name in known if name not in taken_up]
    if not left:
        return ()
    return (Notice("FindingsLeft", f"{len(left)} open findings are not among them: {_some(left)}", "$.addressed"),)


def _some(names: Collection[str]) -> str:
    told = [*islice(names, _MOST_NAMES)]
    return ", ".join(told) + (f" and {len(names) - len(told)} more" if len(names) > len(told) else "")


def unchecked(findings: Sequence[Mapping[str, Any]], listing: Listing | None) -> tuple[Notice, ...]:
    """Say how many findings name a place that nobody could check."""
    count = sum("path" in finding for finding in findings) if listing is None else 0
    if not count:
        return ()
    return (Notice("FindingsUnchecked", f"no listing of the commit: {count} places were not checked", "$.findings"),)
