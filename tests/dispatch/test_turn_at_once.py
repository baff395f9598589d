"""Everything that is wrong with a submission is named at once, whichever judge sees it, and every place once."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given, strategies as st

from radial_core.dispatch.drafting import Bounds, Write
from radial_core.dispatch.findings import Listing
from radial_core.dispatch.links import Demands, Looked
from radial_core.dispatch.refusals import Refusal
from tests.dispatch.turns import COMMIT, SAID, names, started, submit

GONE: Final = object()


class Wrong(NamedTuple):
    """What stands in a field, and where that is objected to; no place: it is right."""

    value: Any
    paths: tuple[str, ...] = ()


BELOW_LINKS = ("branch", "commit", "pr")
LINKS: dict[str, list[Wrong]] = {
    "branch": [Wrong(GONE), Wrong("radial/a"), *(Wrong(name, ("branch",)) for name in ("", "-x", "a..b", 1))],
    "commit": [Wrong(GONE), Wrong(COMMIT), *(Wrong(name, ("commit",)) for name in ("c0ffee", "", None))],
    "pr": [Wrong(GONE), Wrong("https://x.example/1"), *(Wrong(name, ("pr",)) for name in ("file:///x", "x", 1))],
    "url": [Wrong(GONE), Wrong("u", ("url",))],
}
FIELDS: dict[str, list[Wrong]] = {
    "title": [Wrong("T"), *(Wrong(text, ("title",)) for text in (GONE, "", "T\n", "a\nb", "\u200b", 1))],
    "body": [Wrong("b"), *(Wrong(text, ("body",)) for text in (GONE, " \n", "\x00", None))],
    "summary": [Wrong(GONE), Wrong("s"), *(Wrong(text, ("summary",)) for text in ("", 1))],
    "criteria": [Wrong(GONE), Wrong(["c", "", 1, "\u2060"], ("criteria[1]", "criteria[2]", "criteria[3]")),
                 Wrong("c", ("criteria",))],
    "addressed": [Wrong(GONE), Wrong(["x", "y"], ("addressed[0]", "addressed[1]")), Wrong([1], ("addressed",))],
    "model": [Wrong(GONE), Wrong("m", ("model",))],
    "notes": [Wrong(GONE), Wrong([], ("notes",))],
}  # fmt: skip
FILES = Listing(COMMIT, {"a.py": 3, "logo.png": None})
PLACES: list[Wrong] = [
    Wrong({}),
    Wrong({"path": "a.py", "line": 3}),
    Wrong({"path": "b.py"}, ("path",)),
    Wrong({"path": "b.py", "line": 0}, ("path", "line")),
    Wrong({"path": "a.py", "line": 4}, ("line",)),
    Wrong({"path": "logo.png", "line": 1}, ("line",)),
    Wrong({"path": 1, "line": "x"}, ("path", "line")),
    Wrong({"path": "a.py", "line": "x"}, ("line",)),
    Wrong({"line": 1}, ("line",)),
]
FINDING: dict[str, list[Wrong]] = {
    "severity": [Wrong("nit"), *(Wrong(word, ("severity",)) for word in (GONE, "high", 1))],
    "body": [Wrong("b"), *(Wrong(text, ("body",)) for text in (GONE, "\t", []))],
    "file": [Wrong(GONE), Wrong("a.py", ("file",))],
}


def under(step: str, wrongs: dict[str, Wrong]) -> Wrong:
    """Make one object of fields, and say where in it is something wrong."""
    value = {name: wrong.value for name, wrong in wrongs.items() if wrong.value is not GONE}
    return Wrong(value, tuple(f"{step}.{path}" for wrong in wrongs.values() for path in wrong.paths))


def each(fields: dict[str, list[Wrong]]) -> st.SearchStrategy[dict[str, Wrong]]:
    return st.fixed_dictionaries({name: st.sampled_from(values) for name, values in fields.items()})


@st.composite
def artifacts(draw: st.DrawFn) -> Wrong:
    links = under("links", draw(each(LINKS)))
    chosen = draw(each(FIELDS)) | {"links": draw(st.sampled_from([links, links, Wrong([], ("links",))]))}
    return under("$", chosen)


@st.composite
def reviews(draw: st.DrawFn) -> Wrong:
    verdicts = [Wrong("approve"), *(Wrong(word, ("verdict",)) for word in (GONE, "fine", 1))]
    told: list[Wrong] = []
    for number in range(draw(st.integers(0, 3))):
        place, finding = draw(st.sampled_from(PLACES)), under("", draw(each(FINDING)))
        paths = (*(path[1:] for path in finding.paths), *place.paths)
        whole = Wrong(finding.value | place.value, tuple(f"findings[{number}].{path}" for path in paths))
        told.append(draw(st.sampled_from([whole, whole, Wrong("x", (f"findings[{number}]",))])))
    findings = Wrong([one.value for one in told], tuple(path for one in told for path in one.paths))
    return under("$", {"verdict": draw(st.sampled_from(verdicts)), "findings": findings})


def judge(kind: str, said: Wrong) -> None:
    _, answer = submit(started(kind), said.value, listing=FILES if kind == "review" else None)
    if not said.paths:
        assert isinstance(answer, Write)
        return
    assert isinstance(answer, Refusal)
    places = [one.path for one in answer.objections]
    assert sorted(places) == sorted(said.paths)


@given(artifacts())
def test_all_that_is_wrong_with_an_artifact_is_named_at_once(said: Wrong) -> None:
    judge("artifact", said)


@given(reviews())
def test_all_that_is_wrong_with_a_review_is_named_at_once(said: Wrong) -> None:
    judge("review", said)


def test_a_demand_is_told_beside_everything_else() -> None:
    demands = Demands(commit=True, pull="gh pr create")
    _, answer = submit(started(demands=demands), {"title": "", "body": "b", "links": {"branch": "-x"}})
    assert names(answer) == ("EmptyText", "$.title", "$.links.commit", "$.links.branch", "$.links.pr")
    links = {"commit": COMMIT, "pr": "https://x.example/1"}
    looked = Looked(commit_found=False, pull_ours=False)
    _, answer = submit(started(demands=demands), {"body": "b", "links": links}, looked=looked)
    assert names(answer) == ("MissingField", "$.title", "$.links.commit", "$.links.pr")


def test_what_is_too_long_is_told_beside_what_is_wrong() -> None:
    said = {"title": "T\n", "body": "x" * 2000, "links": {"branch": "-x"}}
    _, answer = submit(started(bounds=Bounds(record=1500)), said)
    assert names(answer) == ("LongTitle", "$.title", "$.summary", "$.links.branch")


@pytest.mark.parametrize("said", [["a"], {"title": 1.5, "body": ""}, {"title": "\ud800", "notes": ""}])
def test_what_leaves_nothing_to_judge_is_told_alone(said: Any) -> None:
    _, answer = submit(started(), said)
    assert len(names(answer)) == 2


def test_a_listing_of_another_commit_is_the_callers_mistake_whatever_was_sent() -> None:
    with pytest.raises(ValueError, match=f"but {COMMIT} was reviewed"):
        submit(started("review"), {**SAID["review"], "notes": 1}, listing=Listing("f" * 40, {}))
