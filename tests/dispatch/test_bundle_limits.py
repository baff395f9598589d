"""Packets that are too small for what there is to tell: what is kept, what is cut, what is counted and named."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from radial_core import Record, materialize
from radial_core.dispatch import choosing, cutting, sections, talk
from radial_core.dispatch.bundle import bundle
from radial_core.dispatch.choosing import Candidate, cost, fill, fit
from radial_core.dispatch.cutting import boundary, clipped
from radial_core.dispatch.limits import FRAME, LEAST_ROOM, LEAST_TOTAL, LEASTS, MOST, ROOMS, Limits
from radial_core.dispatch.markdown import piece_text, section_text
from radial_core.dispatch.piece import Omitted, Piece, Section, written
from radial_core.dispatch.quoting import record_piece
from radial_core.lexicon.graphemes import count_graphemes
from radial_core.records import PREFIX
from tests.core import small_world as w
from tests.core.small_world import ANN, BOT, ref, write

NOTHING = Section("thread", 1_000, (), Omitted(3, 900, (), 3))
FAMILY = "\U0001f469‍\U0001f469‍\U0001f467"


def piece(text: str, key: str = "a", **others: Any) -> Piece:
    return Piece(
        uri=f"at://did:plc:a/x/{key}", cid="bafy", author="did:plc:a", kind="k", part="", why="w", text=text, **others
    )


def ranked(*texts: str) -> list[Candidate]:
    return [Candidate((0, at), piece(text, str(at))) for at, text in enumerate(texts)]


# Cutting -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "most", "kept"),
    [
        ("abc", 3, "abc"),
        ("abc", 2, "ab"),
        ("abc", 0, ""),
        ("äb", 2, "ä"),
        ("aäb", 2, "a"),  # half of the letter's bytes are none of it
        ("a\U0001f600b", 4, "a"),
        ("xe\u0301y", 3, "x"),  # a letter and its accent are one
        ("xe\u0301y", 4, "xe\u0301"),
        (f"x{FAMILY}", 12, "x"),
        (f"x{FAMILY}", 19, f"x{FAMILY}"),
        ("a\r\nb", 2, "a"),
    ],
)
def test_a_cut_parts_no_character(text: str, most: int, kept: str) -> None:
    assert clipped(text, most) == kept


def test_a_cut_does_not_move_back_for_ever() -> None:
    assert boundary("a" + "\u0301" * 100, 90) == 90


# Fitting -------------------------------------------------------------------------------------------------------------


def test_what_fits_is_whole() -> None:
    whole = piece("abc")
    assert fit(whole, cost(whole)) is whole


def test_what_does_not_fit_is_the_longest_that_does() -> None:
    whole = piece("abc\n" * 50)
    for room in range(cost(piece("a", size=200)), cost(whole)):
        cut = fit(whole, room)
        assert cut is not None
        assert cut.is_cut
        assert cut.size == 200
        assert cut.shown == len(cut.text)
        assert whole.text.startswith(cut.text)
        assert cost(cut) <= room
        longer = piece(whole.text[: len(cut.text) + 1], size=200)
        assert cost(longer) > room or len(longer.text) == 200


def test_a_cut_that_makes_fit_parts_no_character() -> None:
    letter = "e\u0301"
    for room in range(400, 420):
        cut = fit(piece(letter * 200), room)
        assert cut is not None
        assert cut.text == letter * (len(cut.text) // 2)


@pytest.mark.parametrize("text", ["", "x", "xy" * 100])
def test_where_not_a_character_fits_there_is_no_piece(text: str) -> None:
    assert fit(piece(text), cost(piece("")) - 1) is None


def test_a_piece_costs_its_longer_form() -> None:
    empty = piece("")
    assert cost(empty) == len(written(empty.to_json())) + 1 > len(piece_text(empty))
    lines, controls = piece("\n" * 100), piece("\x01" * 100)
    assert cost(lines) == len(piece_text(lines)) > len(written(lines.to_json())) + 1  # `> ` before each line
    assert cost(controls) == len(written(controls.to_json())) + 1 > len(piece_text(controls))  # `\u0001` each


# Choosing ------------------------------------------------------------------------------------------------------------


def test_pieces_are_taken_by_rank_and_shown_in_order() -> None:
    texts = [letter * 300 for letter in "abc"]
    candidates = [Candidate((rank, 0), piece(text, text[0])) for rank, text in zip((2, 1, 0), texts, strict=True)]
    around = max(len(section_text(NOTHING)), len(written(NOTHING.to_json())) + 1)
    two = 2 * cost(candidates[0].piece)
    section = fill("thread", candidates, around + two * 8 // 7 + 8, 10_000)  # an eighth is kept for names
    assert [one.text for one in section.pieces] == texts[1:]
    assert section.omitted == (1, 300, ("at://did:plc:a/x/a",), 0)


def test_no_piece_takes_more_than_its_bound() -> None:
    section = fill("thread", ranked("a" * 5_000, "b"), 50_000, 1_000)
    assert [len(one.text) < 1_000 for one in section.pieces] == [True, True]
    assert [one.is_cut for one in section.pieces] == [True, False]
    assert section.omitted.pieces == 0


def test_what_is_left_out_is_named_as_long_as_there_is_room_and_counted_beyond() -> None:
    section = fill("thread", ranked(*("x" * 400 for _ in range(100))), 4_096, 10_000)
    omitted = section.omitted
    assert 0 < len(section.pieces) < 10
    assert len(section.pieces) + omitted.pieces == 100
    shown = sum(one.shown for one in section.pieces)
    assert shown + omitted.bytes + sum(one.size - one.shown for one in section.pieces) == 40_000
    assert 5 < len(omitted.records) < 30
    assert len(omitted.records) + omitted.unlisted == omitted.pieces
    assert f"- {omitted.unlisted} records not named: `radial show` of each goal, " in section_text(section)


def test_a_piece_without_a_record_is_counted_and_not_named() -> None:
    built_in = Piece(uri=None, cid=None, author=None, kind="k", part="", why="w" * 2_000, text="abc")
    section = fill("request", [Candidate((0, 0), built_in)], LEAST_ROOM, 10_000)
    assert section.omitted == (1, 3, (), 0)


# The bounds of a packet ----------------------------------------------------------------------------------------------


def test_the_usual_rooms_and_the_frame_are_the_usual_total() -> None:
    assert sum(ROOMS.values()) + FRAME == Limits().total
    assert Limits().rooms() == ROOMS


def test_rooms_shrink_in_proportion() -> None:
    rooms = Limits(total=LEAST_TOTAL).rooms()
    assert rooms == LEASTS
    half = Limits(total=(Limits().total - FRAME) // 2 + FRAME).rooms()
    assert sum(half.values()) <= (Limits().total - FRAME) // 2
    assert 0.4 < half["thread"] / ROOMS["thread"] < 0.5
    assert [*half] == [*ROOMS]


def test_all_rooms_may_be_the_least() -> None:
    assert Limits(sections=LEASTS).rooms() == LEASTS


TOTAL = "a packet takes at least 40960 bytes and at most 33554432"
PIECE = "a piece takes at least 1024 bytes and at most 33554432"
THREAD = "the section thread takes at least 1024 bytes and at most 33554432"


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        *(({"total": total}, TOTAL) for total in (-1, 40_959, 33_554_433, 2 * 10**19, 50_000.5, 50_000.0)),
        *(({"piece": piece}, PIECE) for piece in (-5, 0, 1, 1_023, 33_554_433, 2**63, True, 2_000.5)),
        *(({"sections": {"thread": room}}, THREAD) for room in (0, 1_023, 33_554_433, 10**30)),
        ({"sections": {"request": 14_335}}, "the section request takes at least 14336 bytes"),
        ({"sections": {"gossip": 5_000}}, "no such section: gossip"),
    ],
    ids=str,
)
def test_bounds_that_cannot_be_kept_are_refused(bounds: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Limits(**bounds)


def test_the_greatest_bounds_can_be_kept() -> None:
    limits = Limits(total=MOST, piece=MOST, sections=dict.fromkeys(ROOMS, MOST))
    packet = bundle(materialize(w.LAB), w.REQUEST.uri, limits)
    assert not packet.is_partial
    assert packet.to_json()["packet"]["limit"] == MOST


def test_the_longest_names_stay_within_the_frame() -> None:
    """DIDs of 2,048 characters and keys of 512: the frame holds them, the smallest sections leave them out."""
    did = "did:plc:" + "a" * 2_040
    key = "k" * 512
    space = write(did, "space", 0, key, name="Lab")
    project = write(did, "project", 1, key, space=ref(space), name="S", gitUrl="https://g.example", defaultBranch="m")
    goal = write(did, "goal", 2, key, space=ref(space), project=ref(project), title="t", body="b")
    lost = {"uri": w.uri_of(did, "artifact", key), "cid": w.UNSEEN}
    asked = write(did, "artifactRequest", 3, key, goal=ref(goal), type="poem", basedOn=[lost])
    behind = [f"did:web:{number}" for number in range(1_000)]
    limits = Limits(total=LEAST_TOTAL)
    packet = bundle(materialize([space, project, goal, asked]), asked.uri, limits, behind)
    assert len(packet.to_markdown().encode()) <= limits.total
    assert len(packet.to_json_text().encode()) <= limits.total
    assert packet.behind is not None
    assert len(packet.behind) + packet.behind_unlisted == 1_000
    assert packet.is_stale
    assert f"- not read to their ends either: {packet.behind_unlisted} repos" in packet.to_markdown()
    named = [
        line for line in packet.to_markdown().splitlines(keepends=True) if line.startswith("- not read to its end: ")
    ]
    assert 3_900 < len("".join(named)) <= 4_096
    assert packet.section("goal").omitted == (1, 22, (), 1)
    sections = packet.sections
    around_text = len(packet.to_markdown().encode()) - sum(len(section_text(one).encode()) for one in sections)
    around_json = len(packet.to_json_text().encode()) - sum(len(written(one.to_json()).encode()) for one in sections)
    assert 15_000 < max(around_text, around_json) <= FRAME - 300  # and room for the notices that are not said here


def test_two_packets_of_one_project_start_alike() -> None:
    index = materialize(w.LAB)
    packets = [bundle(index, one.uri, Limits(total=60_000)) for one in (w.REQUEST, w.REVIEW_WANTED)]
    for texts in ([one.to_markdown() for one in packets], [one.to_json_text() for one in packets]):
        length = next(at for at, (one, other) in enumerate(zip(*texts, strict=False)) if one != other)
        shared = texts[0][:length]
        print(f"{length} bytes in common of {[*map(len, texts)]}")
        assert '"name":"New site"' in shared  # the project
        assert "clean" in shared  # its system artifact
        assert '"title":"Ship"' in shared  # the goal


# Work ----------------------------------------------------------------------------------------------------------------


def crowded(messages: int) -> tuple[Record, list[Record]]:
    """Make a request on a goal with so much talk, in one long chain of replies, and as many versions behind it."""
    asked = write(ANN, "artifactRequest", 60, goal=ref(w.GOAL), type="plan")
    records, last, version = [asked], w.QUESTION, w.PLAN_AGAIN
    for number in range(messages):
        parent = {"uri": last.uri, "cid": last.cid}
        last = write(BOT, "message", 61, f"m{number:05}", goal=ref(w.GOAL), body="x" * 100, parent=parent)
        version = write(
            BOT, "artifact", 61, f"a{number:05}", goal=ref(w.GOAL), request=ref(w.REQUEST), type="plan", body="y",
            prev=ref(version),
        )  # fmt: skip
        records += [last, version]
    review = write(ANN, "artifactRequest", 62, goal=ref(w.GOAL), type="review", subject=ref(version))
    return review, [*records, review]


def test_the_work_grows_with_what_is_read_and_no_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = {"written": 0, "quoted": 0}
    render, quote = piece_text, record_piece

    def counting_render(one: Piece) -> str:
        text = render(one)
        counted["written"] += len(text)
        return text

    def counting_quote(*given: Any) -> Piece:
        counted["quoted"] += 1
        return quote(*given)

    monkeypatch.setattr(choosing, "piece_text", counting_render)
    for module in (sections, talk):
        monkeypatch.setattr(module, "record_piece", counting_quote)
    seen = []
    for size in (500, 1_000, 2_000):
        review, records = crowded(size)
        counted.update(written=0, quoted=0)
        packet = bundle(materialize((*w.LAB, *records)), review.uri)
        assert packet.is_partial
        seen.append(dict(counted))
    print(seen)
    for less, more in itertools.pairwise(seen):
        assert more["quoted"] <= 2.1 * less["quoted"]
    for one in seen:  # what is shown, and of the others a line or two each: nobody's text to find out that it is long
        assert one["written"] <= 600_000 + 1_000 * one["quoted"]


@pytest.mark.parametrize("letter", ["p", "e\u0301", "\u0301", "\U0001f1e9", "\U0001f469\u200d", "\u1100", "\r\n"])
def test_a_field_is_cut_for_about_what_it_costs_to_look_at_it(letter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three thousand findings whose severity and path are long: a thousand code points each way is far too many."""
    looked, count = [0], count_graphemes

    def counting(text: str) -> int:
        looked[0] += len(text)
        return count(text)

    monkeypatch.setattr(cutting, "count_graphemes", counting)
    for length in (600, 5_000, 500_000):
        looked[0] = 0
        clipped(letter * length, 512)
        assert 0 < looked[0] <= 3 * 64  # 32 places, at each the code point and the one before it


def test_questions_are_kept_when_the_talk_is_long() -> None:
    question = write(BOT, "message", 61, "a", goal=ref(w.GOAL), body="which way?", re=ref(w.UNWANTED))
    chatter = [write(ANN, "message", 62, f"m{at:03}", goal=ref(w.GOAL), body="blah " * 100) for at in range(300)]
    packet = bundle(materialize((*w.LAB, question, *chatter)), w.UNWANTED.uri)
    shown = [one.uri for one in packet.section("thread").pieces]
    assert shown[0] == question.uri
    assert shown[-1] == chatter[-1].uri
    assert w.QUESTION.uri not in shown


def test_failures_are_kept_when_there_are_many_results() -> None:
    results = [{"name": "t", "pass": at != 900, "log": "l" * 200} for at in range(1_000)]
    run = write(BOT, "checkrun", 60, artifact=ref(w.PLAN), commit="c", results=results)
    packet = bundle(materialize((*w.LAB, run)), w.REVIEW_WANTED.uri)
    assert (run.uri, "/results/900") in [(one.uri, one.part) for one in packet.section("checks").pieces]
    assert packet.section("checks").omitted.records == (run.uri,)


def test_a_title_cannot_be_a_body() -> None:
    title = "ö" * 10_000
    goal = write(ANN, "goal", 60, space=ref(w.SPACE), project=ref(w.PROJECT), title=title, body="b")
    asked = write(ANN, "artifactRequest", 61, goal=ref(goal), type="plan")
    packet = bundle(materialize((*w.LAB, goal, asked)), asked.uri)
    (shown,) = packet.section("goal").pieces
    assert dict(shown.fields)["title"] == "ö" * 256
    assert (shown.size, shown.shown, shown.is_cut) == (20_021, 533, True)
    assert f"{PREFIX}goal" in (shown.uri or "")


def test_json_of_pieces_is_written_without_chance() -> None:
    assert written({"b": ["ä", 1, None, True], "a": "\u2028\n"}) == '{"b":["ä",1,null,true],"a":"\u2028\\n"}'


def test_an_endless_brief_leaves_room_for_the_template_and_an_endless_template_for_the_brief() -> None:
    asked = write(ANN, "artifactRequest", 60, goal=ref(w.GOAL), type="plan", brief="b" * 900_000)
    words = {"brief": "t" * 900_000, "outputSpec": "`" * 900_000}
    ours = write(w.ROOT, "artifactType", 61, space=ref(w.SPACE), name="plan", scope="goal", **words)
    for records in ((*w.LAB, asked), (*w.LAB, asked, ours)):
        shown = bundle(materialize(records), asked.uri).section("request").pieces
        assert len(shown) == 3
        assert len(shown[-1].text) > 15_000
