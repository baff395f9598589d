"""What a packet has no room even to name is where the packet says that it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from radial_core import materialize, to_line
from radial_core.dispatch.bundle import bundle
from radial_core.dispatch.limits import LEAST_ROOM, LEASTS, Limits
from radial_core.dispatch.markdown import ELSEWHERE
from tests.cli.conftest import Call
from tests.core import small_world as w
from tests.core.small_world import ANN, BOT, ROOT, ref, write

if TYPE_CHECKING:
    from radial_core import Record
    from radial_core.dispatch.packet import Bundle

# A name of four hundred letters does not fit into the eighth of a kilobyte that is kept for names.
FAR = "-" * 400
TYPE = write(
    ROOT, "artifactType", 60, f"type{FAR}", space=ref(w.SPACE), name="ode", scope="goal", brief="b" * 9_000,
    outputSpec="o" * 9_000,
)  # fmt: skip
SYSTEM = [
    write(BOT, "artifact", 61, f"system{at}{FAR}", project=ref(w.PROJECT), request=ref(w.AUDIT_WANTED), type="audit",
          body="x")
    for at in range(3)
]  # fmt: skip
GOAL = write(ROOT, "goal", 62, f"goal{FAR}", space=ref(w.SPACE), project=ref(w.PROJECT), title="G", body="b" * 900)
OTHER = write(ROOT, "goal", 63, f"other{FAR}", space=ref(w.SPACE), project=ref(w.PROJECT), title="O", body="b" * 900)
IMAGES = [write(ANN, "image", 64, f"picture{at}{FAR}", blob=w.BLOB) for at in range(4)]
WANTED = write(ANN, "artifactRequest", 65, goal=ref(GOAL), type="plan")
MORE = [
    write(ROOT, "goal", 63, f"more{at}{FAR}", space=ref(w.SPACE), project=ref(w.PROJECT), title="M", body="b" * 900)
    for at in range(3)
]  # fmt: skip
ELSE = [write(BOT, "message", 66, f"else{at}{FAR}", goal=ref(goal), body="x") for at, goal in enumerate((OTHER, *MORE))]


def version(number: int, prev: Record | None, **fields: Any) -> Record:
    earlier = {} if prev is None else {"prev": ref(prev)}
    return write(
        BOT, "artifact", 67 + number, f"version{number}{FAR}", goal=ref(GOAL), request=ref(WANTED), type="plan",
        body="x", **earlier, **fields,
    )  # fmt: skip


V0 = version(0, None)
V1 = version(1, V0)
V2 = version(2, V1, criteria=["quick", "quiet"])
REVIEWS = [
    write(ANN, "review", 71 + at, f"review{at}{FAR}", subject=ref(V2), verdict="approve",
          findings=[{"severity": "nit", "body": "x"}])
    for at in range(3)
]  # fmt: skip
RUNS = [
    write(
        BOT, "checkrun", 75 + at, f"run{at}{FAR}", artifact=ref(V2), commit="c", results=[{"name": "t", "pass": True}]
    )
    for at in range(3)
]
TALK = [write(ANN, "message", 80 + at, f"talk{at}{FAR}", goal=ref(GOAL), body="x") for at in range(3)]
REMARKS = [write(ANN, "message", 84 + at, f"remark{at}{FAR}", artifact=ref(V2), body="x") for at in range(2)]
BLESSINGS = [
    write(ANN, "blessComment", 87 + at, f"bless{at}{FAR}", goal=ref(GOAL), body="hi",
          comment={"uri": w.uri_of(w.EVE, "message", f"hi{at}"), "cid": w.UNSEEN})
    for at in range(3)
]  # fmt: skip
BRIEF = "".join(f"![p](radial-image:{image.uri})" for image in IMAGES)
ASKED = write(
    ANN, "artifactRequest", 95, f"asked{FAR}", goal=ref(GOAL), type="ode", basedOn=[ref(V2)], brief=BRIEF
)  # fmt: skip
CAPTURE = write(
    ANN, "artifactRequest", 96, f"capture{FAR}", project=ref(w.PROJECT), type="audit",
    basedOn=[ref(V2), *map(ref, ELSE)],
)  # fmt: skip
QUESTIONS = [
    write(BOT, "message", 97 + at, f"ask{at}{FAR}", goal=ref(OTHER), body="x", re=ref(CAPTURE)) for at in range(3)
]
WORLD = (
    *w.LAB, TYPE, *SYSTEM, GOAL, OTHER, *MORE, *IMAGES, WANTED, *ELSE, V0, V1, V2, *REVIEWS, *RUNS, *TALK, *REMARKS,
    *BLESSINGS, ASKED, CAPTURE, *QUESTIONS,
)  # fmt: skip
LIMITS = Limits(piece=LEAST_ROOM, sections=LEASTS)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("elsewhere") / "world.jsonl"
    path.write_text("".join(f"{to_line(one)}\n" for one in WORLD), encoding="utf-8")
    return path


def unnamed(asked: Record, name: str) -> tuple[Bundle, set[str]]:
    """Give the packet within the least bounds, and the URIs of a section that it neither tells nor names."""
    index = materialize(WORLD)
    whole, small = (bundle(index, asked.uri, limits).section(name) for limits in (Limits(), LIMITS))
    here = {piece.uri for piece in small.pieces} | {*small.omitted.records}
    missing = {piece.uri for piece in whole.pieces if piece.uri is not None} - here
    assert len(missing) == small.omitted.unlisted
    return bundle(index, asked.uri, LIMITS), missing


BASIS = [V0.uri, V1.uri, V2.uri, *(one.uri for one in ELSE)]
SHOWN = {
    "project": [w.PROJECT.uri],
    "system": [w.PROJECT.uri],
    "criteria": BASIS,
    "findings": BASIS,
    "checks": [w.PROJECT.uri, *BASIS],
    "thread": [GOAL.uri, OTHER.uri, *(one.uri for one in MORE), *BASIS, CAPTURE.uri],
    "guests": [GOAL.uri, OTHER.uri],
}
COMMANDS = {name: [("show", uri) for uri in uris] for name, uris in SHOWN.items()}
COMMANDS |= {
    "goal": [("explain", uri) for uri in BASIS],
    "basis": [("show", CAPTURE.uri), ("provenance", CAPTURE.uri)],
}


@pytest.mark.parametrize("name", ["system", "goal", "basis", "findings", "checks", "thread", "guests"])
def test_the_commands_that_a_packet_names_find_what_it_does_not(radial: Call, file: Path, name: str) -> None:
    packet, missing = unnamed(CAPTURE, name)
    assert missing
    text = packet.to_markdown()
    assert f"{len(missing)} record{'s'[: len(missing) - 1]} not named: {ELSEWHERE[name]}\n" in text
    told = "".join(radial(*words, file).out for words in COMMANDS[name])
    assert all(f"`radial {command}`" in ELSEWHERE[name] for command, _ in COMMANDS[name])
    found = "".join(told.split())  # names are wrapped
    assert {uri for uri in missing if uri.rpartition("/")[2] not in found} == set()


def test_a_picture_that_is_not_named_is_named_in_the_texts() -> None:
    packet, missing = unnamed(ASKED, "images")
    assert missing
    assert {uri for uri in missing if f"(radial-image:{uri})" not in packet.to_markdown()} == set()


def test_the_record_of_a_type_that_is_not_named_is_listed_with_the_types(radial: Call, file: Path) -> None:
    listed = radial("type", "list", "--space", w.SPACE.uri, file).out
    assert TYPE.uri in listed
    assert "`radial type list --space`" in ELSEWHERE["request"]
