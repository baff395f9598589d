"""`radial guests`, `body` and `image`: what they print and write, and what they leave as it was."""

from __future__ import annotations

import hashlib
import json
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from radial_core import to_line
from tests.cli.conftest import Call, Done
from tests.cli.test_reference import documented_keys_hold, section
from tests.io.fakes import ALICE, BOB, PREFIX, FakePlc, Reply, cid, serving
from tests.io.strangers import GINA, MESSAGE, blob_ref, blob_value, message, write_space
from tests.io.streams_fakes_repo import SignedRepo, Signer, Write, car
from tests.io.test_blobs_pictures import PNG, SVG

LONG = "# Der Plan\n\x1b[31mgrößer\n".encode() * 400
BLOB = "com.atproto.sync.getBlob"


class World:
    """A space in a file, and three servers: a directory, one PDS for everybody, a backlink index."""

    def __init__(self, radial: Call, folder: Path) -> None:
        self.radial = radial
        self.folder = folder
        self.writing, self.goal = write_space(asks=True)
        self.blobs: dict[str, bytes] = {}
        self.repos: dict[str, SignedRepo] = {}
        self.hits: list[dict[str, str]] = []
        self.plc = FakePlc()
        self.asked: list[str] = []
        self.urls: dict[str, str] = {}
        self.picture = self.add_picture("gauge", PNG)

    @property
    def file(self) -> Path:
        path = self.folder / "space.jsonl"
        path.write_text("".join(to_line(record) + "\n" for record in self.writing.records), encoding="utf-8")
        return path

    def add_picture(self, key: str, raw: bytes, by: str = ALICE) -> str:
        self.blobs[str(blob_ref(raw).cid)] = raw
        return self.writing.put(by, f"image/{key}", blob=blob_value(blob_ref(raw)), alt=f"The {key}")["uri"]

    def add_plan(self, raw: bytes) -> str:
        self.blobs[str(blob_ref(raw).cid)] = raw
        request = self.writing.put(ALICE, "artifactRequest/plan", goal=self.goal, type="plan")
        blob = blob_value(blob_ref(raw, "text/markdown"))
        fields = {"goal": self.goal, "request": request, "type": "plan", "body": "In short.", "bodyBlob": blob}
        return self.writing.put(ALICE, "artifact/plan", **fields)["uri"]

    def add_guest(self, did: str, number: int, **messages: Any) -> None:
        repo = self.repos[did] = SignedRepo(did, Signer.numbered(number))
        repo.commit(*(Write(f"{MESSAGE}/{key}", value) for key, value in messages.items()))
        self.hits += [{"did": did, "collection": MESSAGE, "rkey": key} for key in messages]

    def settle(self) -> None:
        """Let the directory say where everybody is."""
        for did in (ALICE, BOB, *self.repos):
            self.plc.register(did, self.urls["pds"])
        for did, repo in self.repos.items():
            method = {"id": "#atproto", "type": "Multikey", "controller": did}
            self.plc.documents[did]["verificationMethod"] = [method | {"publicKeyMultibase": repo.signer.multikey}]

    def directory(self, path: str, query: dict[str, str]) -> Reply:
        self.asked.append(f"plc {path.removeprefix('/')}")
        return self.plc.answer(path, query)

    def server(self, nsid: str, query: dict[str, str]) -> Reply:
        self.asked.append(f"pds {nsid}")
        if nsid == BLOB and query["cid"] in self.blobs:
            return Reply(self.blobs[query["cid"]], headers={"content-type": "text/html"})
        if nsid == "com.atproto.sync.getRecord" and query["did"] in self.repos:
            head = self.repos[query["did"]].head
            record = head.records.get(f"{query['collection']}/{query['rkey']}")
            blocks = [head.raw, *head.nodes.values(), *([] if record is None else [record])]
            return Reply(car(head.cid, blocks), headers={"content-type": "application/vnd.ipld.car"})
        return Reply.json({"error": "BlobNotFound", "message": "not here"}, 400)

    def index(self, nsid: str, _query: dict[str, str]) -> Reply:
        self.asked.append(f"index {nsid}")
        return Reply.json({"total": len(self.hits), "records": self.hits, "cursor": None})

    def call(self, verb: str, *arguments: str | Path, **options: Any) -> Done:
        return self.radial(verb, *arguments, "--plc", self.urls["plc"], **options)

    def guests(self, *arguments: str | Path, **options: Any) -> Done:
        return self.call("guests", *arguments, "--backlinks", self.urls["index"], **options)


@pytest.fixture
def world(radial: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("RADIAL_STORE", str(tmp_path / "none.db"))
    made = World(radial, tmp_path)
    with ExitStack() as stack:
        for name, answer in (("plc", made.directory), ("pds", made.server), ("index", made.index)):
            made.urls[name] = stack.enter_context(serving(answer))
        made.settle()
        yield made


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")


def with_guests(world: World) -> None:
    """Gina said two things, one of which is blessed, and one that is no message."""
    true, false = message(world.goal, "Try felt.\x1b[2J"), message(world.goal, "x") | {"body": 5}
    world.add_guest(GINA, 5, felt=true, cork=message(world.goal, "Try cork."), odd=false)
    comment = {"uri": f"at://{GINA}/{MESSAGE}/cork", "cid": cid(message(world.goal, "Try cork."))}
    world.writing.put(ALICE, "blessComment/cork", goal=world.goal, comment=comment, body="Try cork, she says.")
    world.settle()


def test_blessed_and_unblessed_stand_apart(world: World) -> None:
    with_guests(world)
    done = world.guests("goal/quiet", world.file)
    assert done.status == 0
    blessed, unblessed = done.out.index("Blessed (1)"), done.out.index("Unblessed (1)")
    assert blessed < done.out.index("Try cork, she says.") < unblessed < done.out.index("Try felt.")
    assert "No member vouches for it" in done.out[unblessed:]
    assert f"Unblessed, by {GINA}" in done.out
    assert "Try felt.\\x1b[2J" in done.out
    assert f"at://{GINA}/{MESSAGE}/odd is not shown: is no message: must be a string" in done.err
    assert "1 hit of the index is known already" in done.err


def test_guests_as_json_have_the_documented_keys(world: World, page: str) -> None:
    with_guests(world)
    done = world.guests(world.goal["uri"], world.file, "--json")
    found = json.loads(done.out)
    assert documented_keys_hold(section(page, "guests"), found) == 4
    assert found["digest"] == world.writing.index().digest
    (goal,) = found["goals"]
    assert [blessed["body"] for blessed in goal["blessed"]] == ["Try cork, she says."]
    assert [(each["body"], each["proven"]) for each in goal["unblessed"]] == [("Try felt.\x1b[2J", True)]
    assert (goal["known"], goal["complaint"], goal["asks"], goal["partial"]) == (1, None, True, False)


def test_an_index_that_never_answers_costs_its_part_and_nothing_else(world: World) -> None:
    """RK-16.6."""
    with_guests(world)
    with slow_server() as url:
        goal, err = within("1", world, url)
    assert (goal["partial"], goal["unblessed"], len(goal["blessed"])) == (True, [], 1)
    assert goal["complaint"] == "the index did not answer in time"
    assert "may be missing" in err


def test_guests_whose_server_never_answers_cost_their_part_and_nothing_else(world: World) -> None:
    """RK-16.6; on a busy machine even our own index may need more than the first of these seconds."""
    with_guests(world)
    with slow_server() as url:
        world.plc.documents[GINA]["service"][0]["serviceEndpoint"] = url
        goal, err = within("1.5", world, world.urls["index"])
        for seconds in ("6", "24"):
            if goal["complaint"] is not None:
                goal, err = within(seconds, world, world.urls["index"])
    assert (goal["partial"], goal["unblessed"], len(goal["blessed"])) == (True, [], 1)
    assert [each["reason"] for each in goal["leftOut"]] == ["was not answered for in time"] * 2
    assert "was not answered for in time" in err


def within(seconds: str, world: World, index: str) -> tuple[dict[str, Any], str]:
    done = world.call("guests", "goal/quiet", world.file, "--backlinks", index, "--deadline", seconds, "--json")
    assert done.status == 0
    (goal,) = json.loads(done.out)["goals"]
    return goal, done.err


@contextmanager
def slow_server() -> Iterator[str]:
    """Listen, take every connection, and never say a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://localhost:{listening.getsockname()[1]}"


def test_a_space_that_does_not_ask_is_not_asked_about(world: World) -> None:
    with_guests(world)
    world.writing.records = [record for record in world.writing.records if "setGuestComments" not in record.uri]
    done = world.guests("goal/quiet", world.file)
    assert (done.status, done.err) == (0, "")
    assert "this space does not ask guests" in done.out
    assert "Try cork, she says." in done.out
    assert world.asked == []


@pytest.mark.parametrize("index", ["up", "down", "lying", "nowhere"])
def test_whatever_the_index_does_store_and_digest_stay(world: World, index: str) -> None:
    """RAD-4.32: the bytes of the store, and the digest, before and after."""
    with_guests(world)
    store = world.folder / "store.db"
    assert world.radial("import", world.file, "--store", store).status == 0
    kept = _bytes_beside(store)
    digest = world.radial("digest", world.file).out
    if index == "lying":
        world.hits[:] = [{"did": GINA, "collection": MESSAGE, "rkey": "invented"}] * 50
    url = {"down": "http://127.0.0.1:9", "nowhere": "https://backlinks.invalid"}.get(index, world.urls["index"])
    done = world.call("guests", "goal/quiet", "--store", store, "--backlinks", url, "--json")
    assert done.status == 0
    found = json.loads(done.out)
    assert len(found["goals"][0]["unblessed"]) == (index == "up")
    assert len(found["goals"][0]["blessed"]) == 1
    assert (found["goals"][0]["complaint"] is not None) is (index in {"down", "nowhere"})
    assert f"{found['digest']}\n" == digest
    assert _bytes_beside(store) == kept
    assert world.radial("digest", world.file).out == digest


def _bytes_beside(store: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in store.parent.iterdir()
        if path.name.startswith("store.db") and not path.name.endswith("-shm") and path.stat().st_size
    }


def test_goals_come_first_and_must_be_goals(world: World) -> None:
    assert world.guests(world.file).status == 2
    assert world.guests("goal/none", world.file).status == 3
    done = world.guests(world.picture, world.file)
    assert (done.status, "is no goal" in done.err) == (3, True)
    assert world.asked == []


def test_a_wrong_url_is_the_operator_s_mistake(world: World) -> None:
    done = world.call("guests", "goal/quiet", world.file, "--backlinks", "ftp://index.example.com")
    assert (done.status, "does not begin with https://" in done.err) == (2, True)
    done = world.guests("goal/quiet", world.file, "--pds", world.urls["pds"])
    assert (done.status, "exclude each other" in done.err) == (2, True)


def test_a_long_body_is_printed_whole(world: World) -> None:
    plan = world.add_plan(LONG)
    done = world.call("body", "artifact/plan", world.file)
    assert done == (0, LONG.decode(), "")
    assert world.asked == [f"plc {ALICE}", f"pds {BLOB}"]
    assert world.call("body", plan, world.file).out == LONG.decode()
    assert len(world.asked) == 2  # it is kept


def test_on_a_terminal_nothing_in_a_body_is_obeyed(world: World) -> None:
    world.add_plan(LONG)
    done = world.call("body", "artifact/plan", world.file, terminal=True)
    assert done.out == LONG.decode().replace("\x1b", "\\x1b")


def test_a_body_that_is_no_text_goes_into_a_file_only(world: World) -> None:
    world.add_plan(PNG)
    done = world.call("body", "artifact/plan", world.file, terminal=True)
    assert (done.status, done.out) == (1, "")
    assert "-o FILE" in done.err
    target = world.folder / "plan.bin"
    assert world.call("body", "artifact/plan", world.file, "-o", target).status == 0
    assert target.read_bytes() == PNG


def test_a_short_body_asks_nobody(world: World) -> None:
    assert world.call("body", "goal/quiet", world.file).out == "Make it quiet."
    assert world.asked == []


def test_what_has_no_body_says_so(world: World) -> None:
    assert "has no body" in world.call("body", "space/main", world.file).err
    stranger = world.writing.put(BOB, "message/hi", goal=world.goal, body="Hi.")["uri"]
    done = world.call("body", stranger, world.file)
    assert (done.status, "T5" in done.err) == (3, True)


def test_body_as_json_has_the_documented_keys(world: World, page: str) -> None:
    world.add_plan(LONG)
    found = json.loads(world.call("body", "artifact/plan", world.file, "--json").out)
    assert documented_keys_hold(section(page, "body"), found) == 1
    assert found["text"] == LONG.decode()
    assert found["blob"] == {"cid": str(blob_ref(LONG).cid), "size": len(LONG), "claimed": "text/markdown"}
    assert json.loads(world.call("body", "goal/quiet", world.file, "--json").out)["blob"] is None


@pytest.mark.parametrize("name", ["image/gauge", "URI", "radial-image:URI", "![a gauge](radial-image:URI)"])
def test_a_picture_is_written_checked(world: World, name: str) -> None:
    target = world.folder / "gauge.png"
    done = world.call("image", name.replace("URI", world.picture), world.file, "-o", target)
    assert (done.status, done.out) == (0, "")
    assert f"image/png, {len(PNG)} bytes, by {ALICE}" in done.err
    assert target.read_bytes() == PNG
    assert sorted(path.name for path in world.folder.iterdir()) == ["cache", "gauge.png", "space.jsonl"]


def test_a_file_is_replaced_only_when_told_so(world: World) -> None:
    target = world.folder / "gauge.png"
    target.write_bytes(b"mine")
    done = world.call("image", "image/gauge", world.file, "-o", target)
    assert (done.status, target.read_bytes(), world.asked) == (2, b"mine", [])
    assert "--force" in done.err
    assert world.call("image", "image/gauge", world.file, "-o", target, "--force").status == 0
    assert target.read_bytes() == PNG


def test_a_picture_never_reaches_a_terminal(world: World) -> None:
    done = world.call("image", "image/gauge", world.file, "-o", "-", terminal=True)
    assert (done.status, done.out, world.asked) == (2, "", [])


def test_image_as_json_has_the_documented_keys(world: World, page: str) -> None:
    target = world.folder / "gauge.png"
    found = json.loads(world.call("image", "image/gauge", world.file, "-o", target, "--json").out)
    assert documented_keys_hold(section(page, "image"), found) == 1
    assert (found["type"], found["alt"], found["file"]) == ("image/png", "The gauge", str(target))


def test_a_picture_that_cannot_be_had_is_named(world: World) -> None:
    """RAD-4.27: its words, its author, its URI and why; nothing is written."""
    world.blobs.clear()
    done = world.call("image", "image/gauge", world.file, "-o", world.folder / "x.png")
    assert done.status == 1
    assert f"the picture “The gauge” of {ALICE} ({world.picture}) is missing: " in done.err
    assert "BlobNotFound" in done.err
    assert not (world.folder / "x.png").exists()


def test_svg_and_what_is_no_member_s_are_refused(world: World) -> None:
    world.add_picture("vector", SVG)
    stranger = world.add_picture("strange", PNG, by=BOB)
    done = world.call("image", "image/vector", world.file, "-o", world.folder / "x.png")
    assert (done.status, "no picture" in done.err) == (1, True)
    before = len(world.asked)
    done = world.call("image", stranger, world.file, "-o", world.folder / "x.png")
    assert (done.status, "T5" in done.err) == (3, True)
    assert len(world.asked) == before
    assert not (world.folder / "x.png").exists()


def test_no_way_of_writing_an_address_makes_it_be_fetched(world: World) -> None:
    """RAD-4.22: every server is real here and would answer; none is asked."""
    blob = str(blob_ref(PNG).cid)
    address = f"{world.urls['pds']}/xrpc/{BLOB}?did={ALICE}&cid={blob}"
    lures = [
        address,
        blob,
        f"{ALICE}/{blob}",
        f"at://{ALICE}/{blob}",
        f"at://{ALICE}/{PREFIX}image/{blob}",
        f"radial-image:{address}",
        f"![x]({address})",
        f"![x](radial-image:{address})",
        f"![x](radial-image:at://{ALICE}/blob/{blob})",
    ]
    text = "\n".join(lures)
    world.writing.put(ALICE, "message/lure", goal=world.goal, body=text)
    for lure in (*lures, text, "message/lure"):
        done = world.call("image", lure, world.file, "-o", world.folder / "x.png")
        assert done.status != 0, lure
    assert world.call("body", "message/lure", world.file).out == text
    assert world.radial("show", "goal/quiet", world.file).status == 0
    assert world.asked == []
    assert not (world.folder / "x.png").exists()


def test_a_text_with_pictures_says_which(world: World) -> None:
    world.writing.put(ALICE, "message/see", goal=world.goal, body=f"See ![it](radial-image:{world.picture}).")
    done = world.call("image", "message/see", world.file, "-o", world.folder / "x.png")
    assert (done.status, world.asked) == (3, [])
    assert f"it refers to: {world.picture}" in done.err


def test_without_a_file_the_store_is_read(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.add_plan(LONG)
    store = world.folder / "store.db"
    assert world.radial("import", world.file, "--store", store).status == 0
    monkeypatch.setenv("RADIAL_STORE", str(store))
    assert world.call("body", "artifact/plan").out == LONG.decode()
    assert world.call("image", "image/gauge", "-o", world.folder / "gauge.png").status == 0
    monkeypatch.setenv("RADIAL_STORE", str(world.folder / "other.db"))
    assert world.call("body", "artifact/plan").status == 2


def test_a_damaged_store_is_said_to_be_one(world: World) -> None:
    store = world.folder / "store.db"
    assert world.radial("import", world.file, "--store", store).status == 0
    database = sqlite3.connect(store)
    database.execute("UPDATE versions SET raw = x'ff', json = 0 WHERE instr(raw, CAST('The gauge' AS BLOB)) > 0")
    database.commit()
    database.close()
    done = world.call("body", "goal/quiet", "--store", store)
    assert (done.status, done.out) == (1, "Make it quiet.")
    assert "is damaged" in done.err


def test_a_server_that_is_down_is_no_end(world: World) -> None:
    world.plc.register(ALICE, "http://127.0.0.1:9")
    done = world.call("image", "image/gauge", world.file, "-o", world.folder / "x.png")
    assert done.status == 75
    assert "The gauge" in done.err
