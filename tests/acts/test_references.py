"""What a person types, and what it names."""

from typing import Any

import pytest

from radial_core import Record, materialize
from radial_core.acts.references import Found, Nothing, Several, numbered, resolve
from radial_core.records import CLASSES
from tests.core import small_world as w
from tests.core.small_world import ANN, BOT, EVE, ROOT, ref, uris


def goal(minute: int, key: str, title: str, author: str = ROOT) -> Record:
    return w.write(author, "goal", minute, key, space=ref(w.SPACE), project=ref(w.PROJECT), title=title, body="b")


# In order: Ship (20), then these.
SHIP_IT = goal(60, "it", "Ship it  again")
CAFE = goal(61, "cafe", "Cafe\u0301 first")
DESERET = goal(62, "deseret", "\U00010400\U00010401 and \U0001f600")
NUMBER = goal(63, "number", "2026 plans")
TWIN = goal(64, "twin", "Twin peaks")
TWIN_TOO = goal(65, "twin-too", "twin Lakes")
SAME_KEY = goal(66, "twin", "Lonely", ANN)
SLASH = goal(67, "slash", "goal/with a slash")
MOCK = goal(68, "Twin peaks".replace(" ", "-"), "Another", BOT)
CALLED_KEY = goal(69, "k69", "ship-key")
KEY_CALLED = goal(70, "ship-key", "Nothing like it")
GOALS = (
    w.GOAL, SHIP_IT, CAFE, DESERET, NUMBER, TWIN, TWIN_TOO, SAME_KEY, SLASH, MOCK, CALLED_KEY, KEY_CALLED,
)  # fmt: skip
INDEX = materialize([*w.WORLD, *GOALS[1:]])
HANDLES = {"ann.example": ANN, "Bot.Example": BOT, "root.example": ROOT}


def found(text: str, *kinds: str, **options: Any) -> str | None:
    """Give the URI that a text names, if it names one."""
    resolved = resolve(INDEX, text, kinds=kinds or ("goal",), **options)
    return resolved.uri if isinstance(resolved, Found) else None


# Numbers -------------------------------------------------------------------------------------------------------------


def test_a_kind_is_numbered_in_the_order_in_which_it_was_made() -> None:
    assert numbered(INDEX, "goal") == uris(*GOALS)
    assert numbered(INDEX, "goal", w.SPACE.uri) == uris(*GOALS)
    assert numbered(INDEX, "goal", w.ATTIC.uri) == ()
    assert numbered(INDEX, "artifactRequest") == uris(w.AUDIT_WANTED, w.REQUEST, w.REVIEW_WANTED, w.UNWANTED)
    assert numbered(INDEX, "space") == uris(w.SPACE, w.ATTIC)
    assert numbered(INDEX, "space", w.ATTIC.uri) == uris(w.ATTIC)
    assert numbered(INDEX, "agent") == numbered(INDEX, "agent", w.ATTIC.uri) == uris(w.PROFILE)
    assert numbered(INDEX, "image") == numbered(INDEX, "image", w.ATTIC.uri) == uris(w.IMAGE)
    assert numbered(INDEX, "member") == (ANN, BOT, ROOT)
    assert numbered(INDEX, "member", w.ATTIC.uri) == (ANN, BOT)
    assert numbered(INDEX, "goal", "at://did:plc:no/com.disnetdev.radial.space/no") == ()


def test_a_picture_is_counted_where_its_author_is_a_member() -> None:
    theirs = w.write(ROOT, "image", 60, "theirs", blob=w.BLOB)
    index = materialize([*w.WORLD, theirs])
    assert numbered(index, "image", w.ATTIC.uri) == uris(w.IMAGE)
    assert numbered(index, "image", w.SPACE.uri) == uris(w.IMAGE, theirs)


@pytest.mark.parametrize("kind", [owner.kind for owner in CLASSES])
def test_everything_that_is_numbered_is_found_by_its_number_its_uri_and_its_name(kind: str) -> None:
    for number, uri in enumerate(numbered(INDEX, kind), start=1):
        assert found(str(number), kind) == found(f"#{number}", kind) == found(uri, kind) == uri
    assert isinstance(resolve(INDEX, "#999", kinds=[kind]), Nothing)


@pytest.mark.parametrize("text", ["0", "#0", "13", "#13", "9" * 10_000, "-1", "1.0", "\u0661", "#"])
def test_what_is_no_number_of_a_goal_names_none(text: str) -> None:
    assert isinstance(resolve(INDEX, text, kinds=["goal"]), Nothing)


def test_a_number_of_two_kinds_is_ambiguous() -> None:
    several = resolve(INDEX, "1", kinds=["goal", "project"])
    assert isinstance(several, Several)
    assert [(one.kind, one.uri, one.name) for one in several.candidates] == [
        ("goal", w.GOAL.uri, "Ship"),
        ("project", w.PROJECT.uri, "New site"),
    ]


def test_a_number_comes_before_a_title_that_begins_so_and_a_title_is_reached_otherwise() -> None:
    assert found("2") == SHIP_IT.uri
    assert found("2026") == found("2026 pl") == NUMBER.uri


# Names ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("ship", w.GOAL),
        ("SHIP", w.GOAL),
        ("  Ship ", w.GOAL),
        ("ship i", SHIP_IT),
        ("Ship it again", SHIP_IT),
        ("CAF\u00c9", CAFE),
        ("cafe\u0301 F", CAFE),
        ("\U00010428", DESERET),
        ("\U00010400\U00010429 AND \U0001f600", DESERET),
        ("twin p", TWIN),
        ("twin LAKES", TWIN_TOO),
        ("lonely", SAME_KEY),
        ("goal/ship", w.GOAL),
        ("GOAL/ship", w.GOAL),
        ("goal/with a", SLASH),
        ("deseret", DESERET),
        ("twin-too", TWIN_TOO),
    ],
)
def test_a_goal_is_named(text: str, named: Record) -> None:
    assert found(text) == named.uri


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("twin pea", [TWIN]),
        ("twi", [TWIN, TWIN_TOO]),
        ("twin", [TWIN, SAME_KEY]),
        ("goal/twin", [TWIN, SAME_KEY]),
        ("ship-key", [CALLED_KEY, KEY_CALLED]),
    ],
)
def test_what_fits_several_is_never_guessed(text: str, named: list[Record]) -> None:
    resolved = resolve(INDEX, text, kinds=["goal"])
    candidates = resolved.candidates if isinstance(resolved, Several) else (resolved,)
    assert [one.uri for one in candidates if isinstance(one, Found)] == [*uris(*named)]


@pytest.mark.parametrize(
    "text",
    ["x", "\x00", "\u202e", "\ud800", "at://", "at:///", "at://ann.example", "/", "project/", "goal//", "goal/Ship",
     "@", "#goal", "ship\x00", "%s", "{0}", "\\", "a" * 100_000, "\u0301", "at://x/" + "y" * 9000],
)  # fmt: skip
def test_hostile_text_names_nothing_and_is_answered_in_words(text: str) -> None:
    resolved = resolve(INDEX, text, kinds=["goal", "project"], handles=HANDLES)
    assert isinstance(resolved, Nothing)
    assert len(resolved.reason) < 200


@pytest.mark.parametrize("text", ["", " ", "\n\t"])
def test_nothing_is_nothing(text: str) -> None:
    assert resolve(INDEX, text, kinds=["goal"]) == Nothing(text, "nothing was named")


def test_the_number_and_the_name_come_with_what_was_found() -> None:
    assert resolve(INDEX, "ship", kinds=["goal"]) == Found("goal", w.GOAL.uri, "Ship", 1)
    assert resolve(INDEX, w.REQUEST.uri, kinds=["artifactRequest"]) == Found("artifactRequest", w.REQUEST.uri, None, 2)
    assert resolve(INDEX, w.PLAN_AGAIN.uri, kinds=["artifact"]) == Found("artifact", w.PLAN_AGAIN.uri, None, 3)


@pytest.mark.parametrize(
    ("text", "kind", "named"),
    [
        ("new s", "project", w.PROJECT),
        ("la", "space", w.SPACE),
        ("t", "artifact", w.PLAN),
        ("aud", "artifactType", w.TYPE),
        ("cod", "agent", w.PROFILE),
        ("@coder", "agent", w.PROFILE),
        ("@COD", "agent", w.PROFILE),
    ],
)
def test_other_kinds_have_names_too(text: str, kind: str, named: Record) -> None:
    assert found(text, kind) == named.uri


def test_a_project_is_called_what_it_was_called_last() -> None:
    assert found("site", "project") == w.PROJECT.uri  # by its key
    assert found("Sit", "project") is None


def test_a_space_bounds_what_is_meant() -> None:
    assert found("ship", space=w.ATTIC.uri) is None
    assert found(w.GOAL.uri, space=w.ATTIC.uri) is None


# People --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "did"),
    [
        (ANN, ANN),
        ("ann.example", ANN),
        ("@ann.example", ANN),
        ("ANN.example", ANN),
        ("ann", ANN),
        ("@bot.example", BOT),
        ("@coder", BOT),
        ("cod", BOT),
        ("3", ROOT),
    ],
)
def test_a_member_is_named(text: str, did: str) -> None:
    assert found(text, "member", handles=HANDLES) == did


@pytest.mark.parametrize("text", [EVE, "did:plc:ghost", "eve.example", "@"])
def test_who_is_no_member_is_not_found(text: str) -> None:
    assert isinstance(resolve(INDEX, text, kinds=["member"], handles=HANDLES), Nothing)


def test_nobody_takes_another_s_handle_for_the_name_of_a_profile() -> None:
    mock = w.write(BOT, "agent", 60, "mock", handleName="ann.example", harness="h", models=[], artifactTypes=[])
    index = materialize([*w.WORLD, mock])
    resolved = resolve(index, "@ann.example", kinds=["member"], handles=HANDLES)
    assert resolved == Found("member", ANN, "ann.example", 1)
    assert isinstance(resolve(index, "@ann.example", kinds=["agent"], handles=HANDLES), Found)


@pytest.mark.parametrize(
    ("text", "kind", "reads"),
    [
        ("at://did:plc:root/com.disnetdev.radial.goal/nowhere", "goal", False),
        ("at://unknown.example/com.disnetdev.radial.goal/nowhere", "goal", False),
        ("did:plc:nobody", "goal", False),
        ("goal/nowhere", "goal", False),
        ("GOAL/nowhere", "goal", False),
        ("#99", "goal", False),
        ("99", "goal", True),
        ("#nine", "goal", True),
        ("goal/nowhere", "project", True),
        ("goal/no where", "goal", True),
        ("did:plc", "goal", True),
    ],
)
def test_what_is_spelled_out_is_never_the_title_of_something_else(text: str, kind: str, *, reads: bool) -> None:
    """Whoever names a record that is not here, or not yet, gets no other one that is called so."""
    for title in (text, f"{text} and more"):
        fields = {"name": title, "gitUrl": "https://git.example/x", "defaultBranch": "main"}
        mock = (
            goal(71, "mock", title, BOT)
            if kind == "goal"
            else w.write(BOT, "project", 71, "mock", space=ref(w.SPACE), **fields)
        )
        resolved = resolve(materialize([*w.WORLD, mock]), text, kinds=[kind])
        assert (isinstance(resolved, Found) and resolved.uri == mock.uri) == reads
        assert isinstance(resolved, Found | Nothing)


def test_nobody_takes_another_s_did_for_the_name_of_a_profile() -> None:
    mock = w.write(BOT, "agent", 60, "mock", handleName=EVE, harness="h", models=[], artifactTypes=[])
    resolved = resolve(materialize([*w.WORLD, mock]), EVE, kinds=["member", "agent"])
    assert isinstance(resolved, Nothing)


def test_a_handle_in_a_uri_stands_for_its_did() -> None:
    assert found("at://ROOT.example/com.disnetdev.radial.goal/ship", handles=HANDLES) == w.GOAL.uri
    assert found("at://root.example/com.disnetdev.radial.goal/ship") is None


# Why not -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kinds", "reason"),
    [
        (w.PLAN.uri, ["goal"], "it is an artifact: a goal is needed"),
        (w.PLAN.uri, ["goal", "member"], "it is an artifact: a goal or a member is needed"),
        ("nowhere", ["goal"], "no goal that counts here is called “nowhere”"),
        ("nowhere", ["artifact", "project"], "no artifact or a project that counts here is called “nowhere”"),
    ],
)
def test_it_is_said_why_nothing_was_found(text: str, kinds: list[str], reason: str) -> None:
    assert resolve(INDEX, text, kinds=kinds) == Nothing(text, reason)


def test_a_record_that_is_ignored_is_said_to_be() -> None:
    late = goal(80, "late", "Late", EVE)
    resolved = resolve(materialize([*w.WORLD, late]), late.uri, kinds=["goal"])
    assert isinstance(resolved, Nothing)
    assert resolved.reason.startswith("it is ignored by rule T5: ")


def test_a_record_of_another_space_is_said_to_be_there() -> None:
    assert resolve(INDEX, w.GOAL.uri, kinds=["goal"], space=w.ATTIC.uri) == Nothing(
        w.GOAL.uri, "it stands in another space"
    )
