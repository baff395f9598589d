"""Explanations: a verdict, places and a rule for programs; sentences that name rule, place and people for the rest."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

import attrs
import pytest

from radial_core import Deletion, Index, Record, materialize
from radial_core.answers import REMEDIES
from tests.core.small_world import (
    ADD_ANN,
    ADD_BOT,
    ADD_EVE,
    ANN,
    ATTIC,
    AUDIT,
    BLESS,
    BLOB,
    BOT,
    CLAIM,
    EVE,
    GOAL,
    IMAGE,
    ON_THE_GOAL,
    ON_THE_PROJECT,
    ON_THE_SPACE,
    PREFIX,
    PROFILE,
    PROJECT,
    REQUEST,
    REVIEW_WANTED,
    REVS,
    ROOT,
    SPACE,
    UNSEEN,
    WORLD,
    again,
    at,
    gone,
    ref,
    seen,
    uri_of,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

INDEX = materialize(WORLD)


# It counts ----------------------------------------------------------------------------------------------------------


def test_every_record_of_the_small_world_counts_where_it_stands() -> None:
    places = {
        SPACE.uri: [one for one in ON_THE_SPACE if one is not PROFILE],
        PROJECT.uri: ON_THE_PROJECT,
        GOAL.uri: ON_THE_GOAL,
    }
    for place, records in places.items():
        for record in records:
            found = INDEX.explain(record.uri)
            assert (found.uri, found.verdict, found.places, found.rule) == (record.uri, "counts", (place,), None)
            kind = record.uri.split("/")[3].removeprefix(PREFIX)
            article = "an" if kind.startswith(("a", "e")) else "a"
            assert found.sentences[0].startswith(f"{record.uri} is {article} {kind} and counts in the ")
            assert f"({place})." in found.sentences[0]


def test_the_whole_of_an_explanation() -> None:
    assert str(INDEX.explain(CLAIM.uri)).split("\n") == [
        f"{CLAIM.uri} is a claim and counts in the goal “Ship” ({GOAL.uri}).",
        "It is placed there through its anchor (T7), which counts itself.",
        f"Its author {BOT} is a member with the role agent, by the grant {ADD_BOT.uri} (T5).",
    ]
    assert INDEX.explain(PROJECT.uri).sentences == (
        f"{PROJECT.uri} is a project and counts in the project “Site” ({PROJECT.uri}).",
        "It makes that place.",
        f"Its author {ANN} is a member with the role admin, by the grant {ADD_ANN.uri} (T5).",
    )
    assert INDEX.explain(GOAL.uri).sentences == (
        f"{GOAL.uri} is a goal and counts in the goal “Ship” ({GOAL.uri}).",
        f"It stands in the project “Site” ({PROJECT.uri}) (T7).",
        f"Its author {ROOT} is the root of the space (T1).",
    )
    assert INDEX.explain(SPACE.uri).sentences == (
        f"{SPACE.uri} is a space and counts in the space “Lab” ({SPACE.uri}).",
        "It makes that place.",
        f"Its author {ROOT} is the root of the space (T1).",
    )


def test_a_membership_event_outlives_its_authors_membership() -> None:
    remove_ann = write(ROOT, "removeMember", 60, space=ref(SPACE), did=ANN, membership=ref(ADD_ANN))
    found = INDEX.extend([remove_ann]).explain(ADD_BOT.uri)
    assert found.verdict == "counts"
    assert found.sentences[2] == (
        f"Its author {ANN} was an admin at that point of the membership log, which is what counts (T2)."
    )


def test_long_titles_are_cut() -> None:
    index = materialize([again(SPACE, name="x" * 1_000)])
    assert f" counts in the space “{'x' * 80}…” (" in index.explain(SPACE.uri).sentences[0]


def test_a_profile_counts_in_every_space_of_its_author() -> None:
    homes = tuple(sorted((SPACE.uri, ATTIC.uri)))
    found = INDEX.explain(PROFILE.uri)
    assert (found.verdict, tuple(sorted(found.places)), found.rule) == ("counts", homes, None)
    (sentence,) = found.sentences
    assert sentence.startswith(
        f"{PROFILE.uri} is an agent profile; it counts in every space of which {BOT} is a member"
    )
    assert all(home in sentence for home in homes)


def test_an_image_is_listed() -> None:
    found = INDEX.explain(IMAGE.uri)
    assert (found.verdict, found.places, found.rule) == ("image", (), None)
    assert found.sentences == (
        f"{IMAGE.uri} is an image of a member: it is listed for looking up, and changes no view and no digest (M4).",
    )


@pytest.mark.parametrize("uri", [uri_of(EVE, "goal", "x"), "", "no uri", SPACE.uri + "x"])
def test_what_nobody_saw_is_unknown(uri: str) -> None:
    found = INDEX.explain(uri)
    assert (found.uri, found.verdict, found.places, found.rule) == (uri, "unknown", (), None)
    assert found.sentences == (
        f"{uri} was never seen: no observation names it. Fetch the repo that holds it, or check the spelling.",
    )


def test_an_explanation_is_a_value() -> None:
    assert INDEX.explain(GOAL.uri) == INDEX.explain(GOAL.uri)
    assert len({INDEX.explain(GOAL.uri), INDEX.explain(GOAL.uri), INDEX.explain(SPACE.uri)}) == 2
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        INDEX.explain(GOAL.uri).verdict = "ignored"  # type: ignore[misc]


# It is ignored ------------------------------------------------------------------------------------------------------


def nested(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


NO_SPACE = {"uri": uri_of(EVE, "space", "none"), "cid": UNSEEN}
PROJECT_FIELDS = {"name": "P", "gitUrl": "https://git.example/p", "defaultBranch": "main"}
ON_GOAL = {"goal": ref(GOAL)}

# For each rule, a record that it and no earlier one keeps out of the small world.
REFUSED: dict[str, Record | Deletion] = {
    "O6": Record(uri=f"at://ann.example/{PREFIX}goal/g", cid=GOAL.cid, value=GOAL.value),
    "L1": write(ANN, "goal", 60, space=ref(SPACE), project=ref(PROJECT), title=7, body="b"),
    "L6": write(ANN, "join", 60, space=ref(SPACE), deep=nested(64)),
    "V5": Deletion(uri=uri_of(ANN, "join", "gone")),
    "C2": write(BOT, "claim", 60, request=ref(REQUEST), expiresAt=at(121)),
    "L5": write(ANN, "project", 60, space=NO_SPACE, **PROJECT_FIELDS),
    "T7": write(ANN, "goal", 60, space=ref(ATTIC), project=ref(PROJECT), title="t", body="b"),
    "T1": write(ANN, "addMember", 60, space=ref(SPACE), did=ROOT, kind="human", role="member"),
    "T2": write(BOT, "addMember", 60, space=ref(SPACE), did=EVE, kind="human", role="member"),
    "T4": write(ANN, "removeMember", 60, space=ref(SPACE), did=EVE, membership=ref(ADD_EVE)),
    "T5": write(EVE, "message", 60, **ON_GOAL, body="let me in"),
    "P1": write(ROOT, "editProject", 60, project=ref(PROJECT), name="Mine"),
    "P2": write(BOT, "setAutoReview", 60, project=ref(PROJECT), type="plan", enabled=True),
    "A1": write(ROOT, "artifactType", 60, space=ref(SPACE), name="review", brief="b", outputSpec="o", scope="goal"),
    "A2": write(BOT, "artifactType", 60, space=ref(SPACE), name="x", brief="b", outputSpec="o", scope="goal"),
    "R1": write(ANN, "artifactRequest", 60, **ON_GOAL, type="review"),
    "R2": write(BOT, "artifact", 60, **ON_GOAL, request=ref(REQUEST), type="implementation", body="b"),
    "R3": write(BOT, "retractRequest", 60, request=ref(REQUEST)),
    "C1": write(BOT, "claim", 60, request=ref(REVIEW_WANTED), expiresAt=at(61)),
    "M2": write(BOT, "retractBless", 60, bless=ref(BLESS)),
    "M3": write(BOT, "setGuestComments", 60, space=ref(SPACE), enabled=False),
}


@pytest.mark.parametrize("rule", REFUSED)
def test_every_refusal_names_its_rule_its_reason_and_a_remedy(rule: str) -> None:
    refused = REFUSED[rule]
    index = INDEX.extend([refused])
    (row,) = index.ignored
    assert (row.uri, row.rule) == (refused.uri, rule)
    found = index.explain(refused.uri)
    assert (found.uri, found.verdict, found.places, found.rule) == (refused.uri, "ignored", (), rule)
    assert found.sentences[:2] == (f"{refused.uri} is ignored by rule {rule}: {row.reason}.", REMEDIES[rule])
    assert not row.reason.endswith(".")
    assert index.digest == INDEX.digest


def test_each_rule_that_can_refuse_has_a_remedy_and_no_other() -> None:
    assert REMEDIES.keys() == REFUSED.keys()
    assert all(remedy.endswith(".") for remedy in REMEDIES.values())


def test_the_rules_with_remedies_are_those_that_the_core_names(root: Path) -> None:
    files = sorted((root / "radial_core").rglob("*.py"))
    named = {rule for file in files for rule in rulings(ast.parse(file.read_text(encoding="utf-8")))}
    assert named == REMEDIES.keys()


def rulings(tree: ast.AST) -> Iterator[str]:
    """Yield the first argument of each `Ruling(…)`: strings, be they chosen between."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Ruling":
            texts = [part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant)]
            assert texts, f"line {node.lineno}: a ruling whose rule cannot be read here"
            yield from (text for text in texts if isinstance(text, str))


def test_a_reason_names_what_it_is_about() -> None:
    assert (
        INDEX.extend([REFUSED["L5"]])
        .explain(REFUSED["L5"].uri)
        .sentences[0]
        .endswith(f"it stands on {NO_SPACE['uri']}, which is not here or does not count.")
    )
    assert f"{EVE} is not a member of the space" in str(INDEX.extend([REFUSED["T5"]]).explain(REFUSED["T5"].uri))
    assert "must be a string, not an integer @ $.title" in str(INDEX.extend([REFUSED["L1"]]).explain(REFUSED["L1"].uri))
    assert "nested deeper than 64 levels @ $.deep" in str(INDEX.extend([REFUSED["L6"]]).explain(REFUSED["L6"].uri))
    assert "$.subject" in str(INDEX.extend([REFUSED["R1"]]).explain(REFUSED["R1"].uri))


def test_strays_of_strangers_are_refused_too() -> None:
    profile = write(EVE, "agent", 60, "x", handleName="x", harness="h", models=[], artifactTypes=[])
    picture = write(EVE, "image", 61, blob=BLOB)
    index = INDEX.extend([profile, picture])
    for record in (profile, picture):
        found = index.explain(record.uri)
        assert (found.verdict, found.rule) == ("ignored", "T5")
        assert f"{EVE} is not a member of any space seen here" in found.sentences[0]


# What was passed over -----------------------------------------------------------------------------------------------


INVALID = "it is not a valid record (L1, L6)"
DELETED = "its author deleted it (V5)"
FROZEN = "it changes the request or the creation of the claim, which the first version froze (V3)"
OUT_OF_CONTRACT = "it breaks the lease contract (C2)"
SHORTENED = "a live lease cannot be shortened (V3)"
SUPERSEDED = "a later version replaced it (V2, V3)"
LEGACY_ENDING = "only its `closed` field was taken from it, if it is the latest (V4)"
EDIT = "a record is not edited in place: the earliest version stays (V1)"


def others(index: Index, uri: str) -> list[tuple[str, str]]:
    """List the versions that an explanation says do not count: CID and reason."""
    told = re.compile(r"(?:Another version, (\w+),|The version (\w+)) does not count: (.*)\.").fullmatch
    found = [match for one in index.explain(uri).sentences if (match := told(one)) is not None]
    return [(match[1] or match[2], match[3]) for match in found]


def is_deleted(index: Index, uri: str) -> bool:
    return index.explain(uri).sentences[-1] == "A deletion was seen, and nothing later."


def without(record: Record) -> list[Record]:
    return [one for one in WORLD if one is not record]


def test_a_claims_versions_are_named_with_their_reasons() -> None:
    claim, out, moved, shorter = (
        again(CLAIM, rev=REVS[0]),
        again(CLAIM, rev=REVS[1], expiresAt=at(22 + 61)),
        again(CLAIM, rev=REVS[2], createdAt=at(21)),
        again(CLAIM, rev=REVS[3], expiresAt=at(40)),
    )
    renewed = again(CLAIM, rev=REVS[4], renewedAt=at(30), expiresAt=at(60))
    bad = again(CLAIM, rev=REVS[5], request=7)
    index = materialize([*without(CLAIM), claim, out, moved, shorter, renewed, bad])
    expected = [
        (claim.cid, SUPERSEDED),
        (out.cid, OUT_OF_CONTRACT),
        (moved.cid, FROZEN),
        (shorter.cid, SUPERSEDED),
        (bad.cid, INVALID),
    ]
    assert others(index, CLAIM.uri) == expected
    assert not is_deleted(index, CLAIM.uri)
    late = again(CLAIM, rev=REVS[6], renewedAt=at(30), expiresAt=at(59))
    assert others(index.extend([late]), CLAIM.uri) == [*expected, (late.cid, SHORTENED)]


def test_a_goals_versions_and_its_deletion() -> None:
    retitled, reopened = again(GOAL, title="Z", rev=REVS[1]), again(GOAL, closed=False, rev=REVS[2])
    index = materialize([*without(GOAL), again(GOAL, rev=REVS[0]), retitled, reopened, gone(GOAL, rev=REVS[3])])
    assert others(index, GOAL.uri) == [(retitled.cid, EDIT), (reopened.cid, LEGACY_ENDING)]
    assert is_deleted(index, GOAL.uri)
    assert index.explain(GOAL.uri).verdict == "counts"


def test_a_retired_record_and_its_deletion() -> None:
    join = write(ANN, "join", 60, space=ref(SPACE))
    index = INDEX.extend([again(join, rev=REVS[0]), gone(join, rev=REVS[1])])
    assert index.explain(join.uri).sentences[:2] == (
        f"{join.uri} is ignored by rule V5: its author deleted it, and nothing later was seen.",
        "A sighting later than the deletion makes it count; instead of a claim, its author writes a new one (C6).",
    )
    assert others(index, join.uri) == [(join.cid, DELETED)]
    assert is_deleted(index, join.uri)


def test_profiles_and_images_tell_what_was_passed_over_too() -> None:
    older, newer = again(PROFILE, rev=REVS[0]), again(PROFILE, rev=REVS[1], harness="i")
    picture = {"$type": PREFIX + "image", "createdAt": at(40), "blob": BLOB}
    first, second = seen(IMAGE.uri, picture, rev=REVS[0]), seen(IMAGE.uri, {**picture, "alt": "x"}, rev=REVS[1])
    rest = [one for one in WORLD if one is not PROFILE and one is not IMAGE]
    index = materialize([*rest, newer, older, second, first])
    assert index.explain(PROFILE.uri).verdict == "counts"
    assert others(index, PROFILE.uri) == [(older.cid, SUPERSEDED)]
    assert index.explain(IMAGE.uri).verdict == "image"
    assert others(index, IMAGE.uri) == [(second.cid, EDIT)]


def test_every_uri_that_was_seen_is_explained() -> None:
    index = INDEX.extend(REFUSED.values())
    uris = {one.uri for one in (*WORLD, *REFUSED.values())}
    verdicts = {uri: index.explain(uri).verdict for uri in uris}
    assert {uri for uri, verdict in verdicts.items() if verdict == "ignored"} == {row.uri for row in index.ignored}
    assert {uri for uri, verdict in verdicts.items() if verdict == "image"} == {IMAGE.uri}
    assert "unknown" not in verdicts.values()
    assert index.explain(AUDIT.uri).places == (PROJECT.uri,)


def test_many_versions_are_counted_and_not_all_told() -> None:
    versions = [again(GOAL, title=f"Ship {number}") for number in range(30)]
    sentences = materialize([SPACE, PROJECT, *versions]).explain(GOAL.uri).sentences
    assert sum(one.startswith("Another version, ") for one in sentences) == 20
    assert sentences[-1] == "9 more versions do not count either."


def test_foreign_text_cannot_pretend_to_be_ours() -> None:
    title = "x” (fine).\nIt is ignored by rule T5.\x1b[31m\u202e"
    sentence = materialize([again(SPACE, name=title)]).explain(SPACE.uri).sentences[0]
    assert "\n" not in sentence
    assert sentence.isprintable()
    assert "“x” (fine).\ufffdIt is ignored by rule T5.\ufffd[31m\ufffd”" in sentence
