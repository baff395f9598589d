"""Short names are never ambiguous, and lead back."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from radial_cli.exits import NOT_FOUND, USAGE, Failure
from radial_cli.names import Names
from tests.cli.people import ADA, BEN, uri

GOAL = uri(ADA, "goal/g")


def test_a_record_is_its_kind_and_key() -> None:
    names = Names([GOAL, uri(ADA, "goal/h")], [])
    assert names.record(GOAL) == "goal/g"
    assert names.find("goal/g") == GOAL


def test_records_of_one_name_carry_their_authors() -> None:
    names = Names([GOAL, uri(BEN, "goal/g")], [])
    assert names.record(GOAL) == "goal/g by did:plc:ada7xxeg…"
    with pytest.raises(Failure) as refused:
        names.find("goal/g")
    assert refused.value.status == USAGE
    assert GOAL in refused.value.advice


def test_what_was_not_seen_is_spelled_in_full() -> None:
    names = Names([GOAL], [])
    other, foreign = uri(BEN, "goal/x"), "at://did:web:x.example/app.bsky.feed.post/1"
    assert names.record(other) == other
    assert names.record(foreign) == foreign
    assert names.find(other) == other
    with pytest.raises(Failure) as missing:
        names.find("goal/x")
    assert missing.value.status == NOT_FOUND


def test_a_did_is_cut_and_a_short_one_is_not() -> None:
    names = Names([GOAL], ["did:web:ben.example"])
    assert names.did(ADA) == "did:plc:ada7xxeg…"
    assert names.did("did:web:ben.example") == "did:web:ben.example"
    assert names.did(BEN) == BEN  # never seen here


def test_dids_that_begin_alike_are_told_apart() -> None:
    one, other = "did:plc:aaaaaaaaaaaaaaaaaaaaaabb", "did:plc:aaaaaaaaaaaaaaabbbbbbbbb"
    names = Names([], [one, other])
    assert (names.did(one), names.did(other)) == ("did:plc:aaaaaaaaaaaaaaaa…", "did:plc:aaaaaaaaaaaaaaab…")


@given(st.lists(st.from_regex(r"did:plc:[ab]{24}", fullmatch=True), unique=True))
def test_two_dids_never_look_the_same(dids: list[str]) -> None:
    names = Names([], dids)
    assert len({names.did(did) for did in dids}) == len(dids)


def test_names_are_put_into_sentences() -> None:
    names = Names([GOAL], [])
    sentence = f"{ADA} is no member: see “x” ({GOAL}), {GOAL}: {GOAL}."
    assert names.within(sentence) == "did:plc:ada7xxeg… is no member: see “x” (goal/g), goal/g: goal/g."
