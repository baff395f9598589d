"""An artifact: what it says, where it comes from, and what others found.

Strategy: the text first, because that is what somebody came for; then the evidence, each piece with who says so. What
its writer states (title, text, criteria, model) is called claimed and stands apart from what somebody observed (checks,
the merge): RK-9.1. Whoever observed it is always named (RAD-10.28).
"""

from __future__ import annotations

from typing import Any, Final

from radial_cli.pictures.text import draw_text
from radial_cli.pictures.thread import draw_thread
from radial_cli.pictures.words import PINS, VERDICTS, claim_words, counted, moment, title_of
from radial_cli.reading import Reading
from radial_cli.render import Page, Part
from radial_core.views import ArtifactView, CheckrunView, ReviewView

_EXCERPT: Final = 8


def draw_artifact(page: Page, artifact: ArtifactView, reading: Reading) -> None:
    """Draw one artifact in full."""
    names, value = reading.names, reading.value(artifact.uri)
    page.line([(title_of(artifact), "title"), f"  {artifact.type}"])
    page.line((artifact.uri, "quiet"))
    by = f", with {artifact.model}" if artifact.model else ""
    page.line(
        [
            ("By ", "quiet"),
            (names.did(artifact.author), "name"),
            (f", {moment(artifact.created_at, reading)}{by}", "quiet"),
        ]
    )
    if artifact.claim is not None:
        page.line(("Made " + claim_words(artifact.claim.uri, artifact.claim.lost, names), "quiet"))
    page.line([("Asked for by ", "quiet"), names.record(artifact.request.uri)])
    if artifact.prev is not None:
        page.line([("Follows ", "quiet"), names.record(artifact.prev.uri), *_pinned(artifact.prev.pin)])
    page.heading("Claimed", f"by {names.did(artifact.author)}")
    draw_text(page, value["body"], reading)
    if "bodyBlob" in value:
        page.line(("This is a summary: `radial body` fetches the whole text.", "quiet"))
    _draw_links(page, value.get("links", {}))
    if criteria := value.get("criteria"):
        page.heading("To be fulfilled")
        page.columns([("-", text) for text in criteria], indent=2)
    draw_evidence(page, artifact, reading, indent=2)
    if artifact.messages:
        page.heading("Talk", f"({len(artifact.messages)})")
        draw_thread(page, artifact.messages, {}, reading, indent=2)


def _pinned(pin: str | None) -> list[Part]:
    return [(f" ({PINS[pin]})", "wait")] if PINS[pin] else []


def _draw_links(page: Page, links: dict[str, str]) -> None:
    if links:
        page.gap()
        page.columns([((f"{name}:", "quiet"), text) for name, text in links.items()])


def draw_evidence(page: Page, artifact: ArtifactView, reading: Reading, *, indent: int) -> None:
    """Draw reviews with their findings, check runs and the merge."""
    if artifact.reviews:
        page.heading("Reviews", f"({len(artifact.reviews)})")
    for review in artifact.reviews:
        draw_review(page, review, reading, indent=indent)
    if artifact.checkruns:
        page.heading("Checks", f"({len(artifact.checkruns)})")
    for run in artifact.checkruns:
        draw_checkrun(page, run, reading, indent=indent)
    if (merged := artifact.merged) is not None:
        page.heading("Merged")
        page.line([moment(merged.at, reading), ", observed by ", (reading.names.did(merged.by), "name")], indent=indent)
        page.line(merged.pr, indent=indent)


def draw_review(page: Page, review: ReviewView, reading: Reading, *, indent: int) -> None:
    """Draw one review: the verdict, on which version, and each finding."""
    names, value = reading.names, reading.value(review.uri)
    word, style = VERDICTS[review.verdict]
    notes = [f", of {PINS[review.pin]}"] if PINS[review.pin] else []
    notes += [f", with {review_model}"] if (review_model := value.get("model")) else []
    notes += (
        [", " + claim_words(review.claim.uri, True, names)] if review.claim is not None and review.claim.lost else []
    )
    page.line(
        [
            (word, style),
            " by ",
            (names.did(review.author), "name"),
            f", {moment(review.created_at, reading)}",
            *notes,
            (f"  {names.record(review.uri)}", "quiet"),
        ],
        indent=indent,
    )
    for finding in value.get("findings", ()):
        _draw_finding(page, finding, reading, indent + 2)


def _draw_finding(page: Page, finding: dict[str, Any], reading: Reading, indent: int) -> None:
    place = f" at {finding['path']}" if "path" in finding else ""
    place += f", line {finding['line']}" if "line" in finding else ""
    page.line([(finding["severity"], "wait"), place], indent=indent)
    draw_text(page, finding["body"], reading, indent=indent + 2)


def draw_checkrun(page: Page, run: CheckrunView, reading: Reading, *, indent: int) -> None:
    """Draw one run of the checks: by whom, on which commit, each result with its log."""
    names = reading.names
    head: Part = ("checks passed", "good") if run.passed else ("checks failed", "bad")
    page.line(
        [
            head,
            f" on commit {run.commit}, observed by ",
            (names.did(run.author), "name"),
            f", {moment(run.created_at, reading)}",
            (f"  {names.record(run.uri)}", "quiet"),
        ],
        indent=indent,
    )
    for result in reading.value(run.uri)["results"]:
        page.line(
            [f"{result['name']}: ", ("passed", "good") if result["pass"] else ("failed", "bad")], indent=indent + 2
        )
        if result.get("log"):
            left = page.prose(result["log"], indent=indent + 4, most=_EXCERPT)
            if left:
                page.line((f"… and {counted(left, 'line')} more", "quiet"), indent=indent + 4)
