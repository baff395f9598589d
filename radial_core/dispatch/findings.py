"""Whether findings mean something: what a lexicon cannot see. What is not well-formed is for that to name (L1).

Strategy: a finding sends somebody to a place in a file, so the place must exist at the commit that was reviewed. The
listing of that commit is given: paths with their numbers of lines, as its reader took them from git. Without it places
are kept and reported as unchecked, never as right. A severity is checked against the words that readers know, although
the protocol leaves the vocabulary open: an agent that means `high` can say `major`, and no reader has to guess.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final, cast

import attrs

from radial_core.dispatch.refusals import Notice, objection
from radial_core.dispatch.said import says_something
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


def judge_findings(findings: object, listing: Listing | None) -> Iterator[Named]:
    """Name what is wrong with those parts of findings that are well-formed, and what to do about each.

    The names are `EmptyText`, `UnknownSeverity`, `LineWithoutPath`, `PathNotFound` and `LineOutOfRange`.
    """
    for number, finding in objects_of(findings):
        steps = ("findings", number)
        body, severity = finding.get("body"), finding.get("severity")
        if isinstance(body, str) and not says_something(body):
            yield "EmptyText", objection("says nothing", "say what is wrong and what to do about it", *steps, "body")
        if isinstance(severity, str) and severity not in SEVERITIES:
            shown = f"{quoted(severity)} is no known severity"
            yield "UnknownSeverity", objection(shown, f"use one of {', '.join(SEVERITIES)}", *steps, "severity")
        if "path" in finding:
            yield from _place(finding, listing, steps)
        elif "line" in finding:
            remedy = "add the path of the file, or leave the line out"
            yield "LineWithoutPath", objection("is a line of no file", remedy, *steps, "line")


def objects_of(findings: object) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Give those of an array that are objects, with their places in it."""
    for number, finding in enumerate(cast("Sequence[object]", findings) if isinstance(findings, list | tuple) else ()):
        if isinstance(finding, dict):
            yield number, cast("dict[str, Any]", finding)


def _place(finding: Mapping[str, Any], listing: Listing | None, steps: tuple[str | int, ...]) -> Iterator[Named]:
    path, line = finding["path"], finding.get("line")
    if listing is None or not isinstance(path, str):
        return
    if path not in listing.lines:
        shown = f"there is no file {quoted(path)} at commit {listing.commit}"
        yield "PathNotFound", objection(shown, _suggest(path, listing), *steps, "path")
    elif isinstance(line, int) and line > (listing.lines[path] or 0):
        shown, remedy = _length(listing.lines[path])
        yield "LineOutOfRange", objection(f"{shown} at commit {listing.commit}", remedy, *steps, "line")


def _length(lines: int | None) -> tuple[str, str]:
    """Say how many lines a file has, and what to do about a line that it does not have."""
    if lines is None:
        return "the file is no text and has no lines", "leave the line out"
    if not lines:
        return "the file is empty", "leave the line out"
    if lines == 1:
        return "the file has one line", "name line 1, or none"
    return f"the file has {lines} lines", f"name a line from 1 to {lines}, or none"


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
    count = "1 open finding is" if len(left) == 1 else f"{len(left)} open findings are"
    return (Notice("FindingsLeft", f"{count} not among them: {_some(left)}", "$.addressed"),)


def _some(names: Collection[str]) -> str:
    told = [*islice(names, _MOST_NAMES)]
    return ", ".join(told) + (f" and {len(names) - len(told)} more" if len(names) > len(told) else "")


def unchecked(findings: Sequence[Mapping[str, Any]], listing: Listing | None) -> tuple[Notice, ...]:
    """Say how many findings name a place that nobody could check."""
    count = sum("path" in finding for finding in findings) if listing is None else 0
    if not count:
        return ()
    places = "1 place was" if count == 1 else f"{count} places were"
    return (Notice("FindingsUnchecked", f"no listing of the commit: {places} not checked", "$.findings"),)


def unexplained(verdict: str, findings: Sequence[Mapping[str, Any]]) -> tuple[Notice, ...]:
    """Say that a review asks for changes and names none."""
    if verdict != "request_changes" or findings:
        return ()
    return (Notice("NoFindings", "changes are requested, and no finding says which", "$.findings"),)
