"""What each section of a packet holds: candidates, in the order in which they would be shown.

Strategy: one function for a section, one table that names them in order. What changes least comes first (a project, its
own documents, a goal), so that packets of one project start alike. A rank says what is given up last when room is
short: of the basis what the request names, of the checks those that failed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from radial_core.dispatch.briefs import BUILT_IN_BRIEFS
from radial_core.dispatch.choosing import Candidate
from radial_core.dispatch.judged import told_findings
from radial_core.dispatch.limits import LEAST_BRIEF
from radial_core.dispatch.piece import Piece
from radial_core.dispatch.quoting import quote, record_piece, unheld_piece
from radial_core.dispatch.talk import thread
from radial_core.records import EditProject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from radial_core.dispatch.judged import Told
    from radial_core.dispatch.piece import Mark
    from radial_core.dispatch.scope import Basis, Scope
    from radial_core.entries import Entry
    from radial_core.records import CheckResult
    from radial_core.views import ArtifactView


def _ranked(pieces: Iterable[Piece]) -> list[Candidate]:
    return [Candidate((0, at), piece) for at, piece in enumerate(pieces)]


def _project(scope: Scope) -> list[Candidate]:
    project, entry = scope.project, _held(scope, scope.project.uri)
    fields = (("name", project.name), ("gitUrl", project.git_url), ("defaultBranch", project.default_branch))
    changed = _changed(scope)
    marks: list[tuple[str, Mark]] = [("archived", project.archived)]
    marks += [(f"{name} is from", changed[name]) for name, _ in fields if name in changed]
    return _ranked(
        [quote(entry, "", "its fields as later records have changed them", text="", fields=fields, marks=marks)]
    )


def _changed(scope: Scope) -> dict[str, str]:
    """Give the record, and its version, that the last word on a field of the project is from (P1, P3)."""
    changed: dict[str, str] = {}
    for uri in scope.project.records:  # in their order: the last that has the field decides
        entry = _held(scope, uri)
        if entry.record.__class__ is EditProject:
            changed |= dict.fromkeys(entry.value, f"{entry.uri}#{entry.cid}")
    return changed


def _system(scope: Scope) -> list[Candidate]:
    return _ranked(
        record_piece(
            _held(scope, system.current), "the current version", (("merges it has not seen", system.staleness),)
        )
        for system in scope.project.system
    )


def _goal(scope: Scope) -> list[Candidate]:
    why = "the request stands on it" if scope.goal is not None else "what the request is based on stands on it"
    return _ranked(record_piece(_held(scope, goal.uri), why, (("ended", goal.ended),)) for goal in scope.goals)


# The request ----------------------------------------------------------------------------------------------------------


def _request(scope: Scope) -> list[Candidate]:
    own = record_piece(scope.entry, "what the person who asked has added")
    templates = [Candidate((1, at), piece) for at, piece in enumerate(_templates(scope))]
    return [*templates, Candidate((0, 0), own, LEAST_BRIEF)]


def _templates(scope: Scope) -> Iterator[Piece]:
    """Give the template of the type and what must come of it: the space's words, else our own; none if unknown."""
    name = scope.request.type
    view = scope.index.space(scope.space)
    types = {} if view is None else {known.name: known for known in view.artifact_types}
    record = types[name].record if name in types else None
    if record is not None:
        entry = _held(scope, record.uri)
        yield quote(entry, "/brief", "the template of the type", text=entry.record.brief, fields=[("type", name)])
        yield quote(entry, "/outputSpec", "what must come of it", text=entry.record.output_spec)
    elif name in BUILT_IN_BRIEFS:
        yield _built_in("the template of the type", BUILT_IN_BRIEFS[name].brief)
        yield _built_in("what must come of it", BUILT_IN_BRIEFS[name].output_spec)


def _built_in(why: str, text: str) -> Piece:
    return Piece(uri=None, cid=None, author=None, kind="artifactType", part="", why=why, text=text)


# The basis ------------------------------------------------------------------------------------------------------------


def _basis(scope: Scope) -> list[Candidate]:
    return [Candidate((one.distance, at), _basis_piece(scope, one)) for at, one in enumerate(scope.basis)]


def _basis_piece(scope: Scope, basis: Basis) -> Piece:
    entry = scope.index.entry(basis.ref.uri) if basis.ref.resolved else None
    if entry is None:
        return unheld_piece(basis.ref.uri, basis.ref.cid, f"{basis.why}; it does not resolve here", "record")
    pin: list[tuple[str, Mark]] = [("pin", basis.ref.pin or "")]
    artifact = scope.index.artifact(entry.uri)
    return record_piece(entry, basis.why, pin if artifact is None else [*pin, *_artifact_marks(scope, artifact)])


def _artifact_marks(scope: Scope, artifact: ArtifactView) -> Iterator[tuple[str, Mark]]:
    current = scope.current(artifact.uri)
    if current != artifact.uri:
        yield "newer version", current
    if artifact.merged is not None:
        yield "merged", artifact.merged.record
    if artifact.claim is not None and artifact.claim.lost:
        yield "written under a lost claim", True


def _criteria(scope: Scope) -> list[Candidate]:
    return _ranked(
        quote(entry, f"/criteria/{at}", "a criterion of an artifact of the basis", text=text, kind="criterion")
        for artifact in scope.artifacts
        if artifact.uri not in scope.followed
        for entry in (_held(scope, artifact.uri),)
        for at, text in enumerate(entry.record.criteria or ())
    )


# Findings -------------------------------------------------------------------------------------------------------------


def _findings(scope: Scope) -> list[Candidate]:
    """Give the findings of the reviews: whole while they are open, by name when a newer version has followed."""
    return [_finding(scope, one) for one in told_findings(scope)]


def _finding(scope: Scope, told: Told) -> Candidate:
    entry = _held(scope, told.review.uri)
    marks = (("on", told.on), ("verdict", told.review.verdict), ("pin", told.review.pin or ""))
    finding = told.finding
    if finding is None:
        return Candidate((0, 0), record_piece(entry, "a verdict without findings", marks))
    part, name = f"/findings/{told.number}", (("id", told.id),)
    if told.followed_by is not None:
        why = f"addressed, {told.followed_by} has followed"
        return Candidate((1, 0), quote(entry, part, why, text="", marks=(*name, *marks[:1]), kind="finding"))
    line = (("line", finding.line),) if finding.line is not None else ()
    fields = (("severity", finding.severity), ("path", finding.path))
    piece = quote(entry, part, "open", text=finding.body, fields=fields, marks=(*name, *marks, *line), kind="finding")
    return Candidate((0, 0), piece)


# Checks ---------------------------------------------------------------------------------------------------------------


def _checks(scope: Scope) -> list[Candidate]:
    """Give each check of the project with its results beside it, then the results of checks that it does not have."""
    results, empty = _results(scope)
    entry, candidates = _held(scope, scope.project.uri), list[Candidate]()
    for at, check in enumerate(scope.project.checks or ()):
        fields = [("name", check.name)]
        piece = quote(entry, f"/checks/{at}", "a check of the project", text=check.command, fields=fields, kind="check")
        candidates += [Candidate((0, 0), piece), *results.pop(check.name, ())]
    return [*candidates, *(one for named in results.values() for one in named), *empty]


def _results(scope: Scope) -> tuple[dict[str, list[Candidate]], list[Candidate]]:
    """Give the results on the artifacts of the basis by the name of the check; and the runs without any."""
    results: dict[str, list[Candidate]] = {}
    empty: list[Candidate] = []
    for artifact in scope.artifacts:
        for run in artifact.checkruns:
            entry = _held(scope, run.uri)
            for at, result in enumerate(entry.record.results):
                results.setdefault(result.name, []).append(_result(entry, at, result))
            if not entry.record.results:
                marks = (("on", artifact.uri), ("passed", False))
                empty.append(Candidate((0, 0), record_piece(entry, "a run without results", marks)))
    return results, empty


def _result(entry: Entry[Any], at: int, result: CheckResult) -> Candidate:
    piece = quote(
        entry,
        f"/results/{at}",
        "what came of it",
        text=result.log or "",
        fields=[("name", result.name), ("commit", entry.record.commit)],
        marks=(("on", entry.record.artifact), ("passed", result.passed)),
        kind="checkResult",
    )
    return Candidate((int(result.passed), 0), piece)


# Guests ---------------------------------------------------------------------------------------------------------------


def _guests(scope: Scope) -> list[Candidate]:
    return _ranked(
        record_piece(
            _held(scope, guest.bless),
            "words from outside the space; the author named here vouches for the copy",
            (("vouched for by", guest.by), ("guest", guest.guest), ("the guest's own record", guest.comment.uri)),
        )
        for goal in scope.goals
        for guest in goal.guests
    )


def _held(scope: Scope, uri: str) -> Entry[Any]:
    """Give a record that a view shows: it counts."""
    return cast("Entry[Any]", scope.index.entry(uri))


SECTIONS: Final[tuple[tuple[str, Callable[[Scope], list[Candidate]]], ...]] = (
    ("project", _project),
    ("system", _system),
    ("goal", _goal),
    ("request", _request),
    ("basis", _basis),
    ("criteria", _criteria),
    ("findings", _findings),
    ("checks", _checks),
    ("thread", thread),
    ("guests", _guests),
)
