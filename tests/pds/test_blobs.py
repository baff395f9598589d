"""Blobs and single records of a real PDS: fetched, proven, missing, tampered with, moved."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import anyio
import attrs
import httpx
import pytest

from radial_core import Index, Record, materialize
from radial_core.canonical import cid_of
from radial_core.jsonform import from_json
from radial_io.atproto.answers import CAR
from radial_io.atproto.blobs import BlobRef, fetch_blob, read_blob_ref
from radial_io.atproto.commits import latest_rev
from radial_io.atproto.documents import Identity
from radial_io.atproto.identity import Resolver, open_servers
from radial_io.atproto.repository import Entry
from radial_io.atproto.single import GET_PROVEN, LONGEST_PROOF, prove_record
from radial_io.atproto.xrpc import Get, Span, XrpcClient
from radial_io.errors import BlobError, LimitError, RefusedError, SignatureError
from radial_io.viewing.backlinks import MESSAGES, Hit
from radial_io.viewing.bodies import fetch_body, find_body
from radial_io.viewing.comments import NotShownError, fetch_comment
from radial_io.viewing.files import Files
from radial_io.viewing.pictures import Bytes, Picture, fetch_picture, find_picture
from tests.io.fakes import Reply, serving
from tests.pds.accounts import Account, Servers, account
from tests.pds.story import LONG_BODY, PIXEL, PREFIX, at

pytestmark = pytest.mark.pds

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[2]
LATER = "2099-01-01T00:00:00Z"  # the lab's clock may be any


def ask(servers: Servers, work: Callable[[XrpcClient, Resolver], Awaitable[T]]) -> T:
    """Do something with a client that reaches the lab."""

    async def inside() -> T:
        async with open_servers(plc=servers.plc) as (client, resolver):
            return await work(client, resolver)

    return anyio.run(inside)


def fetch(servers: Servers, did: str, blob: BlobRef) -> bytes:
    return ask(servers, lambda client, resolver: fetch_blob(did, blob, client=client, resolver=resolver))


def observed(who: Account, kind: str, rkey: str, **fields: Any) -> Record:
    """Write a record and see it: as the PDS says, its CID computed anew."""
    record = {"$type": PREFIX + kind, "createdAt": at(1), **fields}
    ref = who.create_record(PREFIX + kind, rkey, record)
    value = from_json(record)
    assert cid_of(value) == ref["cid"]
    return Record(uri=ref["uri"], cid=ref["cid"], value=value)


def ref(record: Record) -> dict[str, str]:
    return {"uri": record.uri, "cid": record.cid}


@attrs.frozen
class Scene:
    who: Account
    index: Index
    space: Record
    picture: Record
    plan: Record


@pytest.fixture(scope="module")
def scene(servers: Servers) -> Any:
    """A member with a picture, and with a plan that is longer than its record."""
    with account(servers, "blob-owner") as who:
        image, text = who.upload(PIXEL, "image/png"), who.upload(LONG_BODY, "text/markdown")
        space = observed(who, "space", "main", name="Lab")
        project = observed(
            who,
            "project",
            "tool",
            space=ref(space),
            name="Tool",
            gitUrl="https://g.example.com",
            defaultBranch="main",
        )
        goal = observed(who, "goal", "one", space=ref(space), project=ref(project), title="One", body="One.")
        request = observed(who, "artifactRequest", "plan", goal=ref(goal), type="plan")
        plan = observed(
            who, "artifact", "plan", goal=ref(goal), request=ref(request), type="plan", body="In short.", bodyBlob=text
        )
        picture = observed(who, "image", "pixel", blob=image, alt="A pixel")
        index = materialize([space, project, goal, request, plan, picture])
        yield Scene(who, index, space, picture, plan)


def test_a_picture_goes_from_its_record_to_its_bytes(servers: Servers, scene: Scene) -> None:
    picture = find_picture(scene.picture.uri, scene.index)
    assert isinstance(picture, Picture)
    assert picture.author == scene.who.did
    found = ask(servers, lambda client, resolver: fetch_picture(picture, Files(client, resolver)))
    assert found == Bytes(PIXEL, "image/png")


def test_a_long_body_comes_back_whole(servers: Servers, scene: Scene) -> None:
    body = find_body(scene.plan.uri, scene.index)
    assert body is not None
    assert body.text == "In short."
    assert ask(servers, lambda client, resolver: fetch_body(body, Files(client, resolver))) == LONG_BODY


def test_a_blob_that_no_record_names_is_not_served(servers: Servers, scene: Scene) -> None:
    """The reason why the record is written first (§4): what nothing refers to is nowhere."""
    blob = read_blob_ref(from_json(scene.who.upload(b"orphan", "text/plain")))
    with pytest.raises(RefusedError, match="Blob not found"):
        fetch(servers, scene.who.did, blob)


def test_a_record_that_lies_about_the_size_is_found_out(servers: Servers, scene: Scene) -> None:
    true = read_blob_ref(scene.plan.value["bodyBlob"])
    for size, error in ((true.size - 1, LimitError), (true.size + 1, BlobError)):
        blob = BlobRef(true.cid, size, "text/markdown")
        with pytest.raises(error):
            fetch(servers, scene.who.did, blob)


@attrs.define
class Moving:
    """A resolver that says an old place first, and the true one when it is asked afresh."""

    resolver: Resolver
    old: str

    async def identity(self, did: str, *, fresh: bool = False) -> Identity:
        """Give the identity of a DID."""
        true = await self.resolver.identity(did)
        return true if fresh else attrs.evolve(true, pds=self.old)


@pytest.mark.parametrize("left_behind", [b"", b"what was here before"], ids=["nothing", "other bytes"])
def test_an_author_who_moved_away_is_followed_to_the_pds(servers: Servers, scene: Scene, left_behind: bytes) -> None:
    asked: list[str] = []

    def old(nsid: str, _query: dict[str, str]) -> Reply:
        asked.append(nsid)
        if left_behind:
            return Reply(left_behind, headers={"content-type": "image/png"})
        return Reply.json({"error": "RepoDeactivated", "message": "moved away"}, 400)

    blob = read_blob_ref(scene.picture.value["blob"])
    with serving(old) as url:
        raw = ask(
            servers,
            lambda client, resolver: fetch_blob(scene.who.did, blob, client=client, resolver=Moving(resolver, url)),
        )
    assert (raw, asked) == (PIXEL, ["com.atproto.sync.getBlob"])


def test_a_blob_that_was_taken_down_is_missing(servers: Servers) -> None:
    with account(servers, "blob-down") as who:
        blob = who.upload(PIXEL, "image/png")
        who.create_record(f"{PREFIX}image", "x", {"$type": f"{PREFIX}image", "createdAt": at(1), "blob": blob})
        named = read_blob_ref(from_json(blob))
        assert fetch(servers, who.did, named) == PIXEL
        subject = {
            "$type": "com.atproto.admin.defs#repoBlobRef",
            "did": who.did,
            "cid": blob["ref"]["$link"],
        }
        httpx.post(
            f"{servers.pds}/xrpc/com.atproto.admin.updateSubjectStatus",
            json={"subject": subject, "takedown": {"applied": True}},
            auth=("admin", servers.password),
            trust_env=False,
        ).raise_for_status()
        with pytest.raises(RefusedError):
            fetch(servers, who.did, named)


def test_one_record_is_proven_and_so_is_that_there_is_none(servers: Servers, scene: Scene) -> None:
    async def prove(client: XrpcClient, resolver: Resolver) -> list[Any]:
        identity = await resolver.identity(scene.who.did)
        assert identity.key is not None
        found: list[Any] = []
        for rkey in ("pixel", "none"):
            question = Get(GET_PROVEN, (("did", scene.who.did), ("collection", f"{PREFIX}image"), ("rkey", rkey)))
            raw = await client.collect(identity.pds, question, Span(LONGEST_PROOF, 60.0, 20.0), CAR)
            path = f"{PREFIX}image/{rkey}"
            found.append(prove_record(raw, scene.who.did, path, identity.key, latest=latest_rev(LATER)))
        return found

    entry, nothing = ask(servers, prove)
    assert isinstance(entry, Entry)
    assert (entry.rkey, entry.cid) == ("pixel", scene.picture.cid)
    assert nothing is None


def test_a_guest_s_comment_is_proven_by_the_guest_s_repo(servers: Servers, scene: Scene) -> None:
    goal = scene.plan.value["goal"]
    with account(servers, "gina-guest") as gina, account(servers, "carl-guest") as carl:
        said = observed(gina, "message", "felt", goal=goal, body="Try felt.")
        observed(gina, "message", "other", goal=goal | {"uri": goal["uri"] + "x"}, body="Elsewhere.")

        def comment(did: str, rkey: str) -> Any:
            return ask(
                servers,
                lambda client, resolver: fetch_comment(
                    Hit(did, rkey), goal["uri"], client=client, resolver=resolver, now=LATER
                ),
            )

        found = comment(gina.did, "felt")
        assert (found.uri, found.cid, found.body, found.proven) == (said.uri, said.cid, "Try felt.", True)
        with pytest.raises(NotShownError, match="not this goal"):
            comment(gina.did, "other")
        with pytest.raises(NotShownError, match="is not in its author's repo"):
            comment(carl.did, "felt")
        gina.delete_record(MESSAGES, "felt")
        with pytest.raises(NotShownError, match="is not in its author's repo"):
            comment(gina.did, "felt")


def test_a_proof_of_one_repo_says_nothing_with_the_key_of_another(servers: Servers, scene: Scene) -> None:
    with account(servers, "other-key") as other:

        async def prove(client: XrpcClient, resolver: Resolver) -> None:
            key = (await resolver.identity(other.did)).key
            identity = await resolver.identity(scene.who.did)
            assert key is not None
            question = Get(GET_PROVEN, (("did", scene.who.did), ("collection", f"{PREFIX}image"), ("rkey", "pixel")))
            raw = await client.collect(identity.pds, question, Span(LONGEST_PROOF, 60.0, 20.0), CAR)
            with pytest.raises(SignatureError):
                prove_record(raw, scene.who.did, f"{PREFIX}image/pixel", key, latest=latest_rev(LATER))

        ask(servers, prove)


def radial(cache: Path, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a process of its own."""
    command = [sys.executable, "-c", "from radial_cli.main import main; main()", *map(str, arguments)]
    environment = os.environ | {"XDG_CACHE_HOME": str(cache)}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=120, check=False)


def test_the_commands_do_the_same(servers: Servers, scene: Scene, tmp_path: Path) -> None:
    """`radial fetch`, then body, image and guests; the backlink index is a fake, the guest's repo is real."""
    file, here = tmp_path / "space.jsonl", ("--plc", servers.plc)
    scene.who.create_record(
        f"{PREFIX}setGuestComments",
        "on",
        {"$type": f"{PREFIX}setGuestComments", "createdAt": at(2), "space": ref(scene.space), "enabled": True},
    )
    assert radial(tmp_path, "fetch", scene.space.uri, "-o", file, *here).returncode == 0
    assert radial(tmp_path, "body", "artifact/plan", file, *here).stdout == LONG_BODY
    assert radial(tmp_path, "image", "image/pixel", file, *here, "-o", tmp_path / "pixel.png").returncode == 0
    assert (tmp_path / "pixel.png").read_bytes() == PIXEL
    goal = scene.plan.value["goal"]
    with account(servers, "gwen-guest") as gwen:
        observed(gwen, "message", "felt", goal=goal, body="Try felt.")
        page = {"records": [{"did": gwen.did, "collection": MESSAGES, "rkey": key} for key in ("felt", "none")]}
        with serving(lambda _nsid, _query: Reply.json(page)) as index:
            done = radial(tmp_path, "guests", "goal/one", file, *here, "--backlinks", index, "--json")
    assert done.returncode == 0, done.stderr
    (found,) = json.loads(done.stdout)["goals"]
    assert [(comment["guest"], comment["body"], comment["proven"]) for comment in found["unblessed"]] == [
        (gwen.did, "Try felt.", True)
    ]
    assert [left["uri"].rpartition("/")[2] for left in found["leftOut"]] == ["none"]
