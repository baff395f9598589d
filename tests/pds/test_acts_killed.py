"""A picture and a long body, killed with SIGKILL at each step on their way: one record and one file come of it.

Somebody who finds the command gone does what the documentation says: the same again, or `radial outbox send`.
"""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import pytest

from radial_io.store.outbox import peek_outbox
from tests.pds.accounts import Servers
from tests.pds.act_once import STEPS
from tests.pds.acts_story import Person
from tests.pds.following import ROOT, three
from tests.pds.story import PREFIX, Story, at, write

pytestmark = [pytest.mark.pds, pytest.mark.slow]

NOT_RECORDED: Final = tuple(STEPS)[: tuple(STEPS).index("recorded")]  # the outbox does not know of it


@pytest.fixture(scope="module")
def world(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Story, Person]]:
    """Return a space, and its root at their machine, which has read it."""
    with ExitStack() as stack:
        story = stack.enter_context(three(servers, "killed"))
        write(story)
        ruth = Person(story.root, "ruth-killed.test", tmp_path_factory.mktemp("killed") / "ruth", servers)
        ruth.log_in()
        status, _ = ruth.radial("sync", story.uri("space/main"), "--plc", servers.plc)
        assert status == 0, ruth.said
        yield story, ruth


def killed(person: Person, step: str, *words: str, stdin: str = "") -> None:
    """Carry out an act in a process that dies at a step."""
    command = [sys.executable, "-m", "tests.pds.act_once", step, *words, "--yes", "--no-sync"]
    environment = {**os.environ, **person.settings, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, input=stdin.encode(), capture_output=True, timeout=120, check=False
    )
    assert done.returncode == -signal.SIGKILL, (step, done.stderr.decode())


def listed(person: Person, kind: str, **wanted: Any) -> list[dict[str, Any]]:
    """Give the records of a kind in the repo that say this, read with none of our own code."""
    asked = {"repo": person.did, "collection": PREFIX + kind, "limit": "100"}
    answer = person.account.http.get("/com.atproto.repo.listRecords", params=asked).raise_for_status()
    return [record for record in answer.json()["records"] if wanted.items() <= record["value"].items()]


def blob(person: Person, value: dict[str, Any]) -> bytes:
    asked = {"did": person.did, "cid": value["ref"]["$link"]}
    return person.account.http.get("/com.atproto.sync.getBlob", params=asked).raise_for_status().content


def blobs(person: Person) -> int:
    """Count the files that records of the repo name."""
    answer = person.account.http.get("/com.atproto.sync.listBlobs", params={"did": person.did, "limit": "1000"})
    return len(answer.raise_for_status().json()["cids"])


def pixel(shade: int) -> bytes:
    """Draw a PNG of one grey pixel."""
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in (
            (b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)),
            (b"IDAT", zlib.compress(bytes([0, shade]))),
            (b"IEND", b""),
        )
    )


@pytest.mark.parametrize("sends_first", [False, True])
@pytest.mark.parametrize("step", STEPS)
def test_a_picture_is_one_record_and_one_file(
    step: str,
    sends_first: bool,  # noqa: FBT001 - a parameter of the test
    world: tuple[Story, Person],
    tmp_path: Path,
) -> None:
    _, ruth = world
    name = f"{step}, {sends_first}"
    file, text = tmp_path / "pixel.png", tmp_path / "text.md"
    file.write_bytes(pixel(2 * tuple(STEPS).index(step) + sends_first))
    text.write_text("A text.\n", encoding="utf-8")
    before = blobs(ruth)
    words = ("image", "add", str(file), "--name", name, "--into", str(text))
    killed(ruth, step, *words)
    assert text.read_text(encoding="utf-8") == "A text.\n"  # it never names what may not be there
    if sends_first:
        status, _ = ruth.radial("outbox", "send")
        assert status == 0, ruth.said
    status, _ = ruth.radial(*words, "--yes", "--no-sync")
    assert status == 0, ruth.said
    (record,) = listed(ruth, "image", name=name)
    assert blob(ruth, record["value"]["blob"]) == file.read_bytes()
    assert blobs(ruth) == before + 1
    assert text.read_text(encoding="utf-8") == f"A text.\n![](radial-image:{record['uri']})\n"
    assert all(entry.state == "written" for entry in peek_outbox(ruth.home / "store.db"))
    assert ruth.radial("outbox", "send")[0] == 0  # brings into the store what is written and not there yet
    assert len(listed(ruth, "image", name=name)) == 1
    assert peek_outbox(ruth.home / "store.db") == ()


@pytest.mark.parametrize("step", STEPS)
def test_a_long_body_is_one_record_and_one_file_and_is_never_lost(step: str, world: tuple[Story, Person]) -> None:
    story, ruth = world
    body = f"# {step}\n\n" + "And then one more stone was laid upon the other.\n" * 3000
    before = blobs(ruth)
    drafts = ruth.home / "state" / "radial" / "drafts"
    words = ("artifact", "submit", story.uri("artifactRequest/open"), "--title", step)
    killed(ruth, step, *words, "--body-file", "-", stdin=body)
    (draft,) = drafts.glob("*.md")
    assert draft.read_text(encoding="utf-8") == body
    if step in NOT_RECORDED:
        assert peek_outbox(ruth.home / "store.db") == ()
        status, _ = ruth.radial(*words, "--body-file", str(draft), "--yes", "--no-sync")
    else:
        status, _ = ruth.radial("outbox", "send")
    assert status == 0, ruth.said
    (record,) = listed(ruth, "artifact", title=step)
    assert blob(ruth, record["value"]["bodyBlob"]).decode() == body
    assert blobs(ruth) == before + 1
    assert peek_outbox(ruth.home / "store.db") == ()
    draft.unlink()


def test_what_is_refused_of_an_earlier_act_is_told_during_the_next(world: tuple[Story, Person], tmp_path: Path) -> None:
    """Somebody else, on another device of theirs, has written at its key meanwhile."""
    story, ruth = world
    file = tmp_path / "pixel.png"
    file.write_bytes(pixel(200))
    killed(ruth, "recorded", "image", "add", str(file), "--name", "mine")
    (entry,) = peek_outbox(ruth.home / "store.db")
    blob_of_it = story.root.upload(pixel(201), "image/png")
    value = {"$type": PREFIX + "image", "createdAt": at(50), "blob": blob_of_it, "name": "theirs"}
    story.root.create_record(PREFIX + "image", entry.letter.rkey, value)
    said = ruth.ask("message", story.uri("goal/g1"), "--body", "After it.", "--no-sync")
    assert said["outcome"] == "written"
    shown = " ".join(ruth.said.split())
    assert f"{entry.letter.uri}, which an earlier act left, was refused" in shown
    assert "radial outbox drop NUMBER" in shown
    assert [one.state for one in peek_outbox(ruth.home / "store.db")] == ["refused"]
    assert ruth.radial("outbox", "drop", "--all")[0] == 0
