"""The task is told within every bound that is accepted, whatever it is called and however long its words are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs
import pytest
from hypothesis import given, strategies as st

from radial_core import Record, materialize
from radial_core.dispatch.briefs import BUILT_IN_BRIEFS
from radial_core.dispatch.bundle import bundle
from radial_core.dispatch.choosing import fill
from radial_core.dispatch.limits import LEAST_BRIEF, LEAST_ROOM, LEAST_TOTAL, LEASTS, Limits
from radial_core.dispatch.markdown import piece_text, section_text
from radial_core.dispatch.piece import Omitted, Section, written
from tests.core.small_world import UNSEEN, ref, uri_of, write

if TYPE_CHECKING:
    from radial_core.dispatch.packet import Bundle

LONGEST_DID, LONGEST_KEY = 2_048, 512  # the formats' own bounds
LIMITS = st.builds(
    Limits,
    total=st.integers(LEAST_TOTAL, 70_000),
    piece=st.integers(LEAST_ROOM, 50_000),
    sections=st.fixed_dictionaries(
        {}, optional={name: st.integers(least, least + 60_000) for name, least in LEASTS.items()}
    ),
)
TIGHTEST = Limits(total=LEAST_TOTAL, piece=LEAST_ROOM, sections=LEASTS)
# What costs most beyond its own bytes: six for one in JSON, three for one in a quotation, a fence longer than the run.
DEAR = ["\x01", "\n", "`", "\u2028", '"', "\\", "```\n", "e\u0301", "\U0001f469\u200d", "x"]


def world(did: str, key: str, type_: str, brief: str | None, date: str | None = None) -> tuple[list[Record], Record]:
    """Make a space with one request, all by one account and under one key."""
    space = write(did, "space", 0, key, name="Lab")
    project = write(did, "project", 1, key, space=ref(space), name="S", gitUrl="https://g.example", defaultBranch="m")
    goal = write(did, "goal", 2, key, space=ref(space), project=ref(project), title="t", body="b")
    kind = {"review": "artifact", "answer": "message"}.get(type_)
    subject: dict[str, Any] = {} if kind is None else {"subject": {"uri": uri_of(did, kind, key), "cid": UNSEEN}}
    if type_ == "answer":
        subject["assignee"] = did
    dated: dict[str, Any] = {} if date is None else {"createdAt": date}
    asked = write(did, "artifactRequest", 3, key, goal=ref(goal), type=type_, brief=brief, **subject, **dated)
    return [space, project, goal, asked], asked


def told(records: list[Record], asked: Record, limits: Limits) -> Bundle:
    packet = bundle(materialize(records), asked.uri, limits)
    assert len(packet.to_markdown().encode()) <= limits.total
    assert len(packet.to_json_text().encode()) <= limits.total
    return packet


def assert_task_is_told(packet: Bundle, asked: Record, brief: str | None) -> None:
    own = packet.section("request").pieces[-1]
    assert own.uri == asked.uri
    if not brief or own.text == brief:
        return
    # Of the bytes that its brief may always take half may go for the sake of a fence, and 32 code points for a letter.
    # What a text takes is more than its letters: marks before its lines, and a fence longer than any run in it.
    bare = attrs.evolve(own, text="")
    in_words = len(piece_text(own).encode()) - len(piece_text(bare).encode())
    taken = max(in_words, len(written(own.to_json()).encode()) - len(written(bare.to_json()).encode()))
    assert taken >= LEAST_BRIEF // 2 - 32 * 6
    assert len(own.text) >= 128


@given(
    LIMITS | st.just(TIGHTEST),
    st.integers(1, LONGEST_DID - len("did:web:")),
    st.integers(1, LONGEST_KEY),
    st.sampled_from([*BUILT_IN_BRIEFS, "poem", "\x01" * 600, "\u2028" * 200, "`" * 600]),
    st.none() | st.tuples(st.lists(st.sampled_from(DEAR), min_size=1, max_size=4).map("".join), st.integers(1, 9_000)),
)
def test_every_accepted_bound_leaves_room_for_the_task(
    limits: Limits, did: int, key: int, type_: str, words: tuple[str, int] | None
) -> None:
    brief = None if words is None else words[0] * words[1]
    records, asked = world("did:web:" + "a" * did, "k" * key, type_, brief)
    assert_task_is_told(told(records, asked, limits), asked, brief)


@pytest.mark.parametrize("words", DEAR, ids=ascii)
@pytest.mark.parametrize("type_", [*BUILT_IN_BRIEFS, "\x01" * 600], ids=lambda one: one[:12].strip("\x01") or "odd")
def test_the_longest_names_and_the_least_bounds_leave_room_for_the_task_and_our_own_words(
    type_: str, words: str
) -> None:
    date = f"2026-01-01T00:00:00.{'1' * 600}Z"
    did, key = "did:web:" + "a" * (LONGEST_DID - 8), "k" * LONGEST_KEY
    records, asked = world(did, key, type_, words * 20_000, date)
    packet = told(records, asked, TIGHTEST)
    assert_task_is_told(packet, asked, words * 20_000)
    ours = [piece.text for piece in packet.section("request").pieces if piece.uri is None]
    assert ours == list(BUILT_IN_BRIEFS.get(type_, ()))


@pytest.mark.parametrize("type_", BUILT_IN_BRIEFS)
@pytest.mark.parametrize("piece", [LEAST_ROOM, 5_000, 40_960])
def test_words_that_are_built_in_are_never_left_out(type_: str, piece: int) -> None:
    """They have no URI under which they could be read."""
    for length in (0, 1, 500, 2_000, 4_500, 8_000, 11_000, 100_000):
        records, asked = world("did:plc:a", "k", type_, "b" * length)
        packet = told(records, asked, Limits(total=LEAST_TOTAL, piece=piece))
        assert [one.text for one in packet.section("request").pieces[:2]] == list(BUILT_IN_BRIEFS[type_])


@pytest.mark.parametrize("name", LEASTS)
def test_the_least_room_holds_what_a_section_says_of_itself(name: str) -> None:
    nothing = Section(name, 33_554_432, (), Omitted(10**7, 10**13, (), 10**7))
    around = max(len(section_text(nothing).encode()), len(written(nothing.to_json()).encode()) + 1)
    assert around <= (768 if name == "request" else LEAST_ROOM)
    assert fill(name, [], LEAST_ROOM, LEAST_ROOM).pieces == ()
