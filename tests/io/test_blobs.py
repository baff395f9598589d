"""A blob leaves here only when it is the one that its record names, from wherever its author is by now."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from radial_core.cids import Cid
from radial_io.atproto.blobs import BlobLimits, BlobRef, fetch_blob, read_blob_ref
from radial_io.atproto.identity import DidResolver, RememberingResolver
from radial_io.atproto.xrpc import XrpcClient
from radial_io.errors import (
    AddressError,
    BlobError,
    LimitError,
    NotJsonError,
    RadialIoError,
    RedirectError,
    RefusedError,
)
from tests.io.fakes import BOB, Reply
from tests.io.strangers import DIRECTORY, Network, blob_ref, blob_value, refused

RAW = b"# A long plan\n" * 500
OLD, NEW = "old.example.com", "new.example.com"
TEXT = {"content-type": "text/markdown"}


def serve(raw: bytes, **headers: str) -> Any:
    return lambda _nsid, _query: Reply(
        raw, headers=TEXT | {name.replace("_", "-"): value for name, value in headers.items()}
    )


def became_private(_nsid: str, _query: dict[str, str]) -> Reply:
    """What the guard of addresses says of a name that leads inside by now."""
    raise AddressError("no public address")


def fetch(network: Network, blob: BlobRef, limits: BlobLimits | None = None) -> bytes:
    return network.run(lambda client, resolver: fetch_blob(BOB, blob, client=client, resolver=resolver, limits=limits))


def test_the_author_s_server_is_asked_for_the_blob_that_the_record_names() -> None:
    network = Network(hosts={NEW: serve(RAW)})
    network.live(BOB, NEW)
    assert fetch(network, blob_ref(RAW)) == RAW
    assert network.asked == [f"{DIRECTORY}/{BOB}", f"{NEW}/com.atproto.sync.getBlob"]
    assert dict(network.requests[-1].url.params) == {"did": BOB, "cid": str(blob_ref(RAW).cid)}


@pytest.mark.parametrize("kind", ["text/html", "image/svg+xml", "application/x-nothing", ""])
def test_what_the_server_calls_it_does_not_matter(kind: str) -> None:
    network = Network(hosts={NEW: serve(RAW, content_type=kind)})
    network.live(BOB, NEW)
    assert fetch(network, blob_ref(RAW)) == RAW


@pytest.mark.parametrize(
    "old",
    [
        lambda _nsid, _query: refused("RepoDeactivated"),
        lambda _nsid, _query: refused("BlobNotFound", 404),
        lambda _nsid, _query: refused("InternalServerError", 500),
        lambda _nsid, _query: Reply(status=302, headers={"location": "http://127.0.0.1/"}),
        serve(b"other bytes"),
        serve(RAW[:-1]),
        serve(RAW + b"!"),
        became_private,
        None,
    ],
    ids=["deactivated", "no blob", "broken", "redirect", "other", "cut short", "too long", "private", "down"],
)
def test_an_author_who_moved_is_followed(old: Any) -> None:
    """What the old server does is no matter: the DID is looked up afresh, and the new one is asked."""
    network = Network(hosts={NEW: serve(RAW)} | ({} if old is None else {OLD: old}))
    network.live(BOB, OLD, NEW)
    assert fetch(network, blob_ref(RAW)) == RAW
    assert network.blob_requests()[-1] == NEW
    assert network.asked.count(f"{DIRECTORY}/{BOB}") == 2


@pytest.mark.parametrize(
    ("served", "error"),
    [
        (serve(RAW.replace(b"plan", b"plot")), BlobError),
        (serve(RAW[:-1]), BlobError),
        (serve(b""), BlobError),
        (serve(RAW + b"!"), LimitError),
        (serve(RAW, content_encoding="gzip"), NotJsonError),
        (lambda _nsid, _query: Reply(status=307, headers={"location": "https://new.example.com/"}), RedirectError),
        (lambda _nsid, _query: refused("BlobNotFound"), RefusedError),
    ],
    ids=["other", "cut short", "empty", "too long", "compressed", "redirect", "none"],
)
def test_what_is_not_the_blob_is_refused_and_asked_for_once(served: Any, error: type[RadialIoError]) -> None:
    network = Network(hosts={OLD: served})
    network.live(BOB, OLD)
    with pytest.raises(error):
        fetch(network, blob_ref(RAW))
    assert network.blob_requests() == [OLD]


def test_one_that_says_it_is_too_long_is_not_asked_for() -> None:
    network = Network(hosts={OLD: serve(RAW)})
    network.live(BOB, OLD)
    with pytest.raises(BlobError, match="7000 bytes, and 6999 are taken"):
        fetch(network, blob_ref(RAW), BlobLimits(longest=6999))
    assert network.asked == []
    assert fetch(network, blob_ref(RAW), BlobLimits(longest=7000)) == RAW


def test_a_size_that_is_a_lie_is_found_out() -> None:
    network = Network(hosts={OLD: serve(RAW)})
    network.live(BOB, OLD)
    named = blob_ref(RAW)
    with pytest.raises(LimitError, match="more than 100 bytes"):
        fetch(network, BlobRef(named.cid, 100, ""))
    with pytest.raises(BlobError):
        fetch(network, BlobRef(named.cid, 7001, ""))


def test_what_is_remembered_of_an_author_is_doubted_when_it_fails() -> None:
    network = Network(hosts={OLD: serve(b"other"), NEW: serve(RAW)})
    network.live(BOB, OLD, NEW)
    seconds = count(step=100)

    async def work(client: XrpcClient, resolver: DidResolver) -> bytes:
        remembering = RememberingResolver(resolver, lambda: float(next(seconds)))
        await remembering.identity(BOB)
        return await fetch_blob(BOB, blob_ref(RAW), client=client, resolver=remembering)

    assert network.run(work) == RAW
    assert network.asked.count(f"{DIRECTORY}/{BOB}") == 2


def test_a_directory_that_went_down_leaves_the_first_error() -> None:
    network = Network(hosts={OLD: lambda _nsid, _query: refused("RepoNotFound")})
    network.live(BOB, OLD)
    documents = network.hosts[DIRECTORY]

    def once(path: str, query: dict[str, str]) -> Reply | None:
        network.hosts[DIRECTORY] = lambda _path, _query: refused("Down", 500)
        return documents(path, query)

    network.hosts[DIRECTORY] = once
    with pytest.raises(RefusedError, match="RepoNotFound"):
        fetch(network, blob_ref(RAW))


def test_an_author_whose_server_is_private_is_not_asked() -> None:
    network = Network()
    network.live(BOB, "127.0.0.1")
    with pytest.raises(RadialIoError, match="not public"):
        fetch(network, blob_ref(RAW))
    assert network.blob_requests() == []


def test_a_blob_is_read_out_of_a_record() -> None:
    named = blob_ref(RAW, "text/markdown")
    assert read_blob_ref(blob_value(named)) == named


@pytest.mark.parametrize(
    "change",
    [
        {"$type": "file"},
        {"ref": str(blob_ref(RAW).cid)},
        {"ref": Cid(b"\x01\x71\x12\x20" + bytes(32))},
        {"ref": Cid(b"\x01\x55\x12\x20" + bytes(31))},
        {"ref": Cid(b"\x01\x55\x13\x40" + bytes(64))},
        {"size": -1},
        {"size": True},
        {"size": "7000"},
    ],
)
def test_what_cannot_be_checked_is_no_blob(change: dict[str, Any]) -> None:
    with pytest.raises(BlobError):
        read_blob_ref(blob_value(blob_ref(RAW)) | change)


@pytest.mark.parametrize("value", [None, [], "bafkrei", {"cid": "bafkrei", "mimeType": "image/png"}], ids=repr)
def test_what_is_no_blob_at_all_is_none(value: Any) -> None:
    with pytest.raises(BlobError):
        read_blob_ref(value)
