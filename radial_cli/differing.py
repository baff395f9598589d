"""`radial diff`: the places where two sets of records differ, and what would make them agree.

Strategy: the core walks down both digest trees (D2); here each record that one side lacks is asked of the other side's
index: it was never seen there (then it has to be handed over), or a rule keeps it out there (then the cause is another
record). Nobody is told that they are wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from radial_cli.exits import FAILURE, Silent
from radial_cli.names import Names, author_of
from radial_cli.output import is_terminal, out, out_json, say, width
from radial_cli.pictures.words import brief_title, counted, listed
from radial_cli.reading import Reading
from radial_cli.render import Page, Parts
from radial_cli.untrusted import file_name, one_line
from radial_core import Difference
from radial_core.jsonviews import to_plain


def print_differences(here: Reading, there: Reading, files: tuple[str, str], *, as_json: bool) -> None:
    """Print where two readings differ. Raises `Silent` when they do."""
    differences = here.index.diff(there.index)
    is_equal = here.index.digest == there.index.digest
    if as_json:
        out_json(_json(here, there, differences, is_equal=is_equal))
    elif is_equal:
        out(f"equal: {here.index.digest}\n")
    else:
        page = Page(width(), styled=is_terminal())
        sides = zip("AB", (here, there), files, strict=True)
        page.columns((name, side.index.digest, file) for name, side, file in sides)
        names = _names(here, there)
        for difference in differences:
            _draw(page, difference, here, there, names)
        out(page.text())
        _say_what_to_take_in(differences, here, there, files)
    if not is_equal:
        raise Silent(FAILURE)


def _json(here: Reading, there: Reading, differences: tuple[Difference, ...], *, is_equal: bool) -> dict[str, Any]:
    return {
        "equal": is_equal,
        "digests": [here.index.digest, there.index.digest],
        "differences": [to_plain(difference) for difference in differences],
    }


def _draw(page: Page, difference: Difference, here: Reading, there: Reading, names: Names) -> None:
    page.gap()
    title = _title(difference, here) or _title(difference, there)
    page.line([f"{difference.kind} ", (title, "title"), (f"  {difference.uri}", "quiet")], hang=4)
    changed: list[list[Parts]] = [["in different versions", names.record(uri)] for uri in difference.changed]
    rows = [
        *_lacking("A", difference.only_here, "B", there, names),
        *_lacking("B", difference.only_there, "A", here, names),
        *changed,
    ]
    page.columns(rows or [["the same records; what is read off them differs"]], indent=2)


def _lacking(holder: str, uris: tuple[str, ...], lacks: str, other: Reading, names: Names) -> Iterator[list[Parts]]:
    """Say of the records that count on one side alone why they do not on the other."""
    for uri in uris:
        explanation = other.index.explain(uri)
        fate = f"ignored there by {explanation.rule}" if explanation.rule is not None else f"{lacks} never saw it"
        if explanation.verdict == "counts":
            fate = "it counts in another place there"
        yield [f"only in {holder}", [names.record(uri), (f"  {fate}", "wait")]]


def _say_what_to_take_in(
    differences: tuple[Difference, ...], here: Reading, there: Reading, files: tuple[str, str]
) -> None:
    """Say which records each side never saw, whose they are, and what to take in (RAD-12.5)."""
    lacking = (
        ("A", here, [uri for each in differences for uri in each.only_there], files[1]),
        ("B", there, [uri for each in differences for uri in each.only_here], files[0]),
    )
    for name, side, uris, other in lacking:
        unseen = [uri for uri in uris if side.index.explain(uri).verdict == "unknown"]
        if unseen:
            authors = one_line(listed(sorted({author_of(uri) for uri in unseen})))
            say(f"radial: {name} lacks {counted(len(unseen), 'record')} of {authors}: take in {file_name(other)}")
    say("radial: hand each side what it never saw: `radial materialize A B` reads both at once")


def _names(here: Reading, there: Reading) -> Names:
    return Names((seen.uri for side in (here, there) for seen in side.observed), ())


def _title(difference: Difference, side: Reading) -> str:
    value = side.value(difference.uri)
    return brief_title(str(value.get("title") or value.get("name") or ""))
