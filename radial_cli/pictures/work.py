"""What was asked for at a project or a goal, and what was made of it.

Strategy: twice. At a glance (`draw_work`), a request is one row, a chain of artifacts its current version in one row
and how that fared in another. In full, a request comes with its brief, what it rests on and what became of it, and a
chain with all its versions, the current one with the beginning of its text and its reviews.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from radial_cli.pictures.artifact import draw_checkrun, draw_review
from radial_cli.pictures.text import draw_text
from radial_cli.pictures.words import (
    PINS,
    artifact_notes,
    brief_type,
    counted,
    fate_notes,
    joined,
    moment,
    ordinal,
    request_notes,
    request_state,
    title_of,
)
from radial_cli.reading import Reading
from radial_cli.render import Page, Part, Parts
from radial_core.views import ArtifactView, ChainView, Ref, RequestView

_EXCERPT: Final = 6


def draw_work(
    page: Page,
    requests: Sequence[RequestView],
    artifacts: Sequence[ArtifactView],
    chains: Sequence[ChainView],
    reading: Reading,
) -> None:
    """Draw what was asked for at a place and what was made."""
    if requests:
        page.line(("Requests", "heading"), indent=4)
        page.columns([request_row(request, reading) for request in requests], indent=6)
    if chains:
        page.line(("Artifacts", "heading"), indent=4)
        made = {artifact.uri: artifact for artifact in artifacts}
        rows = (row for chain in chains for row in _chain_rows(chain, made[chain.current], reading))
        page.columns(rows, indent=6)


def request_row(request: RequestView, reading: Reading) -> list[Parts]:
    """Draw a request in one row: its type, its state, and what else is worth knowing."""
    word, style = request_state(request)
    notes = request_notes(request, reading)
    said = f"  {'; '.join(notes)}" if notes else ""
    return [brief_type(request.type), (word, style), [(reading.names.record(request.uri), "quiet"), said]]


def _chain_rows(chain: ChainView, current: ArtifactView, reading: Reading) -> Iterator[list[Parts]]:
    total = len(chain.versions)
    version: list[Part] = [f"{ordinal(total)} of {total} versions"] if total > 1 else []
    forks: list[Part] = [("there are rival versions", "wait")] if chain.forks else []
    notes = joined([*version, *forks, *artifact_notes(current, reading)])
    yield [brief_type(chain.type), [title_of(current), (f"  {reading.names.record(current.uri)}", "quiet")]]
    if notes:
        yield ["", notes]


def draw_requests(page: Page, requests: Sequence[RequestView], reading: Reading) -> None:
    """Draw requests in full, under a heading of their own."""
    if not requests:
        return
    page.heading("Requests", f"({len(requests)})")
    for request in requests:
        word, style = request_state(request)
        label = (f"  {reading.names.record(request.uri)}", "quiet")
        page.line([(brief_type(request.type), "name"), "  ", (word, style), label], indent=2)
        draw_request_body(page, request, reading, indent=4)


def draw_request_body(page: Page, request: RequestView, reading: Reading, *, indent: int) -> None:
    """Draw what a request says, what it rests on, and what became of it."""
    names, value = reading.names, reading.value(request.uri)
    page.line((f"Asked by {names.did(request.author)}, {moment(request.created_at, reading)}", "quiet"), indent=indent)
    for note in request_notes(request, reading):
        page.line(note[0].upper() + note[1:], indent=indent)
    if brief := value.get("brief"):
        draw_text(page, brief, reading, indent=indent)
    rows = [*_rests_on(request, reading), *_became(request, reading)]
    page.columns((((label, "quiet"), parts) for label, parts in rows), indent=indent)


def _rests_on(request: RequestView, reading: Reading) -> Iterator[tuple[str, Parts]]:
    if request.subject is not None:
        yield "about", reference(request.subject, reading)
    for basis in request.based_on or ():
        yield "based on", reference(basis, reading)


def _became(request: RequestView, reading: Reading) -> Iterator[tuple[str, Parts]]:
    fates: Iterable[tuple[str, Sequence[str | None]]] = (
        ("fulfilled by", request.fulfilled_by),
        ("declined by", [request.declined_by]),
        ("retracted by", [request.retracted_by]),
    )
    for label, uris in fates:
        for uri in filter(None, uris):
            yield label, [reading.names.record(uri), (f", by {reading.names.author(uri)}", "quiet")]


def reference(ref: Ref, reading: Reading) -> Parts:
    """Name what a reference names, and say so when it means another version or nothing here (L4)."""
    parts: list[Part] = [reading.names.record(ref.uri)]
    return [*parts, (f" ({PINS[ref.pin]})", "wait")] if PINS[ref.pin] else parts


def draw_versions(page: Page, artifacts: Sequence[ArtifactView], chains: Sequence[ChainView], reading: Reading) -> None:
    """Draw what was made: each chain with its versions, under a heading of their own."""
    if not chains:
        return
    page.heading(
        "Artifacts",
        f"({len(chains)}, in {len(artifacts)} versions)" if len(artifacts) > len(chains) else f"({len(chains)})",
    )
    made = {artifact.uri: artifact for artifact in artifacts}
    for chain in chains:
        page.gap()
        for number, uri in enumerate(chain.versions, start=1):
            version = f"{ordinal(number)} version" if len(chain.versions) > 1 else ""
            _draw_version(page, made[uri], version, reading, is_current=uri == chain.current)
        if chain.forks:
            page.line(("There are rival versions: more than one has no successor.", "wait"), indent=4)


def _draw_version(page: Page, artifact: ArtifactView, version: str, reading: Reading, *, is_current: bool) -> None:
    names = reading.names
    label = (f"  {names.record(artifact.uri)}", "quiet")
    page.line([(brief_type(artifact.type), "name"), "  ", (title_of(artifact), "title"), label], indent=2)
    by = f"{names.did(artifact.author)}{f' with {artifact.model}' if artifact.model else ''}"
    about: list[Part] = [(", ".join(filter(None, (version, by, moment(artifact.created_at, reading)))), "quiet")]
    page.line(joined([*about, *fate_notes(artifact, reading)]), indent=4)
    if is_current:
        _draw_beginning(page, artifact, reading)
    for review in artifact.reviews:
        draw_review(page, review, reading, indent=4)
    for run in artifact.checkruns[-1:]:
        draw_checkrun(page, run, reading, indent=4)


def _draw_beginning(page: Page, artifact: ArtifactView, reading: Reading) -> None:
    page.line((f"Claimed by {reading.names.did(artifact.author)}:", "quiet"), indent=4)
    left = draw_text(page, reading.value(artifact.uri)["body"], reading, indent=4, most=_EXCERPT)
    if left:
        whole = f"radial show {reading.names.record(artifact.uri)}"
        page.line((f"… and {counted(left, 'line')} more: {whole}", "quiet"), indent=4)
