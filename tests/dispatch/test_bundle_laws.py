"""The laws of packets, on generated histories: alike for the same records, never too long, nothing unaccounted for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from hypothesis import given, strategies as st

from radial_core import Index, materialize, read_jsonl
from radial_core.dispatch.bundle import bundle
from radial_core.dispatch.limits import LEAST_ROOM, LEAST_TOTAL, LEASTS, MOST, ROOMS, Limits
from radial_core.dispatch.markdown import section_text
from radial_core.dispatch.piece import written
from radial_core.records import PREFIX
from tests.core import small_world as w
from tests.core.small_world import ref, write
from tests.histories import histories

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from radial_core import Record
    from radial_core.dispatch.packet import Bundle
    from radial_core.dispatch.piece import Piece
    from radial_core.views import SpaceView

LIMITS = st.builds(
    Limits,
    total=st.integers(LEAST_TOTAL, 80_000),
    piece=st.integers(LEAST_ROOM, 3_000),
    sections=st.fixed_dictionaries(
        {}, optional={name: st.integers(least, least + 5_000) for name, least in LEASTS.items()}
    ),
)
WORDS = st.lists(
    st.sampled_from(["`", "\n", "\r", "\x01", '"', "\\", "> ", "e\u0301", "\U0001f600", "word ", "\u2028"]), max_size=12
).map("".join)
LENGTHS = st.sampled_from([0, 1, 40, 700])


def requests(index: Index) -> Iterator[str]:
    for space in index.spaces:
        for requested in (*(one.requests for one in space.projects), *(one.requests for one in space.goals)):
            yield from (request.uri for request in requested)


def packets(index: Index, limits: Limits) -> list[Bundle]:
    return [bundle(index, uri, limits) for uri in requests(index)]


@st.composite
def talkative(draw: st.DrawFn) -> list[Record]:
    """Draw the small world with much hostile talk, a chain of versions, reviews and checks, of odd lengths."""

    def words() -> str:
        return draw(WORDS) * draw(LENGTHS)

    goal = write(w.ANN, "goal", 60, space=ref(w.SPACE), project=ref(w.PROJECT), title=words(), body=words())
    wanted = write(w.ANN, "artifactRequest", 61, goal=ref(goal), type="plan", brief=words())
    records, last = [goal, wanted], None
    for number in range(draw(st.integers(0, 4))):
        made = write(
            w.BOT, "artifact", 62 + number, goal=ref(goal), request=ref(wanted), type="plan", title=words(),
            body=words(), prev=ref(last) if last else None, criteria=[words(), words()],
        )  # fmt: skip
        findings = [{"severity": "x", "body": words()}, {"severity": words(), "body": words()}]
        review = write(w.ANN, "review", 70 + number, subject=ref(made), verdict="approve", findings=findings)
        results = [{"name": draw(WORDS), "pass": draw(st.booleans()), "log": words()}]
        run = write(w.BOT, "checkrun", 80 + number, artifact=ref(made), commit=words(), results=results)
        last = made
        records += [made, review, run]
    for number in range(draw(st.integers(0, 6))):
        records.append(write(w.BOT, "message", 90 + number, goal=ref(goal), body=words()))
    bases = [ref(last)] if last else []
    asked = write(w.ANN, "artifactRequest", 99, goal=ref(goal), type="implementation", basedOn=bases, brief=words())
    return [*w.LAB, *records, asked]


@given(talkative(), LIMITS)
def test_no_bound_is_ever_exceeded(records: list[Record], limits: Limits) -> None:
    for packet in packets(materialize(records), limits):
        assert len(packet.to_markdown().encode()) <= limits.total
        assert len(packet.to_json_text().encode()) <= limits.total
        for section in packet.sections:
            assert section.room <= limits.sections[section.name]
            assert len(section_text(section).encode()) <= section.room
            assert len(written(section.to_json()).encode()) <= section.room


@given(talkative(), LIMITS)
def test_every_byte_is_here_or_counted(records: list[Record], limits: Limits) -> None:
    """The whole packet is what the small one shows, cuts and leaves out; its pictures are those of what is shown."""
    index = materialize(records)
    boundless = Limits(total=MOST, piece=MOST, sections=dict.fromkeys(ROOMS, 3_000_000))
    for uri in requests(index):
        whole, small = (bundle(index, uri, bounds) for bounds in (boundless, limits))
        for section in whole.sections[:-1]:
            shown = small.section(section.name)
            everything = sum(piece.size for piece in section.pieces)
            assert sum(piece.size for piece in shown.pieces) + shown.omitted.bytes == everything
            assert len(shown.pieces) + shown.omitted.pieces == len(section.pieces)
            left = {piece.uri for piece in section.pieces} - {piece.uri for piece in shown.pieces}
            assert len(shown.omitted.records) + shown.omitted.unlisted >= len(left - {None})
        amounts = small.amounts
        assert amounts.cut_bytes == sum(piece.size - piece.shown for piece in small.pieces())
        assert small.is_partial == (amounts != (0, 0, 0, 0))
        assert not any(section.omitted.pieces for section in whole.sections)


def quoted_from(value: Any, piece: Piece) -> bool:
    """Look a piece up in its record, by its pointer, as a reader of the packet would."""
    for step in piece.part.split("/")[1:]:
        value = value[int(step)] if isinstance(value, list) else value[step]
    if isinstance(value, dict):
        value = value.get("log" if "log" in value else "command" if "command" in value else "body", "")
    return str(value).startswith(piece.text)


@given(st.one_of(talkative(), histories(most=60)), LIMITS)
def test_every_piece_says_where_it_is_from(records: list[Any], limits: Limits) -> None:
    given_lines = isinstance(records[0], dict) if records else False
    index = materialize(read_jsonl(map(json.dumps, records)) if given_lines else records)
    for packet in packets(index, limits):
        for piece in packet.pieces():
            if piece.uri is None:
                assert (piece.kind, piece.author, piece.cid) == ("artifactType", None, None)
                continue
            entry = index.entry(piece.uri)
            if entry is None or piece.kind == "record":
                assert (piece.text, piece.fields) == ("", ())
                continue
            assert (piece.cid, piece.author) == (entry.cid, entry.did)
            assert piece.why
            assert quoted_from(entry.value, piece)
            assert packet.to_markdown().count(f"- source: {piece.uri}#{piece.cid}") > 0


@given(histories(most=60), LIMITS, st.randoms(use_true_random=False))
def test_order_changes_no_byte(history: list[Any], limits: Limits, random: Any) -> None:
    shuffled = random.sample(history, len(history))
    one, other = (packets(materialize(read_jsonl(map(json.dumps, lines))), limits) for lines in (history, shuffled))
    assert [packet.to_json_text() for packet in one] == [packet.to_json_text() for packet in other]
    assert [packet.to_markdown() for packet in one] == [packet.to_markdown() for packet in other]


@given(histories(most=40), st.randoms(use_true_random=False))
def test_an_index_that_grew_tells_the_same(history: list[Any], random: Any) -> None:
    index = materialize([])
    for line in random.sample(history, len(history)):
        index = index.extend(read_jsonl([json.dumps(line)]))
        if random.random() < 0.2:
            packets(index, Limits())
    whole = materialize(read_jsonl(map(json.dumps, history)))
    assert [one.cid for one in packets(index, Limits())] == [one.cid for one in packets(whole, Limits())]


@given(histories(most=80))
def test_what_other_spaces_hold_changes_no_byte(history: list[Any]) -> None:
    index = materialize(read_jsonl(map(json.dumps, history)))
    for space in index.spaces:
        others = {uri for other in index.spaces if other is not space for uri in placed(other)}
        alone = materialize(read_jsonl(json.dumps(line) for line in history if line["uri"] not in others))
        for uri in requests(index):
            if uri not in others:
                assert bundle(alone, uri).to_json_text() == bundle(index, uri).to_json_text()


def placed(space: SpaceView) -> Iterator[str]:
    """Give what counts at a space; an agent counts in every space of its author."""
    lists = (space.records, *(one.records for one in space.projects), *(one.records for one in space.goals))
    yield from (uri for records in lists for uri in records if f"/{PREFIX}agent/" not in uri)


TOLD = """
from radial_core import materialize, read_jsonl
from radial_core.dispatch.bundle import bundle
index = materialize(read_jsonl(open("examples/space.jsonl", encoding="utf-8")))
for space in index.spaces:
    for place in (*space.projects, *space.goals):
        for request in place.requests:
            packet = bundle(index, request.uri)
            print(packet.cid, len(packet.to_json_text()), len(packet.to_markdown()))
"""


def test_every_hash_seed_tells_the_same(root: Path) -> None:
    def told(seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", TOLD]
        return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True).stdout

    one, other = told("1"), told("2")
    assert one.count(PREFIX) == 0
    assert len(one.splitlines()) == 12
    assert one == other
