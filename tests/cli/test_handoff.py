"""`radial handoff`: what is said of names, of a reply that is refused, and of a file that is there already."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from radial_core.canonical import cid_of
from tests.cli.conftest import Call
from tests.cli.people import ADA, WREN, line, ref

AT = ("--root", "site", "--revision", "c0ffee")
REQUEST = "artifactRequest/mine"
BASIS = line(ADA, "message/why", goal=ref(ADA, "goal/g"), body="Because.")
SPACE = [
    line(ADA, "space/tidewater", name="Lab"),
    line(ADA, "addMember/wren", space=ref(ADA, "space/tidewater"), did=WREN, kind="agent", role="agent"),
    line(ADA, "project/p", space=ref(ADA, "space/tidewater"), name="P", gitUrl="https://git.test/p", defaultBranch="m"),
    line(ADA, "goal/g", space=ref(ADA, "space/tidewater"), project=ref(ADA, "project/p"), title="G", body="Do."),
    line(ADA, REQUEST, goal=ref(ADA, "goal/g"), type="plan", basedOn=[ref(ADA, "message/why")]),
]


@pytest.fixture
def space(tmp_path: Path) -> Path:
    file = tmp_path / "space.jsonl"
    file.write_text("".join((*SPACE, BASIS)), encoding="utf-8")
    return file


@pytest.fixture
def taken(tmp_path: Path) -> Path:
    folder = tmp_path / "taken"
    folder.mkdir()
    return folder


def exported(radial: Call, space: Path, *words: str | Path) -> Any:
    done = radial("handoff", "export", REQUEST, space, *AT, *words)
    assert (done.status, done.err) == (0, "")
    return json.loads(done.out)


def reply(radial: Call, space: Path, **changes: object) -> Path:
    file = space.with_name("reply.json")
    value = {"format": 1, "binding": exported(radial, space)["binding"], "answer": {"body": "Do it."}}
    file.write_text(json.dumps(value | changes), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("raw", "files"),
    [
        (b"caf\xe9\nb\n", ["b", "caf\\udce9"]),
        (b"\xff\xfe", ["\\udcff\\udcfe"]),
        ("é\n".encode(), ["é"]),
        (b"a\r\nb\r\n\r\n", ["a", "b"]),
        (b"a\rb\n", ["a\rb"]),
        (b"", []),
    ],
)
def test_a_name_of_a_file_may_be_anything_but_an_end_of_a_line(
    radial: Call, space: Path, raw: bytes, files: list[str]
) -> None:
    names = space.with_name("unread.txt")
    names.write_bytes(raw)
    told = {"count": len(files), "files": files, "unnamed": 0}
    assert exported(radial, space, "--unread", names)["unread"] == told


@pytest.mark.parametrize("name", ["none", ".", "a\0b"])
def test_a_list_that_cannot_be_read_is_said(radial: Call, space: Path, name: str) -> None:
    done = radial("handoff", "export", REQUEST, space, *AT, "--unread", str(space.parent / name))
    assert (done.status, "cannot be read" in done.err, done.out) == (2, True, "")


@pytest.mark.parametrize(
    "changes", [{"start": True}, {"format": 2}, {"answer": []}, {"binding": {}}, {"answer": {"x": 2**64}}]
)
def test_what_is_no_reply_is_to_be_mended_and_not_exported_again(
    radial: Call, space: Path, taken: Path, changes: dict[str, Any]
) -> None:
    done = radial("handoff", "import", reply(radial, space, **changes), REQUEST, space, *AT, "--into", taken)
    assert (done.status, done.out) == (1, "")
    assert "Mend the file and bring it again." in done.err
    assert "xport" not in done.err
    assert list(taken.iterdir()) == []


def refused(radial: Call, space: Path, taken: Path, *words: str) -> str:
    file = space.with_name("reply.json")
    done = radial("handoff", "import", file, REQUEST, space, "--into", taken, *(words or AT))
    assert (done.status, done.out, list(taken.iterdir())) == (1, "", [])
    assert "Export the request again" in done.err
    assert "Mend the file" not in done.err
    return " ".join(done.err.split())


def test_what_moved_is_told_in_words(radial: Call, space: Path, taken: Path) -> None:
    reply(radial, space)
    assert "another workspace" in refused(radial, space, taken, "--root", "other", "--revision", "c0ffee")
    assert "another revision" in refused(radial, space, taken, "--root", "site", "--revision", "decaf")
    assert "another step" in refused(radial, space, taken, *AT, "--phase", "build")
    limits = refused(radial, space, taken, *AT, "--total", "300000")
    assert "within other limits: give --total as it was for the export" in limits
    assert "subjects moved" not in limits


def test_the_records_that_it_is_about_are_named_as_they_are_now(radial: Call, space: Path, taken: Path) -> None:
    reply(radial, space)
    other = line(ADA, "message/why", goal=ref(ADA, "goal/g"), body="For another reason.")
    space.write_text("".join((*SPACE, other)), encoding="utf-8")
    told = refused(radial, space, taken)
    assert "counts in another version, no longer or only now" in told
    for text in (SPACE[-1], other):
        seen = json.loads(text)
        assert f"{seen['uri']} is now {cid_of(seen['value'])}" in told
    assert told.count(" is now ") == 2


def test_of_many_records_the_first_are_named(radial: Call, space: Path, taken: Path) -> None:
    basis = [ref(ADA, f"message/m{number}") for number in range(40)]
    asked = line(ADA, REQUEST, goal=ref(ADA, "goal/g"), type="plan", basedOn=basis)
    reply(radial, space)
    space.write_text("".join((*SPACE[:-1], asked)), encoding="utf-8")
    told = refused(radial, space, taken)
    assert told.count(" is now ") == 32
    assert "and 9 more" in told  # 41 in all: the request and forty messages


@pytest.mark.parametrize("held", [b"", b"corrupt", b'{"format":1}\n', None])
def test_taken_before_is_only_what_is_there_byte_for_byte(
    radial: Call, space: Path, taken: Path, held: bytes | None
) -> None:
    file = reply(radial, space)
    words = ("handoff", "import", file, REQUEST, space, *AT, "--into", taken)
    path = taken / f"{cid_of(json.loads(file.read_text(encoding='utf-8')))}.json"
    assert radial(*words) == (0, f"taken: {path}\n", "")
    sound = path.read_bytes()
    path.write_bytes(sound[:-1] if held is None else held)
    done = radial(*words)
    assert (done.status, done.out) == (0, f"taken: {path}\n")
    assert f"{path} held something else, and was written again" in done.err
    assert path.read_bytes() == sound
    path.write_bytes(b"x")
    done = radial(*words, "--json")
    assert (json.loads(done.out)["new"], path.read_bytes()) == (True, sound)
    assert "written again" in done.err
    assert radial(*words) == (0, f"taken before: {path}\n", "")


def test_a_file_that_cannot_be_read_is_said_and_nothing_is_taken(radial: Call, space: Path, taken: Path) -> None:
    file = reply(radial, space)
    path = taken / f"{cid_of(json.loads(file.read_text(encoding='utf-8')))}.json"
    path.mkdir()
    done = radial("handoff", "import", file, REQUEST, space, *AT, "--into", taken)
    assert (done.status, done.out, "cannot be read" in done.err) == (1, "", True)
