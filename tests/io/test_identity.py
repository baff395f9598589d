"""From a DID to its PDS."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from radial_io.atproto.addresses import Reach
from radial_io.atproto.documents import Identity, document_url, read_document
from radial_io.atproto.identity import DidResolver, FixedPds, RememberingResolver, open_servers
from radial_io.atproto.xrpc import XrpcClient, open_client
from radial_io.errors import AddressError, GivenUrlError, IdentityError, NotJsonError, RefusedError
from tests.io.fakes import ALICE, BOB, LOOPBACK, FakePlc, Reply, serving

pytestmark = pytest.mark.anyio

PLC = "https://plc.example.com"
WEB = "did:web:alice.example.com"


def _document(**changes: Any) -> dict[str, Any]:
    service = {
        "id": "#atproto_pds",
        "type": "AtprotoPersonalDataServer",
        "serviceEndpoint": "https://pds.example.com",
    }
    return {"id": ALICE, "service": [service | changes]}


def test_a_did_plc_is_asked_of_the_directory_and_a_did_web_of_its_host() -> None:
    assert document_url(ALICE, PLC) == f"{PLC}/{ALICE}"
    assert document_url(WEB, PLC) == "https://alice.example.com/.well-known/did.json"


@pytest.mark.parametrize(
    "did",
    [
        "did:plc:short",
        "did:plc:" + "A" * 24,
        "did:plc:" + "a" * 24 + "/../x",
        "did:web:alice.example.com:path",
        "did:web:localhost",
        "did:web:localhost%3A2583",
        "did:web:127.0.0.1",
        "did:web:2130706433",
        "did:web:alice.example.com%2Fpath",
        "did:web:",
        "did:key:zQ3shXjHeiBuRCKmM36cuYnm7YEMzhGnCmCyW92sRJ9pribSF",
        "alice.example.com",
        "",
    ],
)
def test_other_dids_lead_nowhere(did: str) -> None:
    with pytest.raises(IdentityError):
        document_url(did, PLC)


@pytest.mark.parametrize("name", ["#atproto_pds", f"{ALICE}#atproto_pds"])
def test_both_ways_to_name_the_service(name: str) -> None:
    identity = read_document(_document(id=name), ALICE)
    assert identity == Identity(ALICE, "https://pds.example.com")


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "#atproto_labeler"},
        {"id": f"{BOB}#atproto_pds"},
        {"type": "AtprotoLabeler"},
        {"serviceEndpoint": None},
        {"serviceEndpoint": {"uri": "https://pds.example.com"}},
        {"serviceEndpoint": "https://pds.example.com/path"},
        {"serviceEndpoint": "http://pds.example.com"},
        {"serviceEndpoint": "http://localhost:2583"},
        {"serviceEndpoint": "https://me:secret@pds.example.com"},
    ],
)
def test_a_service_that_cannot_be_used(changes: dict[str, Any]) -> None:
    with pytest.raises(IdentityError, match=ALICE):
        read_document(_document(**changes), ALICE)


@pytest.mark.parametrize(
    "document",
    [None, [], "x", {}, {"id": ALICE}, {"id": ALICE, "service": {}}, {"id": ALICE, "service": ["x", None, 5]}],
)
def test_a_document_that_is_none(document: Any) -> None:
    with pytest.raises(IdentityError):
        read_document(document, ALICE)


def test_the_document_must_be_about_the_did() -> None:
    with pytest.raises(IdentityError, match="somebody else"):
        read_document(_document(), BOB)


def test_the_first_service_that_fits_is_taken() -> None:
    first, second = _document()["service"][0], _document(serviceEndpoint="https://other.example.com")["service"][0]
    document = {"id": ALICE, "service": [{"id": "#other"}, first | {"type": "Other"}, first, second]}
    assert read_document(document, ALICE).pds == "https://pds.example.com"


@pytest.mark.parametrize("name", ["did_plc_doc.json", "did_plc_doc_legacy.json"])
def test_real_documents(shared: Path, name: str) -> None:
    document = json.loads((shared / "fixtures/atproto-interop/extra-indigo" / name).read_text())
    assert read_document(document, document["id"]).pds == "https://bsky.social"


async def test_looking_up() -> None:
    plc = FakePlc()
    plc.register(ALICE, "http://localhost:2583")
    with serving(plc.answer) as url:
        async with open_client(LOOPBACK) as client:
            assert (await DidResolver(client, url, LOOPBACK).identity(ALICE)).pds == "http://localhost:2583"


@pytest.mark.parametrize(("status", "said"), [(404, "never registered"), (410, "given up")])
async def test_an_unknown_and_a_given_up_did(status: int, said: str) -> None:
    plc = FakePlc({ALICE: status})
    with serving(plc.answer) as url, pytest.raises(IdentityError, match=said) as caught:
        async with open_client(LOOPBACK) as client:
            await DidResolver(client, url, LOOPBACK).identity(ALICE)
    assert url in str(caught.value)


async def test_a_did_web_is_fetched_from_its_host() -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        body = httpx.ByteStream(json.dumps(_document() | {"id": WEB}).encode())
        return httpx.Response(200, headers={"content-type": "application/json"}, stream=body)

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
        identity = await DidResolver(XrpcClient(http), PLC).identity(WEB)
    assert asked == ["https://alice.example.com/.well-known/did.json"]
    assert identity == Identity(WEB, "https://pds.example.com")


async def test_a_did_web_that_is_gone_is_a_refusal() -> None:
    transport = httpx.MockTransport(lambda _request: httpx.Response(404, stream=httpx.ByteStream(b"")))
    async with httpx.AsyncClient(transport=transport) as http:
        with pytest.raises(RefusedError):
            await DidResolver(XrpcClient(http), PLC).identity(WEB)


@pytest.mark.parametrize("body", [b"[" * 100_000, b"{", b""])
async def test_a_document_that_is_no_json(body: bytes) -> None:
    with serving(lambda _path, _query: Reply(body)) as url, pytest.raises(NotJsonError):
        async with open_client(LOOPBACK) as client:
            await DidResolver(client, url, LOOPBACK).identity(ALICE)


async def test_one_pds_for_all() -> None:
    assert await FixedPds("https://pds.example.com").identity(BOB) == Identity(BOB, "https://pds.example.com")


async def test_local_servers_may_be_contacted_when_they_are_named_by_hand() -> None:
    plc = FakePlc()
    plc.register(ALICE, "http://127.0.0.1:2583")
    with serving(plc.answer) as url:
        async with open_servers(plc=url + "/") as (_, resolver):
            assert (await resolver.identity(ALICE)).pds == "http://127.0.0.1:2583"
    async with open_servers(pds="http://localhost:2583") as (_, resolver):
        assert resolver == FixedPds("http://localhost:2583")


def _resolve_to(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_arguments, **_options: found)


async def test_a_private_pds_named_by_hand_opens_itself_alone() -> None:
    heard: list[dict[str, str]] = []
    with (
        serving(lambda _path, _query: Reply.json({}), heard) as other,
        serving(lambda _path, _query: Reply.json({})) as url,
    ):
        async with open_servers(pds=url) as (client, _):
            assert await client.get(url) == b"{}"
            with pytest.raises(AddressError):
                await client.get(other)
    assert heard == []


@pytest.mark.parametrize(
    "endpoint", ["http://10.0.0.1", "https://10.0.0.1", "http://169.254.169.254", "http://pds.example.com"]
)
async def test_a_directory_on_this_machine_opens_no_other_network(endpoint: str) -> None:
    plc = FakePlc()
    plc.register(ALICE, endpoint)
    with serving(plc.answer) as url, pytest.raises(IdentityError):
        async with open_servers(plc=url) as (_, resolver):
            await resolver.identity(ALICE)


async def test_a_private_directory_in_the_network_opens_itself_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    _resolve_to(monkeypatch, "192.168.1.7")
    async with open_servers(plc="http://plc.lab:2582") as (_, resolver):
        assert isinstance(resolver, RememberingResolver)
        directory = resolver.resolver
        assert isinstance(directory, DidResolver)
        assert directory.plc == "http://plc.lab:2582"
        for endpoint in ("http://localhost:2583", "http://192.168.1.7:22", "http://plc.lab:22"):
            with pytest.raises(IdentityError):
                read_document(_document(serviceEndpoint=endpoint), ALICE, directory.reach)


async def test_a_did_web_never_leads_inwards() -> None:
    def answer(_request: httpx.Request) -> httpx.Response:
        document = _document(serviceEndpoint="http://localhost:2583") | {"id": WEB}
        body = httpx.ByteStream(json.dumps(document).encode())
        return httpx.Response(200, headers={"content-type": "application/json"}, stream=body)

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
        with pytest.raises(IdentityError, match="cannot be used"):
            await DidResolver(XrpcClient(http), PLC, LOOPBACK).identity(WEB)
        with pytest.raises(IdentityError, match="private host"):
            await DidResolver(XrpcClient(http), PLC, Reach("alice.example.com", 443)).identity(WEB)


async def test_public_servers_named_by_hand_lead_to_public_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[dict[str, str]] = []
    with serving(lambda _path, _query: Reply.json({}), heard) as url:
        _resolve_to(monkeypatch, "1.1.1.1")
        for given in ({"plc": "https://plc.example.com"}, {"pds": "https://pds.example.com"}, {}):
            async with open_servers(**given) as (client, _):
                _resolve_to(monkeypatch, "127.0.0.1")
                with pytest.raises(AddressError):
                    await client.get(url)
                _resolve_to(monkeypatch, "1.1.1.1")
    assert heard == []


@pytest.mark.parametrize(
    "url",
    [
        "http://plc.example.com",
        "https://plc.example.com/path",
        "plc.example.com",
        "127.0.0.1:1",
        "ftp://x",
        "http://127.0.0.1:99999",
        "http://169.254.169.254",
        "",
    ],
)
async def test_a_server_named_wrongly(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _resolve_to(monkeypatch, "169.254.169.254" if "169" in url else "1.1.1.1")
    for given in ({"plc": url}, {"pds": url}):
        with pytest.raises(GivenUrlError):
            async with open_servers(**given):
                pass
