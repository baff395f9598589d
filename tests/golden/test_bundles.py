"""The golden packets: ours and an independent writer's are the same bytes, whatever the order of the records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from golden.drivers.bundle import cases, difference, main
from radial_core import Index, materialize, read_jsonl
from radial_core.dispatch import markdown
from radial_core.dispatch.briefs import BUILT_IN_BRIEFS
from radial_core.dispatch.bundle import bundle
from radial_core.dispatch.limits import FRAME, LEAST_BRIEF, LEASTS, MOST, ROOMS, Limits

FOLDER = Path(__file__).parents[2] / "golden" / "bundles"
CASES = cases(FOLDER)


def read(file: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content


def index_of(records: list[Any]) -> Index:
    return materialize(read_jsonl(json.dumps(row) for row in records))


def test_there_are_cases() -> None:
    assert len(CASES) >= 11
    assert all(read(case / "case.json")["id"] == f"bundles/{case.name}" for case in CASES)
    descriptions = [read(case / "case.json")["description"] for case in CASES]
    assert len(set(descriptions)) == len(descriptions)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_byte_of_a_packet_is_as_it_was_written_down(case: Path) -> None:
    asked = read(case / "case.json")
    records = read(FOLDER / asked["records"])["records"]
    wanted = {name: (case / name).read_bytes().decode() for name in ("bundle.json", "bundle.md")}
    for order in (records, records[::-1], [*records[2::3], *records[::3], *records[1::3]], [*records, *records]):
        packet = bundle(index_of(order), asked["request"], Limits(**asked["limits"]), asked["behind"])
        assert {"bundle.json": packet.to_json_text(), "bundle.md": packet.to_markdown()} == wanted


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_files_are_what_the_outline_amounts_to(case: Path) -> None:
    assert difference(case) is None


def test_the_writer_names_what_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = tmp_path / CASES[0].name
    case.mkdir()
    for file in (*CASES[0].iterdir(), FOLDER / "space.json", FOLDER / "frame.json"):
        (case if file.parent == CASES[0] else tmp_path).joinpath(file.name).write_bytes(file.read_bytes())
    assert main([str(tmp_path)]) == 0
    told = (case / "bundle.md").read_bytes()
    (case / "bundle.md").write_bytes(told.replace(b"Nothing.", b"nothing.", 1))
    assert main([str(tmp_path)]) == 1
    assert f"bundle.md differs at byte {told.index(b'Nothing.')}" in capsys.readouterr().out
    assert main([str(tmp_path / "none")]) == 1


def test_the_frame_is_ours() -> None:
    frame = read(FOLDER / "frame.json")
    assert frame["head"] == markdown.HEAD
    assert {one["name"]: one["title"] for one in frame["sections"]} == markdown.TITLES
    assert [(one["name"], one["room"]) for one in frame["sections"]] == [*ROOMS.items()]
    words = {name: {"brief": one.brief, "outputSpec": one.output_spec} for name, one in BUILT_IN_BRIEFS.items()}
    assert frame["builtIn"] == words
    usual = Limits()
    assert (frame["total"], frame["piece"]) == (usual.total, usual.piece)
    assert (frame["frame"], frame["leastBrief"], frame["most"]) == (FRAME, LEAST_BRIEF, MOST)
    assert [(one["name"], one["least"]) for one in frame["sections"]] == [*LEASTS.items()]
    assert {one["name"]: one["elsewhere"] for one in frame["sections"]} == markdown.ELSEWHERE
