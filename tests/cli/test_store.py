"""The store from the command line: out of it, into it, how it is, and what was set aside."""

from __future__ import annotations

import base64
import json
import os
import random
import re
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from radial_cli.storing.place import place_of
from radial_io.store.store import Store, open_store
from radial_io.store.values import Batch, RepoState, Source, Spoiled
from tests.cli.conftest import Call, Done
from tests.cli.people import ADA, BEN, PREFIX, ROOK, SPACE, WREN
from tests.cli.test_reference import documented_keys_hold, section

GOAL = f"{PREFIX}goal"
NOON = "2026-03-01T12:00:00Z"
REPO = Source("repo", "https://pds.example", ADA)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "data" / "store.db"
    monkeypatch.setenv("RADIAL_STORE", str(path))
    return path


@pytest.fixture
def writing(file: Path) -> Callable[[], Any]:
    return lambda: open_store(file, write=True)


def lines(done: Done) -> list[dict[str, Any]]:
    assert done.status == 0, done.err
    return [json.loads(line) for line in done.out.splitlines()]


def without_times(observations: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps({**one, "seenAt": None}, sort_keys=True) for one in observations)


def given(example: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in example.read_text(encoding="utf-8").splitlines()]


def test_what_goes_in_comes_out_and_folds_to_the_same_digest(radial: Call, example: Path, file: Path) -> None:
    assert radial("import", example) == (0, "", "radial: 71 versions and 1 deletion new, 0 observations known\n")
    told = lines(radial("export"))
    assert without_times(told) == without_times(
        [{"rev": None, **one} if "rev" in one else one for one in given(example)]
    )
    assert radial("rebuild").out == radial("digest", example).out == radial("digest", "-", stdin=export(radial)).out
    assert file.is_file()


def export(radial: Call, *options: str) -> bytes:
    return radial("export", *options).out.encode()


def test_another_observer_s_clock_is_not_taken_over_and_one_s_own_is(
    radial: Call, example: Path, file: Path, tmp_path: Path
) -> None:
    theirs = {one["seenAt"] for one in given(example)}
    before = datetime.now(UTC).isoformat()
    radial("import", example)
    stamped = {one["seenAt"] for one in lines(radial("export"))}
    assert all(before <= moment for moment in stamped)
    radial("import", "--own", example)
    assert {one["seenAt"] for one in lines(radial("export"))} == theirs
    radial("import", example)
    assert {one["seenAt"] for one in lines(radial("export"))} == theirs
    other = tmp_path / "other.db"
    radial("import", "--own", "--store", other, "-", stdin=export(radial))
    assert export(radial, "--store", str(other)) == export(radial)
    assert file.is_file()


def test_an_export_can_be_merged_in_any_order_and_again_and_again(radial: Call, example: Path, tmp_path: Path) -> None:
    whole = example.read_bytes().splitlines(keepends=True)
    random.Random(1).shuffle(whole)
    one, other = tmp_path / "one.db", tmp_path / "other.db"
    radial("import", "--store", one, "-", stdin=b"".join(whole[:50]))
    radial("import", "--store", other, "-", stdin=b"".join(whole[20:]))
    for mine, theirs in ((one, other), (other, one), (one, other)):
        radial("import", "--store", mine, "-", stdin=export(radial, "--store", str(theirs)))
    anonymous = [export(radial, "--store", str(store), "--anonymous-sightings") for store in (one, other)]
    assert anonymous[0] == anonymous[1]
    assert len(anonymous[0].splitlines()) == len(whole)
    assert b"seenAt" not in anonymous[0]
    assert json.loads(radial("import", "--json", "--store", one, "-", stdin=anonymous[1]).out)["known"] == len(whole)


def test_a_bad_line_is_named_and_takes_no_other_along(radial: Call, example: Path, file: Path) -> None:
    good = example.read_bytes()
    handle = json.dumps({"uri": f"at://ada.example/{GOAL}/a", "value": {}}).encode()
    done = radial("import", "--json", "-", stdin=b"{\n" + good + handle + b"\n")
    assert done.status == 1
    assert json.loads(done.out) == {"versions": 71, "deletions": 1, "known": 0, "malformed": 1, "elsewhere": 1}
    assert "<stdin>:1: not JSON" in done.err
    assert "<stdin>:74: 'at://ada.example/" in done.err
    assert file.is_file()


def test_an_export_of_some_repos(radial: Call, example: Path, file: Path, tmp_path: Path) -> None:
    radial("import", example)
    some = lines(radial("export", "--repo", BEN, "--repo", ROOK))
    assert {one["uri"].split("/")[2] for one in some} == {BEN, ROOK}
    output = tmp_path / "out.jsonl"
    done = radial("export", "--repo", BEN, "-o", output, "--json")
    assert json.loads(done.out)["records"] + json.loads(done.out)["deletions"] == len(output.read_text().splitlines())
    assert file.is_file()


def test_a_digest_that_should_be_the_same_and_is_not_is_said(
    radial: Call, example: Path, writing: Callable[[], Any]
) -> None:
    radial("import", example)
    first = radial("rebuild")
    assert first.err.endswith("no digest was saved before\n")
    again = radial("rebuild")
    assert (again.status, again.out) == (0, first.out)
    assert re.search(r"saved 20.* at row \d+: the same$", again.err.rstrip())
    with writing() as store:
        store.note({"digest": "bafyother"})
    wrong = radial("rebuild", "--json")
    assert (wrong.status, json.loads(wrong.out)["same"], json.loads(wrong.out)["before"]["digest"]) == (
        1,
        False,
        "bafyother",
    )
    assert radial("rebuild").status == 0
    with writing() as store:
        store.note({"digest": "bafyother", "digest.version": "0.0"})
    older = radial("rebuild")
    assert older.status == 0
    assert "bafyother" in older.err
    assert "by version 0.0" in older.err


def test_rebuilding_and_looking_go_on_while_somebody_writes(
    radial: Call, example: Path, writing: Callable[[], Any], tmp_path: Path
) -> None:
    radial("import", example)
    with writing():
        rebuilt = radial("rebuild")
        assert (rebuilt.status, rebuilt.out) == (0, radial("digest", example).out)
        assert "the digest is not saved: process" in rebuilt.err
        assert radial("store", "status").status == radial("export").status == radial("store", "check").status == 0
        assert radial("store", "backup", tmp_path / "copy.db").status == 0
        busy = radial("import", example)
    assert (busy.status, busy.out) == (75, "")
    assert f"process {os.getpid()} writes to" in busy.err
    assert "Reading needs no lock" in busy.err


def test_without_a_store_it_is_said_how_one_comes_to_be(radial: Call, file: Path) -> None:
    for verb in (
        ["export"],
        ["rebuild"],
        ["quarantine"],
        ["store", "status"],
        ["store", "check"],
        ["store", "backup", "x"],
    ):
        done = radial(*verb)
        assert (done.status, done.out) == (2, "")
        assert f"there is no store {file}" in done.err
        assert "radial import" in done.err
    assert not file.exists()
    assert radial("export", "--store", "").status == 2


def test_a_store_lies_in_the_folder_for_one_s_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    place = place_of(None)
    assert place.parts[-2:] == ("radial", "store.db")
    assert place_of("here.db") == Path("here.db")


def spoil(store: Store, raw: bytes, rkey: str = "bad", reason: str = "no map\x1b[5m") -> None:
    spoiled = Spoiled(ADA, GOAL, rkey, "bafybad", None, reason, raw)
    store.take(Batch(source=REPO, spoiled=(spoiled,)), NOON)


def test_what_was_set_aside_is_listed_with_its_reason_and_obeyed_by_no_terminal(
    radial: Call, writing: Callable[[], Any]
) -> None:
    with writing() as store:
        spoil(store, b'{"title": "\x1b]0;owned\x07"}', "json")
        spoil(store, b"\xa1\x61\x1b\x80" + bytes(20), "cbor", "cut short")
    for terminal in (False, True):
        done = radial("quarantine", terminal=terminal)
        assert done.status == 0
        assert f"at://{ADA}/{GOAL}/json" in done.out
        assert "cut short" in done.out
        assert "\x1b[5m" not in done.out
    shown = radial("quarantine", "--show", f"at://{ADA}/{GOAL}/json").out
    assert '{"title": "\\x1b]0;owned\\x07"}' in shown
    assert "reason   no map\\x1b[5m" in shown
    dumped = radial("quarantine", "--show", f"at://{ADA}/{GOAL}/cbor").out
    assert "00000000  a1 61 1b 80 00 00 00 00 00 00 00 00 00 00 00 00  .a.............." in dumped
    assert "00000010  00 00 00 00 00 00 00 00                          ........" in dumped
    whole = json.loads(radial("quarantine", "--show", f"at://{ADA}/{GOAL}/cbor", "--json").out)
    assert base64.b64decode(whole["quarantine"][0]["raw"]) == b"\xa1\x61\x1b\x80" + bytes(20)
    nothing = radial("quarantine", "--show", f"at://{ADA}/{GOAL}/other")
    assert (nothing.status, nothing.out) == (3, "")


def test_a_store_is_ready_when_each_member_was_read(radial: Call, example: Path, writing: Callable[[], Any]) -> None:
    with writing():
        pass
    assert "not ready" in radial("store", "status").out
    radial("import", example)
    told = json.loads(radial("store", "status", "--json").out)
    assert (told["ready"], told["records"], told["versions"], told["deletions"]) == (False, 68, 71, 1)
    assert told["spaces"] == [{"uri": SPACE, "members": 4, "unread": sorted([ADA, BEN, ROOK, WREN]), "ready": False}]
    with writing() as store:
        for did in (ADA, BEN, ROOK, WREN):
            store.take(Batch(source=REPO, repos=(RepoState(did, None, None, REPO),)), NOON)
        live = json.loads(radial("store", "status", "--json").out)
    after = json.loads(radial("store", "status", "--json").out)
    assert (live["ready"], after["ready"]) == (True, True)
    assert [
        [source["live"] for source in each["sources"] if source["adapter"] == "repo"] for each in (live, after)
    ] == [
        [True],
        [False],
    ]
    page = radial("store", "status").out
    assert "freshness unknown" in page
    assert "each read" in page


def test_damage_is_named_and_the_rest_is_told(radial: Call, example: Path, file: Path) -> None:
    radial("import", example)
    database = sqlite3.connect(file)
    database.execute("UPDATE versions SET raw = x'ff', json = 0 WHERE row = 7")
    database.commit()
    database.close()
    done = radial("export")
    assert (done.status, len(done.out.splitlines())) == (1, 71)
    assert "is damaged" in done.err
    checked = radial("store", "check", "--json")
    assert (checked.status, json.loads(checked.out)["sound"], len(json.loads(checked.out)["faults"])) == (1, False, 1)
    checked = radial("store", "check")
    assert (checked.out[:5], checked.err) == ("at://", "radial: 1 fault\n")
    assert radial("rebuild").status == 1


def test_a_copy_is_a_store(radial: Call, example: Path, tmp_path: Path, file: Path) -> None:
    radial("import", example)
    copy = tmp_path / "copy.db"
    assert radial("store", "backup", copy).status == 0
    assert copy.stat().st_mode & 0o777 == 0o600
    assert export(radial, "--store", str(copy)) == export(radial)
    sizes = json.loads(radial("store", "vacuum", "--json").out)
    assert sizes["bytes"] <= sizes["bytesBefore"]
    assert file.is_file()


@pytest.mark.parametrize("verb", ["export", "import", "rebuild", "quarantine", "store"])
def test_every_key_of_the_reference_is_there(
    verb: str, radial: Call, example: Path, writing: Callable[[], Any], tmp_path: Path, root: Path
) -> None:
    page = (root / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    radial("import", example)
    radial("rebuild")
    with writing() as store:
        spoil(store, b"\xff")
        store.take(Batch(source=REPO, repos=(RepoState(ADA, None, None, REPO),)), NOON)
    more: dict[str, list[str | Path]] = {
        "export": ["-o", tmp_path / "o.jsonl"],
        "import": [example],
        "store": ["status"],
    }
    words = more.get(verb, [])
    assert documented_keys_hold(section(page, verb), json.loads(radial(verb, *words, "--json").out)) > 0


@pytest.mark.parametrize("verb", ["status", "check", "vacuum", "backup"])
def test_help_of_what_looks_after_a_store_fits_eighty_columns(verb: str, radial: Call) -> None:
    done = radial("store", verb, "--help")
    assert done.status == 0
    assert all(len(line) <= 80 for line in done.out.splitlines())
    assert "RADIAL_STORE" in done.out
